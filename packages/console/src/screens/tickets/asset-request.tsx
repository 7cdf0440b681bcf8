import { pathOf } from '@castellan/contract/routes'
import type { FormSpec, Values } from '../../kit/form/spec.ts'
import { isEmpty } from '../../kit/form/values.ts'
import { type Row, rawOf } from '../../kit/row.ts'
import { session } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

const organizations = () => session().profile.workbench_orgs.filter(({ is_root }) => !is_root)
const first = () => {
  const mine = organizations()
  return (mine.find(({ id }) => id === session().organization.id) ?? mine[0])?.id
}

/** How long access is asked for unless the user chooses otherwise. Milliseconds. */
function usualTime(): number {
  const { TICKET_AUTHORIZE_DEFAULT_TIME: count = 7, TICKET_AUTHORIZE_DEFAULT_TIME_UNIT: unit } = session().settings
  return Number(count) * (unit === 'hour' ? 3_600_000 : 86_400_000)
}

/** What exists in the chosen organization, by name; its members may know that much of what they are not granted. */
const requestable = (kind: 'node' | 'asset', values: Values) => ({
  url: `/api/v1/assets/${kind}s/suggestions/?oid=${String(rawOf(values.org_id) ?? '')}`,
  tree: {
    url: `/api/v1/tickets/apply-asset-tickets/requestable/tree/?org_id=${String(rawOf(values.org_id) ?? '')}`,
    kind,
  },
  plain: true,
})

const nothing = (values: Values) => isEmpty(values.apply_assets) && isEmpty(values.apply_nodes)

export const form: FormSpec<Row> = {
  url: '/api/v1/tickets/apply-asset-tickets/open/',
  resource: 'tickets.ticket',
  noun: 'ticket',
  path: pathOf('MyTicketList'),
  title: 'assetRequest',
  initial: () => ({
    org_id: first(),
    apply_accounts: ['@ALL'],
    apply_actions: ['connect'],
    apply_date_start: new Date().toISOString(),
    apply_date_expired: new Date(Date.now() + usualTime()).toISOString(),
  }),
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['title', 'org_id'] },
    {
      key: 'request',
      title: 'assetRequestWhat',
      fields: [
        ...['apply_nodes', 'apply_assets', 'apply_accounts', 'apply_actions'],
        ...['apply_date_start', 'apply_date_expired'],
      ],
    },
    { key: 'other', title: 'groupOther', fields: ['comment'] },
  ],
  fields: {
    org_id: {
      label: 'organization',
      widget: 'choice',
      validation: { required: true },
      get choices() {
        return { options: organizations().map(({ id, name }) => ({ value: id, label: name })), single: true }
      },
      follow: () => ({ apply_nodes: [], apply_assets: [] }),
    },
    apply_nodes: {
      widget: 'remote',
      layout: { half: true },
      source: (values) => requestable('node', values),
    },
    apply_assets: {
      widget: 'remote',
      layout: { half: true },
      source: (values) => requestable('asset', values),
      validation: { check: (_value, values) => (nothing(values) ? t('permissionNothing') : undefined) },
    },
    apply_accounts: { widget: 'account-names' },
    apply_date_start: { layout: { half: true }, validation: { required: true } },
    apply_date_expired: {
      layout: { half: true },
      validation: {
        required: true,
        check: (value, values) =>
          value && values.apply_date_start && new Date(String(value)) <= new Date(String(values.apply_date_start))
            ? t('endsBeforeStart')
            : undefined,
      },
    },
    comment: { widget: 'textarea' },
  },
  submit: { verb: 'assetRequestSend' },
  saved: { to: () => pathOf('MyTicketList'), detail: false },
}

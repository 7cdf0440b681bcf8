import { pathOf } from '@castellan/contract/routes'
import { Skeleton } from 'antd'
import { call, withQuery } from '../../kit/api/client.ts'
import { Protocols } from '../../kit/cells.tsx'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { FormPanel } from '../../kit/form/FormPanel.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import { ListView } from '../../kit/list/ListView.tsx'
import { Failed } from '../../kit/list/states.tsx'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { Badge } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import type { WireRow } from '../../kit/wire.ts'
import { assetsUrl, listOf } from './asset-list.tsx'
import { type AssetRow, categoryOf } from './categories.ts'
import { KindIcon } from './kinds.tsx'
import { type Constraints, useConstraints } from './platform-constraints.ts'
import { changePlatform, confirmEffects, platformsUrl } from './platform-effects.tsx'
import { automationFields, automationNames, type PlatformForm } from './platform-fields.tsx'

type PlatformRow = WireRow<typeof platformsUrl>

const right = 'assets.change_platform'
const mayChange = (row: Row): boolean => row.internal !== true && can(right)
const whyNot = (row: Row): string | undefined =>
  row.internal === true ? t('platformBuiltin') : can(right) ? undefined : t('noRight')

const constraintsOf = (row: Row) => ({ category: categoryOf(row), type: String(rawOf(row.type)) })

/** Waits for what a part of the page needs to know of the type. */
function WithConstraints({ row, children }: { row: Row; children: (constraints: Constraints) => React.ReactNode }) {
  const read = useConstraints(constraintsOf(row))
  if (read.error) return <Failed error={read.error} retry={() => void read.refetch()} />
  return read.data ? children(read.data) : <Skeleton active title={false} paragraph={{ rows: 4 }} />
}

/** A part of the platform that is changed on its page. */
function partOf(row: Row, part: Pick<FormSpec<PlatformForm>, 'groups' | 'fields'>): FormSpec<PlatformForm> {
  return {
    ...part,
    url: `${platformsUrl}${row.id}/`,
    single: true,
    resource: 'assets.platform',
    noun: 'platform',
    submit: {
      method: 'PATCH',
      clean: async (body) => {
        await confirmEffects(row.id, body)
        return body
      },
    },
  }
}

function Sections({ row, reload }: DetailContext<PlatformRow>) {
  return (
    <WithConstraints row={row}>
      {(constraints) => (
        <>
          <QuickActions
            actions={[
              {
                key: 'domain',
                title: t('platformDomain'),
                help: t('platformDomainHelp'),
                on: row.domain_enabled === true,
                disabled: whyNot(row) ?? (constraints.domain_enabled === true ? false : t('platformUnsupported')),
                run: () => changePlatform(row.id, { domain_enabled: !row.domain_enabled }).then(reload),
              },
              {
                key: 'su',
                title: t('platformSu'),
                help: t('platformSuHelp'),
                on: row.su_enabled === true,
                disabled: whyNot(row) ?? (constraints.su_enabled === true ? false : t('platformUnsupported')),
                run: () => changePlatform(row.id, { su_enabled: !row.su_enabled }).then(reload),
              },
              {
                key: 'sync',
                title: t('platformSync'),
                help: t('platformSyncHelp'),
                verb: t('platformSyncVerb'),
                disabled: !can('assets.change_asset') && t('noRight'),
                run: async () => {
                  const body = { platform_id: Number(row.id) }
                  await call(`${assetsUrl}sync-platform-protocols/`, { method: 'POST', body })
                  toast.ok(t('done'))
                },
              },
            ]}
          />
          <FormPanel
            key={String(row.date_updated)}
            locked={!mayChange(row)}
            spec={partOf(row, {
              groups: [{ key: 'protocols', title: 'groupProtocols', fields: ['protocols'] }],
              fields: {
                protocols: {
                  widget: 'protocols',
                  validation: { required: true },
                  texts: { help: 'platformProtocolsHelp' },
                  state: { disabled: !mayChange(row) },
                  with: {
                    choices: constraints.protocols ?? [],
                    mode: 'platform',
                    named: categoryOf(row) === 'custom',
                  },
                },
              },
            })}
            onSaved={reload}
          />
        </>
      )}
    </WithConstraints>
  )
}

const Automation = ({ row, reload }: DetailContext<PlatformRow>) => (
  <WithConstraints row={row}>
    {(constraints) => (
      <FormPanel
        locked={!mayChange(row)}
        spec={partOf(row, {
          groups: [{ key: 'automation', title: 'automation', help: 'platformAutomationHelp', fields: automationNames }],
          fields: automationFields(constraints, !mayChange(row)),
        })}
        onSaved={reload}
      />
    )}
  </WithConstraints>
)

const toUpdate = (row: Row): string =>
  withQuery(pathOf('PlatformUpdate', row.id), {
    category: categoryOf(row),
    type: String(rawOf(row.type)),
  })

/** Assets of the platform in the current organization. */
function Assets({ row }: DetailContext<PlatformRow>) {
  const { actions, ...spec } = listOf(assetsUrl, { platform: row.id }, 'PlatformAssets')
  return (
    <ListView<AssetRow>
      spec={{ ...spec, actions, search: { inAddress: false }, files: { import: false, export: false } }}
    />
  )
}

export const detail: DetailSpec<PlatformRow> = {
  url: platformsUrl,
  path: pathOf('PlatformList'),
  resource: 'assets.platform',
  noun: 'platform',
  icon: (row) => <KindIcon row={row} size={20} />,
  badge: (row) => (row.internal ? <Badge is="idle">{t('builtin')}</Badge> : null),
  under: (row) => `${wordOf(row.category)} · ${wordOf(row.type)}`,
  update: { to: toUpdate, visible: (row) => !row.internal },
  remove: { visible: (row) => !row.internal },
  facts: [
    'id',
    'name',
    'category',
    'type',
    'charset',
    { name: 'protocols', render: (row) => <Protocols of={row.protocols} most={Number.POSITIVE_INFINITY} /> },
    'domain_enabled',
    'su_enabled',
    { name: 'su_method', visible: (row) => row.su_enabled === true },
    'internal',
    'date_created',
    'date_updated',
    'created_by',
    'updated_by',
    'comment',
  ],
  sections: (context) => <Sections {...context} />,
  tabs: [
    { key: 'Assets', title: 'assets', permission: 'assets.view_asset', render: (context) => <Assets {...context} /> },
    { key: 'Automation', title: 'automation', render: (context) => <Automation {...context} /> },
  ],
}

import { assetSource, userSource } from '../../domain/acls/rule-attributes.ts'
import { call } from '../../kit/api/client.ts'
import type { FormSpec, Values } from '../../kit/form/spec.ts'
import { isEmpty } from '../../kit/form/values.ts'
import type { Row } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import type { WireForm } from '../../kit/wire.ts'
import { PermissionEffect } from './PermissionEffect.tsx'
import { path, url } from './permission.ts'

const years = 25_550 * 86_400_000
const nobody = (values: Values): boolean => isEmpty(values.users) && isEmpty(values.user_groups)
const nothing = (values: Values): boolean => isEmpty(values.assets) && isEmpty(values.nodes)

/** Preselects the node or asset selected in the tree, by id. */
const named = async (collection: string, id: string | null): Promise<Row[]> =>
  id ? [await call<Row>(`${collection}${id}/`, { quiet: true })] : []

export const form: FormSpec<WireForm<typeof url>> = {
  url,
  path,
  resource: 'perms.assetpermission',
  noun: 'assetPermission',
  initial: async ({ query }) => ({
    is_active: true,
    date_start: new Date().toISOString(),
    date_expired: new Date(Date.now() + years).toISOString(),
    nodes: await named('/api/v1/assets/nodes/', query.get('node_id')),
    assets: await named('/api/v1/assets/assets/', query.get('asset_id')),
    accounts: ['@ALL'],
    protocols: ['all'],
  }),
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name'] },
    { key: 'who', title: 'permissionWho', help: 'permissionWhoHelp', fields: ['users', 'user_groups'] },
    { key: 'what', title: 'permissionWhat', help: 'permissionWhatHelp', fields: ['assets', 'nodes'] },
    { key: 'how', title: 'permissionHow', help: 'permissionHowHelp', fields: ['accounts', 'protocols', 'actions'] },
    { key: 'when', title: 'permissionWhen', fields: ['date_start', 'date_expired', 'is_active', 'comment'] },
  ],
  fields: {
    users: {
      layout: { half: true },
      source: userSource,
      validation: { check: (_, values) => (nobody(values) ? t('permissionNobody') : undefined) },
    },
    user_groups: { layout: { half: true }, source: { url: '/api/v1/users/groups/' } },
    assets: { layout: { half: true }, validation: { required: false }, source: assetSource },
    nodes: {
      layout: { half: true },
      source: { url: '/api/v1/assets/nodes/', label: (row) => String(row.full_value ?? row.name) },
      validation: { check: (_, values) => (nothing(values) ? t('permissionNothing') : undefined) },
    },
    accounts: { widget: 'account-names' },
    protocols: { widget: 'all-or-some', source: { url: '/api/v1/assets/protocols/', plain: true } },
    date_start: { layout: { half: true } },
    date_expired: {
      layout: { half: true },
      validation: {
        check: (value, values) =>
          value && values.date_start && new Date(String(value)) <= new Date(String(values.date_start))
            ? t('endsBeforeStart')
            : undefined,
      },
    },
  },
  layout: { beside: PermissionEffect },
  saved: { to: (saved, { id }) => (id ? path : `${path}/${saved.id}`) },
}

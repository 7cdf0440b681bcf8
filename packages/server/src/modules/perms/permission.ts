import { allPermActions, permActionGroups, permActions, permActionTree } from '@castellan/contract/choices/perms'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import {
  bits,
  boolean,
  computed,
  datetime,
  longText,
  many,
  nullableText,
  stringList,
  text,
} from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'
import { permissionFilters } from './permission-filters.ts'
import { permissionLookups } from './permission-lookups.ts'
import { templateHooks } from './permission-templates.ts'

const day = 86_400_000
/** Default validity of a permission: `DEFAULT_EXPIRED_YEARS` of 365 days. Days. */
const defaultDays = 70 * 365

const isExpired = (row: AnyRow) => !(row.date_start < Date.now() && Date.now() < row.date_expired)

const links = (name: string, to: string) => ({
  through: `perms_assetpermission_${name}`,
  from: 'assetpermission_id',
  to: `${to}_id`,
})

/**
 * Which users and groups may access which assets and nodes, as which accounts, by which protocols, with which actions,
 * until when.
 */
export const assetPermission = defineResource({
  app: 'perms',
  name: 'assetpermission',
  path: 'asset-permissions',
  scope: 'org',
  fields: {
    name: text({ max: 128, required: true, filter: true }),
    users: many('users.user', links('users', 'user')),
    user_groups: many('users.usergroup', links('user_groups', 'usergroup')),
    assets: many('assets.asset', links('assets', 'asset')),
    nodes: many('assets.node', {
      nameColumn: 'value',
      ...links('nodes', 'node'),
      show: (row) => ({ id: row.id, name: row.value }),
    }),
    accounts: { ...stringList({ default: [], filter: true }), parse: distinct },
    protocols: stringList({ default: ['all'] }),
    actions: bits(permActions, permActionTree, permActionGroups.all, { default: allPermActions }),
    created_by: nullableText({ readOnly: true }),
    comment: longText(),
    is_active: boolean({ default: true }),
    is_expired: computed('boolean', { wire: (_value, _ctx, row) => isExpired(row) }),
    is_valid: computed('boolean', { wire: (_value, _ctx, row) => row.is_active && !isExpired(row), filter: true }),
    from_ticket: boolean({ readOnly: true, default: false, filter: true }),
    date_created: datetime({ readOnly: true }),
    date_start: datetime({ default: () => Date.now() }),
    date_expired: datetime({ default: () => Date.now() + defaultDays * day }),
  },
  unique: [['org_id', 'name']],
  indexes: [['date_expired']],
  mini: ['id', 'name'],
  small: [
    ...['id', 'name', 'accounts', 'protocols', 'actions', 'created_by', 'date_created', 'date_start', 'date_expired'],
    ...['is_active', 'is_expired', 'is_valid', 'comment', 'from_ticket'],
  ],
  search: ['name'],
  defaultOrder: ['name'],
  filters: permissionFilters,
  hooks: templateHooks,
  actions: permissionLookups,
})

/** A list of unique accounts; templates in it (`%<id>`) are replaced before it is stored. */
function distinct(input: unknown, ctx: Context): string[] {
  const list = stringList().parse?.(input, ctx) as string[]
  return [...new Set(list)].filter((item) => item !== '')
}

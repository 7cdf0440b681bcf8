import { allPermActions, permActionGroups, permActions, permActionTree } from '@castellan/contract/choices/perms'
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
import type { Context } from '../../kernel/module/context.ts'
import type { ChangeOf, HooksOf, RowOf } from '../../kernel/resource/resource.ts'

const day = 86_400_000
/** Default validity of a permission: `DEFAULT_EXPIRED_YEARS` of 365 days. Days. */
const defaultDays = 70 * 365

type Period = { date_start: number; date_expired: number }

const isExpired = (row: Period) => !(row.date_start < Date.now() && Date.now() < row.date_expired)

const links = (name: string, to: string) => ({
  through: `perms_assetpermission_${name}`,
  from: 'assetpermission_id',
  to: `${to}_id`,
})

/** A list of unique accounts; templates in it (`%<id>`) are replaced before it is stored. */
function distinct(input: unknown, ctx: Context): string[] {
  const list = stringList().parse?.(input, ctx) as string[]
  return [...new Set(list)].filter((item) => item !== '')
}

export const permissionFields = {
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
  is_expired: computed('boolean', { wire: (_value, _ctx, row: Period) => isExpired(row) }),
  is_valid: computed('boolean', {
    wire: (_value, _ctx, row: Period & { is_active: boolean }) => row.is_active && !isExpired(row),
    filter: true,
  }),
  from_ticket: boolean({ readOnly: true, default: false, filter: true }),
  date_created: datetime({ readOnly: true }),
  date_start: datetime({ default: () => Date.now() }),
  date_expired: datetime({ default: () => Date.now() + defaultDays * day }),
}

type Fields = typeof permissionFields
export type PermissionRow = RowOf<Fields>
export type PermissionChange = ChangeOf<Fields>
export type PermissionHooks = HooksOf<Fields>
/** The same as the database answers it: lists are JSON. */
export type StoredPermission = Omit<PermissionRow, 'accounts' | 'protocols'> & { accounts: string; protocols: string }

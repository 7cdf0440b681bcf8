import { permActionGroups, permActions, permActionTree } from '@castellan/contract/choices/perms'
import { noRow } from '../../db/text.ts'
import {
  type AnyRow,
  bits,
  boolean,
  computed,
  datetime,
  type Field,
  json,
  nullableText,
  one,
  secret,
  text,
  unstored,
  uuid,
} from '../../kernel/fields/index.ts'
import { defineResource, type ListQuery, type Row } from '../../kernel/resource.ts'
import type { Sealed } from '../../kernel/secrets.ts'
import { organizationNames } from '../../kernel/standard-fields.ts'

/** Shown to its owner, who may need to type it; sealed at rest like every credential. */
const value: Field<Sealed | null, 'own'> = {
  ...secret({ readOnly: true }),
  writeOnly: false,
  order: true,
  wire: (sealed, ctx) => (sealed ? ctx.services.vault.open(sealed as Sealed) : ''),
}

/** Other users' tokens are hidden, because they open connections in their names. */
const valueForComponents: typeof value = {
  ...value,
  wire: (sealed, ctx, row) => (ctx.caller?.isServiceAccount ? (value.wire?.(sealed, ctx, row) ?? '') : ''),
}

const fields = (forOthers: boolean) => ({
  value: forOthers ? valueForComponents : value,
  user: one('users.user', { onDelete: 'cascade', anyOrg: true, readOnly: !forOthers }),
  asset: one('assets.asset', { onDelete: 'cascade', anyOrg: true, nullable: true }),
  account: text({ max: 128, required: true }),
  input_username: text({ max: 128 }),
  input_secret: secret({ max: 40_960 }),
  connect_method: text({ max: 32, required: true }),
  connect_options: json<AnyRow>({ default: {}, shape: 'object', resets: false }),
  protocol: text({ max: 16, default: 'ssh' }),
  /** The actions permitted when the token was created. */
  actions: bits(permActions, permActionTree, permActionGroups.all, { readOnly: true, order: false, default: 0 }),
  from_ticket: computed('object_related_field', { wire: () => null }),
  from_ticket_info: computed('field', { wire: () => ({}) }),
  created_by: nullableText({ max: 128, readOnly: true }),
  updated_by: nullableText({ max: 128, readOnly: true }),
  org_id: computed('string', { wire: (_value, _ctx, row) => row.asset_org_id ?? '' }),
  org_name: computed('field', {
    load: async (ctx) => {
      const names = await organizationNames(ctx)
      return (row) => names.get(row.asset_org_id) ?? ''
    },
  }),
  expire_time: computed('integer', { wire: (_value, _ctx, row) => secondsLeft(row) }),
  is_expired: computed('field', { wire: (_value, _ctx, row) => isExpired(row) }),
  user_display: text({ readOnly: true, filter: true }),
  asset_display: text({ readOnly: true, filter: true }),
  // Not writable: a token that waits for an approval is activated by the approval.
  is_active: boolean({ readOnly: true, default: true }),
  is_reusable: boolean({ default: false }),
  date_expired: datetime({ readOnly: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
})

export const isExpired = (row: AnyRow): boolean => row.date_expired <= Date.now()
const secondsLeft = (row: AnyRow) => Math.max(0, Math.floor((row.date_expired - Date.now()) / 1000))

/** The asset's organization. Tokens themselves are listed across organizations. */
const columns = { asset_org_id: uuid() }

const shared = {
  app: 'authentication',
  table: 'authentication_connectiontoken',
  scope: 'global' as const,
  verbs: ['list', 'retrieve'] as const,
  idWritable: false,
  bulk: false,
  defaultOrder: ['-date_expired'],
  search: ['user_display', 'asset_display'],
  display: (row: AnyRow) => `${row.user_display} ${row.asset_display} ${row.account}`,
}

const unexpired = (query: ListQuery) => query.where('t.date_expired', '>', Date.now())

/** A short-lived authorization of a user for one connection: asset, account, protocol and method. */
export const connectionToken = defineResource({
  ...shared,
  name: 'connectiontoken',
  path: 'connection-token',
  imports: 'authentication.add_connectiontoken',
  fields: fields(false),
  columns,
  indexes: [['user_id', 'date_expired'], ['date_expired'], ['asset_id']],
  visible: (ctx, query) => unexpired(query).where('t.user_id', '=', ctx.caller?.id ?? ''),
})

/** Tokens of all users, for components, which create them on behalf of users. */
export const superConnectionToken = defineResource({
  ...shared,
  name: 'superconnectiontoken',
  path: 'super-connection-token',
  // Rejected as forbidden, like every call here that is not in the contract.
  imports: 'nobody',
  shares: 'authentication.connectiontoken',
  requires: { list: 'authentication.view_connectiontoken', retrieve: 'authentication.view_connectiontoken' },
  columns,
  fields: {
    ...fields(true),
    /** The user's client address, when a component creates the token. */
    remote_addr: unstored(text({ max: 128, writeOnly: true }), { order: false, undescribed: true }),
  },
  visible: (ctx, query) => (ctx.can('authentication.add_superconnectiontoken') ? query : query.where(noRow)),
})

export type TokenRow = Row<typeof connectionToken>

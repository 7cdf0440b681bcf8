import { permActionGroups, permActions, permActionTree } from '@castellan/contract/choices/perms'
import { noRow } from '../../db/text.ts'
import {
  bits,
  boolean,
  computed,
  datetime,
  type Field,
  json,
  nullableText,
  one,
  type StoredRow,
  secret,
  text,
  unstored,
  uuid,
} from '../../kernel/fields/index.ts'
import { defineResource, type ListQuery, type Row } from '../../kernel/resource/resource.ts'
import { organizationNames } from '../../kernel/resource/standard-fields.ts'
import type { Sealed } from '../../kernel/security/secrets.ts'
import { waitingInfo } from '../tickets/index.ts'

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
  connect_options: json<StoredRow>({ default: {}, shape: 'object', resets: false }),
  protocol: text({ max: 16, default: 'ssh' }),
  /** The actions permitted when the token was created. */
  actions: bits(permActions, permActionTree, permActionGroups.all, { readOnly: true, order: false, default: 0 }),
  from_ticket: computed('object_related_field', {
    wire: (_value, _ctx, row: Ticketed) => (row.from_ticket_id ? { id: row.from_ticket_id } : null),
  }),
  /** How to wait for the approval. */
  from_ticket_info: computed('field', {
    load: async (ctx, rows: readonly Ticketed[]) => {
      const infos = new Map<string, object>()
      for (const { from_ticket_id: id, is_active } of rows)
        if (id && !is_active) infos.set(id, await waitingInfo(ctx, { id, type: 'login_asset_confirm' }))
      return (row: Ticketed) => infos.get(row.from_ticket_id ?? '') ?? {}
    },
  }),
  created_by: nullableText({ max: 128, readOnly: true }),
  updated_by: nullableText({ max: 128, readOnly: true }),
  org_id: computed('string', { wire: (_value, _ctx, row) => row.asset_org_id ?? '' }),
  org_name: computed('field', {
    load: async (ctx) => {
      const names = await organizationNames(ctx)
      return (row: { asset_org_id: string | null }) => names.get(row.asset_org_id ?? '') ?? ''
    },
  }),
  expire_time: computed('integer', { wire: (_value, _ctx, row: Expiring) => secondsLeft(row) }),
  is_expired: computed('field', { wire: (_value, _ctx, row: Expiring) => isExpired(row) }),
  user_display: text({ readOnly: true, filter: true }),
  asset_display: text({ readOnly: true, filter: true }),
  // Not writable: a token that waits for an approval is activated by the approval.
  is_active: boolean({ readOnly: true, default: true }),
  is_reusable: boolean({ default: false }),
  date_expired: datetime({ readOnly: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
})

type Ticketed = { from_ticket_id: string | null; is_active: boolean }
type Expiring = { date_expired: number }

export const isExpired = (row: Expiring): boolean => row.date_expired <= Date.now()
const secondsLeft = (row: Expiring) => Math.max(0, Math.floor((row.date_expired - Date.now()) / 1000))

/** The asset's organization. Tokens themselves are listed across organizations. */
const columns = {
  asset_org_id: uuid(),
  /** The ticket whose approval activates the token. */
  from_ticket_id: uuid(),
  /** The address of the client for whom it was made: rules about addresses are asked again when it is used. */
  asked_from: text({ max: 64 }),
}

const shared = {
  app: 'authentication',
  table: 'authentication_connectiontoken',
  scope: 'global' as const,
  verbs: ['list', 'retrieve'] as const,
  idWritable: false,
  // Clients of the contract are told of these as if they could be sent; a token is made by its rules alone.
  described: {
    id: { read_only: false },
    created_by: { read_only: false },
    updated_by: { read_only: false },
    org_id: { read_only: false, max_length: 36 },
    is_active: { read_only: false },
  },
  bulk: false,
  defaultOrder: ['-date_expired'] as const,
  search: ['user_display', 'asset_display'] as const,
  display: (row: StoredRow) => `${row.user_display} ${row.asset_display} ${row.account}`,
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
  indexes: [['user_id', 'date_expired'], ['date_expired'], ['asset_id'], ['from_ticket_id']],
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

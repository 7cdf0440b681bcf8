import { accountInvalidPolicies, accountSources, secretTypes } from '@castellan/contract/choices/accounts'
import { connectivities } from '@castellan/contract/choices/assets'
import { batches } from '../../db/batches.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  describedAs,
  type Field,
  integer,
  json,
  longText,
  nullableDatetime,
  nullableText,
  one,
  type StoredRow,
  secret,
  text,
  unstored,
  uuid,
} from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { type Info, resourceInfo } from '../../kernel/resource/metadata.ts'
import { type ChangeOf, findResource, type HooksOf, type Resource, type RowOf } from '../../kernel/resource/resource.ts'
import { autoConfigs, platformsById, typeAndCategory } from '../assets/index.ts'
import type { SentTo } from './sent-to.ts'

/** A field that is read from a body but not stored. */
export const passing = <V>(field: Field<V, 'own'>, more: Partial<Field> = {}) =>
  unstored(field, { default: undefined, resets: false, filter: false, order: false, ...more, writeOnly: true })

/** Loads the wire form of accounts' assets. */
export async function assetsShown(ctx: Context, ids: readonly unknown[]): Promise<Map<unknown, StoredRow>> {
  const shown = new Map<unknown, StoredRow>()
  const platforms = await platformsById(ctx)
  const configOf = await autoConfigs(ctx)
  const all = [...new Set(ids)]
  for (const some of batches(all))
    for (const row of await ctx.acrossOrganizations
      .selectFrom('assets_asset')
      .select(['id', 'name', 'address', 'category', 'type', 'platform_id'])
      .where('id', 'in', some)
      .execute())
      shown.set(row.id, {
        id: row.id,
        name: row.name,
        address: row.address,
        ...typeAndCategory(ctx, row),
        platform: { id: row.platform_id, name: platforms.get(row.platform_id)?.name ?? '' },
        auto_config: configOf(row.platform_id),
      })
  return shown
}

export const assetField: Field<string, 'ref'> = {
  ...one('assets.asset', { required: true, onDelete: 'cascade' }),
  type: 'nested object',
  load: async (ctx, rows) => {
    const shown = await assetsShown(
      ctx,
      rows.map(({ asset_id }) => asset_id),
    )
    return ({ asset_id }) => shown.get(asset_id) ?? null
  },
  meta: (ctx) => {
    const names = ['id', 'name', 'address', 'type', 'category', 'platform', 'auto_config']
    const children = resourceInfo(ctx, findResource('assets.asset'), 'POST', false, names)
    const platform = { ...(children.platform as Info), required: false, read_only: true }
    return { children: { ...children, platform } }
  },
}

/** Sent with an account to control its creation; not stored. */
export const creationFields = {
  passphrase: passing(text({ max: 512, verbatim: true, nullable: true })),
  template: passing(uuid({ nullable: true }), { type: 'field' }),
  params: describedAs(passing(json({ nullable: true })), { write_only: false }),
  on_invalid: passing(choice(accountInvalidPolicies, { nullable: true }), { default: 'error' }),
  push_now: passing(boolean(), { default: false }),
}

/** Fields of an account in all its declarations. */
export const accountFields = {
  name: text({ max: 128, nullable: true }),
  username: text({ max: 128, required: true, blank: true, filter: true }),
  secret_type: choice(secretTypes, { default: 'password', filter: true }),
  secret: secret({ max: 40_960 }),
  passphrase: creationFields.passphrase,
  spec_info: computed('field', {
    wire: (_value, _ctx, row: { fingerprint: string }) =>
      row.fingerprint ? { ssh_key_fingerprint: row.fingerprint } : {},
  }),
  created_by: nullableText({ readOnly: true }),
  comment: longText(),
  su_from: one('accounts.account', { attrs: ['id', 'name', 'username'], nullable: true }),
  asset: assetField,
  version: integer({ default: 0, resets: false, min: -2_147_483_648, max: 2_147_483_647 }),
  source: choice(accountSources, { default: 'local', nullable: true }),
  source_id: nullableText({ max: 128, filter: true }),
  connectivity: choice(connectivities, { readOnly: true, default: '-' }),
  template: creationFields.template,
  params: creationFields.params,
  on_invalid: creationFields.on_invalid,
  privileged: boolean({ default: false }),
  is_active: boolean({ default: true }),
  push_now: creationFields.push_now,
  has_secret: computed('boolean', { wire: (_value, _ctx, row) => row.secret !== null }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

export const accountColumns = {
  date_verified: nullableDatetime(),
  /** `MD5:…` of an SSH key's public half; empty for other secrets. */
  fingerprint: text(),
  /** Last destination of the secret, to detect a new one. */
  sent_to: json<SentTo | null>({ nullable: true, default: null }),
  /** The unconfirmed decisions about the asset that the secret was given to: see `destination.ts`. */
  entrusted: text({ default: '' }),
}

export type AccountRow = RowOf<typeof accountFields, typeof accountColumns>
export type AccountChange = ChangeOf<typeof accountFields, typeof accountColumns>
export type AccountHooks = HooksOf<typeof accountFields, typeof accountColumns>
export type AccountResource = Resource<typeof accountFields, typeof accountColumns, false>

import { accountInvalidPolicies } from '@castellan/contract/choices/accounts'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/context.ts'
import {
  type AnyRow,
  boolean,
  choice,
  describedAs,
  type Field,
  json,
  one,
  text,
  unstored,
  uuid,
} from '../../kernel/fields/index.ts'
import { type Info, resourceInfo } from '../../kernel/metadata.ts'
import { findResource } from '../../kernel/resource.ts'
import { autoConfigs, platformsById, typeAndCategory } from '../assets/index.ts'

/** A field that is read from a body but not stored. */
export const passing = <V>(field: Field<V, 'own'>, more: Partial<Field> = {}) =>
  unstored(field, { default: undefined, resets: false, filter: false, order: false, ...more, writeOnly: true })

/** Loads the wire form of accounts' assets. */
export async function assetsShown(ctx: Context, ids: readonly unknown[]): Promise<Map<unknown, AnyRow>> {
  const shown = new Map<unknown, AnyRow>()
  const platforms = await platformsById(ctx)
  const configOf = await autoConfigs(ctx)
  const all = [...new Set(ids)]
  for (const some of batches(all))
    for (const row of await ctx.unscoped
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

export const assetField: Field<string | null, 'ref'> = {
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

import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'

/** The fields that distinguish an account from others of its asset. */
export interface KnownAccount {
  id: string
  asset_id: string
  name: string
  username: string
  secret_type: string
}

/** The accounts of some assets, by asset. */
export async function accountsOfAssets(ctx: Context, assetIds: Iterable<string>): Promise<Map<string, KnownAccount[]>> {
  const byAsset = new Map<string, KnownAccount[]>()
  for (const some of batches([...new Set(assetIds)]))
    for (const row of await ctx.acrossOrganizations
      .selectFrom('accounts_account')
      .select(['id', 'asset_id', 'name', 'username', 'secret_type'])
      .where('asset_id', 'in', some)
      .execute()) {
      const list = byAsset.get(row.asset_id) ?? []
      list.push(row as KnownAccount)
      byAsset.set(row.asset_id, list)
    }
  return byAsset
}

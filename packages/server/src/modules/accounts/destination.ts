import { accountsMessages } from '@castellan/contract/messages/accounts'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { type ApiError, failure, text as say } from '../../kernel/module/errors.ts'
import { type Unconfirmed, unconfirmedDestinations, unconfirmedOf } from '../assets/index.ts'

/**
 * The one decision whether a stored secret may be opened for an asset: who last decided where the asset is, and who gave
 * the asset this secret? Where somebody who may not see secrets has decided about the asset, only what was entrusted to
 * exactly this decision is opened: a secret that was entered, or copied by whoever may see it, afterwards. Everything else
 * waits until somebody who may see secrets confirms the destination by saving the asset.
 */

/** The code of a refusal, in records and answers. */
export const destinationUnconfirmed = 'destination_unconfirmed'

/** A stored secret of an account, or of a record of one, and the decisions that it was entrusted to. */
export type Entrusted = { readonly asset_id: string; readonly entrusted: string }

const refusal = (asset: string, { user_name: user }: Unconfirmed): ApiError =>
  failure(403, destinationUnconfirmed, say(accountsMessages.destination_unconfirmed, { asset, user }))

/** The decisions that secrets given to assets now are entrusted to, as rows keep them. By asset. */
export async function entrustedNow(ctx: Context, assetIds: readonly string[]): Promise<(assetId: unknown) => string> {
  const open = await unconfirmedDestinations(ctx, assetIds)
  return (assetId) => (open.get(String(assetId)) ?? []).map(({ decision }) => decision).join(' ')
}

async function namesOf(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const some of batches([...new Set(ids)]))
    for (const { id, name, address } of await ctx.acrossOrganizations
      .selectFrom('assets_asset')
      .select(['id', 'name', 'address'])
      .where('id', 'in', some)
      .execute())
      names.set(String(id), `${name}(${address})`)
  return names
}

/** Why secrets may not be opened for their assets, in the order of the secrets; undefined for those that may. */
export async function heldBack(ctx: Context, secrets: readonly Entrusted[]): Promise<(ApiError | undefined)[]> {
  const open = await unconfirmedDestinations(
    ctx,
    secrets.map(({ asset_id }) => asset_id),
  )
  const held = secrets.map(({ asset_id, entrusted }) => {
    const known = new Set(entrusted.split(' '))
    return (open.get(asset_id) ?? []).find(({ decision }) => !known.has(decision))
  })
  const names = await namesOf(
    ctx,
    secrets.flatMap(({ asset_id }, at) => (held[at] ? [asset_id] : [])),
  )
  return secrets.map(({ asset_id }, at) => held[at] && refusal(names.get(asset_id) ?? '', held[at]))
}

/** Throws 403 unless these secrets may be opened for their assets. */
export async function demandEntrusted(ctx: Context, secrets: readonly Entrusted[]): Promise<void> {
  const refused = (await heldBack(ctx, secrets)).find((one) => one !== undefined)
  if (refused) throw refused
}

/**
 * Throws 403 unless the secret of a plan may be opened for an asset: where somebody who may not see secrets decided about
 * the asset, or put it into the node by which the plan found it, only a secret that the same person entered is.
 * @param plan `secretBy`: who entered its secret; null for somebody who may see secrets
 */
export async function demandPlanned(
  ctx: Context,
  assetId: string,
  plan: { secretBy: string | null; assets: readonly string[] },
): Promise<void> {
  const destination = (await unconfirmedDestinations(ctx, [assetId])).get(assetId) ?? []
  const placed = plan.assets.includes(assetId)
    ? undefined
    : (await unconfirmedOf(ctx, [assetId], 'placement')).get(assetId)
  const other = [...destination, ...(placed ? [placed] : [])].find(({ user_id }) => user_id !== plan.secretBy)
  if (other) throw refusal((await namesOf(ctx, [assetId])).get(assetId) ?? '', other)
}

/** Gives the secrets of all accounts of assets to the decisions about these assets as they are now. */
export async function entrustAccounts(ctx: Context, assetIds: readonly string[]): Promise<void> {
  const now = await entrustedNow(ctx, assetIds)
  for (const id of assetIds)
    await ctx.acrossOrganizations
      .updateTable('accounts_account')
      .set({ entrusted: now(id) })
      .where('asset_id', '=', id)
      .execute()
}

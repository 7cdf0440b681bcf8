import type { ListedAccount } from '@castellan/connectors/accounts'
import { batches } from '../../../db/batches.ts'
import { updateRows } from '../../../db/update-rows.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll, insertRows } from '../../../kernel/resource/repository.ts'
import { accountsOfAssets } from '../known-accounts.ts'
import { gatheredAccount } from './gathered-account.ts'

/** How the accounts of an asset differ from those known before; lists are cut. */
export interface Difference {
  /** Whether any account of the asset was known before: the first time everything would be new. */
  isKnown: boolean
  added: { count: number; names: readonly string[] }
  removed: { count: number; names: readonly string[] }
}

/** Names of a report. */
const mostNames = 20

const cut = (names: readonly string[]) => ({ count: names.length, names: names.slice(0, mostNames) })

/**
 * Stores the accounts that an asset has now, in the transaction of the context. What was found before and is gone
 * remains with `present` false.
 */
export async function storeFound(ctx: Context, assetId: string, found: readonly ListedAccount[]): Promise<Difference> {
  const rows = await findAll(ctx, gatheredAccount, (query) => query.where('t.asset_id', '=', assetId))
  const managed = (await accountsOfAssets(ctx, [assetId])).get(assetId) ?? []
  const before = new Set([...managed, ...rows.filter(({ present }) => present)].map(({ username }) => username))
  before.delete('')
  const now = new Map(found.map((one) => [one.username, one]))
  const stamp = { updated_by: 'System', date_updated: ctx.now }

  const stays = rows.flatMap(({ id, username, date_last_login, address_last_login }) => {
    const one = now.get(username)
    // A sign-in that the target does not remember any more is still the last one that is known.
    const last = one?.lastLogin ?? null
    const login =
      last === null
        ? { date_last_login, address_last_login }
        : { date_last_login: last, address_last_login: one?.address ?? '' }
    return one ? [{ id, present: true, ...login, ...stamp }] : []
  })
  const gone = rows.filter(({ username, present }) => present && !now.has(username))
  const changes = [...stays, ...gone.map(({ id }) => ({ id, present: false, ...stamp }))]
  await updateRows(ctx.rawDb, ctx.dialect, gatheredAccount.shape, encoded(ctx, changes))

  const known = new Set(rows.map(({ username }) => username))
  const fresh = found.filter(({ username }) => !known.has(username))
  for (const some of batches(fresh))
    await insertRows(
      ctx,
      gatheredAccount,
      some.map(({ username, address, lastLogin }) => ({
        asset_id: assetId,
        username,
        address_last_login: address,
        date_last_login: lastLogin,
        present: true,
      })),
    )
  return {
    isKnown: before.size > 0,
    added: cut([...now.keys()].filter((name) => !before.has(name))),
    removed: cut([...before].filter((name) => !now.has(name))),
  }
}

const encoded = (ctx: Context, rows: readonly { id: string }[]) => rows.map((row) => gatheredAccount.encode(row, ctx))

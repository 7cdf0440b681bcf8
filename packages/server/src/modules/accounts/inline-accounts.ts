import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, type Problem, text as say } from '../../kernel/errors.ts'
import { type AnyRow, keyOf, normalUuid } from '../../kernel/fields/index.ts'
import { findAll } from '../../kernel/repository.ts'
import { readableFields, serialize } from '../../kernel/serialize.ts'
import { account } from './account.ts'
import { copiedSecret } from './copied-secret.ts'
import { createAccounts } from './create-accounts.ts'
import { linkSuFrom } from './template-values.ts'

const idOf = (value: unknown) => normalUuid(keyOf(value))

/** Accounts by id, limited to the caller's organization. */
async function accountsById(ctx: Context, ids: readonly (string | undefined)[]): Promise<Map<unknown, AnyRow>> {
  const found = new Map<unknown, AnyRow>()
  for (const some of batches([...new Set(ids.filter((id) => id !== undefined))]))
    for (const row of await findAll(ctx, account, (query) => query.where('t.id', 'in', some))) found.set(row.id, row)
  return found
}

/** A new account with the secret of the one it is copied from: the asset's form was filled from another asset. */
async function cloned(
  ctx: Context,
  { id: source, ...body }: AnyRow,
  sources: ReadonlyMap<unknown, AnyRow>,
): Promise<AnyRow> {
  const found = sources.get(idOf(source))
  return found?.secret && !body.secret && !body.template ? { ...body, secret: await copiedSecret(ctx, found) } : body
}

/** Creates the accounts sent inside new assets; `su_from` is linked once all accounts of an asset exist. */
export async function createInline(
  ctx: Context,
  sent: readonly { asset: AnyRow; accounts: readonly AnyRow[] }[],
): Promise<void> {
  const inputs = sent.flatMap(({ asset, accounts }) => accounts.map((input) => ({ asset, input })))
  const sources = await accountsById(
    ctx,
    inputs.map(({ input }) => idOf(input.id)),
  )
  const bodies: AnyRow[] = []
  for (const { asset, input } of inputs) {
    const { su_from: _suFrom, ...rest } = input
    bodies.push({ ...(await cloned(ctx, rest, sources)), asset: asset.id })
  }
  const problems = bodies.map(
    (body: AnyRow): Problem =>
      body.username === undefined && !body.template ? { username: [say(errors.required)] } : {},
  )
  if (problems.some((problem) => Object.keys(problem).length > 0)) throw invalid(problems)
  const made = await createAccounts(ctx, bodies, { bulk: true, query: {} })
  const wished = inputs.map(({ input }) => idOf(input.su_from))
  const switchedFrom = await accountsById(ctx, wished)
  await linkSuFrom(
    ctx,
    wished.flatMap((id, index) => {
      const [row, from] = [made[index], switchedFrom.get(id)]
      return row && from ? [{ row, wanted: { username: from.username, secret_type: from.secret_type } }] : []
    }),
  )
}

const unshown = new Set(['asset', 'org_id', 'org_name', 'spec_info', 'has_secret'])

/** Accounts in the detail of an asset: without secret and asset. */
export async function shownInline(ctx: Context, assetIds: readonly unknown[]): Promise<Map<unknown, AnyRow[]>> {
  const grouped = new Map<unknown, AnyRow[]>()
  const fields = readableFields(ctx, account).filter((name) => !unshown.has(name))
  for (const some of batches(assetIds)) {
    const rows = await findAll(ctx.acrossOrgs(), account, (query) =>
      query.where('t.asset_id', 'in', some).orderBy('t.username').orderBy('t.id'),
    )
    const shown = await serialize(ctx, account, rows, fields)
    rows.forEach((row, index) => {
      const list = grouped.get(row.asset_id) ?? []
      list.push(shown[index] as AnyRow)
      grouped.set(row.asset_id, list)
    })
  }
  return grouped
}

import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import { keyOf, normalUuid, type StoredRow } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, type Problem, text as say } from '../../kernel/module/errors.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { readableFields, serialize } from '../../kernel/resource/serialize.ts'
import { account } from './account.ts'
import type { AccountRow } from './account-fields.ts'
import { copiedSecret } from './copied-secret.ts'
import { createAccounts } from './create-accounts.ts'
import { linkSuFrom } from './template-values.ts'

const idOf = (value: unknown) => normalUuid(keyOf(value))

/** Accounts by id, limited to the caller's organization. */
async function accountsById(ctx: Context, ids: readonly (string | undefined)[]): Promise<Map<unknown, AccountRow>> {
  const found = new Map<unknown, AccountRow>()
  for (const some of batches([...new Set(ids.filter((id) => id !== undefined))]))
    for (const row of await findAll(ctx, account, (query) => query.where('t.id', 'in', some))) found.set(row.id, row)
  return found
}

/** A new account with the secret of the one it is copied from: the asset's form was filled from another asset. */
async function cloned(
  ctx: Context,
  { id: source, ...body }: StoredRow,
  sources: ReadonlyMap<unknown, AccountRow>,
): Promise<StoredRow> {
  const found = sources.get(idOf(source))
  return found?.secret && !body.secret && !body.template ? { ...body, secret: await copiedSecret(ctx, found) } : body
}

/** Creates the accounts sent inside new assets; `su_from` is linked once all accounts of an asset exist. */
export async function createInline(
  ctx: Context,
  sent: readonly { asset: { id: string }; accounts: readonly StoredRow[] }[],
): Promise<void> {
  const inputs = sent.flatMap(({ asset, accounts }) => accounts.map((input) => ({ asset, input })))
  const sources = await accountsById(
    ctx,
    inputs.map(({ input }) => idOf(input.id)),
  )
  const bodies: StoredRow[] = []
  for (const { asset, input } of inputs) {
    const { su_from: _suFrom, ...rest } = input
    bodies.push({ ...(await cloned(ctx, rest, sources)), asset: asset.id })
  }
  const problems = bodies.map(
    (body: StoredRow): Problem =>
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
export async function shownInline(ctx: Context, assetIds: readonly unknown[]): Promise<Map<unknown, StoredRow[]>> {
  const grouped = new Map<unknown, StoredRow[]>()
  const fields = readableFields(ctx, account).filter((name) => !unshown.has(name))
  for (const some of batches(assetIds)) {
    const rows = await findAll(ctx.acrossOrgs(), account, (query) =>
      query.where('t.asset_id', 'in', some).orderBy('t.username').orderBy('t.id'),
    )
    const shown = await serialize(ctx, account, rows, fields)
    rows.forEach((row, index) => {
      const list = grouped.get(row.asset_id) ?? []
      list.push(shown[index] as StoredRow)
      grouped.set(row.asset_id, list)
    })
  }
  return grouped
}

/** Number of accounts, on the assets of a platform in all organizations, that are reached through another account. */
export async function switchingAccounts(ctx: Context, platformId: unknown): Promise<number> {
  const row = await ctx.acrossOrganizations
    .selectFrom('accounts_account as c')
    .innerJoin('assets_asset as a', 'a.id', 'c.asset_id')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('a.platform_id', '=', platformId)
    .where('c.su_from_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

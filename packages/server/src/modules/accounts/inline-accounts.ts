import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../kernel/batches.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, type Problem, text as say } from '../../kernel/errors.ts'
import { type AnyRow, normalUuid } from '../../kernel/fields/index.ts'
import { present, readableFields } from '../../kernel/read.ts'
import { findAll } from '../../kernel/rows.ts'
import { account } from './account.ts'
import { createAccounts } from './create-accounts.ts'
import { linkSuFrom } from './template-values.ts'

const idOf = (value: unknown) => normalUuid(typeof value === 'object' && value !== null ? (value as AnyRow).id : value)

/** The account a new one is copied from, with its secret: the asset's form was filled from another asset. */
async function cloned(ctx: Context, input: AnyRow): Promise<AnyRow> {
  const source = idOf(input.id)
  const { id: _id, ...body } = input
  if (!source || body.secret) return body
  const [row] = await findAll(ctx, account, (query) => query.where('t.id', '=', source))
  return row?.secret ? { ...body, secret: ctx.services.vault.open(row.secret) } : body
}

/** Makes the accounts that came inside new assets; switching is linked once all of an asset's accounts exist. */
export async function createInline(
  ctx: Context,
  sent: readonly { asset: AnyRow; accounts: readonly AnyRow[] }[],
): Promise<void> {
  const bodies: AnyRow[] = []
  for (const { asset, accounts: list } of sent)
    for (const input of list) {
      const { su_from: _suFrom, ...body } = await cloned(ctx, input)
      bodies.push({ ...body, asset: asset.id })
    }
  const problems = bodies.map(
    (body): Problem => (body.username === undefined && !body.template ? { username: [say(errors.required)] } : {}),
  )
  if (problems.some((problem) => Object.keys(problem).length > 0)) throw invalid(problems)
  const made = await createAccounts(ctx, bodies, { bulk: true, query: {} })
  const wishes = sent.flatMap(({ accounts: list }) => list.map(({ su_from }) => idOf(su_from)))
  for (const [index, wish] of wishes.entries()) {
    if (!wish || !made[index]) continue
    const [source] = await findAll(ctx, account, (query) => query.where('t.id', '=', wish))
    if (source) await linkSuFrom(ctx, made[index], source)
  }
}

const unshown = new Set(['asset', 'org_id', 'org_name', 'spec_info', 'has_secret'])

/** Accounts of assets as an asset's detail has them: no secret, no asset. */
export async function shownInline(ctx: Context, assetIds: readonly unknown[]): Promise<Map<unknown, AnyRow[]>> {
  const grouped = new Map<unknown, AnyRow[]>()
  const fields = readableFields(ctx, account).filter((name) => !unshown.has(name))
  for (const some of batches(assetIds)) {
    const rows = await findAll(ctx.acrossOrgs(), account, (query) =>
      query.where('t.asset_id', 'in', some).orderBy('t.username').orderBy('t.id'),
    )
    const shown = await present(ctx, account, rows, fields)
    rows.forEach((row, index) => {
      const list = grouped.get(row.asset_id) ?? []
      list.push(shown[index] as AnyRow)
      grouped.set(row.asset_id, list)
    })
  }
  return grouped
}

import { randomBytes } from 'node:crypto'
import { accountsMessages } from '@castellan/contract/messages/accounts'
import { errors } from '@castellan/contract/messages/errors'
import { bare, bareText, keyOf, normalUuid, type StoredRow, textIn } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import type { Params } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError, invalid, type Problem, text as say } from '../../kernel/module/errors.ts'
import { createMany, createOne, updateOne } from '../../kernel/resource/mutations.ts'
import { decoded, scoped } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import type { AccountResource, AccountRow } from './account-fields.ts'
import { accountsOfAssets, type KnownAccount } from './known-accounts.ts'
import { fromTemplate, resolveSuFrom } from './template-values.ts'

const accountResource = () => findResource('accounts.account') as AccountResource

/** Errors of missing fields, reported before anything else. */
function missing(input: StoredRow): Problem | undefined {
  const problems: Record<string, Problem> = {}
  const noAsset = input.asset === undefined || input.asset === null || input.asset === ''
  if (input.username === undefined && !input.template) {
    problems.username = [say(errors.required)]
    if (input.name === undefined || input.name === null) problems.name = [say(errors.null)]
  }
  if (noAsset)
    problems.asset = problems.username ? [say(accountsMessages.asset_required)] : say(accountsMessages.asset_required)
  return Object.keys(problems).length > 0 ? problems : undefined
}

const secretTypeOf = (input: StoredRow): string => bareText(input.secret_type) || 'password'

/** A free name on an asset: the requested one, or one with four random digits. */
function freeName(wanted: string, taken: readonly KnownAccount[]): string {
  return taken.some(({ name }) => name === wanted) ? `${wanted}_${randomBytes(2).toString('hex')}` : wanted
}

type Plan =
  | { kind: 'create'; input: StoredRow }
  | { kind: 'take'; id: string }
  | { kind: 'update'; id: string; input: StoredRow }

/** Plans the creation of one account, given the existing ones of its asset. */
function planned(input: StoredRow, known: KnownAccount[], bulk: boolean): Plan {
  const username = textIn(input.username)
  const type = secretTypeOf(input)
  const named = typeof input.name === 'string' && input.name.trim() !== ''
  const clash = known.find(
    (one) =>
      (named && one.name === String(input.name).trim()) || (one.username === username && one.secret_type === type),
  )
  if (!clash) {
    const name = named ? String(input.name).trim() : freeName(username, known)
    known.push({ id: '', asset_id: '', name, username, secret_type: type })
    return { kind: 'create', input: { ...input, name } }
  }
  const policy = bare(input.on_invalid)
  if (policy === 'skip' && clash.id) return { kind: 'take', id: clash.id }
  if (policy === 'update' && clash.id) {
    const { asset: _asset, ...changes } = input
    return { kind: 'update', id: clash.id, input: { ...changes, name: named ? input.name : clash.name } }
  }
  const text = say(clash.username === username ? accountsMessages.account_exists : accountsMessages.account_name_exists)
  // If the body names the policy, the conflict is reported as `non_field_errors`; otherwise it is the whole response.
  throw invalid(policy === 'error' && !bulk ? { non_field_errors: [text] } : [text])
}

/** Reports the errors of one body of a bulk call at its index. */
async function inPlace<T>(inputs: readonly unknown[], raw: unknown, bulk: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // A missing permission concerns the whole call.
    if (!bulk || !(error instanceof ApiError) || error.status !== 400) throw error
    throw new ApiError(400, 'invalid', (language) => inputs.map((one) => (one === raw ? error.body(language) : {})))
  }
}

/**
 * Creates accounts, or reuses and updates existing ones, as `on_invalid` says.
 * @param named names of accounts from templates, by the template's name
 */
export async function createAccounts(
  ctx: Context,
  inputs: readonly unknown[],
  { bulk, query, named }: { bulk: boolean; query: Params; named?: (template: string) => string },
): Promise<AccountRow[]> {
  const bodies: StoredRow[] = []
  for (const raw of inputs) {
    const input = objectOf(raw)
    const problem = missing(input)
    if (problem) throw invalid(bulk ? inputs.map((one) => (one === raw ? problem : {})) : problem)
    bodies.push(await inPlace(inputs, raw, bulk, () => fromTemplate(ctx, input, named)))
  }
  const assetIds = [...new Set(bodies.flatMap(({ asset }) => normalUuid(keyOf(asset)) ?? []))]
  const known = await accountsOfAssets(ctx, assetIds)
  const plans = bodies.map((input) => {
    const assetId = normalUuid(keyOf(input.asset)) ?? ''
    const list = known.get(assetId) ?? []
    known.set(assetId, list)
    return planned(input, list, bulk)
  })
  const resource = accountResource()
  const fresh = plans.flatMap((plan) => (plan.kind === 'create' ? [plan.input] : []))
  const made =
    fresh.length === 0
      ? []
      : bulk
        ? await createMany(ctx, resource, fresh, query)
        : [await createOne(ctx, resource, fresh[0], query)]
  await resolveSuFrom(ctx, fresh, made)
  const rows: AccountRow[] = []
  for (const plan of plans) {
    if (plan.kind === 'create') rows.push(made.shift() as AccountRow)
    else rows.push(await existing(ctx, plan))
  }
  return rows
}

async function existing(ctx: Context, plan: Exclude<Plan, { kind: 'create' }>): Promise<AccountRow> {
  const resource = accountResource()
  const row = await scoped(ctx, resource).where('t.id', '=', plan.id).executeTakeFirst()
  if (!row) throw new ApiError(404, 'account', () => undefined)
  const before = decoded(resource, row)
  if (plan.kind === 'take') return before
  // Writes every field a new account would get, so that both cases have the same result.
  return updateOne(ctx, resource, before, { privileged: false, is_active: true, ...plan.input }, true)
}

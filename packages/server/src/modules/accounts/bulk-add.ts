import { accountsMessages } from '@castellan/contract/messages/accounts'
import { errors } from '@castellan/contract/messages/errors'
import { protocolOf } from '@castellan/contract/protocols'
import { booleanOf } from '@castellan/contract/truth'
import { batches } from '../../db/batches.ts'
import { bareText, type StoredRow } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError, invalid, render, text as say, type Text } from '../../kernel/module/errors.ts'
import { createOne, updateOne } from '../../kernel/resource/mutations.ts'
import { decoded, findAll, scoped } from '../../kernel/resource/repository.ts'
import { findResource, type Row } from '../../kernel/resource/resource.ts'
import { asset, protocolsOf } from '../assets/index.ts'
import type { AccountResource, AccountRow } from './account-fields.ts'
import { idsIn } from './ids-in.ts'
import { requestPush } from './rotation/push-request.ts'
import { checkSecret } from './secret-rules.ts'
import { fromTemplate, linkSuFrom, resolveSuFrom } from './template-values.ts'
import { openReachableSecrets } from './vault/vault-entries.ts'

type State = 'created' | 'updated' | 'skipped' | 'error'
interface Result {
  asset: string
  state: State
  changed?: boolean
  error?: string
}

/** The account of one asset; none where there was an error. */
type Added = Omit<Result, 'asset'> & { id?: string }

const order: readonly State[] = ['error', 'skipped', 'updated', 'created']

/** Adds one account to many assets; returns the result per asset. */
export async function bulkAdd(ctx: Context, body: StoredRow): Promise<Result[]> {
  const resource = findResource('accounts.account') as AccountResource
  if (!Array.isArray(body.assets) || body.assets.length === 0)
    throw invalid({
      ...(body.username === undefined && !body.template ? { username: [say(errors.required)] } : {}),
      assets: [say(errors.required)],
    })
  const ids = idsIn(body, 'assets')
  const {
    assets: _assets,
    on_invalid: policy,
    su_from_username: suUsername,
    push_now: pushes,
    ...values
  } = await fromTemplate(ctx, body)
  if (values.username === undefined) throw invalid({ username: [say(errors.required)] })
  const type = bareText(values.secret_type) || 'password'
  const rows: Row<typeof asset>[] = []
  for (const some of batches(ids)) rows.push(...(await findAll(ctx, asset, (query) => query.where('t.id', 'in', some))))
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw invalid({ assets: unknown.map((pk) => say(errors.does_not_exist, { pk })) })
  const protocols = await protocolsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  const results: Result[] = []
  for (const row of rows) {
    const name = `${row.name}(${row.address})`
    const takes = (protocols.get(row.id) ?? []).some((one) =>
      (protocolOf(one.name)?.secretTypes ?? ['password']).includes(type as 'password'),
    )
    const failed = (reason: Text): Result => ({ asset: name, state: 'error', error: render(reason, ctx.language) })
    if (!takes) results.push(failed(say(accountsMessages.secret_unsupported)))
    else {
      const { id, ...result } = await addTo(ctx, resource, row, values, type, bareText(policy) || 'error', suUsername)
      results.push({ asset: name, ...result })
      // One that is there already is pushed as well.
      if (id && booleanOf(pushes)) await requestPush(ctx, [id], undefined)
    }
  }
  results.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  const wrong = results.filter(({ state }) => state === 'error')
  if (wrong.length > 0 && (bareText(policy) || 'error') === 'error') throw new ApiError(400, 'bulk', () => wrong)
  return results
}

async function addTo(
  ctx: Context,
  resource: AccountResource,
  row: { id: string },
  values: StoredRow,
  type: string,
  policy: string,
  suUsername: unknown,
): Promise<Added> {
  const known = await scoped(ctx, resource)
    .where('t.asset_id', '=', row.id)
    .where('t.username', '=', String(values.username))
    .where('t.secret_type', '=', type)
    .executeTakeFirst()
  if (known && policy === 'error')
    return { state: 'error', error: render(say(accountsMessages.account_exists), ctx.language) }
  if (known && policy === 'skip') return { state: 'skipped', changed: false, id: String(known.id) }
  if (known) return update(ctx, resource, decoded(resource, known), values, type)
  const wanted = String(values.name || values.username)
  const taken = await scoped(ctx, resource)
    .where('t.asset_id', '=', row.id)
    .where('t.name', '=', wanted)
    .executeTakeFirst()
  const suffix = taken ? `-${crypto.randomUUID().slice(0, 4)}` : ''
  const made = await createOne(ctx, resource, { ...values, name: `${wanted}${suffix}`, asset: row.id })
  if (values.su_template) await resolveSuFrom(ctx, [values], [made])
  else if (suUsername)
    await linkSuFrom(ctx, [{ row: made, wanted: { username: String(suUsername), secret_type: 'password' } }])
  return { state: 'created', changed: true, id: made.id }
}

async function update(
  ctx: Context,
  resource: AccountResource,
  before: AccountRow,
  values: StoredRow,
  type: string,
): Promise<Added> {
  const secret = String(values.secret ?? '')
  const checked = secret
    ? checkSecret(type as 'password', secret, values.passphrase === undefined ? undefined : String(values.passphrase))
    : undefined
  const kept = checked && checked.problem === undefined ? checked.secret : secret
  const present =
    (await openReachableSecrets(ctx, 'account', [before])).get(before.id) ?? (before.secret ? undefined : '')
  if (kept === present) return { state: 'skipped', changed: false, id: before.id }
  await updateOne(ctx, resource, before, { ...values, name: before.name }, true)
  return { state: 'updated', changed: true, id: before.id }
}

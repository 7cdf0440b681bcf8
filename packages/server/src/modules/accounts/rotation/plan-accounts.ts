import { say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { batches } from '../../../db/batches.ts'
import type { NewItem } from '../../../kernel/jobs/item-rows.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { createMany } from '../../../kernel/resource/mutations.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { Sealed } from '../../../kernel/security/secrets.ts'
import { type AssetPayload, type AutomationRun, assetTitle, type TargetAsset } from '../../assets/index.ts'
import { account } from '../account.ts'
import type { AccountRow } from '../account-fields.ts'
import type { RotationPlan } from './plan-fields.ts'

/** An item of a rotation: one account, the item's target, on its asset. */
export interface AccountPayload extends AssetPayload {
  /** A record that is retried. */
  record?: string
}

/** What an execution of a plan was started with, beside the fields of every snapshot. */
export type RotationSnapshot = {
  usernames: readonly string[]
  secret_type: RotationPlan['secret_type']
  secret_strategy: RotationPlan['secret_strategy']
  password_rules: RotationPlan['password_rules']
  ssh_key_change_strategy: RotationPlan['ssh_key_change_strategy']
  /** Of the strategy `specific`: sealed. */
  secret: { sealed: string } | null
  /** Who entered it; null for somebody who may see secrets. */
  secret_by?: string | null
}

/** What sealed secrets of snapshots are bound to. */
export const snapshotPlace = 'accounts.rotation.snapshot'

/** The secret that a snapshot says; undefined when its plan has none. */
export const specificSecret = (ctx: Context, { secret }: RotationSnapshot): string | undefined =>
  secret ? ctx.services.vault.open(new Sealed(secret.sealed, snapshotPlace)) : undefined

/** The accounts of assets with one of some usernames and a type of secret. */
async function matching(
  ctx: Context,
  assets: readonly TargetAsset[],
  usernames: readonly string[],
  type: string,
): Promise<AccountRow[]> {
  const rows: AccountRow[] = []
  if (usernames.length === 0) return rows
  for (const some of batches(assets))
    for (const names of batches(usernames))
      rows.push(
        ...(await findAll(ctx, account, (query) =>
          query
            .where(
              't.asset_id',
              'in',
              some.map(({ id }) => id),
            )
            .where('t.username', 'in', names)
            .where('t.secret_type', '=', type),
        )),
      )
  return rows
}

/** The part of a plan's snapshot that says which secrets are set. */
export async function rotationSnapshot(
  plan: Readonly<Record<string, unknown>>,
  { ctx, assets }: { ctx: Context; assets: () => Promise<readonly TargetAsset[]> },
): Promise<RotationSnapshot & { accounts: readonly string[] }> {
  const row = plan as unknown as RotationPlan
  const { accounts: usernames, secret_type, secret_strategy, password_rules, ssh_key_change_strategy, secret } = row
  const sealed = secret && secret_strategy === 'specific' ? ctx.services.vault.stored(secret, snapshotPlace) : null
  return {
    accounts: (await matching(ctx, await assets(), usernames, secret_type)).map(({ id }) => id),
    usernames,
    secret_type,
    secret_strategy,
    password_rules,
    ssh_key_change_strategy,
    secret: sealed ? { sealed } : null,
    secret_by: row.secret_by,
  }
}

/** One item for each account, those that automations may sign in with last: the others need them. */
export function accountItems(ctx: Context, rows: readonly AccountRow[], assets: readonly TargetAsset[]): NewItem[] {
  const byId = new Map(assets.map((one) => [one.id, one]))
  const sorted = rows.toSorted((a, b) => Number(a.privileged) - Number(b.privileged))
  return sorted.flatMap((row) => {
    const asset = byId.get(String(row.asset_id))
    if (!asset) return []
    const named = { account: `${row.name}(${row.username})`, target: assetTitle(asset) }
    const label = say(taskLogs.account_on, ctx.language, named)
    return [{ target: { type: account.key, id: row.id, label }, payload: { asset: asset.id } satisfies AccountPayload }]
  })
}

/** The accounts of an execution; a push first creates those that its assets do not have. */
export async function planAccounts(
  { ctx, snapshot }: AutomationRun,
  assets: readonly TargetAsset[],
  { creates }: { creates: boolean },
): Promise<NewItem[]> {
  const { usernames, secret_type } = snapshot as unknown as RotationSnapshot
  let rows = await matching(ctx, assets, usernames, secret_type)
  if (creates) {
    const known = new Set(rows.map(({ asset_id, username }) => `${asset_id} ${username}`))
    const missing = assets
      .filter(({ is_active }) => is_active)
      .flatMap(({ id }) => usernames.filter((name) => !known.has(`${id} ${name}`)).map((name) => ({ id, name })))
    for (const some of batches(missing, 100)) {
      const bodies = some.map(({ id, name }) => ({
        asset: id,
        name: `${name}-${secret_type}`,
        username: name,
        secret_type,
      }))
      await createMany(ctx, account, bodies, {})
    }
    if (missing.length > 0) rows = await matching(ctx, assets, usernames, secret_type)
  }
  return accountItems(ctx, rows, assets)
}

import type { Context } from '../../kernel/module/context.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import type { LoginAccount } from '../assets/index.ts'
import { account } from './account.ts'
import type { AccountRow } from './account-fields.ts'
import { usedSecret } from './secret.ts'
import { demandUse } from './use-rules.ts'

const works = { ok: 0, '-': 1, err: 2 } as const

/** Privileged accounts first, then those that worked, then the latest. */
function better(a: AccountRow, b: AccountRow): number {
  const rank = (row: AccountRow) => works[row.connectivity as keyof typeof works] ?? 1
  return Number(b.privileged) - Number(a.privileged) || rank(a) - rank(b) || b.date_updated - a.date_updated
}

export const isRoot = ({ username }: { username: string }) => ['root', 'administrator'].includes(username.toLowerCase())

/** The account with which automations sign in to an asset; undefined when none is suitable. */
export async function loginRow(
  ctx: Context,
  assetId: string,
  accept: (account: AccountRow) => boolean,
  { prefersRoot = false }: { prefersRoot?: boolean } = {},
): Promise<AccountRow | undefined> {
  const rows = await findAll(ctx, account, (query) =>
    query.where('t.asset_id', '=', assetId).where('t.is_active', '=', true),
  )
  const usable = rows.filter((row) => row.secret !== null && accept(row)).sort(better)
  return (prefersRoot && usable.find(isRoot)) || usable[0]
}

/** The same with its secret opened. */
export async function loginAccount(
  ctx: Context,
  assetId: string,
  accept: (account: AccountRow) => boolean,
  options: { prefersRoot?: boolean } = {},
): Promise<LoginAccount | undefined> {
  const best = await loginRow(ctx, assetId, accept, options)
  return best ? openedAccount(ctx, best) : undefined
}

/** An account with its secret opened for an automation. */
export async function openedAccount(ctx: Context, row: AccountRow): Promise<LoginAccount> {
  await demandUse(ctx, row)
  return {
    id: row.id,
    name: row.name,
    username: row.username,
    secretType: row.secret_type,
    secret: await usedSecret(ctx, row, 'ssh'),
  }
}

/** Stores whether an account worked, and when it was tried. */
export async function rememberVerdict(ctx: Context, accountId: string, ok: boolean): Promise<void> {
  await ctx.acrossOrganizations
    .updateTable('accounts_account')
    .set({ connectivity: ok ? 'ok' : 'err', date_verified: Date.now() })
    .where('id', '=', accountId)
    .execute()
}

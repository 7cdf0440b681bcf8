import { accountAliases } from '@castellan/contract/choices/accounts'
import type { Context } from '../../kernel/module/context.ts'
import { findById } from '../../kernel/resource/repository.ts'
import { asset } from '../assets/index.ts'
import { recordRule } from './login-asset.ts'
import { AccountUses, UseRefused } from './use-account.ts'

/**
 * Whether a user may be in another user's session: what asset login rules say about them, whatever kind of account they
 * would have used. A review cannot be waited for, so it refuses.
 */
export async function mayJoin(
  ctx: Context,
  joiner: { id: string; name: string; username: string },
  session: { asset_id: string; org_id: string; account: string },
  ip: string,
): Promise<boolean> {
  const row = await findById(ctx.acrossOrgs(), asset, session.asset_id)
  if (!row) return true
  const names = [session.account, ...Object.keys(accountAliases)]
  const used = {
    userName: `${joiner.name}(${joiner.username})`,
    assetName: `${row.name}(${row.address})`,
    accountNames: names,
    ip: ip || undefined,
  }
  const uses = new AccountUses(ctx, { user: joiner, ip: ip || undefined })
  const rule = await uses.demandRules(row, names).catch((error: unknown) => {
    if (error instanceof UseRefused && error.rule) return error.rule
    throw error
  })
  if (rule) await recordRule(ctx, rule, [used])
  return rule?.action !== 'reject' && rule?.action !== 'review'
}

import type { Context } from '../../kernel/module/context.ts'
import { findById } from '../../kernel/resource/repository.ts'
import type { AccountRow, UseRefusal } from '../accounts/index.ts'
import { asset } from '../assets/index.ts'
import { recordRule } from './login-asset.ts'
import { AccountUses, UseRefused } from './use-account.ts'

/** Rules whose reviewers were told, by the context of a job: once for all of its assets. */
const told = new WeakMap<Context, Set<string>>()

/**
 * Asks the rules about an automation's use of an account in the name of who started it. A review cannot be waited for, so
 * it refuses; scheduled runs have no address, which rules that restrict addresses refuse.
 */
export async function automationUse(ctx: Context, { asset_id, username }: AccountRow): Promise<UseRefusal | undefined> {
  const row = await findById(ctx.acrossOrgs(), asset, asset_id)
  if (!row) return undefined
  const { me } = ctx
  const uses = new AccountUses(ctx.outside(), { user: me, ip: ctx.ip || undefined })
  const used = {
    userName: `${me.name}(${me.username})`,
    assetName: `${row.name}(${row.address})`,
    accountNames: [username],
    ip: ctx.ip || undefined,
  }
  try {
    await uses.demandUser()
    const rule = await uses.demandRules(row, [username], Date.now())
    if (!rule) return undefined
    const known = told.get(ctx) ?? new Set()
    told.set(ctx, known)
    await ctx.transaction((inside) => recordRule(inside, rule, [used], { isTold: known.has(rule.id) }))
    known.add(rule.id)
    return rule.action === 'review' ? 'login_review' : undefined
  } catch (error) {
    if (!(error instanceof UseRefused)) throw error
    const { rule } = error
    if (rule) await ctx.transaction((inside) => recordRule(inside, rule, [used]))
    return rule ? 'login_rejected' : 'user_invalid'
  }
}

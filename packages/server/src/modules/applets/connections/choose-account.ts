import { randomInt } from 'node:crypto'
import { systemOrgId } from '@castellan/contract/ids'
import { appletLogs } from '@castellan/contract/messages/applet-logs'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, text } from '../../../kernel/module/errors.ts'
import { findAll, lockRow } from '../../../kernel/resource/repository.ts'
import { type AccountRow, account } from '../../accounts/index.ts'
import type { AppletRow } from '../applet.ts'
import { privatePrefix, publicPrefix } from '../hosts/generate-accounts.ts'
import { completeOptions, hostTable } from '../hosts/host-options.ts'
import type { UsableHost } from './choose-host.ts'
import { lockTable, usageTable } from './usage.ts'

/** How long an account stays locked unless it is released. Milliseconds. */
const lockedFor = 24 * 3_600_000

const administrators: readonly string[] = ['administrator', 'root']

interface Lock {
  account_id: string
  applet_id: string
}

/** The account of a user on a host: the private one, a public one that is free, or any other that is free. */
function pick(
  rows: readonly AccountRow[],
  locks: readonly Lock[],
  wish: { username: string; applet: AppletRow; isShared: boolean; last: string | null },
): AccountRow | undefined {
  const inUse = new Set(locks.map(({ account_id }) => account_id))
  const own = rows.find(({ username }) => username === privatePrefix + wish.username)
  // Of a user that may have one session, everything else of that session would end.
  if (own && (wish.isShared || !inUse.has(own.id))) return own
  const free = rows.filter(({ id }) => !inUse.has(id))
  const open = free.filter(({ username }) => username.startsWith(publicPrefix))
  if (open.length > 0) return open.find(({ id }) => id === wish.last) ?? open[randomInt(open.length)]
  return free.find(({ username }) => !username.startsWith(privatePrefix))
}

/**
 * Locks an account of a host for a session, so that nobody else is given it, and remembers both for the user. Throws 400
 * when none is free.
 * @param holder the component that may release it
 */
export async function takeAccount(
  outer: Context,
  { asset, host }: UsableHost,
  { applet, user, holder }: { applet: AppletRow; user: { id: string; username: string }; holder: string },
): Promise<AccountRow> {
  const ctx = outer.inOrg(systemOrgId)
  // Whoever chooses on this host at this moment waits.
  await lockRow(ctx, hostTable.name, host.id)
  await ctx.rawDb.deleteFrom(lockTable.name).where('date_expired', '<=', ctx.now).execute()
  const locks = await ctx.rawDb
    .selectFrom(lockTable.name)
    .select(['account_id', 'applet_id'])
    .where('host_id', '=', host.id)
    .$castTo<Lock>()
    .execute()
  const last = await ctx.rawDb
    .selectFrom(usageTable.name)
    .select('account_id')
    .where('user_id', '=', user.id)
    .where('host_id', '=', host.id)
    .executeTakeFirst()
  const rows = (
    await findAll(ctx, account, (query) => query.where('t.asset_id', '=', host.id).where('t.is_active', '=', true))
  ).filter(
    ({ privileged, username, secret }) => !privileged && secret && !administrators.includes(username.toLowerCase()),
  )
  const options = completeOptions(ctx, host.deploy_options)
  const isShared = options.RDS_fSingleSessionPerUser === 0 && (applet.can_concurrent || applet.type === 'web')
  const chosen = pick(rows, locks, {
    username: user.username,
    applet,
    isShared,
    last: last?.account_id ? String(last.account_id) : null,
  })
  if (!chosen) throw failureAs(400, 'error', text(appletLogs.no_account, { host: asset.name }))
  const use = { date_expired: ctx.now + lockedFor, applet_id: applet.id, user_id: user.id, holder_id: holder }
  await ctx.rawDb
    .insertInto(lockTable.name)
    .values({ account_id: chosen.id, host_id: host.id, uses: 1, ...use })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ ...use, uses: eb(`${lockTable.name}.uses`, '+', 1) })),
    )
    .execute()
  const isPublic = chosen.username.startsWith(publicPrefix)
  const usage = { host_id: host.id, account_id: isPublic ? chosen.id : null }
  await ctx.rawDb
    .insertInto(usageTable.name)
    .values({ user_id: user.id, ...usage })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(usage))
    .execute()
  return chosen
}

/** Ends one use of an account by the component that was given it. Returns whether there was one. */
export async function releaseAccount(ctx: Context, accountId: string, holder: string): Promise<boolean> {
  const lowered = await ctx.rawDb
    .updateTable(lockTable.name)
    .set((eb) => ({ uses: eb('uses', '-', 1) }))
    .where('account_id', '=', accountId)
    .where('holder_id', '=', holder)
    .where('date_expired', '>', ctx.now)
    .returning('uses')
    .executeTakeFirst()
  if (!lowered) return false
  if (Number(lowered.uses) <= 0)
    await ctx.rawDb.deleteFrom(lockTable.name).where('account_id', '=', accountId).execute()
  return true
}

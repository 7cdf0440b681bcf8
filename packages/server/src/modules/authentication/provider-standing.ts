/** Asks providers whether they still know the users whom they signed in. */
import { defaultOrgId } from '@castellan/contract/ids'
import type { Context } from '../../kernel/module/context.ts'
import { recordAction } from '../../kernel/resource/changes.ts'
import { identityCatalogue } from '../../kernel/security/sign-in.ts'
import { confirmedAt, confirmIdentity, endIdentity, user, userBy } from '../users/index.ts'
import { callerById, type KnownUser } from './callers.ts'
import { isProvider, isTooLongAgo } from './provider-age.ts'
import { openedForProvider, sealedForProvider } from './provider-session.ts'
import { revokeSignIns } from './revocation.ts'
import { providerMark, type Session } from './session.ts'
import { providerSessionTable } from './tables.ts'

/** A provider that does not answer is asked again after this time. Milliseconds. */
const patience = 60_000

interface SignInRow {
  readonly id: string
  readonly user_id: string
  readonly backend: string
  readonly provider: string
  readonly at_provider: string
  readonly date_renewal: number | null
  readonly date_askable: number | null
}

/** `over`: of no use any more, which says nothing of the user; `open`: not asked, or no answer. */
type Outcome = 'known' | 'ended' | 'over' | 'open'

const rows = (ctx: Context) =>
  ctx.services.database.reader.selectFrom(providerSessionTable.name).selectAll().$castTo<SignInRow>()

const change = (ctx: Context, id: string, values: Record<string, unknown>) =>
  ctx.services.database.writer.updateTable(providerSessionTable.name).set(values).where('id', '=', id).execute()

const forget = (ctx: Context, id: string) =>
  ctx.services.database.writer.deleteFrom(providerSessionTable.name).where('id', '=', id).execute()

/** Asks for one sign-in. One request does, and waits for the answer; others go on meanwhile. */
async function ask(ctx: Context, row: SignInRow): Promise<Outcome> {
  const backend = identityCatalogue
    .enabled(ctx, 'redirect')
    .find(({ name, renew }) => name === row.backend && renew !== undefined)
  if (!backend?.renew || (await ctx.kv.count(`sign-in:renewal:${row.id}`, 30)) > 1) return 'open'
  // Its tokens have ended by themselves: a refusal would not mean the user.
  if (row.date_askable !== null && row.date_askable <= ctx.now) {
    await forget(ctx, row.id)
    return 'over'
  }
  const renewal = await backend.renew(ctx.withoutSession(), openedForProvider(ctx, row.at_provider))
  if (renewal === 'ended') {
    await forget(ctx, row.id)
    return 'ended'
  }
  if (renewal === 'unreachable') {
    await change(ctx, row.id, { date_renewal: ctx.now + patience })
    return 'open'
  }
  await change(ctx, row.id, {
    at_provider: sealedForProvider(ctx, renewal.atProvider),
    date_renewal: renewal.renewAt ?? null,
    date_askable: renewal.askableUntil ?? null,
  })
  if (renewal.renewAt === undefined) return 'open'
  await confirmIdentity(ctx, row.user_id, row.provider)
  return 'known'
}

/**
 * A provider ended a sign-in: a session there ended, or the user is gone. Which one, the user's other sign-ins tell. If
 * none is good any more, everything that came from the provider ends.
 */
async function judgeEnd(ctx: Context, { user_id: userId, provider }: SignInRow): Promise<void> {
  const others = await rows(ctx)
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('date_renewal', 'is not', null)
    .execute()
  for (const other of others) if (['known', 'open'].includes(await ask(ctx, other))) return
  await ctx.transaction(async (inside) => {
    await endIdentity(inside, userId, provider)
    await revokeSignIns(inside, [userId])
    const row = await userBy(inside, 'id', userId)
    // Where users of providers are created. A request that is being authenticated has no organization yet.
    const place = inside.inOrg(defaultOrgId)
    if (row) await recordAction(place, user, 'notice', row, { provider, ended_at_provider: true })
  })
}

async function askAndJudge(ctx: Context, row: SignInRow): Promise<Outcome> {
  const outcome = await ask(ctx, row)
  if (outcome === 'ended') await judgeEnd(ctx, row)
  return outcome
}

const dueOf = (ctx: Context, userId: string): Promise<SignInRow[]> =>
  rows(ctx).where('user_id', '=', userId).where('date_renewal', '<=', ctx.now).execute()

/**
 * The user of a credential as the provider knows the user now: asks where that is due. What every credential passes,
 * before `signInOver` of its user is looked at. Not inside a transaction, which would wait for the provider.
 */
export async function confirmed<U extends KnownUser | undefined>(ctx: Context, caller: U): Promise<KnownUser | U> {
  if (!caller || !isProvider(caller.source)) return caller
  const due = await dueOf(ctx, caller.id)
  if (due.length === 0) return caller
  for (const row of due) await askAndJudge(ctx, row)
  return (await callerById(ctx, caller.id)) ?? caller
}

/**
 * The user with an id, as the provider knows the user now, for who acts for users by something else than their
 * credentials, such as a connection token. A transaction does not wait for the provider: it begins anew.
 */
export async function presentCaller(ctx: Context, id: string): Promise<KnownUser | undefined> {
  const caller = await callerById(ctx, id)
  if (!caller || !isProvider(caller.source) || (await dueOf(ctx, id)).length === 0) return caller
  await ctx.runOutsideTransaction(`provider:${id}`, async () => {
    await confirmed(ctx.outside(), caller)
  })
  return callerById(ctx, id)
}

/** Whether the provider that opened a browser session has not ended it; asks it when it is time. */
export async function stillAtProvider(ctx: Context, session: Session): Promise<boolean> {
  const id = session.get<string>(providerMark)
  if (!id) return true
  const row = await rows(ctx).where('id', '=', id).executeTakeFirst()
  if (!row) return false
  if (row.date_renewal !== null && row.date_renewal <= ctx.now)
    if (['ended', 'over'].includes(await askAndJudge(ctx, row))) return false
  const at = await confirmedAt(ctx, row.user_id, row.provider)
  return at !== undefined && !isTooLongAgo(ctx, at)
}

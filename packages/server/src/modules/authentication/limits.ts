import { inAddressGroup } from '../../db/addresses.ts'
import type { Context } from '../../kernel/context.ts'
import { hashed } from '../../kernel/random.ts'
import { accountSubject, blockKey, type Counted, countKey } from '../users/index.ts'
import { Refusal } from './refusal.ts'

/**
 * Whom failures are held against, whatever was typed and from whatever address: the account, or the typed name where
 * there is no such account.
 */
export const subjectOf = (row: { id: string } | undefined, typed: string): string =>
  row ? accountSubject(row.id) : `name:${hashed(typed.trim().toLowerCase())}`
const addressKey = (ip: string) => `login:address:${ip}`

const list = (ctx: Context, setting: string): string[] => ctx.services.settings.get<string[] | null>(setting) ?? []
const minutes = (ctx: Context) => ctx.services.settings.number('SECURITY_LOGIN_LIMIT_TIME')

/** Refuses an address that is on the black list or failed too often. The white list always passes. */
export async function checkAddress(ctx: Context): Promise<void> {
  if (inAddressGroup(ctx.ip, list(ctx, 'SECURITY_LOGIN_IP_WHITE_LIST'))) return
  const limit = ctx.services.settings.number('SECURITY_LOGIN_IP_LIMIT_COUNT')
  const block_time = ctx.services.settings.number('SECURITY_LOGIN_IP_LIMIT_TIME')
  const count = Number((await ctx.kv.get<number>(addressKey(ctx.ip))) ?? 0)
  if (count >= limit || inAddressGroup(ctx.ip, list(ctx, 'SECURITY_LOGIN_IP_BLACK_LIST')))
    throw new Refusal('block_global_ip_login', { block_time }, { logged: false })
}

const block = (ctx: Context, what: Counted, subject: string) =>
  ctx.kv.set(blockKey(what, subject), 1, minutes(ctx) * 60)

/** Refuses a blocked subject; the attempt prolongs the block. Whether the account exists plays no part. */
export async function checkBlock(ctx: Context, what: Counted, subject: string): Promise<void> {
  if (!(await ctx.kv.get(blockKey(what, subject)))) return
  await block(ctx, what, subject)
  throw new Refusal(what === 'login' ? 'block_login' : 'block_mfa', { block_time: minutes(ctx) }, { logged: false })
}

/** Counts something an address is held to account for. */
export async function countAddress(ctx: Context): Promise<void> {
  await ctx.kv.count(addressKey(ctx.ip), ctx.services.settings.number('SECURITY_LOGIN_IP_LIMIT_TIME') * 60)
}

/** The last check of each subject that is being checked in this program. */
const checks = new Map<string, Promise<unknown>>()

/** Runs checks of one subject one after the other. */
async function inTurn<T>(key: string, check: () => Promise<T>): Promise<T> {
  const mine = (checks.get(key) ?? Promise.resolve()).then(check)
  const settled = mine.catch(() => undefined)
  checks.set(key, settled)
  try {
    return await mine
  } finally {
    if (checks.get(key) === settled) checks.delete(key)
  }
}

/**
 * Checks something that can be guessed; a right one ends the count. Tries for one subject wait for each other, so that
 * many at once are no more guesses than one after the other, and many right ones at once all pass.
 * @throws Refusal when the subject is blocked, or the try was wrong
 */
export const tryGuessable = (
  ctx: Context,
  what: Counted,
  subject: string,
  isRight: () => Promise<boolean>,
): Promise<void> =>
  inTurn(`${what} ${subject}`, async () => {
    await checkBlock(ctx, what, subject)
    if (await isRight()) return ctx.kv.delete(countKey(what, subject))
    const left = await countFailure(ctx, what, subject)
    throw wrong(what, left, minutes(ctx))
  })

/** Counts a failure and blocks at the limit. Returns how many tries are left. */
export async function countFailure(ctx: Context, what: Counted, subject: string): Promise<number> {
  const limit = ctx.services.settings.number('SECURITY_LOGIN_LIMIT_COUNT')
  const count = await ctx.kv.count(countKey(what, subject), minutes(ctx) * 60)
  if (what === 'login') await countAddress(ctx)
  if (count >= limit) await block(ctx, what, subject)
  return Math.max(0, limit - count)
}

function wrong(what: Counted, left: number, block_time: number): Refusal {
  // What failed is the password or the code; that nothing is left is what the sentence says.
  if (left === 0)
    return what === 'login'
      ? new Refusal('password_failed', { block_time }, { says: 'block_login' })
      : new Refusal('mfa_failed', { block_time }, { says: 'block_mfa' })
  // The number told for a password leaves the present failure out, that for a code includes it.
  return what === 'login'
    ? new Refusal('password_failed', { times_try: left + 1, block_time })
    : new Refusal('mfa_failed', { times_try: left, block_time })
}

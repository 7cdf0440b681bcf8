import { inAddressGroup } from '../../db/addresses.ts'
import type { Context } from '../../kernel/module/context.ts'
import { hashed } from '../../kernel/security/random.ts'
import { accountSubject, blockKey, type Counted, countKey, loginLimits, nameKeys } from '../users/index.ts'
import { SignInDenied } from './sign-in-denied.ts'

/**
 * The subject that failures count against, whatever name and address were used: the account, or the typed name in all of
 * its spellings when there is no such account.
 */
export const subjectOf = (row: { id: string } | undefined, typed: string): string =>
  row ? accountSubject(row.id) : `name:${hashed(nameKeys(typed)[0])}`
export const addressPrefix = 'login:address:'
const addressKey = (ip: string) => `${addressPrefix}${ip}`

const minutes = (ctx: Context) => loginLimits.of(ctx).SECURITY_LOGIN_LIMIT_TIME

/** An address on the allow list is never refused or slowed down. */
export const isTrusted = (ctx: Context): boolean =>
  inAddressGroup(ctx.ip, loginLimits.of(ctx).SECURITY_LOGIN_IP_WHITE_LIST)

const countIn = async (ctx: Context, key: string) => Number((await ctx.kv.get<number>(key)) ?? 0)
export const failuresOfAddress = (ctx: Context): Promise<number> => countIn(ctx, addressKey(ctx.ip))
/** Wrong passwords of an account since its last sign-in, by pages and API. */
export const failuresOf = (ctx: Context, subject: string): Promise<number> => countIn(ctx, countKey('login', subject))

/** Rejects an address that is on the deny list or failed too often. The allow list always passes. */
export async function checkAddress(ctx: Context): Promise<void> {
  if (isTrusted(ctx)) return
  const limit = loginLimits.of(ctx).SECURITY_LOGIN_IP_LIMIT_COUNT
  const block_time = loginLimits.of(ctx).SECURITY_LOGIN_IP_LIMIT_TIME
  const count = await failuresOfAddress(ctx)
  if (count >= limit || inAddressGroup(ctx.ip, loginLimits.of(ctx).SECURITY_LOGIN_IP_BLACK_LIST))
    throw new SignInDenied('block_global_ip_login', { block_time }, { logged: false })
}

const block = (ctx: Context, what: Counted, subject: string) =>
  ctx.kv.set(blockKey(what, subject), 1, minutes(ctx) * 60)

/** Rejects a blocked subject; the attempt prolongs the block. Unknown accounts behave the same. */
export async function checkBlock(ctx: Context, what: Counted, subject: string): Promise<void> {
  if (!(await ctx.kv.get(blockKey(what, subject)))) return
  await block(ctx, what, subject)
  throw new SignInDenied(
    what === 'login' ? 'block_login' : 'block_mfa',
    { block_time: minutes(ctx) },
    { logged: false },
  )
}

/** Counts an event against an address. */
export async function countAddress(ctx: Context): Promise<void> {
  await ctx.kv.count(addressKey(ctx.ip), loginLimits.of(ctx).SECURITY_LOGIN_IP_LIMIT_TIME * 60)
}

/** The last pending check of each subject in this process. */
const checks = new Map<string, Promise<unknown>>()

/** Runs the checks of one subject one after the other. */
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
 * Checks a guessable secret; success resets the count. Attempts for one subject run one after the other, so that
 * concurrent attempts are no more guesses than sequential ones, and concurrent correct ones all pass.
 * @throws SignInDenied when the subject is blocked, or the attempt failed
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

/** Counts a failure and blocks at the limit. Returns the number of attempts left. */
export async function countFailure(ctx: Context, what: Counted, subject: string): Promise<number> {
  const limit = loginLimits.of(ctx).SECURITY_LOGIN_LIMIT_COUNT
  const count = await ctx.kv.count(countKey(what, subject), minutes(ctx) * 60)
  if (what === 'login') await countAddress(ctx)
  if (count >= limit) await block(ctx, what, subject)
  return Math.max(0, limit - count)
}

function wrong(what: Counted, left: number, block_time: number): SignInDenied {
  // The error names the password or the code; its text says that no attempts are left.
  if (left === 0)
    return what === 'login'
      ? new SignInDenied('password_failed', { block_time }, { says: 'block_login' })
      : new SignInDenied('mfa_failed', { block_time }, { says: 'block_mfa' })
  // As in the contract: the number of attempts excludes the present failure for a password, and includes it for a code.
  return what === 'login'
    ? new SignInDenied('password_failed', { times_try: left + 1, block_time })
    : new SignInDenied('mfa_failed', { times_try: left, block_time })
}

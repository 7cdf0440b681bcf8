import { randomInt, timingSafeEqual } from 'node:crypto'
import { userMails } from '@castellan/contract/messages/user-mails'
import type { Context } from '../../kernel/module/context.ts'
import { hashed, randomText } from '../../kernel/security/random.ts'
import { canMail, mailsOf, queueMails } from '../notifications/index.ts'
import { resetPath, resetToken, signInSecurity, type UserRow, userBy, userByLogin } from '../users/index.ts'
import { checkAddress, countAddress } from './limits.ts'
import { SignInDenied } from './sign-in-denied.ts'

/** Recovery of a forgotten password by a code sent to the user's address. */

/** Minimum interval between two codes, and between two recoveries, of one user. Seconds. */
const interval = 60
/** Time from the username to the right code. Seconds. */
const recoveryAge = 300
/** Wrong codes after which the recovery ends. */
const mostTries = 3

interface Recovery {
  username: string
  /** Undefined when the username is unknown: the next step then fails like one with a wrong address. */
  userId?: string
}

const recoveryKey = (token: string) => `recovery:${hashed(token)}`
const codeKey = (token: string) => `recovery:code:${hashed(token)}`
const triesKey = (token: string) => `recovery:tries:${hashed(token)}`
const waitKey = (what: 'begin' | 'code', username: string, ip: string) =>
  `recovery:${what}:${hashed(username.trim().toLowerCase())}|${ip}`

/**
 * Once a minute per username and address, whether or not the name exists. A limit by name alone would let an attacker
 * keep others from their recovery; `countAddress` limits how many names and codes an address may ask for.
 */
async function notTooSoon(ctx: Context, what: 'begin' | 'code', username: string): Promise<void> {
  if ((await ctx.kv.count(waitKey(what, username, ctx.ip), interval)) > 1)
    throw new SignInDenied('interval_too_short', { seconds: interval }, { logged: false })
}

/**
 * Starts a recovery. The response is the same for unknown usernames, so that names cannot be enumerated; too many
 * requests block the address.
 */
export async function beginRecovery(ctx: Context, username: string): Promise<string> {
  await checkAddress(ctx)
  await countAddress(ctx)
  await notTooSoon(ctx, 'begin', username)
  const row = await userByLogin(ctx, username)
  const able = row?.source === 'local' && !row.is_service_account
  const token = randomText(36)
  await ctx.kv.set(
    recoveryKey(token),
    { username, ...(able ? { userId: row.id } : {}) } satisfies Recovery,
    recoveryAge,
  )
  return token
}

/** The recovery of a token; undefined when it is unknown, used or expired. */
export const recoveryOf = (ctx: Context, token: string): Promise<Recovery | undefined> =>
  ctx.kv.get<Recovery>(recoveryKey(token))

/** The user of a recovery, if the address is theirs. */
async function ownerOf(ctx: Context, { userId }: Recovery, email: string): Promise<UserRow | undefined> {
  const row = userId ? await userBy(ctx, 'id', userId) : undefined
  return row?.email && String(row.email).toLowerCase() === email.trim().toLowerCase() ? row : undefined
}

/** Mails a code to the user of a recovery. Throws a `SignInDenied` when the address is not theirs. */
export async function sendRecoveryCode(ctx: Context, token: string, recovery: Recovery, email: string): Promise<void> {
  await checkAddress(ctx)
  if (!canMail(ctx)) throw new SignInDenied('recovery_not_set', {}, { logged: false })
  const row = await ownerOf(ctx, recovery, email)
  if (!row) {
    await countAddress(ctx)
    throw new SignInDenied('recovery_mismatch', {}, { logged: false })
  }
  await notTooSoon(ctx, 'code', recovery.username)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await ctx.kv.set(codeKey(token), hashed(code), signInSecurity.of(ctx).VERIFY_CODE_TTL)
  const notice = { subject: userMails.code_subject, body: userMails.code_body, values: { name: row.name, code } }
  await ctx.transaction((inside) => queueMails(inside, mailsOf(inside, [row], notice)))
}

/**
 * Verifies a code. Returns the page for the new password; undefined when the recovery has ended after too many wrong
 * codes. Throws a `SignInDenied` for a wrong code.
 */
export async function takeRecoveryCode(
  ctx: Context,
  token: string,
  recovery: Recovery,
  sent: { email: string; code: string },
): Promise<string | undefined> {
  await checkAddress(ctx)
  const tries = await ctx.kv.count(triesKey(token), recoveryAge)
  const row = await ownerOf(ctx, recovery, sent.email)
  const expected = await ctx.kv.get<string>(codeKey(token))
  const right = timingSafeEqual(Buffer.from(hashed(sent.code.trim())), Buffer.from(expected ?? hashed(randomText(8))))
  if (row && expected && right && tries <= mostTries) {
    // Of two concurrent requests with the right code, only one continues.
    if (!(await ctx.kv.take(recoveryKey(token)))) return undefined
    await ctx.kv.delete(codeKey(token))
    return `${resetPath}?token=${await resetToken(ctx, row, 'reset')}`
  }
  await countAddress(ctx)
  if (tries >= mostTries) {
    await ctx.kv.delete(recoveryKey(token))
    return undefined
  }
  throw new SignInDenied('recovery_code_wrong', {}, { logged: false })
}

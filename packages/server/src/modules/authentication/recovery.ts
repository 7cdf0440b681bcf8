import { randomInt, timingSafeEqual } from 'node:crypto'
import { userMails } from '@castellan/contract/messages/user-mails'
import { normalPhone } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { hashed, randomText } from '../../kernel/security/random.ts'
import { canMail, canText, mailsOf, queueMails } from '../notifications/index.ts'
import { nameKeys, resetPath, resetToken, signInSecurity, type UserRow, userBy, userByLogin } from '../users/index.ts'
import { checkAddress, countAddress } from './limits.ts'
import { SignInDenied } from './sign-in-denied.ts'
import { sendSmsCode, useSmsCode } from './sms-factor.ts'

/** Recovery of a forgotten password by a code sent to the user's address or telephone. */

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
  `recovery:${what}:${hashed(nameKeys(username)[0])}|${ip}`

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

export type RecoveryWay = 'email' | 'sms'

/** The ways by which codes can be sent here. */
export const recoveryWays = (ctx: Context): RecoveryWay[] => [
  ...(canMail(ctx) ? (['email'] as const) : []),
  ...(canText(ctx) ? (['sms'] as const) : []),
]

/** Where a code is sent to: an address of mail, or a telephone number, as it was typed. */
export interface Contact {
  readonly way: RecoveryWay
  readonly address: string
}

/** A number in the form that is stored; what is none belongs to nobody. */
function phoneIn(typed: string): string {
  try {
    return normalPhone(typed)
  } catch {
    return ''
  }
}

/** The user of a recovery, if the address is theirs. */
async function ownerOf(ctx: Context, { userId }: Recovery, { way, address }: Contact): Promise<UserRow | undefined> {
  const row = userId ? await userBy(ctx, 'id', userId) : undefined
  if (way === 'sms') return row?.phone && row.phone === phoneIn(address) ? row : undefined
  return row?.email && String(row.email).toLowerCase() === address.trim().toLowerCase() ? row : undefined
}

const smsPurpose = (token: string) => `recovery:${hashed(token)}`

/** Sends a code to the user of a recovery. Throws a `SignInDenied` when the address is not theirs. */
export async function sendRecoveryCode(
  ctx: Context,
  token: string,
  recovery: Recovery,
  contact: Contact,
): Promise<void> {
  await checkAddress(ctx)
  if (!recoveryWays(ctx).includes(contact.way)) throw new SignInDenied('recovery_not_set', {}, { logged: false })
  const row = await ownerOf(ctx, recovery, contact)
  if (!row) {
    await countAddress(ctx)
    throw new SignInDenied('recovery_mismatch', {}, { logged: false })
  }
  await notTooSoon(ctx, 'code', recovery.username)
  if (contact.way === 'sms') return sendSmsCode(ctx, smsPurpose(token), row, 6)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await ctx.kv.set(codeKey(token), hashed(code), signInSecurity.of(ctx).VERIFY_CODE_TTL)
  const notice = { subject: userMails.code_subject, body: userMails.code_body, values: { name: row.name, code } }
  await ctx.transaction((inside) => queueMails(inside, mailsOf(inside, [row], notice)))
}

async function isRight(ctx: Context, token: string, row: UserRow, way: RecoveryWay, code: string): Promise<boolean> {
  if (way === 'sms') return useSmsCode(ctx, smsPurpose(token), row, code)
  const expected = await ctx.kv.get<string>(codeKey(token))
  const right = timingSafeEqual(Buffer.from(hashed(code.trim())), Buffer.from(expected ?? hashed(randomText(8))))
  return expected !== undefined && right
}

/**
 * Verifies a code. Returns the page for the new password; undefined when the recovery has ended after too many wrong
 * codes. Throws a `SignInDenied` for a wrong code.
 */
export async function takeRecoveryCode(
  ctx: Context,
  token: string,
  recovery: Recovery,
  sent: { contact: Contact; code: string },
): Promise<string | undefined> {
  await checkAddress(ctx)
  const tries = await ctx.kv.count(triesKey(token), recoveryAge)
  const row = await ownerOf(ctx, recovery, sent.contact)
  if (row && tries <= mostTries && (await isRight(ctx, token, row, sent.contact.way, sent.code))) {
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

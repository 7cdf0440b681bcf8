import { randomInt, timingSafeEqual } from 'node:crypto'
import { userMails } from '@castellan/contract/messages/user-mails'
import type { Context } from '../../kernel/context.ts'
import { hashed, randomText } from '../../kernel/random.ts'
import { canMail, mailsOf, queueMails } from '../notifications/index.ts'
import { personBy, personByLogin, resetPath, resetToken, type UserRow } from '../users/index.ts'
import { checkAddress, countAddress } from './limits.ts'
import { Refusal } from './refusal.ts'

/** Setting a forgotten password by a code sent to one's address. */

/** Seconds between two codes, and between two beginnings, for one person. */
const interval = 60
/** Seconds from the name to the right code. */
const recoveryAge = 300
/** Wrong codes after which the recovery is over. */
const mostTries = 3

interface Recovery {
  username: string
  /** Nobody's, when the name is unknown: the next step refuses it like a wrong address. */
  userId?: string
}

const recoveryKey = (token: string) => `recovery:${hashed(token)}`
const codeKey = (token: string) => `recovery:code:${hashed(token)}`
const triesKey = (token: string) => `recovery:tries:${hashed(token)}`
const waitKey = (what: 'begin' | 'code', username: string, ip: string) =>
  `recovery:${what}:${hashed(username.trim().toLowerCase())}|${ip}`

/**
 * Once a minute for one name from one address, whether or not the name exists. By the name alone, anybody could keep
 * others from their recovery; how many names and codes an address may ask for is limited by `countAddress`.
 */
async function notTooSoon(ctx: Context, what: 'begin' | 'code', username: string): Promise<void> {
  if ((await ctx.kv.count(waitKey(what, username, ctx.ip), interval)) > 1)
    throw new Refusal('interval_too_short', { seconds: interval }, { logged: false })
}

/**
 * Begins a recovery. The answer is the same for a name nobody has, so that names cannot be found out here; who asks too
 * often is blocked by their address.
 */
export async function beginRecovery(ctx: Context, username: string): Promise<string> {
  await checkAddress(ctx)
  await countAddress(ctx)
  await notTooSoon(ctx, 'begin', username)
  const row = await personByLogin(ctx, username)
  const able = row?.source === 'local' && !row.is_service_account
  const token = randomText(36)
  await ctx.kv.set(
    recoveryKey(token),
    { username, ...(able ? { userId: row.id } : {}) } satisfies Recovery,
    recoveryAge,
  )
  return token
}

/** The recovery a token belongs to; undefined when it is unknown, used or too old. */
export const recoveryOf = (ctx: Context, token: string): Promise<Recovery | undefined> =>
  ctx.kv.get<Recovery>(recoveryKey(token))

/** The person of a recovery, when this is their address. */
async function ownerOf(ctx: Context, { userId }: Recovery, email: string): Promise<UserRow | undefined> {
  const row = userId ? await personBy(ctx, 'id', userId) : undefined
  return row?.email && String(row.email).toLowerCase() === email.trim().toLowerCase() ? row : undefined
}

/** Mails a code to the person of a recovery. Throws a `Refusal` when the address is not theirs. */
export async function sendRecoveryCode(ctx: Context, token: string, recovery: Recovery, email: string): Promise<void> {
  await checkAddress(ctx)
  if (!canMail(ctx)) throw new Refusal('recovery_not_set', {}, { logged: false })
  const row = await ownerOf(ctx, recovery, email)
  if (!row) {
    await countAddress(ctx)
    throw new Refusal('recovery_mismatch', {}, { logged: false })
  }
  await notTooSoon(ctx, 'code', recovery.username)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await ctx.kv.set(codeKey(token), hashed(code), ctx.services.settings.number('VERIFY_CODE_TTL'))
  const notice = { subject: userMails.code_subject, body: userMails.code_body, values: { name: row.name, code } }
  await ctx.transaction((inside) => queueMails(inside, mailsOf(inside, [row], notice)))
}

/**
 * Takes a code. Returns the page where the new password is set; undefined when the recovery is over, after too many
 * wrong codes. Throws a `Refusal` for a wrong one.
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
    // Of two who send the right code at the same moment one goes on.
    if (!(await ctx.kv.take(recoveryKey(token)))) return undefined
    await ctx.kv.delete(codeKey(token))
    return `${resetPath}?token=${await resetToken(ctx, row, 'reset')}`
  }
  await countAddress(ctx)
  if (tries >= mostTries) {
    await ctx.kv.delete(recoveryKey(token))
    return undefined
  }
  throw new Refusal('recovery_code_wrong', {}, { logged: false })
}

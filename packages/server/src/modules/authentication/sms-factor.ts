/** Codes by text message: as second factor, for confirmations, and for the recovery of a password. */
import { randomInt, timingSafeEqual } from 'node:crypto'
import { mfaTypes } from '@castellan/contract/choices/authentication'
import { smsMessages } from '@castellan/contract/messages/sms'
import type { Context } from '../../kernel/module/context.ts'
import { failureAs, text } from '../../kernel/module/errors.ts'
import { hashed } from '../../kernel/security/random.ts'
import type { SecondFactor } from '../../kernel/security/sign-in.ts'
import { canText, sendCodeBySms, shortMessages } from '../notifications/index.ts'
import { signInSecurity } from '../users/index.ts'

/** Codes that one number and one address may ask for in an hour: each costs money and disturbs somebody. */
const mostPerPhone = 10
const mostPerAddress = 30
const hour = 3600
/** Wrong answers after which a code ends, whatever limits apply besides. */
const mostTries = 5

interface Owner {
  readonly id: string
  readonly phone: string | null
}

/** A code belongs to a user and the number it was sent to: after a change of the number it is of no use. */
const keyOf = (purpose: string, { id, phone }: Owner) => `sms:${purpose}:${id}:${hashed(phone ?? '')}`

async function demandFew(ctx: Context, phone: string): Promise<void> {
  const counts = [
    [`sms:phone:${hashed(phone)}`, mostPerPhone],
    [`sms:address:${ctx.ip}`, mostPerAddress],
  ] as const
  for (const [key, most] of counts)
    if ((await ctx.kv.count(key, hour)) > most) throw failureAs(400, 'error', text(smsMessages.too_many))
}

/**
 * Sends a code to the user's number; not another one while it is valid.
 * @param digits its length
 * @throws 400 `{error}`
 */
export async function sendSmsCode(ctx: Context, purpose: string, owner: Owner, digits: number): Promise<void> {
  const { phone } = owner
  if (!phone || !canText(ctx)) throw failureAs(400, 'error', text(smsMessages.not_set))
  const seconds = signInSecurity.of(ctx).VERIFY_CODE_TTL
  const key = keyOf(purpose, owner)
  if ((await ctx.kv.count(`${key}:sent`, seconds)) > 1)
    throw failureAs(400, 'error', text(smsMessages.too_often, { seconds }))
  try {
    await demandFew(ctx, phone)
    const code = Array.from({ length: digits }, () => randomInt(10)).join('')
    await ctx.kv.set(key, hashed(code), seconds)
    await sendCodeBySms(ctx, phone, code)
  } catch (error) {
    // What was not sent may be asked for again at once; the limits by the hour stay.
    await ctx.kv.delete(`${key}:sent`)
    throw error
  }
}

/** Whether a code is the one that was sent. It is valid once, and ends after five wrong answers. */
export async function useSmsCode(ctx: Context, purpose: string, owner: Owner, code: string): Promise<boolean> {
  const key = keyOf(purpose, owner)
  const expected = await ctx.kv.get<string>(key)
  if (!expected || !owner.phone) return false
  const tries = await ctx.kv.count(`${key}:tries:${expected.slice(0, 16)}`, signInSecurity.of(ctx).VERIFY_CODE_TTL)
  const right = timingSafeEqual(Buffer.from(hashed(code.trim())), Buffer.from(expected))
  if (!right && tries < mostTries) return false
  // Of two concurrent requests with the right code, only one continues.
  const taken = await ctx.kv.take<string>(key)
  return right && tries <= mostTries && taken === expected
}

export const smsFactor: SecondFactor = {
  name: 'sms',
  label: mfaTypes.sms,
  placeholder: smsMessages.placeholder,
  isEnabled: canText,
  isActive: ({ phone }) => Boolean(phone),
  challenge: (ctx, account) => sendSmsCode(ctx, 'factor', account, shortMessages.of(ctx).SMS_CODE_LENGTH),
  check: (ctx, account, code) => useSmsCode(ctx, 'factor', account, code),
  enrolPath: '/ui/#/profile/setting',
  removePath: '/ui/#/profile/setting',
}

import { inAddressGroup } from '../../db/addresses.ts'
import type { Context } from '../../kernel/context.ts'
import { Refusal } from './refusal.ts'

/** Failed sign-ins (`login`) and failed second factors (`mfa`) are counted apart, with the same limits (authentication.md §5). */
export type Counted = 'login' | 'mfa'

const name = (username: string) => username.trim().toLowerCase()
export const blockKey = (what: Counted, username: string) => `${what}:block:${name(username)}`
const countKey = (what: Counted, username: string, ip: string) => `${what}:count:${name(username)}|${ip}`
const addressKey = (ip: string) => `login:address:${ip}`

const list = (ctx: Context, setting: string): string[] => ctx.services.settings.get<string[] | null>(setting) ?? []
const minutes = (ctx: Context) => ctx.services.settings.number('SECURITY_LOGIN_LIMIT_TIME')

/** Refuses an address that is on the black list or failed too often. The white list always passes. */
export async function checkAddress(ctx: Context): Promise<void> {
  if (inAddressGroup(ctx.ip, list(ctx, 'SECURITY_LOGIN_IP_WHITE_LIST'))) return
  const limit = ctx.services.settings.number('SECURITY_LOGIN_IP_LIMIT_COUNT')
  const block_time = ctx.services.settings.number('SECURITY_LOGIN_IP_LIMIT_TIME')
  const count = Number((await ctx.memory.get<number>(addressKey(ctx.ip))) ?? 0)
  if (count >= limit || inAddressGroup(ctx.ip, list(ctx, 'SECURITY_LOGIN_IP_BLACK_LIST')))
    throw new Refusal('block_global_ip_login', { block_time }, { logged: false })
}

/** Refuses a blocked name; the attempt prolongs the block. Whether the name exists plays no part. */
export async function checkBlock(ctx: Context, what: Counted, username: string): Promise<void> {
  if (!(await ctx.memory.get(blockKey(what, username)))) return
  await ctx.memory.set(blockKey(what, username), 1, minutes(ctx) * 60)
  throw new Refusal(what === 'login' ? 'block_login' : 'block_mfa', { block_time: minutes(ctx) }, { logged: false })
}

/** Counts something an address is held to account for. */
export async function countAddress(ctx: Context): Promise<void> {
  await ctx.memory.count(addressKey(ctx.ip), ctx.services.settings.number('SECURITY_LOGIN_IP_LIMIT_TIME') * 60)
}

/** Counts a failure and blocks at the limit. Returns how many tries are left. */
export async function countFailure(ctx: Context, what: Counted, username: string): Promise<number> {
  const limit = ctx.services.settings.number('SECURITY_LOGIN_LIMIT_COUNT')
  const count = await ctx.memory.count(countKey(what, username, ctx.ip), minutes(ctx) * 60)
  if (what === 'login') await countAddress(ctx)
  if (count >= limit) await ctx.memory.set(blockKey(what, username), 1, minutes(ctx) * 60)
  return Math.max(0, limit - count)
}

/** The refusal for a wrong password or code, after counting it. */
export async function failedAttempt(ctx: Context, what: Counted, username: string): Promise<Refusal> {
  const left = await countFailure(ctx, what, username)
  const block_time = minutes(ctx)
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

export async function clearFailures(ctx: Context, username: string): Promise<void> {
  for (const what of ['login', 'mfa'] as const) {
    await ctx.memory.delete(countKey(what, username, ctx.ip))
    await ctx.memory.delete(blockKey(what, username))
  }
}

/**
 * The one decision about changes to what proves who a user is: passwords, second factors, keys, bound accounts, and the
 * addresses to which codes and links are sent. Every page and operation that changes one of these asks here.
 */

import { roleIds } from '@castellan/contract/ids'
import type { Message } from '@castellan/contract/messages'
import { userMails } from '@castellan/contract/messages/user-mails'
import type { Context } from '../../kernel/module/context.ts'
import { definePort } from '../../kernel/module/hooks.ts'
import { type Account, identityCatalogue } from '../../kernel/security/sign-in.ts'
import { byLanguage, canText, mailsOf, type Notice, notifyUsers, queueMails } from '../notifications/index.ts'
import { holdingsOf } from '../rbac/index.ts'
import { mfaForced } from './role-fields.ts'
import type { KnownUser, UserRow } from './user-fields.ts'

/** What proves who a user is, or where they are reached for a proof. */
export type WayIn = keyof typeof labels

const labels = {
  password: userMails.way_password,
  email: userMails.way_email,
  phone: userMails.way_phone,
  mfa_level: userMails.way_mfa_level,
  otp: userMails.way_otp,
  passkey: userMails.way_passkey,
  access_key: userMails.way_access_key,
  public_key: userMails.way_public_key,
  chat: userMails.way_chat,
  source: userMails.way_source,
} as const satisfies Record<string, Message>

/** Asks the caller to confirm who they are: throws 412 unless they did, recently, in this session. */
export const ownConfirmation = definePort<{ demand(ctx: Context): void }>('users.own-confirmation')

/** How long after a sign-in a new user completes the profile without another proof. Milliseconds. */
const completing = 300_000
/** Roles that every user holds. */
const everybodys = new Set<string>([roleIds.user, roleIds.orgUser])

type Known = Pick<UserRow, 'id' | 'is_first_login' | 'last_login' | 'phone' | 'public_key'> & Account

/**
 * The profile that new users complete at their first sign-in, as v3 clients do it without a confirmation: what is empty
 * is filled in, within minutes of the sign-in, by somebody without any right of an administrator, and nothing that could
 * answer for them afterwards: no telephone where codes are sent to telephones, no level where a factor is in use.
 */
async function isCompletion(ctx: Context, row: Known, ways: readonly WayIn[]): Promise<boolean> {
  if (!row.is_first_login || row.last_login === null || ctx.now - row.last_login > completing) return false
  for (const way of ways) {
    if (way === 'phone' && !row.phone && !canText(ctx)) continue
    if (way === 'public_key' && !row.public_key) continue
    if (way === 'mfa_level' && (await identityCatalogue.activeFactors(ctx, row)).length === 0) continue
    return false
  }
  const held = await holdingsOf(ctx, [row.id])
  return held.every(({ userId, roleId }) => userId !== row.id || everybodys.has(roleId))
}

/**
 * Throws 412 unless users who change their own ways in have confirmed who they are, whatever their credential: who has
 * found an open session or a token must not make it permanent. Changes of others are a matter of `demandAuthority`.
 */
export async function demandOwnConfirmation(ctx: Context, row: Known, ways: readonly WayIn[]): Promise<void> {
  if (ctx.caller?.id !== row.id || ways.length === 0) return
  if (await isCompletion(ctx, row, ways)) return
  ownConfirmation.use.demand(ctx)
}

/** The same for users with a second factor in use; others have proved themselves by what they sent along. */
export async function demandFactorConfirmation(ctx: Context, row: UserRow): Promise<void> {
  const isInUse = mfaForced(ctx, row, await holdingsOf(ctx, [row.id])) || Number(row.mfa_level) > 0
  if (isInUse && (await identityCatalogue.activeFactors(ctx, row)).length > 0)
    await demandOwnConfirmation(ctx, row, ['password'])
}

const unset = (value: unknown) => value ?? ''

/** The ways in that an update of a user's row changes. */
export function waysChanged(before: KnownUser, after: KnownUser, sent: { password?: unknown } = {}): WayIn[] {
  const changed = (['email', 'phone', 'mfa_level', 'public_key', 'source'] as const).filter(
    (name) => String(unset(before[name])) !== String(unset(after[name])),
  )
  // A factor that is in use already may be demanded always: nothing opens by that.
  const isRaised = Number(before.mfa_level) > 0 && Number(after.mfa_level) > Number(before.mfa_level)
  const ways: WayIn[] = changed.filter((name) => name !== 'mfa_level' || !isRaised)
  return sent.password ? [...ways, 'password'] : ways
}

const listed = (ways: readonly WayIn[]): Message => {
  const all = ways.map((way) => labels[way])
  return {
    en: all.map(({ en }) => en).join(', '),
    zh: all.map(({ zh }) => zh).join('、'),
    ja: all.map(({ ja }) => ja).join('、'),
  }
}

const said = (ctx: Context, userId: string, ways: readonly WayIn[]): Pick<Notice, 'subject' | 'body' | 'values'> => {
  const [only] = ways.length === 1 && ctx.caller?.id === userId ? ways : []
  if (only === 'password') return { subject: userMails.password_changed_subject, body: userMails.password_changed_body }
  if (only === 'public_key') return { subject: userMails.key_changed_subject, body: userMails.key_changed_body }
  const values = { what: listed(ways), ...(ctx.caller && { by: ctx.caller.name }) }
  return { subject: userMails.ways_changed_subject, body: userMails.ways_changed_body, values }
}

/**
 * Tells users that their ways in were changed, by whom and from where: always by mail to the address from before the
 * change, whatever messages they chose to get, so that whoever changes an address cannot keep it from its owner.
 */
export async function tellWaysChanged(
  ctx: Context,
  before: { id: string; name: string; email: string },
  ways: readonly WayIn[],
): Promise<void> {
  if (ways.length === 0) return
  const words = said(ctx, before.id, ways)
  const place = { name: before.name, ip: ctx.ip, browser: ctx.userAgent.slice(0, 254) }
  const notice = { ...words, values: { by: before.name, ...words.values, ...place } }
  for (const [language, rows] of await byLanguage(ctx, [before]))
    await queueMails(ctx, mailsOf(ctx, rows, notice, language))
  await notifyUsers(ctx, [before.id], notice, { isMailed: false })
}

import { errors } from '@castellan/contract/messages/errors'
import { unattendedAccess } from '@castellan/contract/permissions'
import type { Caller, Context, SessionHandle } from '../../kernel/module/context.ts'
import { ApiError, permissionDenied, render, text } from '../../kernel/module/errors.ts'
import { signInSecurity } from '../users/index.ts'
import { signInSessions } from './settings.ts'

export type ConfirmLevel = 'relogin' | 'password' | 'mfa'
export const confirmRank: Record<ConfirmLevel, number> = { relogin: 1, password: 2, mfa: 3 }

/** How long a confirmation of a level is valid. Seconds. */
export const confirmTtl = (ctx: Context, level: ConfirmLevel) =>
  level === 'mfa' ? signInSecurity.of(ctx).SECURITY_MFA_VERIFY_TTL : 300

/** Who confirmed, by which password: a confirmation does not outlive it, where a session does. */
const markOf = (caller: Caller & { readonly passwordMark?: string }): string =>
  `${caller.id} ${caller.passwordMark ?? ''}`

/** Records in the session that its caller confirmed now. */
export function keepConfirmation(ctx: Context, session: SessionHandle, level: ConfirmLevel): void {
  session.set('CONFIRM_LEVEL', confirmRank[level])
  session.set('CONFIRM_TIME', ctx.now)
  session.set('CONFIRM_USER', markOf(ctx.me))
}

/** How long a sign-in is as good as a new one. Milliseconds. */
const fresh = 300_000

/** Sign-ins by what any session of the user, or of an administrator, can make: they show nothing of the user anew. */
const borrowed = new Set(['temp_token', 'sso'])

/** Whether the caller signed in to this browser minutes ago, by more than what any session can make. */
export const signedInAfresh = (ctx: Context): boolean =>
  ctx.credential === 'session' &&
  !borrowed.has(ctx.session?.get<string>('backend') ?? '') &&
  ctx.now - Number(ctx.session?.get('login_time') ?? 0) < fresh

/**
 * Whether the caller confirmed in this session, recently enough, at this level or a higher one, or the installation asks
 * for no confirmations. The confirming user is compared too, because a session may carry another user's token or be
 * signed in to by another user.
 */
export function isConfirmed(ctx: Context, level: ConfirmLevel): boolean {
  if (!signInSessions.of(ctx).SECURITY_VIEW_AUTH_NEED_MFA) return true
  const { session } = ctx
  const isOwn = ctx.caller !== undefined && session?.get<string>('CONFIRM_USER') === markOf(ctx.caller)
  const rank = isOwn ? (session?.get<number>('CONFIRM_LEVEL') ?? 0) : 0
  const time = session?.get<number>('CONFIRM_TIME') ?? 0
  return rank >= confirmRank[level] && ctx.now - time < confirmTtl(ctx, level) * 1000
}

/** Throws 412 unless the caller has confirmed. */
export function demandConfirmation(ctx: Context, level: ConfirmLevel): void {
  if (isConfirmed(ctx, level)) return
  throw new ApiError(412, 'user_confirm_required', (language) => ({
    type: 'user_confirm_required',
    code: level,
    detail: render(text(errors.user_confirm_required), language),
  }))
}

/**
 * Throws unless whoever acts has confirmed their identity, for what hands out secrets without showing them: where they
 * are mailed to, and when. Every credential that stands for a person is asked alike, a browser session as a token of
 * the API (412); a program that signs with an access key cannot confirm, and needs a permission of its own (403). System
 * work is not asked.
 */
export function demandStepUp(ctx: Context, level: ConfirmLevel = 'mfa'): void {
  if (!ctx.caller || !signInSessions.of(ctx).SECURITY_VIEW_AUTH_NEED_MFA) return
  if (ctx.credential !== 'signature') demandConfirmation(ctx, level)
  // Not `can`, which is always true for system administrators: their keys need the permission as well.
  else if (!ctx.permissions.has(unattendedAccess)) throw permissionDenied(text(errors.unattended_needs_right))
}

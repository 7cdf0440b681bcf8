import { errors } from '@castellan/contract/messages/errors'
import type { Context, SessionHandle } from '../../kernel/context.ts'
import { ApiError, render, text } from '../../kernel/errors.ts'

export type ConfirmLevel = 'relogin' | 'password' | 'mfa'
export const confirmRank: Record<ConfirmLevel, number> = { relogin: 1, password: 2, mfa: 3 }

/** Seconds a confirmation of a level stays good. */
export const confirmTtl = (ctx: Context, level: ConfirmLevel) =>
  level === 'mfa' ? ctx.services.settings.number('SECURITY_MFA_VERIFY_TTL') : 300

/** Keeps in the session that its caller confirmed just now. */
export function keepConfirmation(ctx: Context, session: SessionHandle, level: ConfirmLevel): void {
  session.set('CONFIRM_LEVEL', confirmRank[level])
  session.set('CONFIRM_TIME', ctx.now)
  session.set('CONFIRM_USER', ctx.me.id)
}

/**
 * Throws 412 unless the caller confirmed in this session at this level or a higher one recently enough. Who confirmed is
 * asked too: a session may carry somebody else's token, or be signed in to by somebody else.
 */
export function demandConfirmation(ctx: Context, level: ConfirmLevel): void {
  if (!ctx.services.settings.bool('SECURITY_VIEW_AUTH_NEED_MFA')) return
  const { session } = ctx
  const isOwn = ctx.caller !== undefined && session?.get<string>('CONFIRM_USER') === ctx.caller.id
  const rank = isOwn ? (session?.get<number>('CONFIRM_LEVEL') ?? 0) : 0
  const time = session?.get<number>('CONFIRM_TIME') ?? 0
  if (rank >= confirmRank[level] && ctx.now - time < confirmTtl(ctx, level) * 1000) return
  throw new ApiError(412, 'user_confirm_required', (language) => ({
    type: 'user_confirm_required',
    code: level,
    detail: render(text(errors.user_confirm_required), language),
  }))
}

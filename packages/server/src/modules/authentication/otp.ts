import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Context } from '../../kernel/module/context.ts'
import { signInSecurity } from '../users/index.ts'
import { renderSvg } from './qr.ts'

/** TOTP (RFC 6238): SHA-1, six digits, thirty seconds. */
const period = 30

/** Steps before and after now that still count. */
const window = (ctx: Context) => signInSecurity.of(ctx).OTP_VALID_WINDOW

export const newOtpSecret = () => generateSecret({ length: 20 })

export function otpUri(ctx: Context, username: string, secret: string): string {
  return generateURI({ issuer: signInSecurity.of(ctx).OTP_ISSUER_NAME || 'Castellan', label: username, secret })
}

export const otpQrCode = (ctx: Context, username: string, secret: string) => renderSvg(otpUri(ctx, username, secret))

/** Whether a code is valid now and was not used before: a code that was observed cannot be replayed. */
export async function useOtpCode(ctx: Context, userId: string, secret: string, code: string): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return false
  const result = verifySync({ secret, token: code, epochTolerance: window(ctx) * period })
  if (!result.valid) return false
  const step = 'timeStep' in result ? result.timeStep : Math.floor(ctx.now / 1000 / period)
  const uses = await ctx.kv.count(`otp:used:${userId}:${step}`, (2 * window(ctx) + 2) * period)
  return uses === 1
}

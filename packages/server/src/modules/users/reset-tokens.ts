import type { Context } from '../../kernel/context.ts'
import { hashed, randomText } from '../../kernel/random.ts'

/** Seconds a reset link works. */
const resetTokenAge = 3600

/** The page that a reset link leads to. */
export const resetPath = '/core/auth/password/reset/'

export interface ResetToken {
  userId: string
  email: string
  reason: 'reset' | 'first' | 'expired'
}

/** A single-use token for the page that sets a new password; bound to the person and the address it was made for. */
export async function resetToken(
  ctx: Context,
  row: { id: string; email: string },
  reason: ResetToken['reason'],
): Promise<string> {
  const token = randomText(50)
  await ctx.memory.set(
    `reset:${hashed(token)}`,
    { userId: row.id, email: row.email, reason } satisfies ResetToken,
    resetTokenAge,
  )
  return token
}

export const readResetToken = (ctx: Context, token: string) => ctx.memory.get<ResetToken>(`reset:${hashed(token)}`)
export const takeResetToken = (ctx: Context, token: string) => ctx.memory.take<ResetToken>(`reset:${hashed(token)}`)

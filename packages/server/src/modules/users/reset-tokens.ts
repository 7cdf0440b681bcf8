import type { Context } from '../../kernel/module/context.ts'
import { hashed, randomText } from '../../kernel/security/random.ts'

/** Lifetime of a reset link. Seconds. */
const resetTokenAge = 3600

/** The page that a reset link opens. */
export const resetPath = '/core/auth/password/reset/'

export interface ResetToken {
  userId: string
  email: string
  reason: 'reset' | 'first' | 'expired'
  /** Identifies the present password: a link created before another one was set is invalid. */
  generation: string
}

async function generationOf(ctx: Context, userId: string): Promise<string> {
  const row = await ctx.rawDb
    .selectFrom('users_user')
    .select(['password_hash', 'date_password_last_updated'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return hashed(`${row?.password_hash ?? ''} ${Number(row?.date_password_last_updated ?? 0)}`)
}

/**
 * A single-use token for the page that sets a new password; bound to the user, the e-mail address and the present
 * password.
 */
export async function resetToken(
  ctx: Context,
  row: { id: string; email: string },
  reason: ResetToken['reason'],
): Promise<string> {
  const token = randomText(50)
  const generation = await generationOf(ctx, row.id)
  const facts: ResetToken = { userId: row.id, email: row.email, reason, generation }
  await ctx.kv.set(`reset:${hashed(token)}`, facts, resetTokenAge)
  return token
}

/** The data of a reset link; undefined when it is unknown, used, expired, or the password was set since. */
export async function readResetToken(ctx: Context, token: string): Promise<ResetToken | undefined> {
  const facts = await ctx.kv.get<ResetToken>(`reset:${hashed(token)}`)
  return facts && facts.generation === (await generationOf(ctx, facts.userId)) ? facts : undefined
}

export const takeResetToken = (ctx: Context, token: string) => ctx.kv.take<ResetToken>(`reset:${hashed(token)}`)

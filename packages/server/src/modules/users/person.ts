import type { Context } from '../../kernel/context.ts'
import type { Row } from '../../kernel/resource.ts'
import { user } from './user.ts'

export type UserRow = Row<typeof user>

/**
 * Somebody wherever they belong, components' accounts included: for signing in and for what people do with themselves,
 * where the current organization plays no part. Lists and links go through `rows.ts`, which shows members only.
 */
export async function personBy(
  ctx: Context,
  column: 'id' | 'username' | 'email',
  value: string,
): Promise<UserRow | undefined> {
  const row = await ctx.unscoped.selectFrom('users_user').selectAll().where(column, '=', value).executeTakeFirst()
  return row && (user.decode(row) as UserRow)
}

/** The person behind what was typed to sign in: a username, or an e-mail address nobody has as a username. */
export async function personByLogin(ctx: Context, typed: string): Promise<UserRow | undefined> {
  const named = await personBy(ctx, 'username', typed)
  return named || !typed.includes('@') ? named : personBy(ctx, 'email', typed)
}

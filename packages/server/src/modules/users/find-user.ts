import type { Context } from '../../kernel/context.ts'
import type { Row } from '../../kernel/resource.ts'
import { user } from './user.ts'

export type UserRow = Row<typeof user>

/**
 * A user of any organization, including components' accounts: for sign-in and for users' own data, which do not depend
 * on the current organization. Lists and links use `repository.ts`, which shows members only.
 */
export async function userBy(
  ctx: Context,
  column: 'id' | 'username' | 'email',
  value: string,
): Promise<UserRow | undefined> {
  const row = await ctx.unscoped.selectFrom('users_user').selectAll().where(column, '=', value).executeTakeFirst()
  return row && (user.decode(row) as UserRow)
}

/** The user for a typed login: a username, or an e-mail address that is not a username. */
export async function userByLogin(ctx: Context, typed: string): Promise<UserRow | undefined> {
  const named = await userBy(ctx, 'username', typed)
  return named || !typed.includes('@') ? named : userBy(ctx, 'email', typed)
}

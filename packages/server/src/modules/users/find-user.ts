import type { Context } from '../../kernel/module/context.ts'
import { decoded } from '../../kernel/resource/repository.ts'
import { user } from './user.ts'
import type { UserRow } from './user-fields.ts'

export type { UserRow } from './user-fields.ts'

/**
 * A user of any organization, including components' accounts: for sign-in and for users' own data, which do not depend
 * on the current organization. Lists and links use `repository.ts`, which shows members only.
 */
export async function userBy(
  ctx: Context,
  column: 'id' | 'username' | 'email' | 'wecom_id' | 'dingtalk_id' | 'feishu_id',
  value: string,
): Promise<UserRow | undefined> {
  const row = await ctx.rawDb.selectFrom('users_user').selectAll().where(column, '=', value).executeTakeFirst()
  return row && decoded(user, row)
}

/** The user for a typed login: a username, or an e-mail address that is not a username. */
export async function userByLogin(ctx: Context, typed: string): Promise<UserRow | undefined> {
  const named = await userBy(ctx, 'username', typed)
  return named || !typed.includes('@') ? named : userBy(ctx, 'email', typed)
}

import type { Context } from '../../kernel/module/context.ts'
import { decoded } from '../../kernel/resource/repository.ts'
import { claimant } from './claimed-names.ts'
import { isTypedAs } from './sign-in-names.ts'
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

/**
 * The user with a name, in any case: who has exactly this name, otherwise who has it in another case. A look-alike is
 * nobody's name where another system vouches for it: it may well be somebody else there.
 */
export async function userNamed(ctx: Context, name: string): Promise<UserRow | undefined> {
  const exact = await userBy(ctx, 'username', name)
  if (exact) return exact
  const id = await claimant(ctx, name, 'username')
  const row = id === undefined ? undefined : await userBy(ctx, 'id', id)
  return row && isTypedAs(name, row.username) ? row : undefined
}

/** The user for a typed login: a name, or an e-mail address that is nobody's name, in any spelling. */
export async function userByLogin(ctx: Context, typed: string): Promise<UserRow | undefined> {
  const exact = (await userBy(ctx, 'username', typed)) ?? (typed.includes('@') && (await userBy(ctx, 'email', typed)))
  if (exact) return exact
  const id = await claimant(ctx, typed, 'any')
  return id === undefined ? undefined : userBy(ctx, 'id', id)
}

import { roleIds } from '@castellan/contract/ids'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { AnyRow, Tables } from '../../db/database.ts'
import type { Caller, Context } from '../../kernel/module/context.ts'
import { hashed } from '../../kernel/security/random.ts'

export interface KnownUser extends Caller {
  /** Changes with the password: a session with another mark is no longer valid. */
  readonly passwordMark: string
  readonly dateApiKeyLastUsed: number | null
}

/** The user with an id, as a request's caller; undefined when there is none. */
export const callerById = (ctx: Context, id: string): Promise<KnownUser | undefined> =>
  callerWhere(ctx, (eb) => eb('u.id', '=', id))

/** The user selected by a condition on users `u`. */
export async function callerWhere(
  ctx: Context,
  condition: (eb: ExpressionBuilder<Tables & { u: AnyRow }, 'u'>) => Expression<SqlBool>,
): Promise<KnownUser | undefined> {
  const row = await ctx.services.database.reader
    .selectFrom('users_user as u')
    .select((eb) => [
      'u.id',
      'u.name',
      'u.username',
      'u.is_active',
      'u.is_service_account',
      'u.date_expired',
      'u.password_hash',
      'u.date_api_key_last_used',
      eb
        .exists(
          eb
            .selectFrom('rbac_rolebinding as b')
            .select('b.id')
            .whereRef('b.user_id', '=', 'u.id')
            .where('b.role_id', '=', roleIds.systemAdmin),
        )
        .as('super'),
    ])
    .where(condition)
    .executeTakeFirst()
  if (!row) return undefined
  const isActive = Boolean(row.is_active)
  return {
    id: row.id,
    name: row.name,
    username: row.username,
    isActive,
    isExpired: row.date_expired !== null && Number(row.date_expired) < Date.now(),
    isServiceAccount: Boolean(row.is_service_account),
    isSuperuser: isActive && Boolean(row.super),
    passwordMark: hashed(row.password_hash ?? ''),
    dateApiKeyLastUsed: row.date_api_key_last_used,
  }
}

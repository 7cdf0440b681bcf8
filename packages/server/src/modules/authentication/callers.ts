import { roleIds } from '@castellan/contract/ids'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { AnyRow, Tables } from '../../db/database.ts'
import type { Caller, Context } from '../../kernel/module/context.ts'
import { hashed } from '../../kernel/security/random.ts'
import { confirmationColumns, confirmationsOf } from '../users/index.ts'
import { type ProviderRefusal, providerRefusal } from './provider-age.ts'

export interface KnownUser extends Caller {
  /** Changes with the password: a session with another mark is no longer valid. */
  readonly passwordMark: string
  readonly dateApiKeyLastUsed: number | null
  /** `local`, or whose user it is: a directory, a provider. */
  readonly source: string
  /** Why the provider of the user has to confirm the user again; the user is not active until then. */
  readonly signInOver: ProviderRefusal | undefined
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
      'u.source',
      'u.date_joined',
      ...confirmationColumns(ctx),
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
  const signInOver = providerRefusal(ctx, row as never)
  // One place for every credential: whoever is not confirmed any more is treated as a disabled user is.
  const isActive = Boolean(row.is_active) && !signInOver
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
    source: row.source,
    signInOver,
  }
}

/** Those of some users whom their providers have to confirm again, so that nothing of them goes on. */
export async function unconfirmedOf(ctx: Context, userIds: readonly string[]): Promise<Set<string>> {
  const found = await confirmationsOf(ctx, userIds)
  return new Set(found.filter((one) => providerRefusal(ctx, one)).map(({ id }) => id))
}

/** Users that another system keeps: creation, and what follows their source. */
import { roleIds } from '@castellan/contract/ids'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError } from '../../kernel/module/errors.ts'
import { constraintError, createOne } from '../../kernel/resource/mutations.ts'
import { mailServer } from '../notifications/index.ts'
import { claimants } from './claimed-names.ts'
import { isTypedAs } from './sign-in-names.ts'
import { user } from './user.ts'
import { addressFor } from './user-hooks.ts'

/** A user as a source describes it. */
export interface SourcedUser {
  readonly source: string
  readonly username: string
  readonly name?: string
  readonly email?: string
}

const isRefusal = (error: unknown): error is Error => error instanceof ApiError || constraintError(error) !== undefined

/**
 * Creates a user through the checks of the users resource, as a member of the context's organization if `joins`,
 * otherwise of the Default organization. An email address that belongs to another user is replaced by the default one:
 * an address proves nothing about who somebody is.
 * @returns the error when the values are unsuitable
 */
export async function createFromSource(
  ctx: Context,
  { source, username, name, email }: SourcedUser,
  joins = false,
): Promise<Error | undefined> {
  const own = addressFor(username, mailServer.of(ctx).EMAIL_SUFFIX)
  let refusal: Error | undefined
  for (const address of new Set([email || own, own]))
    try {
      await ctx.transaction((inside) =>
        createOne(inside, user, {
          source,
          username,
          name: name || username,
          email: address,
          ...(joins && { org_roles: [roleIds.orgUser] }),
        }),
      )
      return undefined
    } catch (error) {
      if (!isRefusal(error)) throw error
      refusal = error
    }
  return refusal
}

/** What a source needs to know of the users it may have. */
export interface KnownUser {
  readonly id: string
  readonly username: string
  readonly source: string
  readonly name: string
  readonly email: string
  readonly is_active: boolean
}

const knownColumns = ['id', 'username', 'source', 'name', 'email', 'is_active'] as const

/** Users of any organization and source, by their ids, names or addresses. */
export async function usersBy(
  ctx: Context,
  column: 'id' | 'username' | 'email',
  values: readonly string[],
): Promise<KnownUser[]> {
  const found: KnownUser[] = []
  for (const some of batches(values))
    for (const row of await ctx.rawDb
      .selectFrom('users_user')
      .select([...knownColumns])
      .where(column, 'in', some)
      .execute())
      found.push({ ...row, is_active: Boolean(row.is_active) } as KnownUser)
  return found
}

/** Users by names in any case, by the name that was asked for. */
export async function usersNamed(ctx: Context, names: readonly string[]): Promise<Map<string, KnownUser>> {
  const found = new Map((await usersBy(ctx, 'username', names)).map((row) => [row.username, row]))
  const ids = await claimants(
    ctx,
    names.filter((name) => !found.has(name)),
  )
  const others = new Map((await usersBy(ctx, 'id', [...new Set(ids.values())])).map((row) => [row.id, row]))
  for (const [name, id] of ids) {
    const row = others.get(id)
    if (row && isTypedAs(name, row.username)) found.set(name, row)
  }
  return found
}

/** The active users of a source. */
export const activeUsersOf = (ctx: Context, source: string): Promise<{ id: string; username: string }[]> =>
  ctx.rawDb
    .selectFrom('users_user')
    .select(['id', 'username'])
    .where('source', '=', source)
    .where('is_active', '=', true)
    .execute() as Promise<{ id: string; username: string }[]>

/** The names of all users, as part of a query. */
export const usernames = (ctx: Context) => ctx.rawDb.selectFrom('users_user').select(['id', 'username'])

import { usersMessages } from '@castellan/contract/messages/users'
import { normalUuid } from '../../kernel/fields/index.ts'
import type { Handling } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { notFound, permissionDenied } from '../../kernel/module/errors.ts'
import { findById } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'

/** The user whose grants are queried. */
export interface Subject {
  id: string
  name: string
  username: string
}

/** The requirement of every route under `users/{user}/`; `userOfPath` decides which of the two applies. */
export const grantsRight = 'perms.view_myassets | perms.view_userassets'

/** The user that `{user}` of a path refers to: the caller as `self` or `my`, others by id. */
export async function userOfPath({ ctx, request }: Pick<Handling, 'ctx' | 'request'>): Promise<Subject> {
  const word = request.params.user ?? ''
  if (word === 'self' || word === 'my') {
    if (!ctx.can('perms.view_myassets')) throw permissionDenied()
    return ctx.me
  }
  if (!ctx.can('perms.view_userassets')) throw permissionDenied()
  const user = await findMember(ctx, word)
  if (!user) throw notFound(usersMessages.user)
  return user
}

/** A user of the current organization, or of any in the view over all of them. */
export async function findMember(ctx: Context, word: string): Promise<Subject | undefined> {
  const id = normalUuid(word)
  const row = id && (await findById(ctx, findResource('users.user'), id))
  if (!row) return undefined
  return { id: row.id, name: String(row.name), username: String(row.username) }
}

/** A user of any organization, including components' accounts. */
export async function findAnyUser(ctx: Context, word: string): Promise<Subject | undefined> {
  const id = normalUuid(word)
  if (!id) return undefined
  return (await ctx.rawDb
    .selectFrom('users_user')
    .select(['id', 'name', 'username'])
    .where('id', '=', id)
    .executeTakeFirst()) as Subject | undefined
}

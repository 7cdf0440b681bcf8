import type { Context } from './context.ts'
import { notAuthenticated } from './errors.ts'
import { normalUuid } from './fields/scalars.ts'
import { demand } from './permission.ts'
import type { RequestParts } from './route.ts'

/** Whose a connection token is; undefined when there is none with this id. Throws 403 when it may not be used any more. */
type OwnerOf = (ctx: Context, tokenId: string) => Promise<string | undefined>

let ownerOf: OwnerOf = async () => undefined

/** The module that keeps connection tokens says how their owner is found. */
export function findTokenOwnersBy(find: OwnerOf): void {
  ownerOf = find
}

/**
 * The id of the person a request is from: who is signed in, or the owner of the connection token that `?token=` names.
 * For routes that a terminal page opened by a token needs before anybody signs in. Throws 401 or 403 otherwise.
 */
export async function demandPersonOrToken(ctx: Context, request: RequestParts): Promise<string> {
  const id = ctx.caller ? undefined : normalUuid(request.query.token)
  const owner = id && (await ownerOf(ctx, id))
  if (owner) return owner
  if (!ctx.caller) throw notAuthenticated()
  demand(ctx, 'valid')
  return ctx.caller.id
}

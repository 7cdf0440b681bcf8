import { normalUuid } from '../fields/scalars.ts'
import type { Context } from '../module/context.ts'
import { notAuthenticated } from '../module/errors.ts'
import { demand } from '../security/permission.ts'
import type { RequestParts } from './route.ts'

/**
 * Finds the owner of a connection token; undefined when there is no token with this id. Throws 403 when it may no
 * longer be used.
 */
type OwnerOf = (ctx: Context, tokenId: string) => Promise<string | undefined>

let ownerOf: OwnerOf = async () => undefined

/** Called by the module that owns connection tokens. */
export function findTokenOwnersBy(find: OwnerOf): void {
  ownerOf = find
}

/**
 * The id of the requesting user: the signed-in one, or the owner of the connection token in `?token=`. For routes that
 * a terminal page opened by a token needs before sign-in. Throws 401 or 403 otherwise.
 */
export async function demandUserOrToken(ctx: Context, request: RequestParts): Promise<string> {
  const id = ctx.caller ? undefined : normalUuid(request.query.token)
  const owner = id && (await ownerOf(ctx, id))
  if (owner) return owner
  if (!ctx.caller) throw notAuthenticated()
  demand(ctx, 'valid')
  return ctx.caller.id
}

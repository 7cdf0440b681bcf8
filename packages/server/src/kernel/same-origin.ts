import type { Context } from './context.ts'
import { permissionDenied } from './errors.ts'
import type { RequestParts } from './route.ts'

/**
 * For a GET that changes something, as the contract has it in places. A page elsewhere must not be able to send somebody
 * who is signed in there, so a request that a browser says comes from another site is refused.
 */
export function demandSameOrigin(ctx: Context, request: RequestParts): void {
  const from = request.headers['sec-fetch-site']
  if (ctx.credential === 'session' && from !== undefined && from !== 'same-origin') throw permissionDenied()
}

import type { Context } from '../module/context.ts'
import { permissionDenied } from '../module/errors.ts'
import type { RequestParts } from './route.ts'

/**
 * For GET routes of the contract that change something: rejects requests that the browser marks as cross-site, so that
 * another site cannot make a signed-in user's browser send them.
 */
export function demandSameOrigin(ctx: Context, request: RequestParts): void {
  const from = request.headers['sec-fetch-site']
  if (ctx.credential === 'session' && from !== undefined && from !== 'same-origin') throw permissionDenied()
}

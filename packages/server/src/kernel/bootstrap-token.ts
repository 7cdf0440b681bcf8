import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from './context.ts'
import { notAuthenticated } from './errors.ts'
import type { RequestParts } from './route.ts'

const digest = (value: string) => createHash('sha256').update(value).digest()

/** Lets pass who knows the installation's bootstrap token: the last word of the header, whatever scheme stands before it. */
export function demandBootstrapToken(ctx: Context, request: RequestParts): void {
  const token = ctx.services.config.bootstrapToken
  const given = request.headers.authorization?.trim().split(/\s+/).at(-1)
  if (!token || !given || !timingSafeEqual(digest(given), digest(token))) throw notAuthenticated()
}

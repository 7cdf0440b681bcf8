import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from './context.ts'
import { notAuthenticated } from './errors.ts'
import { perInstallation } from './per-installation.ts'
import { AddressLimit } from './rate-limit.ts'
import type { RequestParts } from './route.ts'

/** So long a token is not guessed at any speed. The installation's own ones are longer. */
const unguessable = 24

const digest = (value: string) => createHash('sha256').update(value).digest()

/** Wrong tokens: so many from one address in ten minutes. */
const wrongTokens = perInstallation(() => new AddressLimit(50, 600_000))

/**
 * Lets pass who knows the installation's bootstrap token: the last word of the header, whatever scheme stands before it.
 * Wrong tries keep an address from guessing a short one. They do not keep the right, long one out: behind one proxy a
 * stranger and a gateway have the same address.
 */
export function demandBootstrapToken(ctx: Context, request: RequestParts): void {
  const token = ctx.services.config.bootstrapToken
  const given = request.headers.authorization?.trim().split(/\s+/).at(-1)
  if (!token || !given) throw notAuthenticated()
  const isRight = timingSafeEqual(digest(given), digest(token))
  if (isRight && token.length >= unguessable) return
  const wrong = wrongTokens(ctx.services)
  if (wrong.isReached(ctx.ip)) throw wrong.refusal(ctx.ip)
  if (isRight) return
  wrong.count(ctx.ip)
  throw notAuthenticated()
}

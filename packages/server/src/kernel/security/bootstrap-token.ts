import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestParts } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import { notAuthenticated } from '../module/errors.ts'
import { perInstallation } from '../module/per-installation.ts'
import { AddressLimit } from './rate-limit.ts'

/** A token of this length cannot be guessed at any rate. Generated tokens are longer. Characters. */
const unguessable = 24

const digest = (value: string) => createHash('sha256').update(value).digest()

/** Wrong tokens: so many from one address in ten minutes. */
const wrongTokens = perInstallation(() => new AddressLimit(50, 600_000))

/**
 * Throws unless the request carries the installation's bootstrap token: the last word of the Authorization header,
 * whatever the scheme. The rate limit protects short tokens from guessing. It does not apply to a right token of
 * unguessable length: behind a shared proxy an attacker and a gateway have the same address, and the attacker must not
 * be able to lock the gateway out.
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

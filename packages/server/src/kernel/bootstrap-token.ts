import { createHash, timingSafeEqual } from 'node:crypto'
import { errors } from '@castellan/contract/messages/errors'
import type { Context } from './context.ts'
import { authenticationFailed, notAuthenticated, text } from './errors.ts'
import type { RequestParts } from './route.ts'

/** Wrong tokens an address may show within `span` before nothing of it is looked at any more. */
const mostTries = 50
const span = 10 * 60_000
/** Addresses that are remembered; the one that failed longest ago is forgotten first. */
const mostAddresses = 10_000
/** So long a token is not guessed at any speed. The installation's own ones are longer. */
const unguessable = 24

const digest = (value: string) => createHash('sha256').update(value).digest()

/** Wrong tokens by address, as each program counts them by itself: what is guessed is long. */
const failures = new Map<string, { tries: number; since: number }>()

function countFailure(ip: string, now: number): void {
  const known = failures.get(ip)
  const tries = known && now - known.since < span ? known.tries + 1 : 1
  failures.delete(ip)
  failures.set(ip, { tries, since: tries === 1 ? now : (known?.since ?? now) })
  const [oldest] = failures.keys()
  if (failures.size > mostAddresses && oldest !== undefined) failures.delete(oldest)
}

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
  const failed = failures.get(ctx.ip)
  if (failed && failed.tries >= mostTries && ctx.now - failed.since < span)
    throw authenticationFailed(text(errors.too_many_tries_from, { minutes: span / 60_000 }))
  if (isRight) return
  countFailure(ctx.ip, ctx.now)
  throw notAuthenticated()
}

import { errors } from '@castellan/contract/messages/errors'
import { type ApiError, failure, text } from '../module/errors.ts'

/** Addresses that one limit tracks; the oldest is evicted first. */
const mostAddresses = 10_000

/**
 * Counts events per client address in a fixed window, in this process only: for requests that must be rejected without
 * a database query. Failed sign-ins, which all processes share, are counted in `ctx.kv`.
 */
export class AddressLimit {
  readonly #most: number
  readonly #span: number
  readonly #counts = new Map<string, { count: number; since: number }>()

  /** @param most allowed events within `span` milliseconds */
  constructor(most: number, span: number) {
    this.#most = most
    this.#span = span
  }

  #known(ip: string, now: number) {
    const known = this.#counts.get(ip)
    return known && now - known.since < this.#span ? known : undefined
  }

  count(ip: string, now = Date.now()): void {
    const { count, since } = this.#known(ip, now) ?? { count: 0, since: now }
    this.#counts.delete(ip)
    this.#counts.set(ip, { count: count + 1, since })
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > mostAddresses && oldest !== undefined) this.#counts.delete(oldest)
  }

  isReached(ip: string, now = Date.now()): boolean {
    return (this.#known(ip, now)?.count ?? 0) >= this.#most
  }

  /** 429 with the seconds until the window of an address ends. */
  refusal(ip: string, now = Date.now()): ApiError {
    const left = this.#span - (now - (this.#known(ip, now)?.since ?? now))
    const minutes = Math.max(1, Math.ceil(left / 60_000))
    return failure(429, 'throttled', text(errors.too_many_tries_from, { minutes }), {
      'retry-after': String(Math.max(1, Math.ceil(left / 1000))),
    })
  }
}

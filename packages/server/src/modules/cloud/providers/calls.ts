import { setTimeout as delay } from 'node:timers/promises'
import { networkFailure, ProviderFailure, shortReason } from './failures.ts'
import type { Call, Connection, Instance } from './provider.ts'

/** What one round of calls may take. Milliseconds. */
const deadline = 60_000
/** Attempts of one call. */
const attempts = 5
/** The first pause before another attempt, and the longest. Milliseconds. */
const firstPause = 500
const longestPause = 60_000
/** Pages of one region: a provider that always has a next one is stopped. */
const mostPages = 100_000

export interface CallOptions {
  signal: AbortSignal
  /** Milliseconds; shorter in requests that a browser waits for. */
  deadline?: number
  attempts?: number
  /** Told before each pause. */
  onRetry?(failure: ProviderFailure, seconds: number): Promise<void> | void
}

/** One round of calls with a deadline, even if the provider's library ignores the signal. */
async function once<T>(work: (call: Call) => Promise<T>, { signal, deadline: limit = deadline }: CallOptions) {
  signal.throwIfAborted()
  const over = new AbortController()
  const both = AbortSignal.any([signal, over.signal])
  const timer = setTimeout(() => over.abort(), limit)
  const aborted = new Promise<never>((_, fail) => {
    both.addEventListener('abort', () => fail(both.reason), { once: true })
  })
  try {
    return await Promise.race([work({ signal: both }), aborted])
  } catch (error) {
    signal.throwIfAborted()
    if (over.signal.aborted) throw new ProviderFailure('timeout', { seconds: Math.round(limit / 1000) })
    if (error instanceof ProviderFailure) throw error
    // Errors of libraries may quote what was sent, secrets among it: only their names are passed on.
    const name = error instanceof Error ? error.name : 'Error'
    throw networkFailure(error, '') ?? new ProviderFailure('bad_answer', { reason: shortReason(name) })
  } finally {
    clearTimeout(timer)
    // What the library still does for an abandoned call ends.
    over.abort()
    aborted.catch(() => undefined)
  }
}

/**
 * Makes a call, again after a pause where that may help. The pause doubles, or is what the provider asks for.
 * @throws ProviderFailure, or the reason of an aborted signal
 */
export async function calling<T>(work: (call: Call) => Promise<T>, options: CallOptions): Promise<T> {
  const most = options.attempts ?? attempts
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(work, options)
    } catch (error) {
      if (!(error instanceof ProviderFailure) || !error.isTemporary) throw error
      if (attempt >= most)
        throw error.code === 'rate_limited' ? new ProviderFailure('rate_limited', { attempts: attempt }) : error
      const pause = Math.min(longestPause, error.retryAfter ?? firstPause * 2 ** (attempt - 1))
      await options.onRetry?.(error, Math.ceil(pause / 1000))
      await delay(pause, undefined, { signal: options.signal })
    }
  }
}

/** The machines of a region page by page. A page that fails is read again; the others are not. */
export async function* instancePages(
  connection: Connection,
  region: string,
  options: CallOptions,
): AsyncGenerator<readonly Instance[]> {
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const from = cursor
    const { instances, next } = await calling((call) => connection.instances(region, from, call), options)
    yield instances
    if (next === undefined) return
    if (next === cursor) throw new ProviderFailure('bad_answer', { reason: 'the same page again' })
    cursor = next
  }
  throw new ProviderFailure('bad_answer', { reason: `more than ${mostPages} pages` })
}

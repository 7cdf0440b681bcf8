/** How long the gateway that answered first is preferred before all are compared again. Milliseconds. */
const preferredFor = 600_000
/** While one caller compares all gateways again, others still use the preferred one. Milliseconds. */
const comparingFor = 30_000
/** How long the preferred gateway may take before the others are tried beside it. Milliseconds. */
const aloneFor = 2000
const mostAtOnce = 4

export interface FailedGateway<Gateway> {
  gateway: Gateway
  error: unknown
}

/** No gateway of a domain works; `failed` has at least one entry, in the order in which they failed. */
export class GatewaysFailed<Gateway> extends Error {
  override name = 'GatewaysFailed'
  readonly failed: readonly FailedGateway<Gateway>[]

  constructor(failed: readonly FailedGateway<Gateway>[]) {
    super(`none of ${failed.length} gateways works`, { cause: failed[0]?.error })
    this.failed = failed
  }
}

/** What is done with one gateway; it must release everything when `signal` is aborted before it resolves. */
export type Attempt<Gateway, Opened> = (gateway: Gateway, signal: AbortSignal) => Promise<Opened>

interface Preference {
  id: string
  until: number
}

/**
 * Chooses among the gateways of a domain. The first time, all are tried side by side, and the first that works is used
 * and preferred from then on; when it fails or is slow, the others are tried. One instance for each program, because
 * the distance to a gateway depends on where a program runs.
 */
export class FastestGateway {
  private readonly preferences = new Map<string, Preference>()

  /** Makes a gateway the preferred one of its domain, e.g. after all have been measured. */
  prefer(domain: string, id: string): void {
    this.preferences.set(domain, { id, until: performance.now() + preferredFor })
  }

  /** The gateway that is tried first, if one has worked. */
  preferred(domain: string): string | undefined {
    return this.preferences.get(domain)?.id
  }

  /**
   * Opens something through the fastest gateway. Rejects with `GatewaysFailed` when none works, or with the reason of
   * `signal`. `discard` releases what a slower gateway has opened in the meantime.
   */
  open<Gateway extends { id: string }, Opened>(
    domain: string,
    gateways: readonly Gateway[],
    attempt: Attempt<Gateway, Opened>,
    discard: (opened: Opened) => void,
    signal?: AbortSignal,
  ): Promise<{ gateway: Gateway; opened: Opened }> {
    const first = this.usablePreference(domain, gateways)
    const waiting = first ? [first, ...gateways.filter((one) => one !== first)] : [...gateways]
    return new Promise((resolve, reject) => {
      const attempts = new Map<Gateway, AbortController>()
      const failed: FailedGateway<Gateway>[] = []
      let isOver = false
      const end = () => {
        isOver = true
        clearTimeout(timer)
        signal?.removeEventListener('abort', abandon)
        for (const slower of attempts.values()) slower.abort()
      }
      const abandon = () => {
        end()
        reject(signal?.reason)
      }
      const tryOthers = () => {
        while (attempts.size < mostAtOnce && waiting.length > 0) start()
      }
      const start = () => {
        const gateway = waiting.shift() as Gateway
        const ending = new AbortController()
        attempts.set(gateway, ending)
        attempt(gateway, ending.signal).then(
          (opened) => {
            attempts.delete(gateway)
            if (isOver) return discard(opened)
            end()
            // The preferred one stays preferred no longer than it was, so that all are compared again in time.
            if (gateway !== first) this.prefer(domain, gateway.id)
            resolve({ gateway, opened })
          },
          (error: unknown) => {
            attempts.delete(gateway)
            if (isOver) return
            failed.push({ gateway, error })
            tryOthers()
            if (attempts.size > 0) return
            end()
            reject(new GatewaysFailed(failed))
          },
        )
      }
      const timer = setTimeout(tryOthers, aloneFor)
      if (signal?.aborted) return abandon()
      signal?.addEventListener('abort', abandon, { once: true })
      if (first) start()
      else tryOthers()
    })
  }

  /** The preferred gateway if it is still one of the domain's and was compared lately. */
  private usablePreference<Gateway extends { id: string }>(
    domain: string,
    gateways: readonly Gateway[],
  ): Gateway | undefined {
    const known = this.preferences.get(domain)
    if (!known) return undefined
    const gateway = gateways.find(({ id }) => id === known.id)
    if (!gateway) this.preferences.delete(domain)
    else if (known.until <= performance.now()) known.until = performance.now() + comparingFor
    else return gateway
    return undefined
  }
}

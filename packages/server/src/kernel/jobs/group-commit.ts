import type { Db } from '../../db/database.ts'

interface Waiting<V, T> {
  write: { value: V } | { work: (inside: T) => Promise<unknown> }
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** How long writes wait for others. */
export interface Gathering {
  /** The shortest time between two transactions, unless enough waits. Milliseconds. */
  readonly ms: number
  /** Writes that do not wait for further ones. */
  enough(): number
}

/**
 * Puts the small writes of many concurrent pieces of work into few transactions: what is asked for while one commits
 * goes into the next one. Each caller goes on when its own write is durable. An error fails all that share a transaction.
 * `T` is what a transaction gives to write with.
 */
export class GroupCommit<V, T = Db> {
  readonly #transaction: (work: (inside: T) => Promise<void>) => Promise<void>
  readonly #store: (inside: T, values: readonly V[]) => Promise<void>
  readonly #gathering: Gathering | undefined
  #waiting: Waiting<V, T>[] = []
  #busy = false
  #committedAt = Number.NEGATIVE_INFINITY
  /** Ends the time of gathering. */
  #hasEnough: (() => void) | undefined

  /**
   * @param store writes values of the same form together
   * @param gathering for databases that let nothing else happen while they commit, so that nothing would be asked for
   *   meanwhile; by default nothing waits
   */
  constructor(
    transaction: (work: (inside: T) => Promise<void>) => Promise<void>,
    store: (inside: T, values: readonly V[]) => Promise<void>,
    gathering?: Gathering,
  ) {
    this.#transaction = transaction
    this.#store = store
    this.#gathering = gathering
  }

  /** Stores a value with the next transaction. */
  put(value: V): Promise<void> {
    return this.#add({ value }) as Promise<void>
  }

  /** Runs `work` in the next transaction, after the values. */
  run<R>(work: (inside: T) => Promise<R>): Promise<R> {
    return this.#add({ work }) as Promise<R>
  }

  #add(write: Waiting<V, T>['write']): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject })
      if (!this.#busy) void this.#drain()
      else if (this.#hasEnough && this.#waiting.length >= (this.#gathering?.enough() ?? 0)) this.#hasEnough()
    })
  }

  /** Waits for further writes, if the last transaction was a short time ago. */
  async #gather({ ms, enough }: Gathering): Promise<void> {
    const left = this.#committedAt + ms - performance.now()
    if (left <= 0 || this.#waiting.length >= enough()) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left)
      this.#hasEnough = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#hasEnough = undefined
  }

  async #drain(): Promise<void> {
    this.#busy = true
    while (this.#waiting.length > 0) {
      if (this.#gathering) await this.#gather(this.#gathering)
      const together = this.#waiting
      this.#waiting = []
      const results = new Map<Waiting<V, T>, unknown>()
      try {
        await this.#transaction(async (inside) => {
          const values = together.flatMap(({ write }) => ('value' in write ? [write.value] : []))
          if (values.length > 0) await this.#store(inside, values)
          for (const one of together) if ('work' in one.write) results.set(one, await one.write.work(inside))
        })
        for (const one of together) one.resolve(results.get(one))
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
      this.#committedAt = performance.now()
    }
    this.#busy = false
  }
}

import type { Db } from '../../db/database.ts'

interface Waiting<V, T> {
  write: { value: V } | { work: (inside: T) => Promise<unknown> }
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Puts the small writes of many concurrent pieces of work into few transactions: what is asked for while one commits
 * goes into the next one. Each caller goes on when its own write is durable. An error fails all that share a transaction.
 * `T` is what a transaction gives to write with.
 */
export class GroupCommit<V, T = Db> {
  readonly #transaction: (work: (inside: T) => Promise<void>) => Promise<void>
  readonly #store: (inside: T, values: readonly V[]) => Promise<void>
  #waiting: Waiting<V, T>[] = []
  #busy = false

  /** @param store writes values of the same form together */
  constructor(
    transaction: (work: (inside: T) => Promise<void>) => Promise<void>,
    store: (inside: T, values: readonly V[]) => Promise<void>,
  ) {
    this.#transaction = transaction
    this.#store = store
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
    })
  }

  async #drain(): Promise<void> {
    this.#busy = true
    while (this.#waiting.length > 0) {
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
    }
    this.#busy = false
  }
}

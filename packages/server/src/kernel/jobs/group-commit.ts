import type { Db } from '../../db/database.ts'

interface Waiting {
  work(db: Db): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/**
 * Puts the small writes of many concurrent pieces of work into few transactions: what is asked for while one commits
 * goes into the next one. Each caller goes on when its own write is durable.
 */
export class GroupCommit {
  readonly #transaction: (work: (db: Db) => Promise<void>) => Promise<void>
  #waiting: Waiting[] = []
  #busy = false

  constructor(transaction: (work: (db: Db) => Promise<void>) => Promise<void>) {
    this.#transaction = transaction
  }

  /** Runs `work` in the next transaction. An error fails everything that shares the transaction. */
  add<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      if (!this.#busy) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#busy = true
    while (this.#waiting.length > 0) {
      const together = this.#waiting
      this.#waiting = []
      const values: unknown[] = []
      try {
        await this.#transaction(async (db) => {
          for (const { work } of together) values.push(await work(db))
        })
        for (const [index, { resolve }] of together.entries()) resolve(values[index])
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    this.#busy = false
  }
}

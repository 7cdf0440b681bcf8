interface Waiting<K, V> {
  key: K
  resolve(value: V): void
  reject(error: unknown): void
}

/**
 * Reads for many concurrent pieces of work with few statements: what is asked for in one turn of the event loop is read
 * together, and what is asked for meanwhile is read next. Nothing is kept, so that every answer is later than its question.
 */
export class GroupRead<K, V> {
  readonly #read: (keys: readonly K[]) => Promise<readonly V[]>
  #waiting: Waiting<K, V>[] = []
  #busy = false

  /** @param read the values in the order of the keys; when it fails, each key is read alone, so that one fails no others */
  constructor(read: (keys: readonly K[]) => Promise<readonly V[]>) {
    this.#read = read
  }

  get(key: K): Promise<V> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject })
      if (!this.#busy) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#busy = true
    while (this.#waiting.length > 0) {
      // Others of this turn still join.
      await new Promise(setImmediate)
      const together = this.#waiting
      this.#waiting = []
      if (!(await this.#answer(together)) && together.length > 1)
        for (const one of together) await this.#answer([one], true)
    }
    this.#busy = false
  }

  async #answer(together: readonly Waiting<K, V>[], isLast = together.length === 1): Promise<boolean> {
    try {
      const values = await this.#read(together.map(({ key }) => key))
      for (const [at, { resolve }] of together.entries()) resolve(values[at] as V)
      return true
    } catch (error) {
      if (isLast) for (const { reject } of together) reject(error)
      return false
    }
  }
}

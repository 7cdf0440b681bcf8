import type { Socket } from 'node:net'
import type pg from 'pg'

/** How long a connection waits for anything at all before it is asked whether the database still lives. Milliseconds. */
const suspicious = 8000
const lookInterval = 1000

/** The part of a client that its types do not tell of. */
const socketOf = (client: pg.Client) => (client as unknown as { connection: { stream: Socket } }).connection.stream

/**
 * Sees when PostgreSQL hangs. A statement may rightly take minutes, so none is given a limit; but while one waits for
 * long, a new connection is tried, and where that gets no answer either, the waiting ones are cut: whoever asked is told
 * at once instead of waiting for as long as the database hangs.
 */
export class Liveness {
  readonly #probe: () => Promise<unknown>
  /** By connection: how many answers it waits for, and since when it heard nothing. */
  readonly #waiting = new Map<pg.Client, { answers: number; since: number }>()
  readonly #timer: NodeJS.Timeout
  #isProbing = false

  /** @param probe rejects when the database does not answer somebody new in time */
  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe
    this.#timer = setInterval(() => void this.#look(), lookInterval)
    this.#timer.unref()
  }

  /** Watches one answer that a connection waits for. */
  async watch<T>(client: pg.Client, answer: Promise<T>): Promise<T> {
    const known = this.#waiting.get(client)
    if (known) known.answers += 1
    else this.#waiting.set(client, { answers: 1, since: performance.now() })
    try {
      return await answer
    } finally {
      const waits = this.#waiting.get(client)
      if (waits) {
        waits.answers -= 1
        waits.since = performance.now()
        if (waits.answers === 0) this.#waiting.delete(client)
      }
    }
  }

  #late(): pg.Client[] {
    const before = performance.now() - suspicious
    return [...this.#waiting].filter(([, { since }]) => since < before).map(([client]) => client)
  }

  async #look(): Promise<void> {
    if (this.#isProbing || this.#late().length === 0) return
    this.#isProbing = true
    try {
      await this.#probe()
    } catch {
      for (const client of this.#late()) socketOf(client).destroy(new Error('It hangs.'))
    } finally {
      this.#isProbing = false
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

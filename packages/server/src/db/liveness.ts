import type { Socket } from 'node:net'
import type pg from 'pg'

/** Silence on a waiting connection after which the database is probed. Milliseconds. */
const suspicious = 8000
const lookInterval = 1000

/** The socket of a client, which its types do not expose. */
export const socketOf = (client: pg.Client) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/**
 * Detects a PostgreSQL that hangs. A statement may legitimately take minutes, so there is no statement timeout; but
 * when a connection waits for long, a probe opens a new connection, and if that gets no answer either, the waiting
 * connections are cut, so that their callers get an error instead of hanging too.
 */
export class Liveness {
  readonly #probe: () => Promise<unknown>
  /** By connection: number of pending answers, and time of the last sign of life. */
  readonly #waiting = new Map<pg.Client, { answers: number; since: number }>()
  readonly #timer: NodeJS.Timeout
  #isProbing = false

  /** @param probe rejects when the database does not answer a new connection in time */
  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe
    this.#timer = setInterval(() => void this.#look(), lookInterval)
    this.#timer.unref()
  }

  /** Watches one pending answer of a connection. */
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
      for (const client of this.#late()) socketOf(client).destroy(new Error('The database does not respond.'))
    } finally {
      this.#isProbing = false
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** How much the write-ahead log may hold while nobody writes, and how much of its file is kept for reuse. Bytes. */
export const keptLog = 1024 * 1024
/** How long nothing was written when nobody writes. Milliseconds. */
const idleAfter = 2000

/**
 * Moves the write-ahead log into the database once nobody writes any more. SQLite itself does so only while it writes,
 * from a size on, and leaves the file as large as it was.
 */
export class IdleCheckpoint {
  readonly #raw: DatabaseSync
  readonly #log: string
  #timer: NodeJS.Timeout | undefined

  constructor(raw: DatabaseSync, file: string) {
    this.#raw = raw
    this.#log = `${file}-wal`
  }

  /** To be called when the connection is given back. */
  released(): void {
    if (this.#timer) this.#timer.refresh()
    else {
      this.#timer = setTimeout(() => this.#move(), idleAfter)
      this.#timer.unref()
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #move(): void {
    // Whoever is inside a transaction gives the connection back when it ends.
    if (this.#raw.isTransaction || (statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0) <= keptLog) return
    try {
      const result = this.#raw.prepare('pragma wal_checkpoint(truncate)').get()
      // Somebody reads or writes at this moment.
      if (result?.busy) this.released()
    } catch {
      // What hinders it, such as a full disk, is told to the next one who writes.
    }
  }
}

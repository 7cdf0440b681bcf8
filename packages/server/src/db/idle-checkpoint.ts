import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** Size the write-ahead log may have while idle, and size of its file that is retained for reuse. Bytes. */
export const keptLog = 1024 * 1024
/** Time without writes after which the database counts as idle. Milliseconds. */
const idleAfter = 2000

/**
 * Checkpoints the write-ahead log when writes stop. SQLite itself does so only while writing, from a certain size on,
 * and does not truncate the file.
 */
export class IdleCheckpoint {
  readonly #raw: DatabaseSync
  readonly #log: string
  #timer: NodeJS.Timeout | undefined

  constructor(raw: DatabaseSync, file: string) {
    this.#raw = raw
    this.#log = `${file}-wal`
  }

  /** Call when the connection is released. */
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
    // A connection inside a transaction is released when the transaction ends.
    if (this.#raw.isTransaction || (statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0) <= keptLog) return
    try {
      const result = this.#raw.prepare('pragma wal_checkpoint(truncate)').get()
      // Another connection is reading or writing.
      if (result?.busy) this.released()
    } catch {
      // The cause, such as a full disk, is reported to the next writer.
    }
  }
}

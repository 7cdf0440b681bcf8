import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '../../db/database.ts'
import { integer } from '../fields/index.ts'
import { defineSettings } from '../settings/setting-groups.ts'
import { RunLost } from './fence.ts'

export const taskLogs = defineSettings({
  changedBy: 'other category',
  fields: { TASK_LOG_KEEP_DAYS: integer({ default: 180, required: true, min: 1, max: 9999 }) },
})

/** Lines wait this long for further ones before they are stored together. Milliseconds. */
const batchTime = 200
/** Characters that are stored without waiting, and the longest part of a log in one row. */
const batchSize = 65_536
/** Characters that may be buffered; a writer of more waits until they are stored. */
const mostWaiting = 1_048_576
/** Maximum characters of one log response; the next one continues it. */
const longestAnswer = 262_144

/** Collects the lines of one attempt and stores them in batches, in their order. */
export class LogBuffer {
  readonly #write: (parts: readonly string[]) => Promise<void>
  /** Lines are also written within transactions, whose connection is not ours to use. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #lines: string[] = []
  #size = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #closed = false

  /** @param write stores parts of the log; throws when the attempt may not write any more */
  constructor(write: (parts: readonly string[]) => Promise<void>) {
    this.#write = write
  }

  /** Takes a line. Resolves at once, unless so much waits that the writer has to slow down. */
  async add(line: string): Promise<void> {
    if (this.#closed) return
    this.#lines.push(`${line}\r\n`)
    this.#size += line.length + 2
    if (this.#size >= batchSize) void this.flush().catch(() => undefined)
    else this.#timer ??= this.#outside(() => setTimeout(() => void this.flush().catch(() => undefined), batchTime))
    if (this.#size >= mostWaiting) await this.flush()
  }

  /** Stores what waits. */
  async flush(): Promise<void> {
    while (this.#writing || (this.#size > 0 && !this.#closed)) {
      this.#writing ??= this.#outside(() => this.#store()).finally(() => {
        this.#writing = undefined
      })
      await this.#writing
    }
  }

  async #store(): Promise<void> {
    const lines = this.#lines
    const parts = this.take()
    try {
      if (parts.length > 0) await this.#write(parts)
    } catch (error) {
      if (error instanceof RunLost) {
        this.#closed = true
        throw error
      }
      // The database may be back for the next batch.
      this.#lines = [...lines, ...this.#lines]
      this.#size = this.#lines.reduce((size, line) => size + line.length, 0)
      throw error
    }
  }

  /** Removes the buffered text, for a caller that stores it in its own transaction. */
  take(): string[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = this.#lines.join('')
    this.#lines = []
    this.#size = 0
    const parts: string[] = []
    for (let at = 0; at < text.length; at += batchSize) parts.push(text.slice(at, at + batchSize))
    return parts
  }

  /** Ends it: waits for a batch that is being stored, takes no more lines, and returns what was not stored. */
  async close(): Promise<string[]> {
    this.#closed = true
    clearTimeout(this.#timer)
    while (this.#writing) await this.#writing.catch(() => undefined)
    return this.take()
  }
}

/** Appends to the log of an execution. The caller holds the lock of its row, so that parts become visible in order. */
export async function appendLog(db: Db, jobId: string, parts: readonly string[]): Promise<void> {
  if (parts.length === 0) return
  const now = Date.now()
  await db
    .insertInto('kernel_job_log')
    .values(parts.map((text) => ({ job_id: jobId, text, date_created: now })))
    .execute()
}

/** The log of an execution after a position, as much of it as fits into one answer. */
export async function readLog(db: Db, id: string, after: number): Promise<{ text: string; position: number }> {
  const sizes = await db
    .selectFrom('kernel_job_log')
    .select((eb) => ['id', eb.fn<number>('length', ['text']).as('size')])
    .where('job_id', '=', id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(500)
    .execute()
  let total = 0
  const fitting = sizes.filter(({ size }, index) => {
    total += Number(size)
    return index === 0 || total <= longestAnswer
  })
  const last = fitting.at(-1)
  if (!last) return { text: '', position: after }
  const rows = await db
    .selectFrom('kernel_job_log')
    .select('text')
    .where('job_id', '=', id)
    .where('id', '>', after)
    .where('id', '<=', last.id)
    .orderBy('id')
    .execute()
  return { text: rows.map((row) => row.text).join(''), position: Number(last.id) }
}

/** Executions that leave at a time. */
const sweptAtOnce = 200

/** Removes executions that ended more than `days` ago, with everything that belongs to them. */
export async function sweepJobs(db: Db, days: number): Promise<void> {
  const before = Date.now() - days * 86_400_000
  for (;;) {
    const rows = await db
      .selectFrom('kernel_job')
      .select('id')
      .where('date_finished', '<', before)
      .limit(sweptAtOnce)
      .execute()
    if (rows.length === 0) return
    const ids = rows.map((row) => row.id as string)
    for (const table of ['kernel_job_log', 'kernel_job_item', 'kernel_job_key'])
      await db.deleteFrom(table).where('job_id', 'in', ids).execute()
    await db.deleteFrom('kernel_job').where('id', 'in', ids).execute()
  }
}

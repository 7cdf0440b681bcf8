import { randomUUID } from 'node:crypto'
import type { Language } from '@castellan/contract/messages'
import { batches } from '../../db/batches.ts'
import type { Db, DialectName } from '../../db/database.ts'
import { lockUntilCommit } from '../../db/locks.ts'
import { defineEvent, type Events } from '../events/events.ts'
import { recordJobEnd } from './ends.ts'
import { closeItems, insertItems, type NewItem } from './item-rows.ts'
import { releaseJobKeys } from './keys.ts'
import { demandRoomInQueue, shareOf } from './shares.ts'

/** Work was queued; workers look at once instead of at their next round. */
export const jobQueued = defineEvent<{ name: string }>('jobs.queued')
/** More of the log of an execution was written, or the execution ended. */
export const jobLogged = defineEvent<{ id: string; ended: boolean }>('jobs.logged')
/** A user cancelled a running execution. */
export const jobCancelled = defineEvent<{ id: string }>('jobs.cancelled')

/** A kind of job as far as queueing it goes: its name, and the type of its payload. */
export interface Queueable<P> {
  readonly name: string
  readonly isConsequence?: true
  run(ctx: never, payload: P, job: never): Promise<unknown>
}

export interface Enqueue {
  id?: string
  orgId?: string
  /** While a job with this key waits or runs, another one is not queued. */
  uniqueKey?: string
  creator?: string
  /** The address of the client who starts it. */
  address?: string | undefined
  /** The language of its log; English for scheduled runs. */
  language?: Language
  /** Unix milliseconds before which it does not start. */
  notBefore?: number
  /** The schedule that queued it; without one a user or the system did. */
  scheduleId?: string
  /** Targets that are known already; others are planned by the job itself (`job.planItems`). */
  items?: readonly NewItem[]
}

/** The queue of jobs: a table, so that a job and the change that caused it commit together. */
export class JobQueue {
  readonly #dialect: DialectName
  readonly #events: Events

  constructor(dialect: DialectName, events: Events) {
    this.#dialect = dialect
    this.#events = events
  }

  /**
   * Queues work within the transaction `db` belongs to. Returns the id of the execution. 429 for a user of whom enough
   * waits already.
   */
  async enqueue<P>(db: Db, kind: Queueable<P>, payload: P, options: Enqueue = {}): Promise<string> {
    const { uniqueKey, items } = options
    if (uniqueKey) {
      // Whoever queues the same at this moment waits, and finds it.
      await lockUntilCommit(db, this.#dialect, uniqueKey)
      const same = await db
        .selectFrom('kernel_job')
        .select('id')
        .where('unique_key', '=', uniqueKey)
        .where('state', 'in', ['PENDING', 'RUNNING'])
        .executeTakeFirst()
      if (same) return same.id
    }
    const share = kind.isConsequence ? null : shareOf(options)
    if (!uniqueKey) await demandRoomInQueue(db, share)
    const id = options.id ?? randomUUID()
    const now = Date.now()
    // First: outside of a transaction a worker may claim the job as soon as its row is there.
    if (items) await insertItems(db, id, items)
    await db
      .insertInto('kernel_job')
      .values({
        id,
        name: kind.name,
        payload: JSON.stringify(payload),
        org_id: options.orgId ?? null,
        unique_key: uniqueKey ?? null,
        created_by: options.creator ?? null,
        created_from: options.address ?? null,
        language: options.language ?? null,
        schedule_id: options.scheduleId ?? null,
        share,
        state: 'PENDING',
        attempts: 0,
        attempts_returned: 0,
        cancel_requested: false,
        items_total: items ? items.length : null,
        items_done: items ? 0 : null,
        items_failed: items ? 0 : null,
        date_created: now,
        date_due: options.notBefore ?? now,
      })
      .execute()
    await this.#events.send(db, jobQueued, { name: kind.name })
    return id
  }

  /** Lets an execution that waits for something be looked at now. */
  async hasten(db: Db, id: string): Promise<void> {
    const now = Date.now()
    const row = await db
      .updateTable('kernel_job')
      .set({ date_due: now })
      .where('id', '=', id)
      .where('state', '=', 'PENDING')
      .where('date_due', '>', now)
      .returning('name')
      .executeTakeFirst()
    if (row) await this.#events.send(db, jobQueued, { name: row.name })
  }

  /** Those of the executions that have not ended. */
  async unfinished(db: Db, ids: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>()
    for (const some of batches([...new Set(ids)])) {
      const rows = await db
        .selectFrom('kernel_job')
        .select('id')
        .where('id', 'in', some)
        .where('state', 'in', ['PENDING', 'RUNNING'])
        .execute()
      for (const { id } of rows) found.add(String(id))
    }
    return found
  }

  /** Ends an execution: at once when it waits, by its signal when it runs. One that has ended stays as it is. */
  async cancel(db: Db, id: string): Promise<void> {
    const now = Date.now()
    // First of all, and whatever it does: an execution that begins to wait meanwhile must not escape, and with its row
    // locked it cannot.
    await db
      .updateTable('kernel_job')
      .set({ cancel_requested: true })
      .where('id', '=', id)
      .where('state', 'in', ['PENDING', 'RUNNING'])
      .execute()
    const { numUpdatedRows } = await db
      .updateTable('kernel_job')
      .set({ state: 'CANCELED', error_code: 'canceled', date_finished: now })
      .where('id', '=', id)
      .where('state', '=', 'PENDING')
      .executeTakeFirst()
    if (numUpdatedRows) {
      await closeItems(db, id, { now, running: 'CANCELED', code: 'canceled' })
      const job = await db.selectFrom('kernel_job').select('name').where('id', '=', id).executeTakeFirstOrThrow()
      await recordJobEnd(db, job.name, { id, state: 'CANCELED', code: 'canceled', date: now })
      await releaseJobKeys(db, id)
      return this.#events.send(db, jobLogged, { id, ended: true })
    }
    await this.#events.send(db, jobCancelled, { id })
  }
}

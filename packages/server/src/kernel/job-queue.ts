import { randomUUID } from 'node:crypto'
import type { Language } from '@castellan/contract/messages'
import { type Db, type DialectName, lockUntilCommit } from '../db/database.ts'
import { defineEvent, type Events } from './events.ts'

/** Somebody queued work; workers look at once instead of at their next round. */
export const jobQueued = defineEvent<{ name: string }>('jobs.queued')
/** More of a job's log was written, or the job ended. */
export const jobLogged = defineEvent<{ id: string; ended: boolean }>('jobs.logged')
/** Somebody wants a running job to end. */
export const jobCancelled = defineEvent<{ id: string }>('jobs.cancelled')

export type JobState = 'PENDING' | 'RUNNING' | 'SUCCESS' | 'FAILURE' | 'CANCELED'

/** A kind of job as far as queueing it goes: its name, and what it takes. */
export interface Queueable<P> {
  readonly name: string
  run(ctx: never, payload: P, job: never): Promise<unknown>
}

export interface Enqueue {
  id?: string
  orgId?: string
  /** While a job with this key waits or runs, another one is not queued. */
  uniqueKey?: string
  creator?: string
  /** What its log is written in; English when nobody started it. */
  language?: Language
  /** Unix milliseconds before which it does not start. */
  notBefore?: number
}

/** The queue of jobs: a table, so that a job and the change that caused it commit together. */
export class JobQueue {
  readonly #dialect: DialectName
  readonly #events: Events

  constructor(dialect: DialectName, events: Events) {
    this.#dialect = dialect
    this.#events = events
  }

  /** Queues work within the transaction `db` belongs to. Returns the job's id. */
  async enqueue<P>(db: Db, kind: Queueable<P>, payload: P, options: Enqueue = {}): Promise<string> {
    if (options.uniqueKey) {
      // Whoever queues the same at this moment waits, and finds it.
      await lockUntilCommit(db, this.#dialect, options.uniqueKey)
      const same = await db
        .selectFrom('kernel_job')
        .select('id')
        .where('unique_key', '=', options.uniqueKey)
        .where('state', 'in', ['PENDING', 'RUNNING'])
        .executeTakeFirst()
      if (same) return same.id
    }
    const id = options.id ?? randomUUID()
    await db
      .insertInto('kernel_job')
      .values({
        id,
        name: kind.name,
        payload: JSON.stringify(payload),
        org_id: options.orgId ?? null,
        unique_key: options.uniqueKey ?? null,
        created_by: options.creator ?? null,
        language: options.language ?? null,
        state: 'PENDING',
        attempts: 0,
        result: null,
        worker: null,
        cancel_requested: false,
        date_created: Date.now(),
        date_due: options.notBefore ?? Date.now(),
        date_start: null,
        date_finished: null,
        date_lease: null,
      })
      .execute()
    await this.#events.send(db, jobQueued, { name: kind.name })
    return id
  }

  /** Ends a job: at once when it waits, by its signal when it runs. One that is over stays as it is. */
  async cancel(db: Db, id: string): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('kernel_job')
      .set({ state: 'CANCELED', date_finished: Date.now() })
      .where('id', '=', id)
      .where('state', '=', 'PENDING')
      .executeTakeFirst()
    if (numUpdatedRows) return this.#events.send(db, jobLogged, { id, ended: true })
    await db
      .updateTable('kernel_job')
      .set({ cancel_requested: true })
      .where('id', '=', id)
      .where('state', '=', 'RUNNING')
      .execute()
    await this.#events.send(db, jobCancelled, { id })
  }
}

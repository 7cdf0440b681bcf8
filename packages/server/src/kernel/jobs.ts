import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Language } from '@castellan/contract/messages'
import { announceInOrder, type Database, type Db } from '../db/database.ts'
import type { Context, Services } from './context.ts'
import { systemContext } from './context.ts'
import { defineEvent } from './events.ts'

/** Somebody queued work; workers look at once instead of at their next round. */
export const jobQueued = defineEvent<{ name: string }>('jobs.queued')
/** More of a job's log was written, or the job ended. */
export const jobLogged = defineEvent<{ id: string; ended: boolean }>('jobs.logged')

export type JobState = 'PENDING' | 'RUNNING' | 'SUCCESS' | 'FAILURE' | 'CANCELED'

export interface JobRun {
  readonly id: string
  /** Aborted when the job is cancelled or exceeds its time. */
  readonly signal: AbortSignal
  /** A line for the people who watch; kept. */
  log(line: string): Promise<void>
}

export interface JobKind<P> {
  readonly name: string
  /** Milliseconds until a run is aborted and counts as failed. */
  readonly timeout: number
  /** Runs of this kind at the same time in one worker. */
  readonly concurrency: number
  /** How many times a failed run is tried again. */
  readonly retries: number
  run(ctx: Context, payload: P, job: JobRun): Promise<unknown>
  /** Five-field cron expression, in the installation's zone, for work that repeats. */
  readonly schedule?: string
  /** Milliseconds between runs, for work more frequent than cron allows. */
  readonly every?: number
}

const kinds = new Map<string, JobKind<never>>()

export function defineJob<P>(
  kind: Omit<JobKind<P>, 'timeout' | 'concurrency' | 'retries'> & Partial<JobKind<P>>,
): JobKind<P> {
  const full = { timeout: 600_000, concurrency: 2, retries: 0, ...kind } as JobKind<P>
  kinds.set(full.name, full as JobKind<never>)
  return full
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

interface TakenJob {
  id: string
  name: string
  payload: string
  org_id: string | null
  language: Language | null
  attempts: number
}

const tookTooLong = new Error('The job took longer than it may.')

/** How long a running job may be silent before another worker takes it over. Milliseconds. */
const leaseTime = 60_000

/** The queue: a table, so that a job and the change that caused it commit together. */
export class Jobs {
  readonly #database: Database
  #services: Services | undefined
  readonly #running = new Map<string, { kind: string; abort: AbortController }>()
  readonly #worker = `${hostname()}:${process.pid}`
  #timers: NodeJS.Timeout[] = []
  #looking = false
  #again = false
  #stopped = true
  readonly #stops: (() => void)[] = []

  readonly #onError: (error: unknown) => void

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  /** Queues work within the transaction `db` belongs to. Returns the job's id. */
  async enqueue<P>(
    db: Db,
    services: Pick<Services, 'events'>,
    kind: JobKind<P>,
    payload: P,
    options: Enqueue = {},
  ): Promise<string> {
    if (options.uniqueKey) {
      // Whoever queues the same at this moment waits, and finds it.
      await announceInOrder(db, this.#database.dialect)
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
    await services.events.send(db, jobQueued, { name: kind.name })
    return id
  }

  /** Asks for a job to end: at once when it waits, by its signal when it runs. */
  async cancel(db: Db, id: string): Promise<void> {
    await db
      .updateTable('kernel_job')
      .set({ state: 'CANCELED', date_finished: Date.now() })
      .where('id', '=', id)
      .where('state', '=', 'PENDING')
      .execute()
    await db
      .updateTable('kernel_job')
      .set({ cancel_requested: true })
      .where('id', '=', id)
      .where('state', '=', 'RUNNING')
      .execute()
  }

  /** Starts working. Kinds with a schedule are queued once per due moment, by whichever worker is first. */
  async start(services: Services): Promise<void> {
    this.#services = services
    this.#stopped = false
    this.#stops.push(services.events.on(jobQueued, () => this.#look()))
    this.#timers.push(
      setInterval(() => this.#look(), 2000),
      setInterval(() => void this.#renewLeases().catch(this.#onError), 15_000),
    )
    await this.#startSchedules(services)
    this.#look()
  }

  async #startSchedules(services: Services): Promise<void> {
    const { Cron } = await import('croner')
    for (const kind of kinds.values()) {
      const queue = (slot: number) =>
        this.#database
          .transaction(async (db) => {
            // The slot is written once; a second worker finds it taken.
            const { numInsertedOrUpdatedRows } = await db
              .insertInto('kernel_memory')
              .values({ key: `job:${kind.name}:${slot}`, value: '1', date_expired: Date.now() + 86_400_000 })
              .onConflict((c) => c.column('key').doNothing())
              .executeTakeFirst()
            if (numInsertedOrUpdatedRows)
              await this.enqueue(db, services, kind as JobKind<unknown>, {}, { uniqueKey: `schedule:${kind.name}` })
          })
          .catch((error) => this.#onError(error))
      if (kind.schedule) {
        const cron = new Cron(kind.schedule, { unref: true }, () => void queue(Math.floor(Date.now() / 60_000)))
        this.#stops.push(() => cron.stop())
      }
      if (kind.every) {
        const every = kind.every
        this.#timers.push(setInterval(() => void queue(Math.floor(Date.now() / every)), every))
      }
    }
  }

  #look(): void {
    // What it took now nobody would do until the lease ends.
    if (this.#stopped) return
    if (this.#looking) {
      this.#again = true
      return
    }
    this.#looking = true
    void this.#takeAll()
      .catch(this.#onError)
      .finally(() => {
        this.#looking = false
        if (this.#again && !this.#stopped) {
          this.#again = false
          this.#look()
        }
      })
  }

  async #takeAll(): Promise<void> {
    for (let job = await this.#take(); job && !this.#stopped; job = await this.#take()) void this.#run(job)
  }

  /** Takes one due job whose kind has room here; a job whose worker fell silent counts as due, but never one of ours. */
  async #take(): Promise<TakenJob | undefined> {
    const counts = new Map<string, number>()
    for (const { kind } of this.#running.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const open = [...kinds.values()]
      .filter((kind) => (counts.get(kind.name) ?? 0) < kind.concurrency)
      .map((kind) => kind.name)
    if (open.length === 0) return undefined
    const now = Date.now()
    // A clock that is set ahead ends every lease at once.
    const ours = [...this.#running.keys()]
    const due = (db: Db) =>
      db
        .selectFrom('kernel_job')
        .select(['id', 'name', 'payload', 'org_id', 'language', 'attempts'])
        .where('name', 'in', open)
        .where((eb) =>
          eb.or([
            eb.and([eb('state', '=', 'PENDING'), eb('date_due', '<=', now)]),
            eb.and([eb('state', '=', 'RUNNING'), eb('date_lease', '<', now), eb('id', 'not in', ours)]),
          ]),
        )
        .orderBy('date_created')
        .limit(1)
    // A look without a lock first: idle workers must not write.
    if (!(await due(this.#database.reader).executeTakeFirst())) return undefined
    return this.#database.transaction(async (db) => {
      const base = due(db)
      const job = await (this.#database.dialect === 'postgres'
        ? base.forUpdate().skipLocked()
        : base
      ).executeTakeFirst()
      if (!job) return undefined
      await db
        .updateTable('kernel_job')
        .set({
          state: 'RUNNING',
          worker: this.#worker,
          attempts: Number(job.attempts) + 1,
          date_start: now,
          date_lease: now + leaseTime,
        })
        .where('id', '=', job.id)
        .execute()
      return job as never
    })
  }

  async #run(job: TakenJob): Promise<void> {
    const kind = kinds.get(job.name)
    const services = this.#services
    if (!kind || !services) return
    const abort = new AbortController()
    this.#running.set(job.id, { kind: kind.name, abort })
    const timer = setTimeout(() => abort.abort(tookTooLong), kind.timeout)
    const ctx = systemContext(services, job.org_id ?? undefined, job.language ?? undefined)
    const log = (line: string) => writeLog(services, job.id, line)
    try {
      const result = await kind.run(ctx, JSON.parse(job.payload) as never, { id: job.id, signal: abort.signal, log })
      if (abort.signal.reason === tookTooLong) throw tookTooLong
      await this.#finish(services, job.id, abort.signal.aborted ? 'CANCELED' : 'SUCCESS', result)
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      await log(text).catch(() => {})
      const isCancelled = abort.signal.aborted && abort.signal.reason !== tookTooLong
      const again = Number(job.attempts) < kind.retries && !abort.signal.aborted
      const end = again
        ? this.#retry(job.id, Number(job.attempts))
        : this.#finish(services, job.id, isCancelled ? 'CANCELED' : 'FAILURE', { error: text })
      // Without a database nothing can be said about it: its lease ends, and it is done once more.
      await end.catch(this.#onError)
    } finally {
      clearTimeout(timer)
      this.#running.delete(job.id)
      this.#look()
    }
  }

  async #retry(id: string, attempts: number): Promise<void> {
    const wait = 5000 * 2 ** attempts
    await this.#database.writer
      .updateTable('kernel_job')
      .set({ state: 'PENDING', date_due: Date.now() + wait })
      .where('id', '=', id)
      .execute()
  }

  async #finish(services: Services, id: string, state: JobState, result: unknown): Promise<void> {
    await this.#database.transaction(async (db) => {
      await db
        .updateTable('kernel_job')
        .set({ state, result: JSON.stringify(result ?? null), date_finished: Date.now(), date_lease: null })
        .where('id', '=', id)
        .execute()
      await services.events.send(db, jobLogged, { id, ended: true })
    })
  }

  /** Says that our jobs are alive, and ends those that somebody cancelled. */
  async #renewLeases(): Promise<void> {
    const ids = [...this.#running.keys()]
    if (ids.length === 0) return
    await this.#database.writer
      .updateTable('kernel_job')
      .set({ date_lease: Date.now() + leaseTime })
      .where('id', 'in', ids)
      .execute()
    const cancelled = await this.#database.reader
      .selectFrom('kernel_job')
      .select('id')
      .where('id', 'in', ids)
      .where('cancel_requested', '=', true)
      .execute()
    for (const { id } of cancelled) this.#running.get(id)?.abort.abort(new Error('Cancelled.'))
  }

  stop(): void {
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const stop of this.#stops.splice(0)) stop()
    for (const { abort } of this.#running.values()) abort.abort(new Error('The worker stops.'))
    this.#timers = []
  }
}

/** Appends to a job's log and tells those who watch. */
export async function writeLog(services: Services, id: string, line: string): Promise<void> {
  await services.database.transaction(async (db) => {
    await db
      .insertInto('kernel_job_log')
      .values({ job_id: id, text: `${line}\r\n`, date_created: Date.now() })
      .execute()
    await services.events.send(db, jobLogged, { id, ended: false })
  })
}

/** The log of a job after a position. */
export async function readLog(db: Db, id: string, after: number): Promise<{ text: string; position: number }> {
  const rows = await db
    .selectFrom('kernel_job_log')
    .select(['id', 'text'])
    .where('job_id', '=', id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(500)
    .execute()
  return { text: rows.map((row) => row.text).join(''), position: Number(rows.at(-1)?.id ?? after) }
}

/** Jobs that ended long ago leave with their logs. `days` to keep. */
export async function sweepJobs(db: Db, days: number): Promise<void> {
  const before = Date.now() - days * 86_400_000
  await db
    .deleteFrom('kernel_job_log')
    .where('job_id', 'in', db.selectFrom('kernel_job').select('id').where('date_finished', '<', before))
    .execute()
  await db.deleteFrom('kernel_job').where('date_finished', '<', before).execute()
}

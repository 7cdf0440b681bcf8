import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Language } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { Db } from '../db/database.ts'
import { type Context, type Services, systemContext } from './context.ts'
import { writeLog } from './job-log.ts'
import { type JobState, jobCancelled, jobLogged, jobQueued } from './job-queue.ts'

export interface JobRun {
  readonly id: string
  /** The id of whoever started it; undefined when it repeats by itself. */
  readonly creator?: string | undefined
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

interface TakenJob {
  id: string
  name: string
  payload: string
  org_id: string | null
  created_by: string | null
  language: Language | null
  attempts: number
}

const tookTooLong = new Error('The job took longer than it may.')
const cancelled = new Error('Cancelled.')
const workerStops = new Error('The worker stops.')

/** How long a worker that stops waits for its jobs to leave off. Milliseconds. */
const leaveTime = 3000

/** How long a running job may be silent before another worker takes it over. Milliseconds. */
const leaseTime = 60_000

/** Carries out what is queued, and queues what repeats. */
export class JobWorker {
  readonly #services: Services
  readonly #running = new Map<string, { kind: string; abort: AbortController; over: Promise<void> }>()
  readonly #worker = `${hostname()}:${process.pid}`
  #timers: NodeJS.Timeout[] = []
  #looking = false
  #again = false
  #stopped = true
  readonly #stops: (() => void)[] = []

  readonly #onError: (error: unknown) => void

  constructor(services: Services, onError: (error: unknown) => void) {
    this.#services = services
    this.#onError = onError
  }

  /** Starts working. Kinds with a schedule are queued once per due moment, by whichever worker is first. */
  async start(): Promise<void> {
    const { events } = this.#services
    this.#stopped = false
    this.#stops.push(
      events.on(jobQueued, () => this.#look()),
      events.on(jobCancelled, ({ id }) => this.#abort(id)),
    )
    this.#timers.push(
      setInterval(() => this.#look(), 2000),
      setInterval(() => void this.#renewLeases().catch(this.#onError), 15_000),
    )
    await this.#startSchedules()
    this.#look()
  }

  async #startSchedules(): Promise<void> {
    const { Cron } = await import('croner')
    for (const kind of kinds.values()) {
      const queue = (slot: number) =>
        this.#services.database
          .transaction(async (db) => {
            // The slot is written once; a second worker finds it taken.
            const { numInsertedOrUpdatedRows } = await db
              .insertInto('kernel_memory')
              .values({ key: `job:${kind.name}:${slot}`, value: '1', date_expired: Date.now() + 86_400_000 })
              .onConflict((c) => c.column('key').doNothing())
              .executeTakeFirst()
            if (numInsertedOrUpdatedRows)
              await this.#services.jobs.enqueue(
                db,
                kind as JobKind<unknown>,
                {},
                { uniqueKey: `schedule:${kind.name}` },
              )
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
    for (let job = await this.#take(); job && !this.#stopped; job = await this.#take()) this.#begin(job)
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
        .select(['id', 'name', 'payload', 'org_id', 'created_by', 'language', 'attempts'])
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
    if (!(await due(this.#services.database.reader).executeTakeFirst())) return undefined
    return this.#services.database.transaction(async (db) => {
      const base = due(db)
      const job = await (this.#services.database.dialect === 'postgres'
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

  #begin(job: TakenJob): void {
    const kind = kinds.get(job.name)
    if (!kind) return
    const abort = new AbortController()
    this.#running.set(job.id, { kind: kind.name, abort, over: this.#run(job, kind, abort) })
  }

  async #run(job: TakenJob, kind: JobKind<never>, abort: AbortController): Promise<void> {
    const services = this.#services
    const timer = setTimeout(() => abort.abort(tookTooLong), kind.timeout)
    const ctx = systemContext(services, job.org_id ?? undefined, job.language ?? undefined)
    const log = (line: string) => writeLog(services, job.id, line)
    const { signal } = abort
    try {
      const result = await kind.run(ctx, JSON.parse(job.payload) as never, {
        id: job.id,
        creator: job.created_by ?? undefined,
        signal,
        log,
      })
      if (signal.aborted) throw signal.reason
      await this.#finish(job.id, 'SUCCESS', result)
    } catch (error) {
      // Without a database nothing can be said about it: its lease ends, and it is done once more.
      await this.#failed(job, kind, signal, error, log).catch(this.#onError)
    } finally {
      clearTimeout(timer)
      this.#running.delete(job.id)
      this.#look()
    }
  }

  async #failed(
    job: TakenJob,
    kind: JobKind<never>,
    { aborted, reason }: AbortSignal,
    error: unknown,
    log: JobRun['log'],
  ): Promise<void> {
    // Somebody else goes on with it, as after a kill; nobody cancelled it.
    if (reason === workerStops) return this.#putBack(job.id, Date.now())
    const attempts = Number(job.attempts)
    const known = reason === cancelled ? taskLogs.stopped : reason === tookTooLong ? taskLogs.took_too_long : undefined
    const said = known?.[job.language ?? 'en'] ?? (error instanceof Error ? error.message : String(error))
    await log(said).catch(() => {})
    if (!aborted && attempts < kind.retries) return this.#putBack(job.id, Date.now() + 5000 * 2 ** attempts)
    return this.#finish(job.id, reason === cancelled ? 'CANCELED' : 'FAILURE', { error: said })
  }

  async #putBack(id: string, due: number): Promise<void> {
    await this.#services.database.writer
      .updateTable('kernel_job')
      .set({ state: 'PENDING', date_due: due, date_lease: null })
      .where('id', '=', id)
      .execute()
  }

  async #finish(id: string, state: JobState, result: unknown): Promise<void> {
    await this.#services.database.transaction(async (db) => {
      await db
        .updateTable('kernel_job')
        .set({ state, result: JSON.stringify(result ?? null), date_finished: Date.now(), date_lease: null })
        .where('id', '=', id)
        .execute()
      await this.#services.events.send(db, jobLogged, { id, ended: true })
    })
  }

  /** Says that our jobs are alive, and ends those that somebody cancelled. */
  async #renewLeases(): Promise<void> {
    const ids = [...this.#running.keys()]
    if (ids.length === 0) return
    await this.#services.database.writer
      .updateTable('kernel_job')
      .set({ date_lease: Date.now() + leaseTime })
      .where('id', 'in', ids)
      .execute()
    const unwanted = await this.#services.database.reader
      .selectFrom('kernel_job')
      .select('id')
      .where('id', 'in', ids)
      .where('cancel_requested', '=', true)
      .execute()
    for (const { id } of unwanted) this.#abort(id)
  }

  #abort(id: string): void {
    this.#running.get(id)?.abort.abort(cancelled)
  }

  /** Takes nothing more, and puts back what was under way, so that it is carried out after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const stop of this.#stops.splice(0)) stop()
    this.#timers = []
    const running = [...this.#running.values()]
    for (const { abort } of running) abort.abort(workerStops)
    const left = Promise.all(running.map(({ over }) => over))
    await Promise.race([left, delay(leaveTime, undefined, { ref: false })])
  }
}

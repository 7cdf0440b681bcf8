import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { coalesced } from '../../db/coalesced.ts'
import type { Services } from '../module/context.ts'
import { isCancelled, workerStops } from './attempt.ts'
import { claimJobs, endExpired, type Room } from './claim.ts'
import { RunLost } from './fence.ts'
import { findJobKind, jobKinds } from './kinds.ts'
import { jobCancelled, jobLogged, jobQueued } from './queue.ts'
import { Run } from './run.ts'
import { queueDue, seedSchedules } from './schedules.ts'
import type { Share } from './shares.ts'
import type { JobRow } from './tables.ts'

export interface WorkerTimes {
  /** How long a worker may be silent before its executions are taken over. */
  leaseMs: number
  /** How often to poll for work without an event. */
  pollMs: number
  /** How long work that must not be done twice may go on when the worker is stopped. */
  stopMs: number
  /** How long work may go on after it was cancelled or timed out. */
  abandonMs: number
}

const defaultTimes: WorkerTimes = { leaseMs: 60_000, pollMs: 2000, stopMs: 8000, abandonMs: 10_000 }

/** How soon is looked again when jobs wait for keys that others hold. Milliseconds. */
const keysAgainAfter = 500
/** How long the end of an attempt may take to be written when the worker stops. Milliseconds. */
const lastWrites = 2000

/** Carries out what is queued, and queues what is due by schedules. Idle, it only reads. */
export class JobWorker {
  /** Process ids repeat, so each start has a name of its own. */
  readonly name = `${hostname()}:${process.pid}:${randomUUID()}`
  readonly #services: Services
  readonly #onError: (error: unknown) => void
  readonly #times: WorkerTimes
  readonly #runs = new Map<Run, Promise<void>>()
  readonly #stops: (() => void)[] = []
  #timers: NodeJS.Timeout[] = []
  #renewal: NodeJS.Timeout | undefined
  #stopped = true
  #keysAgain: NodeJS.Timeout | undefined

  constructor(services: Services, onError: (error: unknown) => void, times: Partial<WorkerTimes> = {}) {
    this.#services = services
    this.#onError = onError
    this.#times = { ...defaultTimes, ...times }
  }

  async start(): Promise<void> {
    const { events } = this.#services
    await seedSchedules(this.#services)
    this.#stopped = false
    this.#stops.push(
      events.on(jobQueued, () => this.#look()),
      events.on(jobCancelled, ({ id }) => this.#cancel(id)),
      // Its keys are free now.
      events.on(jobLogged, ({ ended }) => {
        if (ended && this.#keysAgain) this.#look()
      }),
    )
    this.#timers.push(setInterval(() => this.#look(), this.#times.pollMs))
    this.#renewal = setInterval(() => this.#keepAlive(), this.#times.leaseMs / 4)
    this.#look()
  }

  readonly #looks = coalesced(() => this.#round())

  #look(): void {
    // Work claimed by a stopped worker would wait until its lease ends.
    if (!this.#stopped) void this.#looks().catch(this.#onError)
  }

  async #round(): Promise<void> {
    if (this.#stopped) return
    await queueDue(this.#services)
    await endExpired(
      this.#services,
      [...this.#runs.keys()].map(({ fence }) => fence.id),
    )
    if (this.#stopped) return
    const claimedAt = performance.now()
    const { claimed, isWaiting } = await claimJobs(this.#services, this.name, this.#room(), this.#times.leaseMs)
    for (const job of claimed) this.#begin(job, claimedAt)
    if (claimed.length > 0) this.#look()
    clearTimeout(this.#keysAgain)
    this.#keysAgain = isWaiting ? setTimeout(() => this.#look(), keysAgainAfter) : undefined
  }

  /** How many more runs of each kind this worker takes. */
  #room(): Map<string, Room> {
    const runs = Map.groupBy(this.#runs.keys(), ({ kind }) => kind.name)
    return new Map(
      jobKinds().map(({ name, concurrency }) => {
        const own = runs.get(name) ?? []
        const held = new Map<Share, number>()
        for (const { job } of own) held.set(job.share, (held.get(job.share) ?? 0) + 1)
        return [name, { free: Math.max(0, concurrency - own.length), concurrency, held }]
      }),
    )
  }

  #begin(job: JobRow, claimedAt: number): void {
    const kind = findJobKind(job.name)
    if (!kind) return
    const run = new Run(this.#services, job, kind, this.name, this.#times, claimedAt)
    const over = run
      .execute()
      .catch(this.#onError)
      .finally(() => {
        this.#runs.delete(run)
        this.#look()
      })
    this.#runs.set(run, over)
    // Claimed in the moment in which the worker was stopped.
    if (this.#stopped) run.beginStop()
  }

  #keepAlive(): void {
    // Without an answer of the database for so long, another worker may have taken it over.
    for (const run of this.#runs.keys()) if (!run.isAlive) run.abort(new RunLost('The lease has expired.'))
    void this.#renew().catch(this.#onError)
  }

  /** Says that our runs are alive. Learns which of them are not ours any more, and which a user cancelled. */
  async #renew(): Promise<void> {
    const { database } = this.#services
    for (const [attempt, runs] of Map.groupBy(this.#runs.keys(), ({ fence }) => fence.attempt)) {
      const renewedAt = performance.now()
      const rows: Pick<JobRow, 'id' | 'cancel_requested'>[] = await database.writer
        .updateTable('kernel_job')
        .set({ date_lease: Date.now() + this.#times.leaseMs })
        .where(
          'id',
          'in',
          runs.map(({ fence }) => fence.id),
        )
        .where('worker', '=', this.name)
        .where('attempts', '=', attempt)
        .where('state', '=', 'RUNNING')
        .returning(['id', 'cancel_requested'])
        .execute()
      const held = new Map(rows.map((row) => [row.id as string, Boolean(row.cancel_requested)]))
      for (const run of runs) {
        const isUnwanted = held.get(run.fence.id)
        if (isUnwanted !== undefined) run.renewedAt = renewedAt
        if (isUnwanted) run.abort(isCancelled)
        // One that has just ended is not running any more either.
        if (isUnwanted === undefined && this.#runs.has(run)) run.abort(new RunLost('The lease has expired.'))
      }
    }
  }

  #cancel(id: string): void {
    for (const run of this.#runs.keys()) if (run.fence.id === id) run.abort(isCancelled)
  }

  /**
   * Takes nothing more. Idempotent runs are put back for another worker; others have some time to end, and what does not
   * ends as LOST.
   */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const stop of this.#stops.splice(0)) stop()
    this.#timers = []
    clearTimeout(this.#keysAgain)
    await this.#looks().catch(() => undefined)
    for (const run of this.#runs.keys()) run.beginStop()
    await this.#ended(this.#times.stopMs)
    for (const run of this.#runs.keys()) run.abort(workerStops)
    await this.#ended(lastWrites)
    clearInterval(this.#renewal)
  }

  async #ended(ms: number): Promise<void> {
    const over = new AbortController()
    const late = delay(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined)
    await Promise.race([Promise.all(this.#runs.values()), late])
    over.abort()
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/database.ts'
import { type Services, systemContext } from '../module/context.ts'
import {
  type Attempt,
  type AttemptTimes,
  isCancelled,
  settledOrAbandoned,
  tookTooLong,
  workerStops,
} from './attempt.ts'
import { canceled, type Ending, failed, stopped, timedOut, writeEnding } from './endings.ts'
import { type Fence, lockRun, RunLost } from './fence.ts'
import { ItemWork } from './item-work.ts'
import type { JobKind, JobRun } from './kinds.ts'
import { appendLog, LogBuffer } from './log.ts'
import { jobLogged } from './queue.ts'
import type { Delivery } from './states.ts'
import type { JobRow } from './tables.ts'

/** How often the end of an attempt is written again when the database does not answer. Milliseconds. */
const writeAgainAfter = 1000

/** One attempt at one execution, in the worker that claimed it. */
export class Run implements Attempt {
  readonly fence: Fence
  readonly kind: JobKind<never>
  readonly job: JobRow
  readonly services: Services
  readonly times: AttemptTimes
  /** When the lease was renewed, by the monotonic clock. */
  renewedAt: number
  readonly #outside = AsyncLocalStorage.snapshot()
  /** Aborted as soon as the worker is asked to stop. */
  readonly #early = new AbortController()
  /** Aborted when it stops for good: what must not be done twice has the time until then. */
  readonly #late = new AbortController()
  readonly #log: LogBuffer

  constructor(
    services: Services,
    job: JobRow,
    kind: JobKind<never>,
    worker: string,
    times: AttemptTimes,
    claimedAt: number,
  ) {
    this.renewedAt = claimedAt
    this.services = services
    this.job = job
    this.kind = kind
    this.times = times
    this.fence = { id: job.id, worker, attempt: Number(job.attempts) }
    this.#log = new LogBuffer((parts) => this.#storeLog(parts))
  }

  get stopping(): AbortSignal {
    return this.#early.signal
  }

  get ending(): AbortSignal {
    return this.#late.signal
  }

  signalFor(delivery: Delivery): AbortSignal {
    return delivery === 'idempotent' ? this.#early.signal : this.#late.signal
  }

  /** Ends the work as soon as it listens. */
  abort(reason: Error): void {
    this.#early.abort(reason)
    this.#late.abort(reason)
  }

  /** Begins the stop of the worker: idempotent work is aborted, other work may still end by itself. */
  beginStop(): void {
    this.#early.abort(workerStops)
  }

  async owned<T>(work: (db: Db, job: JobRow) => Promise<T>): Promise<T> {
    const { database } = this.services
    try {
      const result = await this.#outside(() =>
        database.transaction(async (db) => {
          const row = await lockRun(db, database.dialect, this.fence)
          return await work(db, row)
        }),
      )
      this.assertAlive()
      return result
    } catch (error) {
      if (error instanceof RunLost) this.abort(error)
      throw error
    }
  }

  /** Whether the lease holds by our own clock. */
  get isAlive(): boolean {
    return performance.now() - this.renewedAt <= this.times.leaseMs
  }

  assertAlive(): void {
    if (this.isAlive) return
    const lost = new RunLost('The lease has expired.')
    this.abort(lost)
    throw lost
  }

  async #storeLog(parts: readonly string[]): Promise<void> {
    const { id } = this.fence
    await this.owned(async (db) => {
      await appendLog(db, id, parts)
      await this.services.events.send(db, jobLogged, { id, ended: false })
    })
  }

  /** Does the work and records how it ended. Never throws for the work; throws when the end cannot be recorded. */
  async execute(): Promise<void> {
    const { job, kind } = this
    const timer = setTimeout(() => this.abort(tookTooLong), kind.timeout)
    const signal = this.signalFor(kind.delivery)
    let ending: Ending | undefined
    try {
      this.assertAlive()
      const work = this.#work(signal)
      const result = await settledOrAbandoned(work, this.#late.signal, this.times)
      if (signal.aborted) throw signal.reason
      ending = { state: 'SUCCESS', result }
    } catch (error) {
      ending = this.#endingOf(job, kind, error)
    } finally {
      clearTimeout(timer)
    }
    if (ending) await this.#record(ending)
  }

  async #work(signal: AbortSignal): Promise<unknown> {
    const { job, kind, services } = this
    // Whoever changes a setting and starts a job at once means the new value, also where the job outruns the news of it.
    await services.events.delivered()
    const ctx = systemContext(services, job.org_id ?? undefined, job.language ?? undefined)
    const payload = JSON.parse(job.payload) as never
    // If its keys cannot be computed it was claimed without keys, and must not run without them.
    kind.keys?.(payload)
    const items = new ItemWork(this)
    const given: JobRun = {
      id: job.id,
      creator: job.created_by ?? undefined,
      address: job.created_from ?? undefined,
      attempt: this.fence.attempt,
      schedule: job.schedule_id ?? undefined,
      signal,
      log: (line) => this.#log.add(line),
      planItems: (make) => items.plan(make),
      eachItem: (options, work) => items.each(options, work),
    }
    return kind.run(ctx, payload, given)
  }

  /** How the attempt ends after an error; undefined when another worker decides. */
  #endingOf(job: JobRow, kind: JobKind<never>, error: unknown): Ending | undefined {
    const reason = this.#late.signal.reason ?? this.#early.signal.reason
    if (reason instanceof RunLost || error instanceof RunLost) return undefined
    if (reason === isCancelled) return canceled(job)
    if (reason === tookTooLong) return timedOut(job)
    const isStopped = reason === workerStops && (kind.delivery === 'idempotent' || error === workerStops)
    if (isStopped || this.#late.signal.aborted) return stopped(job, kind, Date.now())
    return failed(job, kind, error, Date.now())
  }

  async #record(ending: Ending): Promise<void> {
    const parts = await this.#log.close()
    const giveUp = performance.now() + this.times.leaseMs
    for (;;) {
      try {
        return await this.owned((db, row) => writeEnding(db, this.services, row, this.kind, ending, parts))
      } catch (error) {
        if (error instanceof RunLost) return
        // The lease is still renewed meanwhile; if the database is unavailable longer, another worker decides how it ended.
        if (performance.now() > giveUp) throw error
        await delay(writeAgainAfter, undefined, { ref: false })
      }
    }
  }
}

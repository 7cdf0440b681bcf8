import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/database.ts'
import type { Services } from '../module/context.ts'
import type { Fence } from './fence.ts'
import type { JobKind } from './kinds.ts'
import type { Delivery } from './states.ts'
import type { JobRow } from './tables.ts'

export const tookTooLong = new Error('The job took longer than it may.')
export const isCancelled = new Error('Cancelled.')
export const workerStops = new Error('The worker stops.')

/** How long work may go on after the worker stopped for good. Milliseconds. */
const lastWords = 500

export interface AttemptTimes {
  /** How long work may go on after it was cancelled or timed out, before it ends without it. Milliseconds. */
  abandonMs: number
  /** How long the end of an attempt is tried to be written. Milliseconds. */
  leaseMs: number
}

/** One attempt at one execution, as the parts that do its work see it. */
export interface Attempt {
  readonly fence: Fence
  readonly kind: JobKind<never>
  readonly job: JobRow
  readonly services: Services
  readonly times: AttemptTimes
  /** Aborted when nothing new may be begun. */
  readonly stopping: AbortSignal
  /** Aborted when nothing may go on. */
  readonly ending: AbortSignal
  /** The signal of work with this delivery. */
  signalFor(delivery: Delivery): AbortSignal
  /**
   * Called before a target is changed: an attempt that stalled for longer than its lease has been taken over.
   * @throws RunLost
   */
  assertAlive(): void
  /** A transaction in which the attempt may write. @throws RunLost when it may not any more; its work is aborted then */
  owned<T>(work: (db: Db, job: JobRow) => Promise<T>): Promise<T>
}

/**
 * The result of work, or the reason of its signal when it goes on for too long after it was aborted: work that does not
 * listen must not occupy its worker for ever.
 */
export async function settledOrAbandoned<T>(work: Promise<T>, signal: AbortSignal, times: AttemptTimes): Promise<T> {
  const over = new AbortController()
  const abandoned = async () => {
    if (!signal.aborted)
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true, signal: over.signal })
        over.signal.addEventListener('abort', () => resolve(), { once: true })
      })
    const grace = signal.reason === workerStops ? Math.min(lastWords, times.abandonMs) : times.abandonMs
    await delay(grace, undefined, { signal: over.signal, ref: false }).catch(() => undefined)
    throw signal.reason
  }
  try {
    return await Promise.race([work, abandoned()])
  } finally {
    over.abort()
  }
}

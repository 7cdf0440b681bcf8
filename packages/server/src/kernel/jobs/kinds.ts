import type { PermissionCode } from '@castellan/contract/permissions'
import type { Context } from '../module/context.ts'
import { type EndRecorder, registerEnd } from './ends.ts'
import type { ItemTarget, NewItem, Progress } from './item-rows.ts'
import type { ConcurrencyKey } from './keys.ts'
import type { Delivery } from './states.ts'

/** One item while it is worked on. */
export interface JobItem<P = unknown, C = unknown> {
  readonly id: string
  readonly target: ItemTarget
  readonly payload: P
  /** How often work on it was begun, this time included. */
  readonly attempt: number
  /** What the last checkpoint stored; undefined when none was reached. */
  readonly reached: C | undefined
  /** Aborted when the execution is cancelled, when the item or the execution takes too long, or the worker is stopped. */
  readonly signal: AbortSignal
  /**
   * Stores how far the work came, before it goes on; small JSON, secrets sealed. With a context of a transaction it is
   * stored with what else that transaction changes.
   */
  checkpoint(value: C, ctx?: Context): Promise<void>
}

export interface EachItem<P> {
  /** Items that are worked on at the same time. */
  concurrency: number
  /** Milliseconds an item may take. */
  timeout?: number
  /** What no other job may work on meanwhile. */
  keys?(item: { target: ItemTarget; payload: P }): readonly ConcurrencyKey[]
}

export interface JobRun {
  readonly id: string
  /** The id of the user who started it; undefined for scheduled runs. */
  readonly creator?: string | undefined
  /** The address from which it was started; undefined for scheduled runs. */
  readonly address?: string | undefined
  /** The number of this attempt. */
  readonly attempt: number
  /** The schedule that queued it; undefined when a user or the system did. */
  readonly schedule?: string | undefined
  /** Aborted when the job is cancelled, takes too long, or another worker has taken it over. */
  readonly signal: AbortSignal
  /** Adds a line to the log, which users see within half a second. */
  log(line: string): Promise<void>
  /** Stores the items of the execution, once: after a takeover those of the first attempt stand, and `make` is not called. */
  planItems(make: () => Promise<readonly NewItem[]>): Promise<void>
  /**
   * Works on every item that has not ended. Work that throws fails its item (`JobFailure` with a code, `ItemSkipped`);
   * the others go on. Returns when all have ended; throws when the execution is cancelled or the worker is stopped.
   */
  eachItem<P = unknown, C = unknown>(
    options: EachItem<P>,
    work: (item: JobItem<P, C>) => Promise<void>,
  ): Promise<Progress>
}

interface Common<P> {
  readonly name: string
  /** Milliseconds until an attempt is aborted and counts as failed. */
  readonly timeout: number
  /** Runs of this kind at the same time in one worker. */
  readonly concurrency: number
  /** Crontab of five parts, in the time zone of the installation, for work that repeats. */
  readonly schedule?: string
  /** Milliseconds between runs, for work that repeats more often than a crontab can express. */
  readonly every?: number
  /** It follows from other work, as a mail does: it takes no share of a user's, and is never refused. */
  readonly isConsequence?: true
  /** What no other job or item may work on while this job runs. */
  keys?(payload: P): readonly ConcurrencyKey[]
  /** The permission with which others than its creator may follow its log in its organization. */
  readonly watchedWith?: PermissionCode
  /** Its log belongs to its creator: of the others, only holders of `watchedWith` in its organization may follow it. */
  readonly isPersonal?: boolean
  /** The permission with which its starter may do its failed items again. Without one they are not repeated. */
  readonly repeatedWith?: PermissionCode
  /**
   * Records the end of an execution, whatever ended it, in the transaction in which it ends. Its items have ended. An
   * error would keep the execution from ending.
   */
  readonly ended?: EndRecorder
  run(ctx: Context, payload: P, job: JobRun): Promise<unknown>
}

/** A kind of job. */
export interface JobKind<P> extends Common<P> {
  /** What happens to a run whose worker died (states.ts). */
  readonly delivery: Delivery
  /** What happens to an item that was under way then, if it is not the same as for the run. */
  readonly itemDelivery: Delivery
  /** How many further attempts there are after a failure or the death of a worker, together. */
  readonly retries: number
}

type Deliveries =
  | { readonly delivery: 'at-most-once'; readonly retries?: never; readonly itemDelivery?: never }
  | { readonly delivery: 'idempotent'; readonly retries?: number; readonly itemDelivery?: Delivery }

type Declared<P> = Omit<Common<P>, 'timeout' | 'concurrency'> & Partial<Common<P>> & Deliveries

/** Default number of further attempts of idempotent work. */
const defaultRetries = 2

const kinds = new Map<string, JobKind<never>>()

/** Defines a kind of job, which its module lists in `jobs`. Doing its work twice after the death of a worker is either harmless or must not happen. */
export function defineJob<P>(kind: Declared<P>): JobKind<P> {
  const { delivery } = kind
  const full: JobKind<P> = {
    timeout: 600_000,
    concurrency: 2,
    ...kind,
    itemDelivery: kind.itemDelivery ?? delivery,
    retries: delivery === 'idempotent' ? (kind.retries ?? defaultRetries) : 0,
  }
  return full
}

/** Makes kinds known to workers; modules declare theirs in `jobs`. */
export function registerJobs(declared: readonly JobKind<never>[]): void {
  for (const kind of declared) {
    kinds.set(kind.name, kind)
    registerEnd(kind.name, kind.ended)
  }
}

export const jobKinds = (): JobKind<never>[] => [...kinds.values()]
export const findJobKind = (name: string): JobKind<never> | undefined => kinds.get(name)

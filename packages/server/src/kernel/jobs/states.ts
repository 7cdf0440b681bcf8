/** LOST: the worker died or was stopped in the middle of what must not be done twice. */
export type JobState = 'PENDING' | 'RUNNING' | 'SUCCESS' | 'FAILURE' | 'CANCELED' | 'LOST'
export type ItemState = JobState | 'SKIPPED'

const finalStates: ReadonlySet<string> = new Set(['SUCCESS', 'FAILURE', 'CANCELED', 'LOST', 'SKIPPED'])

/** Whether an execution or an item in this state has ended. */
export const isFinal = (state: string): boolean => finalStates.has(state)

/** States of items that a repetition of the failed ones does again. */
export const unsuccessfulStates: readonly ItemState[] = ['FAILURE', 'LOST', 'CANCELED']

/**
 * What happens to work whose worker died. `at-most-once`: it is not done again and ends as LOST. `idempotent`: doing it
 * twice has the effect of doing it once, so another worker does it again, from its checkpoint.
 */
export type Delivery = 'at-most-once' | 'idempotent'

/** Codes of failures that the kernel itself causes; job code adds its own (`JobFailure`). */
export type SystemErrorCode = 'canceled' | 'timeout' | 'worker_lost' | 'worker_stopped' | 'failed'

/** A failure with a code that reports and filters can use. */
export class JobFailure extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A failure that a further attempt would only repeat: the execution ends without one. */
export class JobRefused extends JobFailure {}

/** Ends an item as SKIPPED: nothing was wrong, there was nothing to do. */
export class ItemSkipped extends JobFailure {}

/**
 * Thrown by work that can go on only after something that people do, before it begins an item: the execution waits in the
 * queue, without a worker, and is run from its beginning again. That is no attempt that failed.
 */
export class JobWaits extends Error {
  /** When it looks again, unless it is hastened before. Unix milliseconds */
  readonly until: number

  constructor(until: number) {
    super('The job waits.')
    this.until = until
  }
}

export const errorCodeOf = (error: unknown): string => (error instanceof JobFailure ? error.code : 'failed')

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

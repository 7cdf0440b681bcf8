import { say } from '@castellan/contract/messages'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { Db } from '../../db/database.ts'
import type { Services } from '../module/context.ts'
import { recordJobEnd } from './ends.ts'
import { closeItems, endRunningItems, returnRunningItems } from './item-rows.ts'
import { releaseJobKeys } from './keys.ts'
import type { JobKind } from './kinds.ts'
import { appendLog } from './log.ts'
import { jobLogged } from './queue.ts'
import { errorCodeOf, JobRefused, type JobState, JobWaits, messageOf, type SystemErrorCode } from './states.ts'
import type { JobRow } from './tables.ts'

/** How an attempt ends: the execution waits again (PENDING), or has ended. */
export interface Ending {
  state: Exclude<JobState, 'RUNNING'>
  result?: unknown
  code?: string
  /** The line appended to the log. */
  line?: string
  /** Unix milliseconds from which it may be claimed again. */
  due?: number
  /** The attempt does not use up the retries. */
  isReturned?: boolean
  /** Why items that are still under way ended. */
  itemCode?: SystemErrorCode
}

const languageOf = (job: JobRow) => (job.language ?? 'en') as 'en' | 'zh' | 'ja'
const attemptsOf = ({ retries }: JobKind<never>) => retries + 1

/** Attempts so far that count, of the row of a running execution. */
const countedAttempts = (job: JobRow) => Number(job.attempts) - Number(job.attempts_returned ?? 0)

/** How an execution ends that was cancelled. */
export function canceled(job: JobRow): Ending {
  const line = say(taskLogs.stopped, languageOf(job))
  return { state: 'CANCELED', code: 'canceled', line, result: { error: line }, itemCode: 'canceled' }
}

/** How an attempt ends that took longer than its kind may. */
export function timedOut(job: JobRow): Ending {
  const line = say(taskLogs.took_too_long, languageOf(job))
  return { state: 'FAILURE', code: 'timeout', line, result: { error: line }, itemCode: 'timeout' }
}

/** How an attempt ends whose work threw. */
export function failed(job: JobRow, kind: JobKind<never>, error: unknown, now: number): Ending {
  if (error instanceof JobWaits) return { state: 'PENDING', due: error.until, isReturned: true, itemCode: 'failed' }
  const said = messageOf(error)
  const attempt = countedAttempts(job)
  if (attempt >= attemptsOf(kind) || error instanceof JobRefused)
    return { state: 'FAILURE', code: errorCodeOf(error), line: said, result: { error: said }, itemCode: 'failed' }
  const seconds = 5 * 2 ** attempt
  const again = say(taskLogs.tried_again, languageOf(job), {
    seconds,
    attempt: attempt + 1,
    attempts: attemptsOf(kind),
  })
  return { state: 'PENDING', line: `${said}\r\n${again}`, due: now + seconds * 1000, itemCode: 'failed' }
}

/** How an attempt ends whose worker was stopped before it: idempotent work is continued after the next start. */
export function stopped(job: JobRow, kind: JobKind<never>, now: number): Ending {
  if (kind.delivery === 'idempotent')
    return { state: 'PENDING', due: now, isReturned: true, itemCode: 'worker_stopped' }
  const line = say(taskLogs.interrupted, languageOf(job))
  return { state: 'LOST', code: 'worker_stopped', line, result: { error: line }, itemCode: 'worker_stopped' }
}

/** How an attempt ends whose worker died: what must not be done twice is lost, the rest is done again while it may. */
export function abandoned(job: JobRow, kind: JobKind<never>, now: number): Ending {
  if (job.cancel_requested) return canceled(job)
  const language = languageOf(job)
  const attempt = countedAttempts(job)
  const attempts = attemptsOf(kind)
  if (kind.delivery === 'at-most-once') {
    const line = say(taskLogs.lost, language)
    return { state: 'LOST', code: 'worker_lost', line, result: { error: line }, itemCode: 'worker_lost' }
  }
  if (attempt < attempts) {
    const line = say(taskLogs.taken_over, language, { attempt: attempt + 1, attempts })
    return { state: 'PENDING', line, due: now, itemCode: 'worker_lost' }
  }
  const line = say(taskLogs.attempts_used, language, { attempts })
  return { state: 'FAILURE', code: 'worker_lost', line, result: { error: line }, itemCode: 'worker_lost' }
}

/**
 * Ends the attempt of an execution whose row the transaction holds: state, items, keys and what is left of the log
 * change together.
 */
export async function writeEnding(
  db: Db,
  { events }: Pick<Services, 'events'>,
  job: JobRow,
  kind: JobKind<never>,
  wanted: Ending,
  parts: readonly string[] = [],
): Promise<void> {
  // It may have been cancelled after its work had decided to wait or to be tried again.
  const ending = wanted.state === 'PENDING' && job.cancel_requested ? canceled(job) : wanted
  const { state, result, code, line, due, isReturned, itemCode = 'canceled' } = ending
  const now = Date.now()
  await appendLog(db, job.id, line === undefined ? parts : [...parts, `${line}\r\n`])
  const change =
    state === 'PENDING'
      ? { state, date_due: due ?? now }
      : { state, result: JSON.stringify(result ?? null), error_code: code ?? null, date_finished: now }
  await db
    .updateTable('kernel_job')
    .set({
      ...change,
      date_lease: null,
      ...(isReturned ? { attempts_returned: Number(job.attempts_returned ?? 0) + 1 } : {}),
    })
    .where('id', '=', job.id)
    .execute()
  if (job.items_total !== null) await endItems(db, job, kind, state, itemCode, now)
  if (state !== 'PENDING') await recordJobEnd(db, job.name, { id: job.id, state, code: code ?? null, date: now })
  await releaseJobKeys(db, job.id)
  await events.send(db, jobLogged, { id: job.id, ended: state !== 'PENDING' })
}

async function endItems(
  db: Db,
  job: JobRow,
  { itemDelivery }: JobKind<never>,
  state: JobState,
  code: SystemErrorCode,
  now: number,
): Promise<void> {
  if (state === 'PENDING' && itemDelivery === 'idempotent') return returnRunningItems(db, job.id)
  const message = say(code === 'worker_stopped' ? taskLogs.item_interrupted : taskLogs.item_lost, languageOf(job))
  const lost = { now, running: 'LOST', code, message } as const
  if (state === 'PENDING') return endRunningItems(db, job.id, lost)
  await closeItems(db, job.id, itemDelivery === 'at-most-once' ? lost : { now, running: 'CANCELED', code: 'canceled' })
}

import { randomUUID } from 'node:crypto'
import { batches } from '../../db/batches.ts'
import type { Db } from '../../db/database.ts'
import { type ItemState, type SystemErrorCode, unsuccessfulStates } from './states.ts'
import type { JobItemRow, JobRow } from './tables.ts'

/** What an item is about. */
export interface ItemTarget {
  /** Its resource, such as `assets.asset`. */
  readonly type: string
  readonly id: string
  /** How reports and logs name it, also when it is gone. */
  readonly label: string
}

/** A target to be worked on. */
export interface NewItem {
  target: ItemTarget
  /** What the work needs beside the target. Stored as it is: secrets are sealed first. */
  payload?: unknown
  /** Where the work starts, if not at its beginning. */
  checkpoint?: unknown
}

/** How far the items of an execution are. `failed` counts those that failed or were lost. */
export interface Progress {
  total: number
  done: number
  failed: number
}

/** The progress that the row of an execution carries; undefined when it has no items. */
export function progressOf(job: Pick<JobRow, 'items_total' | 'items_done' | 'items_failed'>): Progress | undefined {
  if (job.items_total === null || job.items_total === undefined) return undefined
  return { total: Number(job.items_total), done: Number(job.items_done), failed: Number(job.items_failed) }
}

const stored = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** Adds the items of an execution, in this order. */
export async function insertItems(db: Db, jobId: string, items: readonly NewItem[]): Promise<void> {
  const rows = items.map(({ target, payload, checkpoint }, position) => ({
    id: randomUUID(),
    job_id: jobId,
    position,
    target_type: target.type,
    target_id: target.id,
    target_label: target.label,
    payload: stored(payload),
    checkpoint: stored(checkpoint),
    state: 'PENDING',
    attempts: 0,
  }))
  for (const some of batches(rows)) await db.insertInto('kernel_job_item').values(some).execute()
}

/** Items of an execution in their order, from a position on. */
export async function listItems(
  db: Db,
  jobId: string,
  options: { states?: readonly ItemState[]; from?: number; limit: number },
): Promise<JobItemRow[]> {
  let query = db
    .selectFrom('kernel_job_item')
    .selectAll()
    .$castTo<JobItemRow>()
    .where('job_id', '=', jobId)
    .where('position', '>=', options.from ?? 0)
  if (options.states) query = query.where('state', 'in', [...options.states])
  return query.orderBy('position').limit(options.limit).execute()
}

/** How many items of executions are in each state, by execution. */
export async function itemCounts(
  db: Db,
  jobIds: readonly string[],
): Promise<Map<string, Partial<Record<ItemState, number>>>> {
  const counts = new Map<string, Partial<Record<ItemState, number>>>()
  for (const some of batches(jobIds)) {
    const rows = await db
      .selectFrom('kernel_job_item')
      .select((eb) => ['job_id', 'state', eb.fn.countAll().as('count')])
      .where('job_id', 'in', some)
      .groupBy(['job_id', 'state'])
      .execute()
    for (const { job_id, state, count } of rows) counts.set(job_id, { ...counts.get(job_id), [state]: Number(count) })
  }
  return counts
}

/** Items to do again what did not succeed, for a new execution: from their checkpoints. */
export async function unfinishedItems(db: Db, jobId: string, states: readonly ItemState[]): Promise<NewItem[]> {
  const rows = await listItems(db, jobId, { states, limit: Number.MAX_SAFE_INTEGER })
  const read = (text: string | null) => (text === null ? undefined : JSON.parse(text))
  return rows.map((row) => ({
    target: { type: row.target_type, id: row.target_id, label: row.target_label },
    payload: read(row.payload),
    checkpoint: read(row.checkpoint),
  }))
}

/**
 * Counts an ended item that had not succeeded as a success: its work was done later, elsewhere. Returns the counts of its
 * execution then; undefined when there is no such item.
 */
export async function succeedItem(
  db: Db,
  jobId: string,
  targetId: string,
): Promise<Partial<Record<ItemState, number>> | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('kernel_job_item')
    .set({ state: 'SUCCESS', error: null, error_code: null })
    .where('job_id', '=', jobId)
    .where('target_id', '=', targetId)
    .where('state', 'in', [...unsuccessfulStates])
    .executeTakeFirst()
  const count = Number(numUpdatedRows)
  if (count === 0) return undefined
  await db
    .updateTable('kernel_job')
    .set((eb) => ({ items_failed: eb('items_failed', '-', count) }))
    .where('id', '=', jobId)
    .where('items_failed', '>=', count)
    .execute()
  return (await itemCounts(db, [jobId])).get(jobId)
}

/** How work that ended early is recorded. */
export interface Closing {
  now: number
  /** The state of items that were under way; the others were not begun and are cancelled. */
  running: ItemState
  code: SystemErrorCode
  /** Error text of the items that were running. */
  message?: string
}

/** Ends every item of an execution that has not ended, and sets the progress accordingly. */
export async function closeItems(db: Db, jobId: string, closing: Closing): Promise<void> {
  await endRunningItems(db, jobId, closing)
  const { numUpdatedRows } = await db
    .updateTable('kernel_job_item')
    .set({ state: 'CANCELED', error_code: 'canceled', date_finished: closing.now })
    .where('job_id', '=', jobId)
    .where('state', '=', 'PENDING')
    .executeTakeFirst()
  await countEnded(db, jobId, Number(numUpdatedRows), 0)
}

/** Ends the items of an execution that are under way. */
export async function endRunningItems(db: Db, jobId: string, { now, running, code, message }: Closing): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('kernel_job_item')
    .set({ state: running, error_code: code, error: message ?? null, date_finished: now })
    .where('job_id', '=', jobId)
    .where('state', '=', 'RUNNING')
    .executeTakeFirst()
  const ended = Number(numUpdatedRows)
  await countEnded(db, jobId, ended, running === 'FAILURE' || running === 'LOST' ? ended : 0)
}

/** Puts items that were under way back: they are done again from their checkpoints. */
export async function returnRunningItems(db: Db, jobId: string): Promise<void> {
  await db
    .updateTable('kernel_job_item')
    .set({ state: 'PENDING' })
    .where('job_id', '=', jobId)
    .where('state', '=', 'RUNNING')
    .execute()
}

/** Adds to the progress of an execution, in the transaction that ends its items. */
export async function countEnded(db: Db, jobId: string, done: number, failed: number): Promise<void> {
  if (done === 0) return
  await db
    .updateTable('kernel_job')
    .set((eb) => ({ items_done: eb('items_done', '+', done), items_failed: eb('items_failed', '+', failed) }))
    .where('id', '=', jobId)
    .execute()
}

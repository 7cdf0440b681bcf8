import type { Db } from '../../db/database.ts'
import type { JobState } from './states.ts'

/** How an execution ended. */
export interface JobEnd {
  readonly id: string
  readonly state: JobState
  /** What ended it early; null when its work ended. */
  readonly code: string | null
  /** Unix milliseconds. */
  readonly date: number
}

export type EndRecorder = (db: Db, end: JobEnd) => Promise<void>

const recorders = new Map<string, EndRecorder>()

/** Makes known what a kind of job records at its end; apart from the kinds, which the queue does not know. */
export function registerEnd(name: string, recorder: EndRecorder | undefined): void {
  if (recorder) recorders.set(name, recorder)
  else recorders.delete(name)
}

/** Records the end of an execution, in the transaction that ends it. */
export async function recordJobEnd(db: Db, name: string, end: JobEnd): Promise<void> {
  await recorders.get(name)?.(db, end)
}

import type { Db } from '../db/database.ts'
import type { Services } from './context.ts'
import { integer } from './fields/index.ts'
import { jobLogged } from './job-queue.ts'
import { defineSettings } from './setting-groups.ts'

export const taskLogs = defineSettings({
  changedBy: 'other category',
  fields: { TASK_LOG_KEEP_DAYS: integer({ default: 180, required: true, min: 1, max: 9999 }) },
})

/** Appends to a job's log and tells those who watch. */
export async function writeLog(
  { database, events }: Pick<Services, 'database' | 'events'>,
  id: string,
  line: string,
): Promise<void> {
  await database.transaction(async (db) => {
    await db
      .insertInto('kernel_job_log')
      .values({ job_id: id, text: `${line}\r\n`, date_created: Date.now() })
      .execute()
    await events.send(db, jobLogged, { id, ended: false })
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

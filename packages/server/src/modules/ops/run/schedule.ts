import { timingFrom } from '../../../kernel/jobs/crontab.ts'
import { setSchedule } from '../../../kernel/jobs/schedules.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { JobRow } from '../job-fields.ts'
import { runJob } from './kinds.ts'

type Scheduled = Pick<JobRow, 'id' | 'org_id' | 'creator_id' | 'is_periodic' | 'crontab' | 'interval' | 'instant'>

/** Sets the schedules of saved jobs. Their runs act for the job's creator, with the permissions they have then. */
export async function storeJobSchedule(ctx: Context, rows: readonly Scheduled[]): Promise<void> {
  for (const row of rows) {
    // Instant jobs have never had a schedule.
    if (row.instant) continue
    await setSchedule(
      ctx.inOrg(row.org_id),
      { type: 'ops.job', id: row.id },
      {
        job: runJob,
        payload: { job: row.id },
        enabled: row.is_periodic,
        creator: row.creator_id ?? 'System',
        ...timingFrom(row),
      },
    )
  }
}

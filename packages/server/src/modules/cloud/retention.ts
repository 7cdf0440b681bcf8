import { defineJob } from '../../kernel/jobs/kinds.ts'
import { sweepRows } from '../../kernel/jobs/retention.ts'
import { cleaning } from '../audits/index.ts'
import { syncExecution } from './execution.ts'

/** Nightly: deletes records of synchronizations that are older than the setting. The instances remain. */
export const sweepExecutions = defineJob<object>({
  name: 'xpack.sweep-sync-executions',
  delivery: 'idempotent',
  schedule: '40 2 * * *',
  timeout: 3_600_000,
  async run(ctx, _payload, job) {
    const days = cleaning.of(ctx).CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS
    const count = await sweepRows(ctx, syncExecution.table, 'date_created', days, job.signal)
    if (count > 0) await job.log(`${count} synchronizations`)
  },
})

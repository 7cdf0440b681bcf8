import { sweepChangeFeed } from '../events/change-feed.ts'
import { defineJob } from '../jobs/kinds.ts'
import { sweepJobs, taskLogs } from '../jobs/log.ts'
import { removeSchedulesOfDeleted } from '../jobs/schedules.ts'
import { pageLimits } from '../lists/query.ts'
import { rowsChanged, rowsSeen } from '../resource/changes.ts'
import { on } from './hooks.ts'
import { defineModule } from './module.ts'

const sweep = defineJob<object>({
  name: 'kernel.sweep',
  delivery: 'idempotent',
  every: 600_000,
  run: async (ctx) => {
    await ctx.services.kv.sweep()
    await ctx.services.events.sweep()
    await sweepChangeFeed(ctx.services.database)
    await sweepJobs(ctx.rawDb, taskLogs.of(ctx).TASK_LOG_KEEP_DAYS)
  },
})

/** What the kernel itself declares as modules do. It answers no address. */
export const kernel = defineModule({
  app: 'kernel',
  jobs: [sweep],
  settings: [pageLimits, taskLogs],
  hooks: [rowsChanged, rowsSeen],
  listens: [on(rowsChanged, removeSchedulesOfDeleted)],
})

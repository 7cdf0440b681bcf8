import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { defineJob } from '../../kernel/jobs/kinds.ts'
import { sweepDays, sweepRows } from '../../kernel/jobs/retention.ts'
import { rebuildDailyCounts } from '../../kernel/lists/daily-counts.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { activityTable } from './activity-log.ts'
import { ftpFolder, ftpLog } from './ftp-log.ts'
import { loginLog } from './login-log.ts'
import { operateLog } from './operate-log.ts'
import { cleaning } from './settings.ts'

const kept = [
  [cleaning.settings.LOGIN_LOG_KEEP_DAYS, loginLog.table, 'datetime'],
  [cleaning.settings.OPERATE_LOG_KEEP_DAYS, operateLog.table, 'datetime'],
  [cleaning.settings.ACTIVITY_LOG_KEEP_DAYS, activityTable.name, 'datetime'],
  [cleaning.settings.FTP_LOG_KEEP_DAYS, ftpLog.table, 'date_start'],
] as const

/** Nightly: deletes logs older than their setting, and with transfers the stored files. */
export const sweepLogs = defineJob<object>({
  name: 'audits.sweep-logs',
  delivery: 'idempotent',
  schedule: '0 2 * * *',
  timeout: 3_600_000,
  async run(ctx, _payload, job) {
    for (const [setting, table, column] of kept) {
      const days = setting.of(ctx)
      const counted = table === operateLog.table ? findResource(operateLog.key) : undefined
      const gone = await sweepRows(ctx, table, column, days, job.signal, 1, counted)
      if (gone > 0) await job.log(`${table}: ${gone}`)
    }
    await rebuildDailyCounts(ctx, findResource(operateLog.key))
    for (const day of await sweepDays(ftpFolder(ctx.services), cleaning.of(ctx).FTP_LOG_KEEP_DAYS))
      await rm(join(ftpFolder(ctx.services), day), { recursive: true, force: true })
  },
})

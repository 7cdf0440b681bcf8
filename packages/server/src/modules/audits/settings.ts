/** How long logs are kept. */
import { integer } from '../../kernel/fields/index.ts'
import { taskLogs } from '../../kernel/jobs/log.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'
import { sessionRetention } from '../terminal/index.ts'

export const cleaning = defineSettings({
  category: 'clean',
  permission: 'settings.change_clean',
  fields: {
    LOGIN_LOG_KEEP_DAYS: integer({ default: 180, required: true, min: 1, max: 9999 }),
    TASK_LOG_KEEP_DAYS: taskLogs.settings.TASK_LOG_KEEP_DAYS,
    OPERATE_LOG_KEEP_DAYS: integer({ default: 180, required: true, min: 1, max: 9999 }),
    FTP_LOG_KEEP_DAYS: integer({ default: 180, required: true, min: 1, max: 9999 }),
    CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS: integer({ default: 180, required: true, min: 1, max: 9999 }),
    JOB_EXECUTION_KEEP_DAYS: integer({ default: 180, required: true, min: 1, max: 9999 }),
    ACTIVITY_LOG_KEEP_DAYS: integer({ default: 180, required: true, min: 1, max: 9999 }),
    TERMINAL_SESSION_KEEP_DURATION: sessionRetention.settings.TERMINAL_SESSION_KEEP_DURATION,
  },
})

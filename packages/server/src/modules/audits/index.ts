import { auditsMessages } from '@castellan/contract/messages/audits'
import { ensureDailyCounts } from '../../kernel/lists/daily-counts.ts'
import { on } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { rowsChanged, rowsSeen } from '../../kernel/resource/changes.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { signInFinished } from '../authentication/index.ts'
import { sessionsStored } from '../terminal/index.ts'
import { passwordSet } from '../users/index.ts'
import { activitiesRoute } from './activities.ts'
import { activityTable } from './activity-log.ts'
import { ftpLog, ftpRoutes } from './ftp-log.ts'
import { loginLog, myLoginLog } from './login-log.ts'
import { recordLogin } from './login-record.ts'
import { operateDetailRoute } from './operate-detail.ts'
import { operateLog } from './operate-log.ts'
import { recordChanges } from './operate-record.ts'
import { passwordChangeLog, recordPasswordChange } from './password-change-log.ts'

export { cleaning } from './settings.ts'

import { sweepLogs } from './retention.ts'
import { recordSessionStart } from './session-activity.ts'
import { cleaning } from './settings.ts'
import { userSessionRoutes } from './user-sessions.ts'

export { type Activity, recordActivity } from './activity-log.ts'
export { recordTransfers } from './job-transfers.ts'
export { recordLogin } from './login-record.ts'
export { type Operation, recordOperate } from './operate-record.ts'
export { recordPasswordChange } from './password-change-log.ts'

export const audits = defineModule({
  app: 'audits',
  texts: auditsMessages,
  resources: [loginLog, myLoginLog, operateLog, passwordChangeLog, ftpLog],
  tables: [activityTable],
  jobs: [sweepLogs],
  listens: [
    on(rowsChanged, recordChanges),
    on(rowsSeen, recordChanges),
    on(signInFinished, recordLogin),
    on(passwordSet, recordPasswordChange),
    on(sessionsStored, recordSessionStart),
  ],
  settings: [cleaning],
  seed: (ctx) => ensureDailyCounts(ctx, findResource(operateLog.key)),
  routes: [operateDetailRoute, activitiesRoute, ...ftpRoutes, ...userSessionRoutes],
})

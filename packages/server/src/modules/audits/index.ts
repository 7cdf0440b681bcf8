import { auditsMessages } from '@castellan/contract/messages/audits'
import { onChange, onSeen } from '../../kernel/changes.ts'
import { ensureDailyCounts } from '../../kernel/daily-counts.ts'
import { defineModule } from '../../kernel/module.ts'
import { findResource } from '../../kernel/resource.ts'
import { onSignIn } from '../authentication/index.ts'
import { onSessionStart } from '../terminal/index.ts'
import { onPasswordSet } from '../users/index.ts'
import { activitiesRoute } from './activities.ts'
import { activityTable } from './activity-log.ts'
import { ftpLog, ftpRoutes } from './ftp-log.ts'
import { loginLog, myLoginLog, recordLogin } from './login-log.ts'
import { operateDetailRoute } from './operate-detail.ts'
import { operateLog } from './operate-log.ts'
import { recordChanges } from './operate-record.ts'
import { passwordChangeLog, recordPasswordChange } from './password-change-log.ts'
import './retention.ts'
import { recordSessionStart } from './session-activity.ts'
import { userSessionRoutes } from './user-sessions.ts'

export { type Activity, recordActivity } from './activity-log.ts'
export { recordLogin } from './login-log.ts'
export { type Operation, recordOperate } from './operate-record.ts'
export { recordPasswordChange } from './password-change-log.ts'

// Listening belongs to the module itself, not to a start of it: a program that starts twice must not write twice.
onChange(recordChanges)
onSeen(recordChanges)
onSignIn(recordLogin)
onPasswordSet(recordPasswordChange)
onSessionStart(recordSessionStart)

export const audits = defineModule({
  app: 'audits',
  texts: auditsMessages,
  resources: [loginLog, myLoginLog, operateLog, passwordChangeLog, ftpLog],
  tables: [activityTable],
  seed: (ctx) => ensureDailyCounts(ctx, findResource(operateLog.key)),
  routes: [operateDetailRoute, activitiesRoute, ...ftpRoutes, ...userSessionRoutes],
})

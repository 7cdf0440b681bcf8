import { detail, list } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

export const screens: readonly Screen[] = [
  screen(
    'OnlineSession',
    'onlineUsers',
    list(async () => (await import('./online-users.tsx')).list),
  ),
  screen(
    'FtpLog',
    'fileTransfers',
    list(async () => (await import('./file-transfers.tsx')).list),
  ),
  screen(
    'LoginLogList',
    'loginLogs',
    list(async () => (await import('./login-logs.tsx')).list),
  ),
  screen(
    'LoginLogDetail',
    'loginLogDetail',
    detail(async () => (await import('./login-logs.tsx')).detail),
  ),
  screen('OperateLogList', 'operateLogs', () => import('./operate-logs.tsx')),
  screen(
    'OperateLogDetail',
    'operateLogDetail',
    detail(async () => (await import('./operate-log-detail.tsx')).detail),
  ),
  screen(
    'PasswordChangeLog',
    'passwordLogs',
    list(async () => (await import('./password-logs.tsx')).list),
  ),
  screen('JobExecutionLog', 'jobLog', () => import('./job-logs.tsx')),
]

import type { Feature } from '../../kit/feature.ts'
import { detail, list } from '../../kit/resource.ts'

const view = 'audit' as const

export const features: readonly Feature[] = [
  {
    path: '/audit/online-user-session',
    name: 'OnlineSession',
    title: 'onlineUsers',
    view,
    permission: 'audits.view_usersession',
    menu: '',
    load: list(async () => (await import('./online-users.tsx')).list),
  },
  {
    path: '/audit/sessions/ftp',
    name: 'FtpLog',
    title: 'fileTransfers',
    view,
    permission: 'audits.view_ftplog',
    menu: 'sessions',
    load: list(async () => (await import('./file-transfers.tsx')).list),
  },
  {
    path: '/audit/audits/login-logs',
    name: 'LoginLogList',
    title: 'loginLogs',
    view,
    permission: 'audits.view_userloginlog',
    menu: 'logs',
    load: list(async () => (await import('./login-logs.tsx')).list),
  },
  {
    path: '/audit/audits/login-logs/:id',
    name: 'LoginLogDetail',
    title: 'loginLogDetail',
    view,
    permission: 'audits.view_userloginlog',
    load: detail(async () => (await import('./login-logs.tsx')).detail),
  },
  {
    path: '/audit/audits/operate-logs',
    name: 'OperateLogList',
    title: 'operateLogs',
    view,
    permission: 'audits.view_operatelog',
    menu: 'logs',
    load: () => import('./operate-logs.tsx'),
  },
  {
    path: '/audit/audits/operate-logs/:id',
    name: 'OperateLogDetail',
    title: 'operateLogDetail',
    view,
    permission: 'audits.view_operatelog',
    load: detail(async () => (await import('./operate-log-detail.tsx')).detail),
  },
  {
    path: '/audit/audits/password-change-log',
    name: 'PasswordChangeLog',
    title: 'passwordLogs',
    view,
    permission: 'audits.view_passwordchangelog',
    menu: 'logs',
    load: list(async () => (await import('./password-logs.tsx')).list),
  },
]

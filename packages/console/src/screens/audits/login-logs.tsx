import { pathOf } from '@castellan/contract/routes'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'
import { readOnly } from './read-only.ts'
import { clientOf } from './user-agent.ts'

const shared = {
  url: '/api/v1/audits/login-logs/',
  path: pathOf('LoginLogList'),
  resource: 'audits.userloginlog',
  noun: 'loginLog',
} as const
/** Success has no color: nearly all rows are successful. */
const outcome = (row: Row) => {
  const value = rawOf(row.status)
  const ok = value === true || value === 1 || value === '1' || value === 'True'
  const word = wordOf(row.status)
  return ok ? <span className="muted">{word}</span> : <Status is="danger">{word}</Status>
}

export const list: ListSpec = {
  ...shared,
  ...readOnly,
  id: 'LoginLogList',
  nameColumn: 'username',
  link: (row) => `${shared.path}/${row.id}`,
  mobileTime: 'datetime',
  shown: ['username', 'status', 'type', 'ip', 'city', 'mfa', 'backend_display', 'reason_display', 'datetime'],
  fixed: ['username', 'type'],
  hideFirst: ['backend_display', 'mfa', 'city'],
  exclude: ['backend'],
  secondary: (row) => <span data-full={wordOf(row.user_agent)}>{clientOf(wordOf(row.user_agent))}</span>,
  statusBadge: outcome,
  cells: {
    username: { width: 240 },
    status: { width: 110, render: outcome },
    ip: { mono: true, width: 130 },
    reason_display: { width: 180 },
    type: { width: 110 },
    mfa: { width: 110 },
  },
}

export const detail: DetailSpec = {
  ...shared,
  activity: false,
  update: false,
  remove: false,
  facts: [
    'username',
    'status',
    'ip',
    'city',
    'type',
    'mfa',
    'backend_display',
    'reason_display',
    'user_agent',
    'datetime',
    { name: 'id', mono: true },
  ],
}

import { pathOf } from '@castellan/contract/routes'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { rawOf, wordOf } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'
import type { WireRow } from '../../kit/wire.ts'
import { readOnly } from './read-only.ts'
import { clientOf } from './user-agent.ts'

const shared = {
  url: '/api/v1/audits/login-logs/',
  path: pathOf('LoginLogList'),
  resource: 'audits.userloginlog',
  noun: 'loginLog',
} as const
/** Success has no color: nearly all rows are successful. */
const outcome = (row: WireRow<typeof shared.url>) => {
  const value = rawOf(row.status)
  const ok = value === true || value === 1 || value === '1' || value === 'True'
  const word = wordOf(row.status)
  return ok ? <span className="muted">{word}</span> : <Status is="danger">{word}</Status>
}

export const list: ListSpec<WireRow<typeof shared.url>> = {
  ...shared,
  ...readOnly,
  id: 'LoginLogList',
  row: {
    ...readOnly.row,
    nameColumn: 'username',
    link: (row) => `${shared.path}/${row.id}`,
    secondary: {
      field: 'user_agent',
      render: (row) => <span data-full={wordOf(row.user_agent)}>{clientOf(wordOf(row.user_agent))}</span>,
    },
  },
  card: { time: 'datetime', badge: outcome },
  columns: {
    shown: ['username', 'status', 'type', 'ip', 'city', 'mfa', 'backend_display', 'reason_display', 'datetime'],
    fixed: ['username', 'type'],
    hideFirst: ['backend_display', 'mfa', 'city'],
    exclude: ['backend'],
    cells: {
      username: { width: 240 },
      status: { width: 110, render: outcome },
      ip: { mono: true, width: 130 },
      reason_display: { width: 180 },
      type: { width: 110 },
      mfa: { width: 110 },
    },
  },
}

export const detail: DetailSpec<WireRow<typeof shared.url>> = {
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

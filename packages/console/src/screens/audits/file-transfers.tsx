import { Download } from 'lucide-react'
import { AccountOf, Named } from '../../kit/cells.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { nameParts, wordOf } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { readOnly } from './read-only.ts'

const url = '/api/v1/audits/ftp-logs/'
const outcome = (row: WireRow<typeof url>) =>
  row.is_success === false ? (
    <Status is="danger">{t('failed')}</Status>
  ) : (
    <span className="muted">{t('succeeded')}</span>
  )

export const list: ListSpec<WireRow<typeof url>> = {
  ...readOnly,
  id: 'FtpLog',
  url,
  resource: 'audits.ftplog',
  noun: 'fileTransfer',
  texts: { empty: 'fileTransfersEmpty' },
  row: { ...readOnly.row, nameColumn: 'filename', tone: (row) => (row.is_success === false ? 'danger' : undefined) },
  card: {
    time: 'date_start',
    subtitle: (row) => `${wordOf(row.operate)} · ${nameParts(row.user).name} · ${nameParts(row.asset).name}`,
    badge: outcome,
  },
  columns: {
    shown: ['filename', 'operate', 'user', 'asset', 'account', 'remote_addr', 'date_start', 'is_success'],
    fixed: ['filename'],
    hideFirst: ['remote_addr', 'account'],
    cells: {
      filename: { width: 250, render: (row) => <span className="mono">{wordOf(row.filename)}</span> },
      operate: { width: 120 },
      user: { width: 150, render: (row) => <Named of={row.user} /> },
      asset: { width: 170, render: (row) => <Named of={row.asset} /> },
      account: { mono: true, width: 120, render: (row) => <AccountOf of={row.account} /> },
      remote_addr: { mono: true, width: 130 },
      is_success: { width: 110, render: outcome },
    },
  },
  actions: {
    ...readOnly.actions,
    row: [
      {
        key: 'download',
        label: () => t('download'),
        icon: <Download size={14} />,
        primary: true,
        visible: (row) => row.has_file === true,
        href: (row) => `${url}${row.id}/file/download/`,
      },
    ],
  },
}

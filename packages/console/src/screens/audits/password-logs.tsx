import { Named } from '../../kit/cells.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { nameParts } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { byPerson, nameOf } from './by-person.tsx'
import { readOnly } from './read-only.ts'

export const list: ListSpec<WireRow<'/api/v1/audits/password-change-logs/'>> = {
  ...readOnly,
  row: { ...readOnly.row, ...byPerson('user') },
  id: 'PasswordChangeLog',
  url: '/api/v1/audits/password-change-logs/',
  resource: 'audits.passwordchangelog',
  noun: 'passwordLog',
  card: { time: 'datetime', subtitle: (row) => t('changedBy', { name: nameParts(row.change_by).name }) },
  columns: {
    shown: ['user', 'change_by', 'remote_addr', 'datetime'],
    fixed: ['user', 'change_by'],
    cells: {
      user: nameOf('user'),
      change_by: { width: 220, render: (row) => <Named of={row.change_by} /> },
      remote_addr: { mono: true },
    },
  },
}

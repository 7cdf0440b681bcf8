import { Named } from '../../kit/cells.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { nameParts } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { byPerson, nameOf } from './by-person.tsx'
import { readOnly } from './read-only.ts'

export const list: ListSpec = {
  ...readOnly,
  ...byPerson('user'),
  id: 'PasswordChangeLog',
  url: '/api/v1/audits/password-change-logs/',
  resource: 'audits.passwordchangelog',
  noun: 'passwordLog',
  mobileTime: 'datetime',
  shown: ['user', 'change_by', 'remote_addr', 'datetime'],
  fixed: ['user', 'change_by'],
  mobileSubtitle: (row) => t('changedBy', { name: nameParts(row.change_by).name }),
  cells: {
    user: nameOf('user'),
    change_by: { width: 220, render: (row) => <Named of={row.change_by} /> },
    remote_addr: { mono: true },
  },
}

import type { ListSpec } from '../../kit/list/spec.ts'
import { readOnly } from './read-only.ts'

export const list: ListSpec = {
  ...readOnly,
  id: 'PasswordChangeLog',
  url: '/api/v1/audits/password-change-logs/',
  resource: 'audits.passwordchangelog',
  noun: 'passwordLog',
  nameColumn: 'user',
  moment: 'datetime',
  shown: ['user', 'change_by', 'remote_addr', 'datetime'],
  fixed: ['user', 'change_by'],
  cells: { user: { width: 260 }, change_by: { width: 260 }, remote_addr: { mono: true } },
}

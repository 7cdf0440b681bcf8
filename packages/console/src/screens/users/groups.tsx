import { pathOf } from '@castellan/contract/routes'
import { userSource } from '../../domain/acls/rule-attributes.ts'
import { Words } from '../../kit/cells.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordsOf } from '../../kit/row.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'

export const url = '/api/v1/users/groups/'
const shared = { url, path: pathOf('UserGroupList'), resource: 'users.usergroup', noun: 'group' } as const

export const list: ListSpec<WireRow<typeof url>> = {
  ...shared,
  id: 'UserGroupList',
  texts: { empty: 'groupsEmpty' },
  columns: {
    shown: ['name', 'users', 'comment', 'date_created'],
    fixed: ['name'],
    cells: {
      users: { width: 260, render: (row) => <Words of={wordsOf(row.users)} most={3} /> },
      comment: { width: 260 },
    },
  },
  actions: { create: { label: 'groupCreate' } },
  row: { secondary: 'comment' },
  bulk: { fields: ['comment'] },
}

export const form: FormSpec<WireForm<typeof url>> = {
  ...shared,
  groups: [{ key: 'basic', title: 'groupBasic', help: 'groupsHelp', fields: ['name', 'users', 'comment'] }],
  fields: {
    users: {
      source: { ...userSource, url: `${userSource.url}&order=name` },
    },
  },
}

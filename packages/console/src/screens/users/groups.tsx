import { pathOf } from '@castellan/contract/routes'
import { Words } from '../../kit/cells.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordsOf } from '../../kit/row.ts'
import { userSource } from '../../kit/rule-attributes.ts'

export const url = '/api/v1/users/groups/'
const shared = { url, path: pathOf('UserGroupList'), resource: 'users.usergroup', noun: 'group' } as const

export const list: ListSpec = {
  ...shared,
  id: 'UserGroupList',
  empty: 'groupsEmpty',
  shown: ['name', 'users', 'comment', 'date_created'],
  fixed: ['name'],
  create: { label: 'groupCreate' },
  cells: {
    users: { width: 260, render: (row) => <Words of={wordsOf(row.users)} most={3} /> },
    comment: { width: 260 },
  },
  secondary: 'comment',
  batchFields: ['comment'],
}

export const form: FormSpec = {
  ...shared,
  groups: [{ key: 'basic', title: 'groupBasic', help: 'groupsHelp', fields: ['name', 'users', 'comment'] }],
  fields: {
    users: {
      source: { ...userSource, url: `${userSource.url}&order=name` },
    },
  },
}

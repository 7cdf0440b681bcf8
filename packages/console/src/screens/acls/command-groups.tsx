import { pathOf } from '@castellan/contract/routes'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordOf } from '../../kit/row.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'

const shared = {
  url: '/api/v1/acls/command-groups/',
  path: pathOf('CommandGroupList'),
  resource: 'acls.commandgroup',
  noun: 'commandGroup',
} as const

export const list: ListSpec<WireRow<typeof shared.url>> = {
  ...shared,
  id: 'CommandGroupList',
  texts: { empty: 'commandGroupsEmpty' },
  columns: {
    shown: ['name', 'type', 'content', 'ignore_case', 'comment'],
    fixed: ['name'],
    cells: {
      content: {
        width: 340,
        mono: true,
        render: (row) => <span title={wordOf(row.content)}>{wordOf(row.content).replaceAll('\n', ' ⏎ ')}</span>,
      },
      type: { width: 130 },
    },
  },
  actions: { create: { label: 'commandGroupCreate', to: `${shared.path}/create` } },
  files: { import: false, export: false },
  row: { secondary: (row) => wordOf(row.type) },
}

export const form: FormSpec<WireForm<typeof shared.url>> = {
  ...shared,
  path: `${pathOf('CommandFilterAclList')}?activeTab=CommandGroup`,
  saved: { detail: (saved) => `${shared.path}/${saved.id}` },
  initial: () => ({ type: 'command', ignore_case: true }),
  groups: [
    {
      key: 'basic',
      title: 'groupBasic',
      help: 'commandGroupHelp',
      fields: ['name', 'type', 'content', 'ignore_case', 'comment'],
    },
  ],
  fields: { content: { widget: 'textarea', layout: { mono: true }, texts: { placeholder: 'rm -rf\nshutdown' } } },
}

export const detail: DetailSpec<WireRow<typeof shared.url>> = {
  ...shared,
  path: pathOf('CommandFilterAclList'),
  update: { to: (row) => `${shared.path}/${row.id}/update` },
  facts: [
    'name',
    'type',
    { name: 'content', render: (row) => <pre className="mono">{wordOf(row.content)}</pre> },
    'ignore_case',
    'comment',
  ],
}

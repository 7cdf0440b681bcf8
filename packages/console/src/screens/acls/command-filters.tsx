import { pathOf } from '@castellan/contract/routes'
import { ruleAction, ruleCells } from '../../domain/acls/rule-cells.tsx'
import { Words } from '../../kit/cells.tsx'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { wordsOf } from '../../kit/row.ts'
import type { WireForm, WireRow } from '../../kit/wire.ts'
import { activeSwitch, assetsTab, ruleAssets, ruleFields, usersTab } from './rules.tsx'

const path = pathOf('CommandFilterAclList')
const shared = {
  url: '/api/v1/acls/command-filter-acls/',
  path,
  resource: 'acls.commandfilteracl',
  noun: 'commandFilter',
} as const

export const list: ListSpec<WireRow<typeof shared.url>> = {
  ...shared,
  id: 'CommandFilterAclList',
  texts: { empty: 'commandFiltersEmpty', help: 'commandFiltersHelp' },
  columns: {
    shown: ['name', 'command_groups', 'action', 'priority', 'is_active', 'comment'],
    fixed: ['name'],
    exclude: ['users', 'assets', 'accounts'],
    cells: {
      command_groups: {
        width: 220,
        render: (row) => (
          <a href={`#${path}?activeTab=CommandGroup&command_filters=${row.id}`}>
            <Words of={wordsOf(row.command_groups)} />
          </a>
        ),
      },
      ...ruleCells,
    },
  },
  actions: { create: { label: 'commandFilterCreate' } },
  files: { import: false, export: false },
  card: { badge: ruleAction },
}

export const form: FormSpec<WireForm<typeof shared.url>> = {
  ...shared,
  initial: () => ({
    is_active: true,
    priority: 50,
    accounts: ['@ALL'],
    action: 'reject',
    users: { type: 'all' },
    assets: { type: 'all' },
  }),
  groups: [
    { key: 'basic', title: 'groupBasic', fields: ['name', 'priority'] },
    { key: 'what', title: 'filterWhat', help: 'filterWhatHelp', fields: ['command_groups', 'action', 'reviewers'] },
    { key: 'users', title: 'users', fields: ['users'] },
    { key: 'assets', title: 'assets', fields: ['assets', 'accounts'] },
    { key: 'other', title: 'groupOther', fields: ['is_active', 'comment'] },
  ],
  fields: {
    ...ruleFields,
    ...ruleAssets,
    command_groups: {
      validation: { required: true },
      source: { url: '/api/v1/acls/command-groups/?fields_size=mini' },
    },
  },
}

export const detail: DetailSpec<WireRow<typeof shared.url>> = {
  ...shared,
  facts: [
    'name',
    'priority',
    { name: 'action', render: ruleAction },
    'command_groups',
    'reviewers',
    'date_created',
    'created_by',
    'comment',
  ],
  sections: activeSwitch(shared.url, 'acls.change_commandfilteracl'),
  tabs: [usersTab, assetsTab],
}

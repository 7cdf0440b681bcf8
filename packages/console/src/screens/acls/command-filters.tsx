import { call } from '../../kit/api/client.ts'
import { Words } from '../../kit/cells.tsx'
import type { DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import type { FormSpec, Values } from '../../kit/form/spec.ts'
import { encodeRule } from '../../kit/form/widgets/rule.ts'
import { ListView } from '../../kit/list/ListView.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { type Row, rawOf, wordOf, wordsOf } from '../../kit/row.ts'
import { assetAttributes, assetSource, userAttributes, userSource } from '../../kit/rule-attributes.ts'
import { can } from '../../kit/session.ts'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'

const path = '/console/perms/cmd-acls'
const shared = {
  url: '/api/v1/acls/command-filter-acls/',
  path,
  resource: 'acls.commandfilteracl',
  noun: 'commandFilter',
} as const

function action(row: Row) {
  const value = rawOf(row.action)
  const tone = value === 'reject' ? 'danger' : value === 'accept' ? 'ok' : 'warning'
  return <Status is={tone}>{wordOf(row.action)}</Status>
}

export const list: ListSpec = {
  ...shared,
  id: 'CommandFilterAclList',
  empty: 'commandFiltersEmpty',
  shown: ['name', 'command_groups', 'action', 'priority', 'is_active', 'comment'],
  fixed: ['name'],
  exclude: ['users', 'assets', 'accounts'],
  create: { label: 'commandFilterCreate' },
  importing: false,
  exporting: false,
  cells: {
    command_groups: {
      width: 220,
      render: (row) => (
        <a href={`#${path}?activeTab=CommandGroup&command_filters=${row.id}`}>
          <Words of={wordsOf(row.command_groups)} />
        </a>
      ),
    },
    action: { width: 130, render: action },
    priority: { align: 'right', width: 90 },
    is_active: { falseWord: t('disabled'), width: 110 },
  },
  state: action,
}

const reviewed = (values: Values): boolean => ['review', 'warning', 'notice'].includes(String(rawOf(values.action)))

export const form: FormSpec = {
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
    name: { half: true },
    priority: { half: true, help: 'priorityHelp' },
    users: { label: 'users', widget: 'rule', source: userSource, with: { attributes: userAttributes } },
    assets: { label: 'assets', widget: 'rule', source: assetSource, with: { attributes: assetAttributes } },
    accounts: { widget: 'account-names', with: { virtual: false } },
    command_groups: { required: true, source: { url: '/api/v1/acls/command-groups/?fields_size=mini' } },
    reviewers: { required: reviewed, hidden: (values) => !reviewed(values), source: userSource },
  },
}

const rule = (id: string, url: string, value: unknown, shown: string[], to: string) => (
  <ListView
    spec={{
      id: `${id}-rule`,
      url,
      query: { attr_rules: encodeRule(value) },
      resource: id === 'users' ? 'users.user' : 'assets.asset',
      noun: id === 'users' ? 'user' : 'asset',
      shown,
      link: (row) => `${to}/${row.id}`,
      inAddress: false,
      selectable: false,
      update: false,
      clone: false,
      remove: false,
      importing: false,
      exporting: false,
    }}
  />
)

export const detail: DetailSpec = {
  ...shared,
  facts: [
    'name',
    'priority',
    { name: 'action', render: action },
    'command_groups',
    'reviewers',
    'is_active',
    'date_created',
    'created_by',
    'comment',
  ],
  sections: ({ row, reload }) => (
    <QuickActions
      actions={[
        {
          key: 'active',
          title: t('ruleActive'),
          on: row.is_active === true,
          disabled: !can('acls.change_commandfilteracl') && t('noRight'),
          run: () =>
            call(`${shared.url}${row.id}/`, { method: 'PATCH', body: { is_active: !row.is_active } }).then(reload),
        },
      ]}
    />
  ),
  tabs: [
    {
      key: 'Users',
      title: 'users',
      permission: 'users.view_user',
      render: ({ row }) =>
        rule(
          'users',
          '/api/v1/users/users/',
          row.users,
          ['name', 'username', 'email', 'groups', 'is_valid'],
          '/console/users/users',
        ),
    },
    {
      key: 'Assets',
      title: 'assets',
      permission: 'assets.view_asset',
      render: ({ row }) =>
        rule(
          'assets',
          '/api/v1/assets/assets/',
          row.assets,
          ['name', 'address', 'platform', 'type'],
          '/console/assets/assets',
        ),
    },
  ],
}

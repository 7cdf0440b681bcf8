/** Parts shared by all access rules: users, assets, action, reviewers. */

import type { PermissionCode } from '@castellan/contract/permissions'
import { pathOf } from '@castellan/contract/routes'
import { assetAttributes, assetSource, userAttributes, userSource } from '../../domain/acls/rule-attributes.ts'
import { type RuleRow, ruleAction, ruleCells } from '../../domain/acls/rule-cells.tsx'
import { call } from '../../kit/api/client.ts'
import type { DetailContext, DetailSpec } from '../../kit/detail/DetailPage.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import type { FieldSpecs, Values } from '../../kit/form/spec.ts'
import { encodeRule } from '../../kit/form/widgets/rule.ts'
import { ListView } from '../../kit/list/ListView.tsx'
import { inside } from '../../kit/list/spec.ts'
import { rawOf } from '../../kit/row.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

const reviewed = (values: Values): boolean => ['review', 'warning', 'notice'].includes(String(rawOf(values.action)))

export const ruleFields: FieldSpecs<RuleRow> = {
  name: { layout: { half: true } },
  priority: { layout: { half: true }, texts: { help: 'priorityHelp' } },
  users: {
    label: 'users',
    widget: 'rule',
    texts: { help: false },
    source: userSource,
    with: { attributes: userAttributes },
  },
  action: { texts: { help: false } },
  reviewers: {
    validation: { required: reviewed },
    state: { hidden: (values) => !reviewed(values) },
    source: userSource,
  },
}

export const ruleAssets: FieldSpecs<RuleRow> = {
  assets: { label: 'assets', widget: 'rule', source: assetSource, with: { attributes: assetAttributes } },
  accounts: { widget: 'account-names', texts: { help: false }, with: { virtual: false } },
}

/** Shared declaration of rule lists. */
export const ruleList = {
  columns: {
    shown: ['name', 'action', 'priority', 'is_active', 'comment'],
    fixed: ['name'],
    cells: ruleCells,
  },
  card: { badge: ruleAction },
  files: { import: false, export: false },
} as const

/** Removes reviewers from a rule whose action no longer needs them. */
export const withoutIdleReviewers = (body: Record<string, unknown>, values: Values): Record<string, unknown> =>
  reviewed(values) ? body : { ...body, reviewers: [] }

/** Enables and disables a rule on its page. */
export const activeSwitch = (url: string, permission: PermissionCode) =>
  function ActiveSwitch({ row, reload }: DetailContext) {
    return (
      <QuickActions
        actions={[
          {
            key: 'active',
            title: t('ruleActive'),
            on: row.is_active === true,
            disabled: !can(permission) && t('noRight'),
            run: () => call(`${url}${row.id}/`, { method: 'PATCH', body: { is_active: !row.is_active } }).then(reload),
          },
        ]}
      />
    )
  }

const matched = (id: 'users' | 'assets', url: string, value: unknown, shown: string[], to: string) => (
  <ListView
    spec={{
      id: `${id}-rule`,
      url,
      data: { query: { attr_rules: encodeRule(value) } },
      resource: id === 'users' ? 'users.user' : 'assets.asset',
      noun: id === 'users' ? 'user' : 'asset',
      columns: { shown },
      row: { link: (row) => `${to}/${row.id}` },
      ...inside,
    }}
  />
)

type DetailTab = NonNullable<DetailSpec['tabs']>[number]

export const usersTab: DetailTab = {
  key: 'Users',
  title: 'users',
  permission: 'users.view_user',
  render: ({ row }) =>
    matched(
      'users',
      '/api/v1/users/users/',
      row.users,
      ['name', 'username', 'email', 'groups', 'is_valid'],
      pathOf('UserList'),
    ),
}

export const assetsTab: DetailTab = {
  key: 'Assets',
  title: 'assets',
  permission: 'assets.view_asset',
  render: ({ row }) =>
    matched(
      'assets',
      '/api/v1/assets/assets/',
      row.assets,
      ['name', 'address', 'platform', 'type'],
      pathOf('AssetList'),
    ),
}

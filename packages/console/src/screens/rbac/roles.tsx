import { pathOf } from '@castellan/contract/routes'
import { TabbedListPage } from '../../kit/list/ListPage.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { firstTab } from '../../kit/page.tsx'
import { number, type Row } from '../../kit/row.ts'
import type { ScreenModule } from '../../kit/screen.ts'
import { can } from '../../kit/session.ts'
import type { WireRow } from '../../kit/wire.ts'

export type Scope = 'system' | 'org'
const path = pathOf('RoleList')

const listOf = (scope: Scope): ListSpec<WireRow<`/api/v1/rbac/${Scope}-roles/`>> => ({
  id: `RoleList-${scope}`,
  url: `/api/v1/rbac/${scope}-roles/`,
  path,
  resource: `rbac.${scope}role`,
  noun: 'role',
  row: { nameColumn: 'display_name', link: (row) => `${path}/${row.id}?scope=${scope}` },
  columns: {
    shown: ['display_name', 'users_amount', 'builtin', 'comment', 'date_updated'],
    fixed: ['display_name'],
    exclude: ['name'],
    cells: {
      users_amount: { align: 'right', width: 110, render: (row) => number(Number(row.users_amount ?? 0)) },
      builtin: { width: 100 },
      comment: { width: 300 },
    },
  },
  search: { exclude: ['scope'] },
  actions: {
    create: { label: 'roleCreate', to: `${path}/create?scope=${scope}` },
    update: { to: (row) => `${path}/${row.id}/update?scope=${scope}`, visible: (row) => !row.builtin },
    clone: { to: (row) => cloneOf(scope, row) },
    remove: { visible: (row: Row) => !row.builtin, batch: false },
  },
  bulk: false,
})

/** Form of a role copy. */
export const cloneOf = (scope: Scope, row: Row): string => `${path}/create?scope=${scope}&clone_from=${row.id}`

const tabs = [
  { key: 'SysRoleList', scope: 'system' },
  { key: 'OrgRoleList', scope: 'org' },
] as const

export const ask: ScreenModule['ask'] = (client, address) => {
  const tab = firstTab(
    tabs.filter(({ scope }) => can(`rbac.view_${scope}role`)),
    address,
  )
  if (tab) askAhead(client, listOf(tab.scope), address)
}

const tabOf = (scope: Scope) => <ListView spec={listOf(scope)} anywhere />

/** System roles and organization roles. */
export default function Roles() {
  return (
    <TabbedListPage
      tabs={[
        {
          key: 'SysRoleList',
          title: 'rolesSystem',
          visible: can('rbac.view_systemrole'),
          render: () => tabOf('system'),
        },
        { key: 'OrgRoleList', title: 'rolesOrg', visible: can('rbac.view_orgrole'), render: () => tabOf('org') },
      ]}
    />
  )
}

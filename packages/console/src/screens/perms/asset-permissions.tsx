import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { assetSource, userSource } from '../../domain/acls/rule-attributes.ts'
import { AccessButton } from '../../domain/perms/AccessButton.tsx'
import { permissionCells, permissionState } from '../../domain/perms/permission-cells.tsx'
import { Words } from '../../kit/cells.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { firstTab, PageHead, TabBar, useScreen, useTabs } from '../../kit/page.tsx'
import { number, wordsOf } from '../../kit/row.ts'
import type { ScreenModule } from '../../kit/screen.ts'
import { inRoot } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { AssetTree } from '../../kit/tree/AssetTree.tsx'
import { chosenBy, useChosenNode } from '../../kit/tree/chosen.ts'
import { queryOf } from '../../kit/tree/nodes.ts'
import { TreeBeside } from '../../kit/tree/TreeBeside.tsx'
import type { WireRow } from '../../kit/wire.ts'
import { Findings } from './findings.tsx'
import { path, url } from './permission.ts'

const choices = [
  { value: '1', label: t('yes') },
  { value: '0', label: t('no') },
]
const text = (field: string, label: string) => ({ field, label, editable: true })

const listOf = (query: Record<string, string>): ListSpec<WireRow<typeof url, 'action'>> => ({
  id: 'AssetPermissionList',
  url,
  path,
  data: { query },
  resource: 'perms.assetpermission',
  noun: 'assetPermission',
  texts: { empty: 'permissionsEmpty', help: 'permissionsHelp' },
  columns: {
    shown: ['name', 'users', 'user_groups', 'assets', 'nodes', 'accounts', 'is_valid'],
    fixed: ['name'],
    hideFirst: ['accounts', 'nodes', 'user_groups'],
    extra: ['action'],
    cells: {
      name: { sortable: true, width: 235 },
      ...permissionCells(),
      action: {
        label: t('actions'),
        width: 200,
        render: (row) => <Words of={wordsOf(row.actions).map((word) => word.replace(/\s*[(（].*$/, ''))} most={3} />,
      },
    },
  },
  row: { icon: () => <ShieldCheck size={16} className="kind" /> },
  actions: { create: { label: 'assetPermissionCreate', to: `${path}/create?${new URLSearchParams(query)}` } },
  card: { badge: permissionState },
  search: {
    filters: [
      text('name', t('name')),
      text('username', t('username')),
      text('user_group', t('group')),
      text('asset_name', t('asset')),
      text('address', t('address')),
      text('accounts', t('accounts')),
      { field: 'is_valid', label: t('valid'), choices, editable: false },
      {
        field: 'expires_within',
        label: t('expiresWithin'),
        choices: ['3', '7', '30'].map((days) => ({ value: days, label: t('expiresWithinDays', { days }) })),
        editable: false,
      },
      { field: 'is_effective', label: t('effective'), choices, editable: false },
    ],
    exclude: ['id', 'org_id'],
  },
  bulk: {
    fields: ['users', 'user_groups', 'assets', 'nodes', 'actions', 'is_active', 'date_start', 'date_expired'],
    fieldSpecs: {
      users: { source: userSource },
      user_groups: { source: { url: '/api/v1/users/groups/' } },
      assets: { source: assetSource },
      nodes: { source: { url: '/api/v1/assets/nodes/', label: (row) => String(row.full_value) } },
    },
  },
})

/** The list, filtered by the selected node or asset. */
function Permissions({ onTotal }: { onTotal: (total: number) => void }) {
  const [node, setNode] = useChosenNode()
  const query = node ? queryOf(node, false) : {}
  return (
    <TreeBeside
      id="AssetPermissionList"
      chosen={node}
      onChoose={setNode}
      tree={(choose) => (
        <AssetTree url="/api/v1/assets/nodes/children/tree/?assets=1" selected={node?.id} onSelect={choose} />
      )}
    >
      <ListView spec={listOf(query)} onTotal={onTotal} />
    </TreeBeside>
  )
}

export const ask: ScreenModule['ask'] = (client, address) => {
  const node = chosenBy(address)
  const tab = firstTab([{ key: 'AssetPermissionList' }, { key: 'PermissionFindings' }], address)
  if (tab?.key === 'AssetPermissionList') askAhead(client, listOf(node ? queryOf(node, false) : {}), address)
}

/** Asset permissions and findings. */
export default function AssetPermissions() {
  const screen = useScreen()
  const [total, setTotal] = useState<number>()
  const { visible, active, open } = useTabs([
    { key: 'AssetPermissionList', title: 'assetPermissions', render: () => <Permissions onTotal={setTotal} /> },
    {
      key: 'PermissionFindings',
      title: 'findings',
      visible: !inRoot(),
      render: () => (
        <div className="tab-body">
          <Findings />
        </div>
      ),
    },
  ])
  return (
    <div className="page list-page">
      <PageHead title={t(screen.title)} count={total === undefined ? '' : number(total)}>
        <AccessButton />
      </PageHead>
      <TabBar tabs={visible} active={active?.key} onOpen={open} />
      {active?.render()}
    </div>
  )
}

import { pathOf } from '@castellan/contract/routes'
import { ListPlus } from 'lucide-react'
import { call } from '../../kit/api/client.ts'
import { Time } from '../../kit/cells.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import type { Acting, ListSpec } from '../../kit/list/spec.ts'
import { at, wordOf } from '../../kit/row.ts'
import { can, inRoot } from '../../kit/session.ts'
import { Status } from '../../kit/status.tsx'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'
import { AssetTree } from '../../kit/tree/AssetTree.tsx'
import { useChosenNode } from '../../kit/tree/chosen.ts'
import { justHere, queryOf } from '../../kit/tree/nodes.ts'
import { TreeBeside } from '../../kit/tree/TreeBeside.tsx'
import type { WireRow } from '../../kit/wire.ts'
import { AutomationPage, automationTabs } from './automation/page.tsx'
import { gatherScreens } from './gather-screens.ts'

const url = '/api/v1/accounts/gathered-accounts/'

/** Adds found accounts to the accounts of their assets. */
async function sync({ rows, reload, clear }: Acting<WireRow<typeof url>>): Promise<void> {
  await call(`${url}sync-accounts/`, { method: 'POST', body: { gathered_account_ids: rows.map(({ id }) => id) } })
  toast.ok(t('gatheredSynced'))
  clear()
  reload()
}

/** In words that need no column title: cards have none. */
const presence = (row: WireRow<typeof url>) => (
  <Status is={row.present ? 'ok' : 'idle'}>{t(row.present ? 'gatheredPresent' : 'gatheredGone')}</Status>
)

function gatheredList(query: Record<string, string> | undefined): ListSpec<WireRow<typeof url>> {
  const mayAdd = can('accounts.add_gatheredaccount') && !inRoot()
  return {
    id: 'AccountGatherList',
    url,
    resource: 'accounts.gatheredaccount',
    noun: 'gatheredAccount',
    texts: { empty: 'gatheredEmpty', help: 'gatheredHelp' },
    data: { query },
    row: {
      nameColumn: 'asset',
      title: (row) => `${wordOf(row.username)} · ${wordOf(row.asset)}`,
      link: (row) => (can('assets.view_asset') ? pathOf('AssetDetail', String(at(row, 'asset.id'))) : undefined),
    },
    columns: {
      shown: ['asset', 'username', 'date_last_login', 'present', 'address_last_login', 'date_updated'],
      fixed: ['asset', 'username'],
      cells: {
        asset: { width: 220, render: (row) => wordOf(row.asset) },
        username: { mono: true, width: 180 },
        present: { width: 110, render: presence },
        address_last_login: { width: 150, mono: true },
        date_last_login: { width: 170, render: (row) => <Time value={row.date_last_login} /> },
        date_updated: { width: 170, render: (row) => <Time value={row.date_updated} /> },
      },
    },
    search: { exclude: ['asset'] },
    card: {
      subtitle: (row) => <span className="mono">{wordOf(row.username)}</span>,
      badge: presence,
      time: 'date_updated',
    },
    actions: {
      update: false,
      clone: false,
      row: [
        {
          key: 'sync',
          label: () => t('gatheredSync'),
          icon: <ListPlus size={14} />,
          visible: () => mayAdd,
          run: (row, acting) => sync({ ...acting, rows: [row] }),
        },
      ],
    },
    files: { import: false, export: false },
    bulk: { actions: [{ key: 'sync', label: t('gatheredSync'), visible: mayAdd, run: sync }] },
  }
}

/** Accounts that were found, with the tree of assets. */
function Gathered() {
  const [node, setNode] = useChosenNode()
  return (
    <TreeBeside
      id="AccountGatherList"
      chosen={node}
      onChoose={setNode}
      tree={(choose) => (
        <AssetTree
          url="/api/v1/assets/nodes/children/tree/?assets=1"
          searchable
          selected={node?.id}
          onSelect={choose}
        />
      )}
    >
      <ListView spec={gatheredList(node ? queryOf(node, justHere()) : undefined)} />
    </TreeBeside>
  )
}

/** Collected accounts, the plans that collect them, and their executions. */
export default function Gather() {
  return (
    <AutomationPage
      screens={gatherScreens}
      tabs={[
        {
          key: 'AccountGatherList',
          title: 'gatheredAccounts',
          permission: 'accounts.view_gatheredaccount',
          render: () => <Gathered />,
        },
        ...automationTabs(gatherScreens),
      ]}
    />
  )
}

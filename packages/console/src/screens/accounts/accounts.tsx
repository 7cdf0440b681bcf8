import { useState } from 'react'
import { AccountTable } from '../../domain/accounts/AccountTable.tsx'
import { accountsOrder, accountsUrl } from '../../domain/accounts/address.ts'
import { ListView } from '../../kit/list/ListView.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import { firstTab, PageHead, TabBar, useScreen, useTabs } from '../../kit/page.tsx'
import { number } from '../../kit/row.ts'
import type { ScreenModule } from '../../kit/screen.ts'
import { t } from '../../kit/text.ts'
import { AssetTree } from '../../kit/tree/AssetTree.tsx'
import { chosenBy, useChosenNode } from '../../kit/tree/chosen.ts'
import { queryOf } from '../../kit/tree/nodes.ts'
import { TreeBeside } from '../../kit/tree/TreeBeside.tsx'
import { TreeKinds, useTreeKind } from '../../kit/tree/TreeKinds.tsx'
import { list as virtualAccounts, virtualTab } from './virtual-accounts.tsx'

const accountsTab = 'AccountList'

export const ask: ScreenModule['ask'] = (client, address) => {
  if (firstTab([{ key: accountsTab }, { key: virtualTab }], address)?.key !== accountsTab) return
  const node = chosenBy(address)
  askAhead(client, { url: accountsUrl, data: { order: accountsOrder, query: node && queryOf(node, false) } }, address)
}

/** Accounts of all assets, with side trees to filter them. */
function AssetAccounts({ onTotal }: { onTotal: (total: number) => void }) {
  const [node, setNode] = useChosenNode()
  const [kind, setKind] = useTreeKind(node, setNode)
  const url =
    kind === 'nodes'
      ? '/api/v1/assets/nodes/children/tree/?assets=1'
      : '/api/v1/assets/nodes/category/tree/?assets=1&count_resource=account'
  return (
    <TreeBeside
      id="AssetAccountList"
      chosen={node}
      onChoose={setNode}
      tree={(choose) => (
        <>
          <TreeKinds kind={kind} onChange={setKind} />
          <AssetTree key={kind} url={url} searchable={kind === 'nodes'} selected={node?.id} onSelect={choose} />
        </>
      )}
    >
      <AccountTable query={node ? queryOf(node, false) : undefined} onTotal={onTotal} />
    </TreeBeside>
  )
}

/** Accounts of assets, and the virtual accounts. */
export default function Accounts() {
  const screen = useScreen()
  const [total, setTotal] = useState<number>()
  const { visible, active, open } = useTabs([
    { key: accountsTab, title: 'assetAccounts', render: () => <AssetAccounts onTotal={setTotal} /> },
    {
      key: virtualTab,
      title: 'virtualAccounts',
      permission: 'accounts.view_virtualaccount',
      render: () => (
        <div className="tab-body">
          <ListView spec={virtualAccounts} onTotal={setTotal} />
        </div>
      ),
    },
  ])
  return (
    <div className="page list-page">
      <PageHead title={t(screen.title)} count={total === undefined ? '' : number(total)} />
      <TabBar tabs={visible} active={active?.key} onOpen={open} />
      {active?.render()}
    </div>
  )
}

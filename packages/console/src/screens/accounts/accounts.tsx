import { useState } from 'react'
import { AccountTable } from '../../kit/accounts/AccountTable.tsx'
import { accountsOrder, accountsUrl } from '../../kit/accounts/address.ts'
import type { LoadedScreen } from '../../kit/feature.ts'
import { askAhead } from '../../kit/list/queries.ts'
import { PageHead, useFeature } from '../../kit/page.tsx'
import { number } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { AssetTree } from '../../kit/tree/AssetTree.tsx'
import { chosenBy, useChosenNode } from '../../kit/tree/chosen.ts'
import { queryOf } from '../../kit/tree/nodes.ts'
import { TreeBeside } from '../../kit/tree/TreeBeside.tsx'
import { TreeKinds, useTreeKind } from '../../kit/tree/TreeKinds.tsx'

export const ask: LoadedScreen['ask'] = (client, address) => {
  const node = chosenBy(address)
  askAhead(client, { url: accountsUrl, order: accountsOrder, query: node && queryOf(node, false) }, address)
}

/** Accounts of all assets, with side trees to filter them. */
export default function Accounts() {
  const feature = useFeature()
  const [node, setNode] = useChosenNode()
  const [kind, setKind] = useTreeKind(node, setNode)
  const [total, setTotal] = useState<number>()
  const url =
    kind === 'nodes'
      ? '/api/v1/assets/nodes/children/tree/?assets=1'
      : '/api/v1/assets/nodes/category/tree/?assets=1&count_resource=account'
  return (
    <div className="page list-page">
      <PageHead title={t(feature.title)} count={total === undefined ? '' : number(total)} />
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
        <AccountTable query={node ? queryOf(node, false) : undefined} onTotal={setTotal} />
      </TreeBeside>
    </div>
  )
}

import { Segmented } from 'antd'
import { useState } from 'react'
import { AccountTable } from '../../kit/accounts/AccountTable.tsx'
import { useNarrow } from '../../kit/media.ts'
import { PageHead, useFeature } from '../../kit/page.tsx'
import { number } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { AssetTree } from '../../kit/tree/AssetTree.tsx'
import { queryOf, type TreeNode } from '../../kit/tree/nodes.ts'

/** Accounts of every asset, beside the trees that find them. */
export default function Accounts() {
  const feature = useFeature()
  const narrow = useNarrow()
  const [kind, setKind] = useState<'nodes' | 'types'>('nodes')
  const [node, setNode] = useState<TreeNode>()
  const [total, setTotal] = useState<number>()
  const table = (
    <AccountTable
      query={node ? queryOf(node, false) : undefined}
      head={(list) => {
        if (!list.loading && list.total !== total) queueMicrotask(() => setTotal(list.total))
        return null
      }}
    />
  )
  const choose = (next: 'nodes' | 'types') => {
    setKind(next)
    setNode(undefined)
  }
  const url =
    kind === 'nodes'
      ? '/api/v1/assets/nodes/children/tree/?assets=1'
      : '/api/v1/assets/nodes/category/tree/?assets=1&count_resource=account'
  return (
    <div className="page list-page">
      <PageHead title={t(feature.title)} count={total === undefined ? undefined : number(total)} />
      {narrow ? (
        table
      ) : (
        <div className="with-tree">
          <aside className="tree">
            <Segmented
              block
              value={kind}
              onChange={choose}
              options={[
                { value: 'nodes', label: t('nodes') },
                { value: 'types', label: t('types') },
              ]}
            />
            <AssetTree key={kind} url={url} searchable={kind === 'nodes'} selected={node?.id} onSelect={setNode} />
          </aside>
          <div className="list">{table}</div>
        </div>
      )}
    </div>
  )
}

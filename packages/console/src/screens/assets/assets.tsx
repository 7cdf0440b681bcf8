import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import type { LoadedScreen } from '../../kit/feature.ts'
import { ListView } from '../../kit/list/ListView.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import { firstTab, PageHead, type Tab, TabBar, useFeature, useTabs } from '../../kit/page.tsx'
import { staleAfter } from '../../kit/query-freshness.ts'
import { number } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { AssetTree } from '../../kit/tree/AssetTree.tsx'
import { chosenBy, useChosenNode } from '../../kit/tree/chosen.ts'
import { justHere, queryOf, type TreeNode } from '../../kit/tree/nodes.ts'
import { TreeBeside } from '../../kit/tree/TreeBeside.tsx'
import { TreeKinds, useTreeKind } from '../../kit/tree/TreeKinds.tsx'
import { assetsUrl, listOf } from './asset-list.tsx'
import { NodeDialogs, useNodeMenu } from './node-menu.tsx'
import { PlatformPicker } from './PlatformPicker.tsx'

const nodeTree = '/api/v1/assets/nodes/children/tree/?assets=0'
const typeTree = '/api/v1/assets/nodes/category/tree/?assets=0&count_resource=asset'

const addressOf = (category: string): string => `/api/v1/assets/${category}s/`

interface Category {
  value: string
  label: string
}

/** What narrows the list of all assets: the node chosen in the tree, else what another screen's link names. */
const narrowed = (node: TreeNode | undefined, address: URLSearchParams): Record<string, string> =>
  node ? queryOf(node, justHere()) : { node_id: address.get('node') ?? '', asset_id: address.get('asset') ?? '' }

export const ask: LoadedScreen['ask'] = (client, address) => {
  const tab = firstTab([{ key: 'all' }, { key: 'host' }], address)
  const all = { url: assetsUrl, query: narrowed(chosenBy(address), address) }
  askAhead(client, tab?.key === 'host' ? { url: addressOf('host'), query: {} } : all, address)
}

/** Tree of nodes beside the assets in them. */
function AllAssets() {
  const [params] = useSearchParams()
  const [node, setNode] = useChosenNode()
  const [kind, setKind] = useTreeKind(node, setNode)
  const [turn, setTurn] = useState(0)
  const [picking, setPicking] = useState(false)
  const menu = useNodeMenu(() => setTurn(turn + 1))
  const query = narrowed(node, params)
  const create = { label: 'hostCreate', run: () => setPicking(true) } as const
  const nodeId = node?.meta.type === 'node' ? node.meta.data?.id : undefined
  return (
    <>
      <TreeBeside
        id="AssetList"
        chosen={node}
        onChoose={setNode}
        tree={(choose) => (
          <>
            <TreeKinds kind={kind} onChange={setKind} />
            {kind === 'nodes' ? (
              <AssetTree
                key="nodes"
                url={nodeTree}
                selected={node?.id}
                onSelect={choose}
                menu={menu.items}
                onRename={menu.rename}
                onMove={menu.move}
              />
            ) : (
              <AssetTree key="types" url={typeTree} searchable={false} selected={node?.id} onSelect={choose} />
            )}
          </>
        )}
      >
        <ListView key={turn} spec={{ ...listOf(assetsUrl, query), create, importing: false }} />
      </TreeBeside>
      <NodeDialogs menu={menu} />
      {picking && <PlatformPicker node={nodeId} onClose={() => setPicking(false)} />}
    </>
  )
}

function OneCategory({ category }: { category: string }) {
  const [picking, setPicking] = useState(false)
  const create = category === 'host' ? ({ label: 'hostCreate', run: () => setPicking(true) } as const) : undefined
  return (
    <>
      <ListView spec={{ ...listOf(addressOf(category), {}, `AssetList-${category}`), create }} />
      {picking && <PlatformPicker category={category} onClose={() => setPicking(false)} />}
    </>
  )
}

/** Assets: all of them by node or type, or one category. */
export default function Assets() {
  const feature = useFeature()
  const categories = useQuery({
    queryKey: ['categories', ...audience()],
    queryFn: () => call<Category[]>('/api/v1/assets/categories/', { quiet: true }),
    staleTime: staleAfter(600_000),
  })
  const total = useQuery({
    queryKey: ['list', assetsUrl, 'total', ...audience()],
    queryFn: () =>
      call<{ count: number }>(assetsUrl, { query: { limit: 1, offset: 0, fields_size: 'mini' }, quiet: true }),
  })
  const known = (categories.data ?? []).filter((category) => category.value === 'host')
  const tabs: Tab[] = [
    { key: 'all', title: 'all', render: () => <AllAssets /> },
    ...known.map(
      (category): Tab => ({
        key: category.value,
        title: 'hosts',
        render: () => <OneCategory category={category.value} />,
      }),
    ),
  ]
  const { visible, active, open } = useTabs(tabs, 'all')
  return (
    <div className="page list-page">
      <PageHead title={t(feature.title)} count={total.data ? number(total.data.count) : ''} />
      <TabBar tabs={visible} active={active?.key} onOpen={open} />
      <div className="tab-body" key={active?.key}>
        {active?.render()}
      </div>
    </div>
  )
}

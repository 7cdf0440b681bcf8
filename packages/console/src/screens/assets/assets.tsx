import { type AssetCategory, assetCategories } from '@castellan/contract/asset-types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { ListView } from '../../kit/list/ListView.tsx'
import { askAhead } from '../../kit/list/queries.ts'
import { firstTab, PageHead, type Tab, TabBar, useScreen, useTabs } from '../../kit/page.tsx'
import { staleAfter } from '../../kit/query-freshness.ts'
import { number } from '../../kit/row.ts'
import type { ScreenModule } from '../../kit/screen.ts'
import { t } from '../../kit/text.ts'
import { AssetTree } from '../../kit/tree/AssetTree.tsx'
import { chosenBy, useChosenNode } from '../../kit/tree/chosen.ts'
import { justHere, queryOf, type TreeNode } from '../../kit/tree/nodes.ts'
import { TreeBeside } from '../../kit/tree/TreeBeside.tsx'
import { TreeKinds, useTreeKind } from '../../kit/tree/TreeKinds.tsx'
import { assetsUrl, listOf } from './asset-list.tsx'
import { CloudSync } from './CloudSync.tsx'
import { collectionOf } from './categories.ts'
import { NodeDialogs, useNodeMenu } from './node-menu.tsx'
import { PlatformPicker } from './PlatformPicker.tsx'

const nodeTree = '/api/v1/assets/nodes/children/tree/?assets=0'
const typeTree = '/api/v1/assets/nodes/category/tree/?assets=0&count_resource=asset'

interface Category {
  value: AssetCategory
}

/** Filter of the asset list: the selected tree node, otherwise the parameters of a link from another screen. */
const narrowed = (node: TreeNode | undefined, address: URLSearchParams): Record<string, string> =>
  node ? queryOf(node, justHere()) : { node_id: address.get('node') ?? '', asset_id: address.get('asset') ?? '' }

export const ask: ScreenModule['ask'] = (client, address) => {
  const tab = firstTab([{ key: 'all' }, ...assetCategories.map((key) => ({ key }))], address)
  const category = assetCategories.find((one) => one === tab?.key)
  const all = { url: assetsUrl, data: { query: narrowed(chosenBy(address), address) } }
  askAhead(client, category ? { url: collectionOf(category), data: { query: {} } } : all, address)
}

/** Assets beside the node tree. */
function AllAssets() {
  const [params] = useSearchParams()
  const [node, setNode] = useChosenNode()
  const [kind, setKind] = useTreeKind(node, setNode)
  const [turn, setTurn] = useState(0)
  const [picking, setPicking] = useState(false)
  const menu = useNodeMenu(() => setTurn(turn + 1), setNode)
  const all = listOf(assetsUrl, narrowed(node, params))
  const create = { label: 'assetCreate', run: () => setPicking(true) } as const
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
        <ListView
          key={turn}
          spec={{
            ...all,
            actions: { ...all.actions, create },
            files: { import: { elsewhere: 'assetImportElsewhere' } },
          }}
        />
      </TreeBeside>
      <NodeDialogs menu={menu} />
      {picking && <PlatformPicker node={nodeId} onClose={() => setPicking(false)} />}
    </>
  )
}

function OneCategory({ category }: { category: AssetCategory }) {
  const [picking, setPicking] = useState(false)
  const spec = listOf(collectionOf(category), {}, `AssetList-${category}`, category)
  const create = { label: `${category}Create`, run: () => setPicking(true) } as const
  return (
    <>
      <ListView
        spec={{
          ...spec,
          actions: { ...spec.actions, create, ...(category === 'host' ? { toolbar: CloudSync } : {}) },
        }}
      />
      {picking && <PlatformPicker category={category} onClose={() => setPicking(false)} />}
    </>
  )
}

/** Assets: all by node or type, or one category. */
export default function Assets() {
  const screen = useScreen()
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
  // Until it is known which are offered, all are: an address that opens one must not show another list first.
  const offered = new Set(categories.data?.map(({ value }) => value) ?? assetCategories)
  const tabs: Tab[] = [
    { key: 'all', title: 'all', render: () => <AllAssets /> },
    ...assetCategories
      .filter((category) => offered.has(category))
      .map(
        (category): Tab => ({
          key: category,
          title: `${category}s`,
          render: () => <OneCategory category={category} />,
        }),
      ),
  ]
  const { visible, active, open } = useTabs(tabs, 'all')
  return (
    <div className="page list-page">
      <PageHead title={t(screen.title)} count={total.data ? number(total.data.count) : ''} />
      <TabBar tabs={visible} active={active?.key} onOpen={open} />
      <div className="tab-body" key={active?.key}>
        {active?.render()}
      </div>
    </div>
  )
}

/** Asset selection: the node tree on the left, the assets of the selected node on the right. */
import { useState } from 'react'
import { useMobile } from '../../browser/media.ts'
import { PickDialog } from '../list/PickDialog.tsx'
import type { Picking } from '../list/spec.ts'
import { type Row, wordOf } from '../row.ts'
import { AssetTree } from './AssetTree.tsx'
import { justHere, queryOf, type TreeNode } from './nodes.ts'
import { TreeBeside } from './TreeBeside.tsx'

export default function AssetPicker({
  url,
  ...dialog
}: {
  /** List of selectable assets, with the query of the node. */
  url: string
  title: string
  verb?: string
  chosen?: ReadonlyMap<string, Row>
  may?: Picking['may']
  atLeast?: number
  onClose: () => void
  onPick: (rows: Row[]) => unknown
}) {
  const mobile = useMobile()
  const [node, setNode] = useState<TreeNode>()
  const columns = ['name', 'address', 'platform']
  return (
    <PickDialog
      {...dialog}
      around={(rows) => (
        <TreeBeside
          id="AssetPicker"
          chosen={node}
          onChoose={setNode}
          folds={mobile}
          tree={(choose) => (
            <AssetTree url="/api/v1/assets/nodes/children/tree/?assets=0" selected={node?.id} onSelect={choose} />
          )}
        >
          {rows}
        </TreeBeside>
      )}
      spec={{
        id: 'AssetPicker',
        url,
        data: { query: node ? queryOf(node, justHere()) : undefined },
        resource: 'assets.asset',
        noun: 'asset',
        texts: { empty: 'assetsNoneHere' },
        columns: {
          only: columns,
          shown: columns,
          cells: { address: { mono: true }, platform: { render: (row) => wordOf(row.platform) } },
        },
      }}
    />
  )
}

/** Assets to choose: the tree of nodes at the left, the assets of the chosen node at the right (components sheet §8.2). */
import { ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { PickDialog } from '../list/PickDialog.tsx'
import type { Picking } from '../list/spec.ts'
import { useMobile } from '../media.ts'
import { type Row, wordOf } from '../row.ts'
import { t } from '../text.ts'
import { AssetTree } from './AssetTree.tsx'
import { justHere, queryOf, splitCount, type TreeNode } from './nodes.ts'

export default function AssetPicker({
  url,
  ...dialog
}: {
  /** List of what may be chosen, with the query that narrows it. */
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
  const [open, setOpen] = useState(false)
  const choose = (next: TreeNode) => {
    setNode(next)
    setOpen(false)
  }
  const columns = ['name', 'address', 'platform']
  const tree = <AssetTree url="/api/v1/assets/nodes/children/tree/?assets=0" selected={node?.id} onSelect={choose} />
  return (
    <PickDialog
      {...dialog}
      aside={
        mobile ? (
          <Folded open={open} onOpen={setOpen} chosen={node && splitCount(node).name}>
            {tree}
          </Folded>
        ) : (
          tree
        )
      }
      spec={{
        id: 'AssetPicker',
        url,
        query: node ? queryOf(node, justHere()) : undefined,
        resource: 'assets.asset',
        noun: 'asset',
        empty: 'assetsNoneHere',
        only: columns,
        shown: columns,
        cells: { address: { mono: true }, platform: { render: (row) => wordOf(row.platform) } },
      }}
    />
  )
}

/** Where there is no room beside the rows, the tree opens above them and closes again once a node is chosen. */
function Folded({
  open,
  onOpen,
  chosen,
  children,
}: {
  open: boolean
  onOpen: (open: boolean) => void
  chosen?: string
  children: ReactNode
}) {
  return (
    <>
      <button type="button" className="fold" aria-expanded={open} onClick={() => onOpen(!open)}>
        {open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
        <b>{t('nodes')}</b>
        {chosen && <span className="clip">{chosen}</span>}
      </button>
      {/* What was opened of the tree stays opened. */}
      <div className="folded-tree" hidden={!open}>
        {children}
      </div>
    </>
  )
}

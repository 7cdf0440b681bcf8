/** A tree beside the list it filters. On narrow screens it collapses to a line above the rows. */
import { Button } from 'antd'
import { ChevronDown, ChevronRight, X } from 'lucide-react'
import { type CSSProperties, type ReactNode, useMemo, useState } from 'react'
import { useTreeFolds } from '../../browser/media.ts'
import { useSideWidth } from '../../browser/side-width.ts'
import { t } from '../text.ts'
import { isKind } from './chosen.ts'
import { splitCount, type TreeNode } from './nodes.ts'

interface Props {
  /** Kind of screen, each with its own tree width. */
  id: string
  chosen: TreeNode | undefined
  onChoose: (node: TreeNode | undefined) => void
  /** Receives a function to select a node; `undefined` clears the selection. */
  tree: (choose: (node: TreeNode) => void) => ReactNode
  /** What is chosen, if it is not one node. */
  summary?: string
  /** Depends on the window width by default. */
  folds?: boolean
  children: ReactNode
}

export function TreeBeside(props: Props) {
  const narrow = useTreeFolds()
  return (props.folds ?? narrow) ? <Folding {...props} /> : <Beside {...props} />
}

function Beside({ id, onChoose, tree, children }: Props) {
  const { width, edge } = useSideWidth(id, t('treeWidth'))
  // While dragging, only the width changes, however many nodes are visible.
  const nodes = useMemo(() => tree(onChoose), [tree, onChoose])
  return (
    <div className="with-tree" style={{ '--side-width': `${width}px` } as CSSProperties}>
      <aside className="tree" aria-label={t('nodes')}>
        {nodes}
      </aside>
      <div className="list">{children}</div>
      <div className="side-edge" {...edge} />
    </div>
  )
}

function Folding({ children, ...folded }: Props) {
  return (
    <div className="with-tree folds">
      <aside className="tree" aria-label={t('nodes')}>
        <Folded {...folded} />
      </aside>
      <div className="list">{children}</div>
    </div>
  )
}

/** Shows the selected node; expands in place and collapses after a selection. */
function Folded({ chosen, onChoose, tree, summary }: Omit<Props, 'children'>) {
  const [open, setOpen] = useState(false)
  // A tree that is never opened loads nothing. Expanded nodes stay expanded.
  const [opened, setOpened] = useState(false)
  return (
    <>
      <div className="fold-line">
        <button
          type="button"
          className="fold"
          aria-expanded={open}
          onClick={() => {
            setOpen(!open)
            setOpened(true)
          }}
        >
          {open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
          <b>{t(isKind(chosen) ? 'types' : 'nodes')}</b>
          <span className="clip">{summary ?? (chosen ? splitCount(chosen).name : t('all'))}</span>
        </button>
        {chosen && (
          <Button
            type="text"
            icon={<X size={14} />}
            aria-label={t('nodesAll')}
            title={t('nodesAll')}
            onClick={() => onChoose(undefined)}
          />
        )}
      </div>
      <div className="folded-tree" hidden={!open}>
        {opened &&
          tree((node) => {
            onChoose(node)
            setOpen(false)
          })}
      </div>
    </>
  )
}

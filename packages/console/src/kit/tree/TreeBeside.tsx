/** A tree beside the list it narrows; where there is no room beside, it folds to a line above the rows. */
import { Button } from 'antd'
import { ChevronDown, ChevronRight, X } from 'lucide-react'
import { type CSSProperties, type ReactNode, useMemo, useState } from 'react'
import { useTreeFolds } from '../media.ts'
import { useSideWidth } from '../side-width.ts'
import { t } from '../text.ts'
import { isKind } from './chosen.ts'
import { splitCount, type TreeNode } from './nodes.ts'

interface Props {
  /** Kind of screen: each remembers a width of its own for its tree. */
  id: string
  chosen: TreeNode | undefined
  onChoose: (node: TreeNode | undefined) => void
  /** Is given what to do with a choice; `undefined` takes the choice back. */
  tree: (choose: (node: TreeNode) => void) => ReactNode
  /** Decided by the window's width when absent. */
  folds?: boolean
  children: ReactNode
}

export function TreeBeside(props: Props) {
  const narrow = useTreeFolds()
  return (props.folds ?? narrow) ? <Folding {...props} /> : <Beside {...props} />
}

function Beside({ id, onChoose, tree, children }: Props) {
  const { width, edge } = useSideWidth(id, t('treeWidth'))
  // While it is dragged only its width changes, however many nodes it shows.
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

/** Says what is chosen; opens in place and closes again once a node is chosen. */
function Folded({ chosen, onChoose, tree }: Omit<Props, 'children'>) {
  const [open, setOpen] = useState(false)
  // Nothing is read for a tree nobody opens; what was opened of it stays opened.
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
          <span className="clip">{chosen ? splitCount(chosen).name : t('all')}</span>
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

/** A tree beside the list it narrows; where there is no room beside, it folds to a line above the rows. */
import { Button } from 'antd'
import { ChevronDown, ChevronRight, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTreeFolds } from '../media.ts'
import { t } from '../text.ts'
import { isKind } from './chosen.ts'
import { splitCount, type TreeNode } from './nodes.ts'

/** `tree` is given what to do with a choice; `undefined` takes the choice back. */
export function TreeBeside({
  chosen,
  onChoose,
  tree,
  folds,
  children,
}: {
  chosen: TreeNode | undefined
  onChoose: (node: TreeNode | undefined) => void
  tree: (choose: (node: TreeNode) => void) => ReactNode
  /** Decided by the window's width when absent. */
  folds?: boolean
  children: ReactNode
}) {
  const narrow = useTreeFolds()
  const fold = folds ?? narrow
  return (
    <div className={fold ? 'with-tree folds' : 'with-tree'}>
      <aside className="tree" aria-label={t('nodes')}>
        {fold ? <Folded chosen={chosen} onChoose={onChoose} tree={tree} /> : tree(onChoose)}
      </aside>
      <div className="list">{children}</div>
    </div>
  )
}

/** Says what is chosen; opens in place and closes again once a node is chosen. */
function Folded({ chosen, onChoose, tree }: Pick<Parameters<typeof TreeBeside>[0], 'chosen' | 'onChoose' | 'tree'>) {
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

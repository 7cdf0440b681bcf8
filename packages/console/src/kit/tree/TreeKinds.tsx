/** The tree of nodes or the tree of types beside a list, depending on the selection. */
import { Segmented } from 'antd'
import { useState } from 'react'
import { t } from '../text.ts'
import { isKind } from './chosen.ts'
import type { TreeNode } from './nodes.ts'

export type TreeKind = 'nodes' | 'types'

/** The tree with the selected node, also from the address; without a selection, the last one shown. */
export function useTreeKind(
  chosen: TreeNode | undefined,
  choose: (node: undefined) => void,
): [TreeKind, (kind: TreeKind) => void] {
  const [last, setLast] = useState<TreeKind>(isKind(chosen) ? 'types' : 'nodes')
  const kind = chosen ? (isKind(chosen) ? 'types' : 'nodes') : last
  return [
    kind,
    (next) => {
      setLast(next)
      choose(undefined)
    },
  ]
}

export function TreeKinds({ kind, onChange }: { kind: TreeKind; onChange: (kind: TreeKind) => void }) {
  return (
    <Segmented
      block
      aria-label={t('treeKind')}
      value={kind}
      onChange={onChange}
      options={[
        { value: 'nodes', label: t('nodes') },
        { value: 'types', label: t('types') },
      ]}
    />
  )
}

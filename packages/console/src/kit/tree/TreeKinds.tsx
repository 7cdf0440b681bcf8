/** Beside a list stands the tree of nodes or that of types; which of them follows what is chosen. */
import { Segmented } from 'antd'
import { useState } from 'react'
import { t } from '../text.ts'
import { isKind } from './chosen.ts'
import type { TreeNode } from './nodes.ts'

export type TreeKind = 'nodes' | 'types'

/** The tree that holds what is chosen, in the address too; the one looked at last while nothing is. */
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

/** Nodes or assets chosen in a tree, for lists that a user may not read. */
import { Modal } from 'antd'
import { Check, Folder } from 'lucide-react'
import { useState } from 'react'
import type { Row } from '../row.ts'
import { t } from '../text.ts'
import { AssetTree } from './AssetTree.tsx'
import type { TreeNode } from './nodes.ts'

/** A chosen row keeps its place in the tree, so that its box is checked when the dialog opens again. */
const nodeOf = (row: Row, kind: string): TreeNode => ({
  id: String(row.key ?? row.id),
  name: String(row.name ?? row.id),
  isParent: kind === 'node',
  meta: { type: kind, data: { id: row.id } },
})
const rowOf = (node: TreeNode): Row => ({ id: node.meta.data?.id ?? node.id, key: node.id, name: node.name })

/** Marks assets that the user is granted already. */
const mark = (node: TreeNode) => {
  if (node.meta.type === 'node') return <Folder size={14} />
  const { granted } = (node.meta.data ?? {}) as { granted?: boolean }
  return granted ? <Check size={14} className="granted" role="img" aria-label={t('alreadyGranted')} /> : null
}

export default function TreePicker({
  url,
  searchUrl,
  kind,
  title,
  chosen,
  onClose,
  onPick,
}: {
  /** Answers a level of the tree to `key`, and a part of it to `search`. */
  url: string
  /** Address of the search, if it is not that of the tree. */
  searchUrl?: string
  kind: 'node' | 'asset'
  title: string
  chosen: readonly Row[]
  onClose: () => void
  onPick: (rows: Row[]) => void
}) {
  const [picked, setPicked] = useState<ReadonlyMap<string, TreeNode>>(
    new Map(chosen.map((row) => [String(row.key ?? row.id), nodeOf(row, kind)])),
  )
  return (
    <Modal
      open
      title={title}
      mask={{ closable: false }}
      okText={t('chooseCount', { count: picked.size })}
      cancelText={t('cancel')}
      onCancel={onClose}
      onOk={() => onPick([...picked.values()].map(rowOf))}
    >
      <div className="tree-picker">
        <AssetTree
          url={url}
          searchUrl={searchUrl}
          onSelect={() => undefined}
          icon={mark}
          checks={{ chosen: picked, onChange: setPicked, only: kind }}
        />
      </div>
    </Modal>
  )
}

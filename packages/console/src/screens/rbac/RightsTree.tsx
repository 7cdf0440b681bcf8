import { Input, Tree, type TreeDataNode } from 'antd'
import { ChevronDown, Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { t } from '../../kit/text.ts'
import { follow, leavesOf, type Right } from './permission-tree.ts'

const matches = (right: Right, needle: string): boolean =>
  !needle ||
  right.name.toLowerCase().includes(needle) ||
  right.code.toLowerCase().includes(needle) ||
  right.children.some((child) => matches(child, needle))

function nodes(rights: readonly Right[], ticked: ReadonlySet<string>, needle: string): TreeDataNode[] {
  return rights
    .filter((right) => matches(right, needle))
    .map((right) => {
      const leaves = leavesOf([right])
      const own = !needle || right.name.toLowerCase().includes(needle)
      return {
        key: right.id,
        disableCheckbox: right.locked,
        title: right.leaf ? (
          <span title={right.code}>{right.name}</span>
        ) : (
          <span className="node">
            <span className="clip">{right.name}</span>
            <em>
              {leaves.filter((leaf) => ticked.has(leaf.id)).length}/{leaves.length}
            </em>
          </span>
        ),
        children: right.leaf ? undefined : nodes(right.children, ticked, own ? '' : needle),
      }
    })
}

/**
 * Checked and half-checked boxes, computed from the permissions: with `checkStrictly`, Ant Design leaves the boxes of
 * parents empty.
 */
function boxes(rights: readonly Right[], ticked: ReadonlySet<string>): { checked: string[]; halfChecked: string[] } {
  const checked: string[] = []
  const halfChecked: string[] = []
  const mark = (right: Right): void => {
    const leaves = leavesOf([right])
    const count = leaves.filter((leaf) => ticked.has(leaf.id)).length
    if (count > 0) (count === leaves.length ? checked : halfChecked).push(right.id)
    if (!right.leaf) right.children.forEach(mark)
  }
  rights.forEach(mark)
  return { checked, halfChecked }
}

/** Permission tree with checkboxes, search and counts. Selecting a permission selects those it requires. */
export function RightsTree({
  rights,
  ticked,
  onTick,
  locked,
  height,
}: {
  rights: readonly Right[]
  /** Ids of leaves. */
  ticked: ReadonlySet<string>
  onTick: (ticked: ReadonlySet<string>) => void
  locked: boolean
  /** In pixels; only visible rows are rendered. */
  height: number
}) {
  const [text, setText] = useState('')
  const needle = text.trim().toLowerCase()
  const leaves = useMemo(() => leavesOf(rights), [rights])
  const data = useMemo(() => nodes(rights, ticked, needle), [rights, ticked, needle])
  const marks = useMemo(() => boxes(rights, ticked), [rights, ticked])
  return (
    <>
      <Input
        allowClear
        prefix={<Search size={14} />}
        placeholder={t('rightsFind')}
        aria-label={t('rightsFind')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        // Enter searches; it must not submit the form around it.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {data.length === 0 && <p className="muted small">{t('treeEmpty')}</p>}
      <Tree
        blockNode
        checkable
        selectable={false}
        motion={false}
        height={height}
        disabled={locked}
        switcherIcon={<ChevronDown size={14} />}
        key={needle}
        defaultExpandAll={needle !== ''}
        defaultExpandedKeys={rights
          .flatMap((right) => [right.id, ...right.children.map((child) => child.id)])
          .slice(0, 8)}
        checkStrictly
        checkedKeys={marks}
        treeData={data}
        onCheck={(_, { node, checked }) => {
          const right = find(rights, String(node.key))
          if (!right) return
          const next = new Set(ticked)
          for (const leaf of leavesOf([right])) {
            if (!matches(leaf, needle) && needle) continue
            if (checked) next.add(leaf.id)
            else next.delete(leaf.id)
          }
          onTick(follow(leaves, ticked, next))
        }}
      />
    </>
  )
}

function find(rights: readonly Right[], id: string): Right | undefined {
  for (const right of rights) {
    const found = right.id === id ? right : find(right.children, id)
    if (found) return found
  }
  return undefined
}

import { useQuery } from '@tanstack/react-query'
import { Button, Input, Skeleton, Tree, type TreeDataNode } from 'antd'
import { Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { call } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { audience } from '../../kit/api/metadata.ts'
import { flash } from '../../kit/flash.ts'
import { Failed } from '../../kit/list/states.tsx'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import type { TreeNode } from '../../kit/tree/nodes.ts'
import { follow, leavesOf, type Right, rightsTree } from './permission-tree.ts'
import type { Scope } from './roles.tsx'

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
 * Which boxes are ticked and which half: counted from the rights themselves, for a tree that may not be changed leaves
 * the boxes above its leaves empty.
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

/** What a role may do: searchable, with counts; ticking one right ticks what it needs. */
export function PermissionTree({ id, scope, builtin }: { id: string; scope: Scope; builtin: boolean }) {
  const url = `/api/v1/rbac/${scope}-roles/${id}/`
  const read = useQuery({
    queryKey: ['role-rights', url, ...audience()],
    queryFn: () => call<TreeNode[]>(`${url}permissions/tree/`, { quiet: true }),
    staleTime: 0,
  })
  const rights = useMemo(() => rightsTree(read.data ?? []), [read.data])
  const leaves = useMemo(() => leavesOf(rights), [rights])
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [dirty, setDirty] = useState(false)
  const [saving, setSaving] = useState(false)
  const [text, setText] = useState('')
  useEffect(() => {
    setTicked(new Set(leaves.filter((leaf) => leaf.checked).map((leaf) => leaf.id)))
    setDirty(false)
  }, [leaves])
  const needle = text.trim().toLowerCase()
  const data = useMemo(() => nodes(rights, ticked, needle), [rights, ticked, needle])
  const marks = useMemo(() => boxes(rights, ticked), [rights, ticked])
  const locked = builtin || !can(`rbac.change_${scope}role`)
  if (read.isPending) return <Skeleton active title={false} paragraph={{ rows: 10 }} />
  if (read.error) return <Failed error={read.error} retry={() => void read.refetch()} />

  const save = async () => {
    setSaving(true)
    try {
      const ids = leaves
        .filter((leaf) => ticked.has(leaf.id))
        .map((leaf) => (/^\d+$/.test(leaf.id) ? Number(leaf.id) : leaf.id))
      await call(url, { method: 'PATCH', body: { permissions: ids } })
      flash.ok(t('saved'))
      await read.refetch()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    } finally {
      setSaving(false)
    }
  }
  return (
    <section className="rights">
      <div className="section-head">
        <h2>{t('rights')}</h2>
        <span className="count">
          {ticked.size}/{leaves.length}
        </span>
        <div className="grow" />
        {!locked && (
          <Button type="primary" disabled={!dirty} loading={saving} onClick={() => void save()}>
            {t('rightsSave')}
          </Button>
        )}
      </div>
      {builtin && <p className="muted small">{t('rightsBuiltin')}</p>}
      <Input
        allowClear
        prefix={<Search size={14} />}
        placeholder={t('rightsFind')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Tree
        blockNode
        checkable
        selectable={false}
        motion={false}
        height={560}
        disabled={locked}
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
          setTicked(follow(leaves, ticked, next))
          setDirty(true)
        }}
      />
    </section>
  )
}

function find(rights: readonly Right[], id: string): Right | undefined {
  for (const right of rights) {
    const found = right.id === id ? right : find(right.children, id)
    if (found) return found
  }
  return undefined
}

/** A tree of nodes or types beside a list: loaded level by level, searched on the server. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Dropdown, Input, type MenuProps, Skeleton, Tree, type TreeDataNode } from 'antd'
import { ChevronDown, RefreshCw, Search } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { withQuery } from '../api/client.ts'
import { ApiError, attempt } from '../api/errors.ts'
import { audience } from '../api/metadata.ts'
import { number } from '../row.ts'
import { t } from '../text.ts'
import { useDebounced } from '../use-debounced.ts'
import { type Branch, branches, loadNodes, openAtFirst, replaceBranch, splitCount, type TreeNode } from './nodes.ts'

export interface TreeHandle {
  reload: () => void
  /** Loads the children of a node again. */
  refresh: (node: TreeNode) => Promise<void>
  rename: (node: TreeNode) => void
  insert: (parent: TreeNode, child: TreeNode) => void
  drop: (node: TreeNode) => void
}

export interface TreeProps {
  url: string
  /** Search on the server; other trees are filtered in the browser. */
  searchable?: boolean
  selected?: string
  onSelect: (node: TreeNode) => void
  menu?: (node: TreeNode, tree: TreeHandle) => MenuProps['items']
  onRename?: (node: TreeNode, value: string) => Promise<unknown>
  onMove?: (nodes: TreeNode, target: TreeNode) => Promise<unknown>
  icon?: (node: TreeNode) => ReactNode
  /** Address of the search, if it is not that of the tree. */
  searchUrl?: string
  /** The answer is the whole tree: no level is loaded on demand. */
  whole?: boolean
  /**
   * Boxes at the nodes: those that are checked by key, and a function that receives them after a change. `only`: the
   * kind that has boxes, each for itself.
   */
  checks?: {
    chosen: ReadonlyMap<string, TreeNode>
    onChange: (chosen: ReadonlyMap<string, TreeNode>) => void
    only?: 'node' | 'asset'
  }
}

type Data = TreeDataNode & { branch: Branch; children?: Data[] }

/** The initial load is retried while the server rebuilds the tree (409) or is unreachable. */
const retry = (count: number, error: unknown): boolean =>
  count < 20 && error instanceof ApiError && (error.status === 409 || error.status === 0)

export function AssetTree({
  url,
  searchUrl = url,
  searchable = true,
  selected,
  onSelect,
  menu,
  onRename,
  onMove,
  icon,
  checks,
  whole = false,
}: TreeProps) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), 600)
  const asking = searchable && search !== ''
  const key = ['tree', url, asking ? search : '', ...audience()]
  const read = useQuery({
    queryKey: key,
    queryFn: () => loadNodes(asking ? withQuery(searchUrl, { all: 'all', search }) : url),
    retry,
    retryDelay: 5000,
  })
  const [list, setList] = useState<Branch[]>([])
  const [open, setOpen] = useState<string[]>([])
  const [renaming, setRenaming] = useState<string>()
  useEffect(() => {
    if (!read.data) return
    const next = branches(read.data)
    setList(next)
    const only = next.length === 1 ? next.map(({ key }) => key) : []
    setOpen((old) => [...new Set([...old, ...openAtFirst(next, asking), ...only])])
  }, [read.data, asking])

  const load = async (branch: Branch) => {
    const children = await loadNodes(url, branch.node)
    const below = branches(children.filter((node) => node.id !== branch.key))
    setList((old) => replaceBranch(old, branch.key, (it) => ({ ...it, children: below })))
  }
  const handle: TreeHandle = {
    reload: () => {
      setText('')
      void client.invalidateQueries({ queryKey: ['tree', url] })
    },
    refresh: (node) => load({ node, key: node.id }),
    rename: (node) => setRenaming(node.id),
    insert: (parent, child) => {
      setList((old) =>
        replaceBranch(old, parent.id, (it) => ({
          ...it,
          node: { ...it.node, isParent: true },
          children: [{ node: child, key: child.id, children: [] }, ...(it.children ?? [])],
        })),
      )
      setOpen((old) => [...old, parent.id])
      setRenaming(child.id)
    },
    drop: (node) => setList((old) => replaceBranch(old, node.id, () => undefined)),
  }
  const rename = async (node: TreeNode, value: string) => {
    setRenaming(undefined)
    const name = value.trim()
    if (!name || name === splitCount(node).name || !onRename) return
    if (!(await attempt(() => onRename(node, name)))) return
    const { count } = splitCount(node)
    setList((old) =>
      replaceBranch(old, node.id, (it) => ({
        ...it,
        node: {
          ...it.node,
          name: count === undefined ? name : `${name} (${count})`,
          meta: { ...it.node.meta, data: { ...it.node.meta.data, value: name } },
        },
      })),
    )
  }
  const needle = searchable ? '' : text.trim().toLowerCase()
  const only = checks?.only
  const data = useMemo(() => toData(list, needle, only), [list, needle, only])
  if (read.isPending) return <Skeleton active title={false} paragraph={{ rows: 6 }} />
  return (
    <>
      <div className="join">
        <Input
          allowClear
          size="middle"
          prefix={<Search size={14} />}
          placeholder={t('treeFind')}
          aria-label={t('treeFind')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          type="text"
          icon={<RefreshCw size={14} />}
          aria-label={t('refresh')}
          title={t('refresh')}
          onClick={handle.reload}
        />
      </div>
      {read.error && (
        <p className="muted small" role="alert">
          {read.error instanceof Error ? read.error.message : null}
        </p>
      )}
      {data.length === 0 && <p className="muted small">{t('treeEmpty')}</p>}
      <Tree<Data>
        blockNode
        motion={false}
        treeData={data}
        expandedKeys={open}
        onExpand={(keys) => setOpen(keys.map(String))}
        selectedKeys={selected ? [selected] : []}
        switcherIcon={<ChevronDown size={14} />}
        loadData={whole ? undefined : (item) => (item.branch.children ? Promise.resolve() : load(item.branch))}
        checkable={checks !== undefined}
        checkStrictly={only !== undefined}
        checkedKeys={checks ? [...checks.chosen.keys()].filter((key) => isIn(list, key)) : []}
        onCheck={(_keys, { checkedNodes }) => checks?.onChange(checkedIn(list, checks.chosen, checkedNodes))}
        draggable={onMove ? { icon: false } : false}
        onDrop={(info) => {
          if (!onMove || info.dropToGap) return
          const move = () => onMove(info.dragNode.branch.node, info.node.branch.node)
          void attempt(move).then((moved) => moved && handle.reload())
        }}
        onSelect={(_, info) => onSelect(info.node.branch.node)}
        titleRender={(item) => (
          <NodeTitle
            node={item.branch.node}
            icon={icon?.(item.branch.node)}
            renaming={renaming === item.key}
            onRename={(value) => void rename(item.branch.node, value)}
            items={menu?.(item.branch.node, handle)}
          />
        )}
      />
    </>
  )
}

const isIn = (list: readonly Branch[], key: string): boolean =>
  list.some((branch) => branch.key === key || isIn(branch.children ?? [], key))

/** What is checked after a change: nodes that a search hides stay. */
function checkedIn(
  list: readonly Branch[],
  before: ReadonlyMap<string, TreeNode>,
  checked: readonly Data[],
): ReadonlyMap<string, TreeNode> {
  const hidden = [...before].filter(([key]) => !isIn(list, key))
  return new Map([...hidden, ...checked.map(({ branch }) => [branch.key, branch.node] as const)])
}

/** Keeps matches and their ancestors. */
function toData(list: readonly Branch[], needle: string, only?: string): Data[] {
  return list.flatMap((branch) => {
    const children = branch.children ? toData(branch.children, needle, only) : undefined
    const hit = !needle || branch.node.name.toLowerCase().includes(needle)
    if (!hit && !children?.length) return []
    const isLeaf = !branch.node.isParent && !children?.length
    return [{ key: branch.key, branch, children, isLeaf, checkable: !only || branch.node.meta.type === only }]
  })
}

function NodeTitle({
  node,
  icon,
  renaming,
  onRename,
  items,
}: {
  node: TreeNode
  icon?: ReactNode
  renaming: boolean
  onRename: (value: string) => void
  items?: MenuProps['items']
}) {
  const { name, count } = splitCount(node)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (renaming) input.current?.select()
  }, [renaming])
  if (renaming) {
    return (
      <input
        ref={input}
        className="node-name"
        defaultValue={name}
        aria-label={t('rename')}
        // biome-ignore lint/a11y/noAutofocus: the name was just asked for
        autoFocus
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Enter') onRename(event.currentTarget.value)
          if (event.key === 'Escape') onRename('')
        }}
        onBlur={(event) => onRename(event.currentTarget.value)}
      />
    )
  }
  const title = (
    <span className="node" title={node.title ?? name}>
      {icon}
      <span className="clip">{name}</span>
      {count !== undefined && <em>{number(count)}</em>}
      {items && items.length > 0 && (
        <Dropdown menu={{ items, onClick: ({ domEvent }) => domEvent.stopPropagation() }} trigger={['click']}>
          <button
            type="button"
            className="node-menu"
            aria-label={t('actionsFor', { name })}
            onClick={(event) => event.stopPropagation()}
          >
            ⋯
          </button>
        </Dropdown>
      )}
    </span>
  )
  return items && items.length > 0 ? (
    <Dropdown menu={{ items, onClick: ({ domEvent }) => domEvent.stopPropagation() }} trigger={['contextMenu']}>
      {title}
    </Dropdown>
  ) : (
    title
  )
}

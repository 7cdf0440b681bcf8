import type { TreeItem } from '../wire.ts'

/** The loaded part of the granted tree: flat by id, in order. */
export interface AssetTree {
  items: ReadonlyMap<string, TreeNode>
  roots: readonly string[]
}

export interface TreeNode {
  /** Unique in the tree: an asset may be below many nodes. */
  key: string
  /** Key of the node or id of the asset. */
  id: string
  kind: 'node' | 'asset' | 'favorite' | 'ungrouped'
  name: string
  /** Asset count, from the name's ` (n)`. */
  amount: number | undefined
  address: string
  type: string
  disabled: boolean
  /** Undefined: not loaded. */
  children: readonly string[] | undefined
  organization: string
}

export const emptyTree: AssetTree = { items: new Map(), roots: [] }

/** The first response of a tree endpoint. A node with children counts as loaded. */
export function treeOf(items: TreeItem[]): AssetTree {
  return addChildren(emptyTree, undefined, items)
}

/**
 * Inserts a lazy response below `parent`. Items refer to their parent by id (`pId`). An item whose parent is neither in
 * the response nor `parent` is inserted below `parent`, or as a root without one.
 */
export function addChildren(tree: AssetTree, parent: string | undefined, items: TreeItem[]): AssetTree {
  const nodes = new Map(tree.items)
  const roots = parent === undefined ? [] : [...tree.roots]
  const parentId = parent === undefined ? undefined : nodes.get(parent)?.id
  const keyOfNode = new Map(items.filter((item) => item.isParent).map((item) => [item.id, nodeKey(item.id)]))
  const children = new Map<string, string[]>()
  for (const item of items) {
    const above = item.pId !== parentId && keyOfNode.get(item.pId)
    const under = above && item.pId !== item.id ? above : parent
    const node = nodeOf(item, under)
    nodes.set(node.key, { ...node, children: nodes.get(node.key)?.children })
    if (under === undefined) roots.push(node.key)
    else children.set(under, [...(children.get(under) ?? []), node.key])
  }
  if (parent !== undefined && !children.has(parent)) children.set(parent, [])
  for (const [key, keys] of children) {
    const node = nodes.get(key)
    if (node) nodes.set(key, { ...node, children: keys })
  }
  return { items: nodes, roots }
}

/** Replaces the content of a node with a new response: its children and count. */
export function replaceChildren(tree: AssetTree, parent: string, items: TreeItem[]): AssetTree {
  const node = tree.items.get(parent)
  if (!node) return tree
  const next = addChildren(tree, parent, items)
  const amount = items.length
  return { ...next, items: new Map(next.items).set(parent, { ...(next.items.get(parent) ?? node), amount }) }
}

/** Keys of the nodes with loaded children. */
export function loadedKeys(tree: AssetTree): string[] {
  return [...tree.items.values()].filter((node) => node.children !== undefined).map((node) => node.key)
}

/** Search results: assets only, flat in the order of the server; grouped by organization if there are several. */
export function searchTree(items: TreeItem[]): AssetTree {
  const organizations = new Set(items.map((item) => item.meta.data.org_name ?? ''))
  if (organizations.size < 2) return treeOf(items.map((item) => ({ ...item, pId: '' })))
  const groups = [...organizations].map(
    (name): TreeItem => ({
      id: `org:${name}`,
      name,
      title: name,
      pId: '',
      isParent: true,
      meta: { type: 'org', data: {} },
    }),
  )
  return treeOf([...groups, ...items.map((item) => ({ ...item, pId: `org:${item.meta.data.org_name ?? ''}` }))])
}

/** Local filter of a completely loaded tree: matches by name or address, with their ancestors. */
export function filterTree(tree: AssetTree, text: string): AssetTree {
  const query = text.trim().toLowerCase()
  if (!query) return tree
  const items = new Map<string, TreeNode>()
  const keep = (key: string): boolean => {
    const node = tree.items.get(key)
    if (!node) return false
    const children = node.children?.filter(keep) ?? []
    const matches = `${node.name}\n${node.address}`.toLowerCase().includes(query)
    if (!matches && children.length === 0) return false
    items.set(key, { ...node, children: node.children && children })
    return true
  }
  return { roots: tree.roots.filter(keep), items }
}

/** Keys of loaded parents, for "expand all". */
export function parentKeys(tree: AssetTree): string[] {
  return [...tree.items.values()]
    .filter((node) => node.kind !== 'asset' && node.children?.length)
    .map((node) => node.key)
}

/** All loaded assets at or below a key, without duplicates. */
export function assetsBelow(tree: AssetTree, key: string): TreeNode[] {
  const found = new Map<string, TreeNode>()
  const walk = (at: string) => {
    const node = tree.items.get(at)
    if (!node) return
    if (node.kind === 'asset') found.set(node.id, node)
    else node.children?.forEach(walk)
  }
  walk(key)
  return [...found.values()]
}

function nodeKey(id: string): string {
  return `n:${id}`
}

function nodeOf(item: TreeItem, under: string | undefined): TreeNode {
  const isAsset = item.meta.type === 'asset'
  // Node names end with ` (38)`, type names with `(3)`; organization names are not changed.
  const amount = isAsset || item.meta.type === 'org' ? null : / ?\((\d+)\)$/.exec(item.name)
  return {
    key: isAsset ? `a:${under ?? ''}:${item.id}` : nodeKey(item.id),
    id: item.id,
    kind: isAsset ? 'asset' : item.id === 'favorite' || item.id === 'ungrouped' ? item.id : 'node',
    name: amount ? item.name.slice(0, amount.index) : item.name,
    amount: amount ? Number(amount[1]) : undefined,
    address: isAsset ? (item.meta.data.address ?? item.title.split('\n')[0] ?? '') : '',
    type: item.meta.data.platform_type ?? item.iconSkin ?? '',
    disabled: item.chkDisabled === true,
    children: undefined,
    organization: item.meta.data.org_name ?? '',
  }
}

import { lineage, type PlacementIndex, summedUp } from '../assets/index.ts'

/** A set of assets: 1 at the index of each member, and their number. */
export interface AssetSet {
  readonly at: Uint8Array
  readonly count: number
  /** The members' indexes, when they are few, to avoid scanning all assets. */
  readonly sparse?: readonly number[] | undefined
}

/** Maximum size of a sparse set. */
const sparseLimit = 2000

/**
 * The scope of permissions on the index of nodes and assets. Pure. The cost of a query depends on the scope, not on the
 * size of the installation, and results are cached until something changes.
 */
export interface GrantScope {
  readonly index: PlacementIndex
  /** Granted nodes without a granted ancestor: indexes. */
  readonly granted: ReadonlySet<number>
  /** Assets granted directly. */
  readonly direct: ReadonlySet<number>
  /** Cached results. */
  readonly known: Map<string, unknown>
}

function once<T>({ known }: GrantScope, question: string, answer: () => T): T {
  if (!known.has(question)) known.set(question, answer())
  return known.get(question) as T
}

/**
 * The role of a node in a user's tree: `granted` when a permission names it and none of its ancestors, `inside` below
 * such a node, `asset` when it only contains directly granted assets, `child` when it only leads to one of the others.
 */
export type Origin = 'granted' | 'inside' | 'asset' | 'child'

/** Removes keys that have an ancestor in the list. Linear in the list. */
export function outermostKeys(keys: Iterable<string>): string[] {
  const all = new Set(keys)
  return [...all].filter(
    (key) =>
      !lineage(key)
        .slice(1)
        .some((above) => all.has(above)),
  )
}

/** Whether a node is granted or below a granted one, by keys. */
export const covers = (granted: ReadonlySet<string>, key: string): boolean =>
  lineage(key).some((above) => granted.has(above))

/** The combined scope of nodes and assets. */
export function scopeOf(index: PlacementIndex, nodes: Iterable<number>, assets: Iterable<number>): GrantScope {
  const named = new Set(nodes)
  const granted = new Set<number>()
  for (const node of named) {
    let above = index.parent(node)
    while (above >= 0 && !named.has(above)) above = index.parent(above)
    if (above < 0) granted.add(node)
  }
  return { index, granted, direct: new Set(assets), known: new Map() }
}

/** Whether a node is granted or below a granted one. */
export function isCovered({ index, granted }: GrantScope, node: number): boolean {
  if (granted.size === 0) return false
  for (let at = node; at >= 0; at = index.parent(at)) if (granted.has(at)) return true
  return false
}

/** 1 at the indexes of nodes that are granted or below a granted one. */
const coverage = (reach: GrantScope): Uint8Array =>
  once(reach, 'coverage', () => {
    const covered = new Uint8Array(reach.index.nodeCount)
    for (const top of reach.granted) for (const node of reach.index.subtree(top)) covered[node] = 1
    return covered
  })

/**
 * The nodes in which an asset of the scope is shown.
 * @param directInTree see `visibleNodes`
 */
export function seenIn(reach: GrantScope, directInTree: boolean): (asset: number) => readonly number[] {
  const { index, direct } = reach
  const covered = coverage(reach)
  return (asset) => {
    const nodes = index.nodesOf(asset)
    if (directInTree && direct.has(asset)) return nodes
    // Fast path: most assets are in one node, and this runs for every asset of a tree.
    for (const node of nodes) if (covered[node] !== 1) return nodes.filter((one) => covered[one] === 1)
    return nodes
  }
}

function marked(index: PlacementIndex, stretches: Iterable<Iterable<number>>): AssetSet {
  const at = new Uint8Array(index.assetCount)
  const sparse: number[] = []
  let count = 0
  for (const assets of stretches)
    for (const asset of assets) {
      if (at[asset] === 1) continue
      at[asset] = 1
      count += 1
      if (count <= sparseLimit) sparse.push(asset)
    }
  return { at, count, sparse: count <= sparseLimit ? sparse : undefined }
}

/** The assets in the scope. */
export const assetsInScope = (reach: GrantScope): AssetSet =>
  once(reach, 'assets', () => {
    const { index, granted, direct } = reach
    return marked(index, [...[...granted].map((top) => index.membersWithin(top)), direct])
  })

/** Counts the assets of many scopes one after the other, without a list for each. */
export function scopeCounter(index: PlacementIndex): (reach: GrantScope) => number {
  const seenBy = new Int32Array(index.assetCount)
  let turn = 0
  return ({ granted, direct }) => {
    const [only] = granted
    // The assets of a single node are already counted.
    if (only !== undefined && granted.size === 1 && direct.size === 0) return index.totals[only] ?? 0
    turn += 1
    let count = 0
    const see = (asset: number) => {
      if (seenBy[asset] === turn) return
      seenBy[asset] = turn
      count += 1
    }
    for (const node of granted) for (const asset of index.membersWithin(node)) see(asset)
    for (const asset of direct) see(asset)
    return count
  }
}

/** The assets shown in a node or below it. */
export function assetsBelow(reach: GrantScope, node: number, directInTree: boolean): AssetSet {
  const { index, direct } = reach
  if (isCovered(reach, node)) return marked(index, [index.membersWithin(node)])
  const covered = coverage(reach)
  const seen = (inner: number) => {
    const members = index.members(inner)
    if (covered[inner] === 1) return members
    return directInTree ? members.filter((asset) => direct.has(asset)) : []
  }
  return marked(index, index.subtree(node).map(seen))
}

/** Whether one asset is in the scope. */
export const isInScope = (reach: GrantScope, asset: number): boolean =>
  reach.direct.has(asset) || reach.index.nodesOf(asset).some((node) => isCovered(reach, node))

/**
 * The nodes of a user's tree, except those below granted ones.
 * @param directInTree whether directly granted assets are shown in their nodes, or separately as "ungrouped"
 */
export function visibleNodes(reach: GrantScope, directInTree: boolean): Map<number, Origin> {
  const { index, granted, direct } = reach
  const shape = new Map<number, Origin>()
  for (const node of granted) shape.set(node, 'granted')
  if (directInTree)
    for (const asset of direct)
      for (const node of index.nodesOf(asset)) if (!shape.has(node) && !isCovered(reach, node)) shape.set(node, 'asset')
  for (const node of [...shape.keys()])
    for (let above = index.parent(node); above >= 0 && !shape.has(above); above = index.parent(above))
      shape.set(above, 'child')
  return shape
}

/**
 * The number of distinct assets shown in and below each of some nodes. Below granted nodes these are all existing
 * assets.
 */
export function assetCounts(
  reach: GrantScope,
  nodes: readonly number[],
  directInTree: boolean,
): (node: number) => number {
  const real = reach.index.totals
  if (nodes.every((node) => isCovered(reach, node))) return (node) => real[node] ?? 0
  const sums = once(reach, `amounts ${directInTree}`, () => summedUp(reach.index, seenWeights(reach, directInTree)))
  return (node) => sums[node] ?? 0
}

/** Calls `addWeights` for every asset in the scope, in one pass without intermediate lists. */
function seenWeights(reach: GrantScope, directInTree: boolean): Int32Array {
  const { index, direct } = reach
  const covered = coverage(reach)
  const { at, sparse } = assetsInScope(reach)
  const weights = new Int32Array(index.nodeCount)
  const see = (asset: number) => {
    const everywhere = directInTree && direct.size > 0 && direct.has(asset)
    let before = -1
    for (const node of index.nodesOf(asset)) {
      if (!everywhere && covered[node] !== 1) continue
      weights[node] = (weights[node] ?? 0) + 1
      const meeting = before < 0 ? -1 : index.meet(before, node)
      if (meeting >= 0) weights[meeting] = (weights[meeting] ?? 0) - 1
      before = node
    }
  }
  if (sparse) for (const asset of sparse) see(asset)
  else for (let asset = 0; asset < at.length; asset++) if (at[asset] === 1) see(asset)
  return weights
}

const inOrder = new WeakMap<AssetSet, readonly number[]>()

function sparseByName(index: PlacementIndex, marks: AssetSet): readonly number[] {
  const known = inOrder.get(marks) ?? index.byName(marks.sparse ?? [])
  inOrder.set(marks, known)
  return known
}

/** A page of the ids of a set of assets, by name. */
export function assetSetPage(
  index: PlacementIndex,
  marks: AssetSet,
  { offset, limit }: { offset: number; limit: number },
  descending = false,
): string[] {
  if (marks.sparse) {
    const mine = sparseByName(index, marks)
    const part = (descending ? mine.toReversed() : mine).slice(offset, offset + limit)
    return part.map((asset) => index.assetId(asset))
  }
  const { order } = index
  const found: string[] = []
  let skipped = 0
  for (let step = 0; step < order.length && found.length < limit; step++) {
    const asset = order[descending ? order.length - 1 - step : step] as number
    if (marks.at[asset] !== 1) continue
    if (skipped < offset) skipped += 1
    else found.push(index.assetId(asset))
  }
  return found
}

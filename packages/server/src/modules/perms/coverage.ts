import { lineage, type PlacementIndex, summedUp } from '../assets/index.ts'

/** Some assets: 1 at the places of those that belong to them, and how many those are. */
export interface AssetSet {
  readonly at: Uint8Array
  readonly count: number
  /** Their places, when they are few: those are not looked for among all assets. */
  readonly sparse?: readonly number[] | undefined
}

/** At most so many are few. */
const sparseLimit = 2000

/**
 * What permissions give, on the index of nodes and assets. Pure; every question costs what is
 * given, never what there is besides, and is answered once for as long as nothing changes.
 */
export interface GrantScope {
  readonly index: PlacementIndex
  /** Granted nodes of which no other granted one is above: places in the index. */
  readonly granted: ReadonlySet<number>
  /** Assets that permissions name themselves. */
  readonly direct: ReadonlySet<number>
  /** Answers that were worked out before. */
  readonly known: Map<string, unknown>
}

function once<T>({ known }: GrantScope, question: string, answer: () => T): T {
  if (!known.has(question)) known.set(question, answer())
  return known.get(question) as T
}

/**
 * What a node is in somebody's tree: `granted` when a permission names it and none above it, `inside` below such a one,
 * `asset` when it only holds assets that are granted by themselves, `child` when it only leads to one of the others.
 */
export type Origin = 'granted' | 'inside' | 'asset' | 'child'

/** Keys of which no other one of the list is an ancestor: what is granted, without repetition. Linear in the list. */
export function outermostKeys(keys: Iterable<string>): string[] {
  const all = new Set(keys)
  return [...all].filter(
    (key) =>
      !lineage(key)
        .slice(1)
        .some((above) => all.has(above)),
  )
}

/** Whether a node is one of the granted ones or below one, by keys. */
export const covers = (granted: ReadonlySet<string>, key: string): boolean =>
  lineage(key).some((above) => granted.has(above))

/** What named nodes and assets give together. */
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

/** 1 at the places of nodes that are granted or below a granted one. */
const coverage = (reach: GrantScope): Uint8Array =>
  once(reach, 'coverage', () => {
    const covered = new Uint8Array(reach.index.nodeCount)
    for (const top of reach.granted) for (const node of reach.index.subtree(top)) covered[node] = 1
    return covered
  })

/** The nodes in which an asset that is reached is seen. @param directInTree see `visibleNodes` */
export function seenIn(reach: GrantScope, directInTree: boolean): (asset: number) => readonly number[] {
  const { index, direct } = reach
  const covered = coverage(reach)
  return (asset) => {
    const nodes = index.nodesOf(asset)
    if (directInTree && direct.has(asset)) return nodes
    // Most assets are in one node, and this is asked of every asset of a whole tree.
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

/** Which assets are reached. */
export const assetsInScope = (reach: GrantScope): AssetSet =>
  once(reach, 'assets', () => {
    const { index, granted, direct } = reach
    return marked(index, [...[...granted].map((top) => index.membersWithin(top)), direct])
  })

/** Counts what many reaches give, one after the other, without a list for each. */
export function scopeCounter(index: PlacementIndex): (reach: GrantScope) => number {
  const seenBy = new Int32Array(index.assetCount)
  let turn = 0
  return ({ granted, direct }) => {
    const [only] = granted
    // A single node's assets are counted already.
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

/** Which assets are seen in a node or below it. */
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

/** Whether one asset is reached. */
export const isInScope = (reach: GrantScope, asset: number): boolean =>
  reach.direct.has(asset) || reach.index.nodesOf(asset).some((node) => isCovered(reach, node))

/**
 * The nodes of somebody's tree, apart from what is below granted ones.
 * @param directInTree whether assets granted by themselves stand in their nodes, or apart as "ungrouped"
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

/** How many different assets are seen in and below each of some nodes. Below granted ones that is what there is. */
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

/** `addWeights` for every asset that is reached, in one pass without lists of its own. */
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

/** Ids of marked assets by name, a part of them. */
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

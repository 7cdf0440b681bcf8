import { addWeights, lineage, type PlacementIndex, summedUp } from '../assets/index.ts'

/**
 * What permissions give, on the index of nodes and assets (perms.md §6.3, §7). Pure; every question costs what is
 * given, never what there is besides.
 */
export interface Reach {
  readonly index: PlacementIndex
  /** Granted nodes of which no other granted one is above: places in the index. */
  readonly granted: ReadonlySet<number>
  /** Assets that permissions name themselves. */
  readonly direct: ReadonlySet<number>
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
export function reachOf(index: PlacementIndex, nodes: Iterable<number>, assets: Iterable<number>): Reach {
  const named = new Set(nodes)
  const granted = new Set<number>()
  for (const node of named) {
    let above = index.parent(node)
    while (above >= 0 && !named.has(above)) above = index.parent(above)
    if (above < 0) granted.add(node)
  }
  return { index, granted, direct: new Set(assets) }
}

/** Whether a node is granted or below a granted one. */
export function isCovered({ index, granted }: Reach, node: number): boolean {
  if (granted.size === 0) return false
  for (let at = node; at >= 0; at = index.parent(at)) if (granted.has(at)) return true
  return false
}

function coverage({ index, granted }: Reach): Uint8Array {
  const covered = new Uint8Array(index.nodeCount)
  for (const top of granted) for (const node of index.subtree(top)) covered[node] = 1
  return covered
}

/** Every asset that is reached, once, with the nodes in which it is seen. @param placed see `shapeOf` */
export function eachReached(
  reach: Reach,
  placed: boolean,
  take: (asset: number, nodes: readonly number[]) => void,
): void {
  const { index, granted, direct } = reach
  const covered = coverage(reach)
  const met = new Uint8Array(index.assetCount)
  const seenIn = (asset: number) => {
    const nodes = index.nodesOf(asset)
    if (placed && direct.has(asset)) return nodes
    return nodes.length === 1 ? nodes : nodes.filter((node) => covered[node] === 1)
  }
  for (const top of granted)
    for (const node of index.subtree(top))
      for (const asset of index.members(node)) {
        if (met[asset] === 1) continue
        met[asset] = 1
        take(asset, seenIn(asset))
      }
  for (const asset of direct) if (met[asset] !== 1) take(asset, placed ? index.nodesOf(asset) : [])
}

/** Which assets are reached: 1 at their places. */
export function reachedAssets(reach: Reach): Uint8Array {
  const { index, granted, direct } = reach
  const marks = new Uint8Array(index.assetCount)
  for (const top of granted)
    for (const node of index.subtree(top)) for (const asset of index.members(node)) marks[asset] = 1
  for (const asset of direct) marks[asset] = 1
  return marks
}

/** Which assets are seen in a node or below it. */
export function reachedBelow(reach: Reach, node: number, placed: boolean): Uint8Array {
  const { index, direct } = reach
  const covered = coverage(reach)
  const marks = new Uint8Array(index.assetCount)
  for (const inner of index.subtree(node)) {
    const whole = covered[inner] === 1
    for (const asset of index.members(inner)) if (whole || (placed && direct.has(asset))) marks[asset] = 1
  }
  return marks
}

/** Whether one asset is reached. */
export const isReached = (reach: Reach, asset: number): boolean =>
  reach.direct.has(asset) || reach.index.nodesOf(asset).some((node) => isCovered(reach, node))

/**
 * The nodes of somebody's tree, apart from what is below granted ones.
 * @param placed whether assets granted by themselves stand in their nodes, or apart as "ungrouped"
 */
export function shapeOf(reach: Reach, placed: boolean): Map<number, Origin> {
  const { index, granted, direct } = reach
  const shape = new Map<number, Origin>()
  for (const node of granted) shape.set(node, 'granted')
  if (placed)
    for (const asset of direct)
      for (const node of index.nodesOf(asset)) if (!shape.has(node) && !isCovered(reach, node)) shape.set(node, 'asset')
  for (const node of [...shape.keys()])
    for (let above = index.parent(node); above >= 0 && !shape.has(above); above = index.parent(above))
      shape.set(above, 'child')
  return shape
}

/** How many different assets are seen in and below each of some nodes. Below granted ones that is what there is. */
export function reachedAmounts(reach: Reach, nodes: readonly number[], placed: boolean): (node: number) => number {
  const { index } = reach
  const real = index.totals
  if (nodes.every((node) => isCovered(reach, node))) return (node) => real[node] ?? 0
  const weights = new Int32Array(index.nodeCount)
  eachReached(reach, placed, (_asset, seen) => addWeights(index, weights, seen, 1))
  const sums = summedUp(index, weights)
  return (node) => sums[node] ?? 0
}

export function countMarks(marks: Uint8Array): number {
  let count = 0
  for (const mark of marks) count += mark
  return count
}

/** Ids of marked assets by name, a part of them. */
export function markedPage(
  index: PlacementIndex,
  marks: Uint8Array,
  { offset, limit }: { offset: number; limit: number },
  descending = false,
): string[] {
  const { order } = index
  const found: string[] = []
  let skipped = 0
  for (let step = 0; step < order.length && found.length < limit; step++) {
    const asset = order[descending ? order.length - 1 - step : step] as number
    if (marks[asset] !== 1) continue
    if (skipped < offset) skipped += 1
    else found.push(index.assetId(asset))
  }
  return found
}

/** What is known of a node. */
export interface PlacedNode {
  readonly id: string
  readonly key: string
  readonly value: string
  readonly parent_key: string
  readonly org_id: string
}

/** The structure of the tree by node indexes; a node that is not in it has rank -1. */
export interface Shape {
  /** -1 for a root. */
  readonly parent: Int32Array
  readonly depth: Int32Array
  /** Ordered by name; undefined for a leaf node. */
  readonly children: readonly (readonly number[] | undefined)[]
  readonly roots: readonly number[]
  /** Nodes in depth-first order, parents first. */
  readonly walk: readonly number[]
  /** Position of a node in the walk. */
  readonly rank: Int32Array
  /** Number of nodes in a node's subtree, including itself. */
  readonly size: Int32Array
}

const none = new Int32Array(0)
export const emptyShape: Shape = {
  parent: none,
  depth: none,
  children: [],
  roots: [],
  walk: [],
  rank: none,
  size: none,
}

export const byValue = (a: PlacedNode, b: PlacedNode) =>
  a.value < b.value ? -1 : a.value > b.value ? 1 : a.key < b.key ? -1 : 1

/** @param live indexes of the existing nodes, ordered by name */
export function shapeOf(
  nodes: readonly PlacedNode[],
  live: readonly number[],
  atKey: ReadonlyMap<string, number>,
): Shape {
  const parent = new Int32Array(nodes.length).fill(-1)
  const depth = new Int32Array(nodes.length)
  const rank = new Int32Array(nodes.length).fill(-1)
  const size = new Int32Array(nodes.length).fill(1)
  const children: (number[] | undefined)[] = []
  const roots: number[] = []
  for (const at of live) {
    const above = atKey.get((nodes[at] as PlacedNode).parent_key)
    if (above === undefined) {
      roots.push(at)
      continue
    }
    parent[at] = above
    const siblings = children[above]
    if (siblings) siblings.push(at)
    else children[above] = [at]
  }
  const walk: number[] = []
  const waiting = roots.toReversed()
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    rank[at] = walk.length
    walk.push(at)
    const below = children[at]
    for (let next = (below?.length ?? 0) - 1; below && next >= 0; next--) {
      const child = below[next] as number
      depth[child] = (depth[at] ?? 0) + 1
      waiting.push(child)
    }
  }
  for (let last = walk.length - 1; last >= 0; last--) {
    const at = walk[last] as number
    const above = parent[at] ?? -1
    if (above >= 0) size[above] = (size[above] ?? 0) + (size[at] ?? 0)
  }
  return { parent, depth, children, roots, walk, rank, size }
}

/** A node and its subtree, parents first. */
export function subtreeIn({ walk, rank, size }: Shape, node: number): readonly number[] {
  const from = rank[node] ?? 0
  return walk.slice(from, from + (size[node] ?? 0))
}

/**
 * Nodes of a shape that are missing in another one, or have another parent there, with their former subtrees. All pairs
 * of other nodes have the same lowest common ancestor as before.
 */
export function moved(before: Shape, after: Shape): number[] {
  const found: number[] = []
  for (let at = 0; at < before.walk.length; ) {
    const node = before.walk[at] as number
    const stays = after.rank[node] !== -1 && after.parent[node] === before.parent[node]
    if (!stays) found.push(...subtreeIn(before, node))
    at += stays ? 1 : (before.size[node] ?? 1)
  }
  return found
}

/** The lowest common ancestor of two nodes (or one of them); -1 when there is none. */
export function meetIn({ parent, depth }: Shape, a: number, b: number): number {
  let [left, right] = [a, b]
  while (left !== right && left >= 0 && right >= 0) {
    const [deepLeft, deepRight] = [depth[left] ?? 0, depth[right] ?? 0]
    if (deepLeft >= deepRight) left = parent[left] ?? -1
    if (deepRight >= deepLeft) right = parent[right] ?? -1
  }
  return left === right ? left : -1
}

/** Sorts nodes by their position in the walk. */
export function sortByRank(nodes: number[], rank: Int32Array): void {
  // There are two or three nodes, sorted for every asset when a node moves: insertion sort is fastest.
  for (let end = 1; end < nodes.length; end++)
    for (let at = end; at > 0; at--) {
      const [left, right] = [nodes[at - 1] as number, nodes[at] as number]
      if ((rank[left] ?? 0) <= (rank[right] ?? 0)) break
      nodes[at - 1] = right
      nodes[at] = left
    }
}

/**
 * Adds one asset in some nodes to the weights, so that sums along the tree count it once in every ancestor: plus one
 * for each node, minus one at the lowest common ancestor of neighbors. The nodes are in depth-first order; which one
 * does not matter, so names may have changed since.
 */
export function addWeights(shape: Shape, weights: Int32Array, nodes: readonly number[], by: 1 | -1): void {
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as number
    weights[node] = (weights[node] ?? 0) + by
    if (at === 0) continue
    const meeting = meetIn(shape, nodes[at - 1] as number, node)
    if (meeting >= 0) weights[meeting] = (weights[meeting] ?? 0) - by
  }
}

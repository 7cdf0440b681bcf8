import {
  addWeights,
  byValue,
  emptyShape,
  meetIn,
  moved,
  type PlacedNode,
  type Shape,
  shapeOf,
  sortByRank,
  subtreeIn,
} from './tree-shape.ts'

/**
 * An in-memory index of nodes, assets and their placements: nodes and assets are small integers (array indexes), so
 * that a query over 100,000 assets iterates over arrays. Pure: `placements.ts` fills and updates it.
 * Memory is linear in nodes, assets and memberships. A change of an asset costs its memberships times the tree's depth;
 * a change of nodes costs, at the next query, one walk over all nodes and the memberships of the moved subtrees.
 */
export class PlacementIndex {
  /** Removed ones remain readable for callers that hold their index. */
  readonly #nodes: PlacedNode[] = []
  readonly #nodeAt = new Map<string, number>()
  #nodeAtKey = new Map<string, number>()
  readonly #members: number[][] = []
  /** Root nodes per organization. */
  readonly #rootsOf = new Map<string, Set<number>>()
  #shape: Shape = emptyShape
  /** Members of all nodes in walk order, so that those of a subtree are contiguous; and the start of each node's. */
  #flat = new Int32Array(0)
  #flatFrom = new Int32Array(0)
  #flatStale = true
  #byValue: number[] = []
  #shapeStale = true

  readonly #assetIds: string[] = []
  readonly #assetAt = new Map<string, number>()
  readonly #names: string[] = []
  readonly #orgs: string[] = []
  readonly #nodesOf: number[][] = []
  #order: number[] = []
  readonly #unordered = new Set<number>()

  /** Per node: its members, minus those that a sum over subtrees would count twice there. */
  #weights = new Int32Array(0)
  /** Assets to be added to the weights with the next shape. */
  readonly #unweighed = new Set<number>()
  #totals: Int32Array | undefined

  setNode(node: PlacedNode): void {
    let at = this.#nodeAt.get(node.id)
    if (at === undefined) {
      at = this.#nodes.length
      this.#nodeAt.set(node.id, at)
      this.#members.push([])
    } else this.#rootsOf.get(this.node(at).org_id)?.delete(at)
    if (node.parent_key === '') {
      const roots = this.#rootsOf.get(node.org_id)
      if (roots) roots.add(at)
      else this.#rootsOf.set(node.org_id, new Set([at]))
    }
    this.#nodes[at] = node
    this.#shapeStale = true
  }

  removeNode(id: string): void {
    const at = this.#nodeAt.get(id)
    if (at === undefined) return
    this.#nodeAt.delete(id)
    this.#rootsOf.get(this.node(at).org_id)?.delete(at)
    for (const asset of this.#members[at] ?? []) {
      this.#unweigh(asset)
      this.#nodesOf[asset] = this.nodesOf(asset).filter((node) => node !== at)
    }
    this.#members[at] = []
    this.#shapeStale = true
  }

  /** @param nodeIds its nodes; an asset without any is in its organization's root */
  setAsset(id: string, name: string, orgId: string, nodeIds: readonly string[]): void {
    let at = this.#assetAt.get(id)
    if (at === undefined) {
      at = this.#assetIds.length
      this.#assetIds.push(id)
      this.#assetAt.set(id, at)
      this.#unordered.add(at)
    } else {
      if (this.#names[at] !== name) this.#unordered.add(at)
      this.#leave(at)
    }
    this.#names[at] = name
    this.#orgs[at] = orgId
    const nodes: number[] = []
    for (const one of nodeIds) {
      const node = this.#nodeAt.get(one)
      if (node !== undefined) nodes.push(node)
    }
    if (nodes.length === 0) nodes.push(...(this.#rootsOf.get(orgId) ?? []))
    this.#nodesOf[at] = nodes
    for (const node of nodes) this.#members[node]?.push(at)
    this.#flatStale = true
    this.#unweighed.add(at)
    if (!this.#shapeStale) this.#weigh(at)
  }

  removeAsset(id: string): void {
    const at = this.#assetAt.get(id)
    if (at === undefined) return
    this.#leave(at)
    this.#assetAt.delete(id)
    this.#unweighed.delete(at)
    this.#nodesOf[at] = []
    this.#unordered.add(at)
  }

  #leave(asset: number): void {
    this.#flatStale = true
    this.#unweigh(asset)
    for (const node of this.nodesOf(asset)) {
      const members = this.#members[node]
      const where = members?.indexOf(asset) ?? -1
      if (members && where >= 0) members.splice(where, 1)
    }
  }

  /** Adds a pending asset to the weights, by the current shape. */
  #weigh(asset: number): void {
    const nodes = this.#nodesOf[asset] ?? []
    sortByRank(nodes, this.#shape.rank)
    this.#unweighed.delete(asset)
    this.#totals = undefined
    addWeights(this.#shape, this.#weights, nodes, 1)
  }

  /** Removes an asset from the weights, by the shape with which it was added. */
  #unweigh(asset: number): void {
    if (this.#unweighed.has(asset)) return
    this.#unweighed.add(asset)
    this.#totals = undefined
    addWeights(this.#shape, this.#weights, this.nodesOf(asset), -1)
  }

  /** The tree as defined by the keys. Subtrees of unmoved nodes are already counted. */
  #current(): Shape {
    if (!this.#shapeStale) return this.#shape
    this.#shapeStale = false
    this.#totals = undefined
    this.#flatStale = true
    // In the previous order, with new nodes at the end: sorting a nearly sorted list is cheap.
    const unseen = new Set(this.#nodeAt.values())
    const live = this.#byValue.filter((at) => unseen.delete(at))
    live.push(...unseen)
    live.sort((a, b) => byValue(this.node(a), this.node(b)))
    this.#byValue = live
    this.#nodeAtKey = new Map(live.map((at) => [this.node(at).key, at]))
    const after = shapeOf(this.#nodes, live, this.#nodeAtKey)
    for (const node of moved(this.#shape, after)) for (const asset of this.members(node)) this.#unweigh(asset)
    this.#shape = after
    const weights = new Int32Array(this.#nodes.length)
    weights.set(this.#weights)
    this.#weights = weights
    for (const asset of [...this.#unweighed]) this.#weigh(asset)
    return after
  }

  node(at: number): PlacedNode {
    return this.#nodes[at] as PlacedNode
  }

  get nodeCount(): number {
    return this.#nodes.length
  }

  /** One more than the highest index of an asset. */
  get assetCount(): number {
    return this.#assetIds.length
  }

  /** Whether most indexes belong to removed nodes and assets. */
  get isWorn(): boolean {
    const live = this.#assetAt.size + this.#nodeAt.size
    return this.#assetIds.length + this.#nodes.length > 2 * live + 10_000
  }

  nodeAt(id: string): number | undefined {
    return this.#nodeAt.get(id)
  }

  nodeAtKey(key: string): number | undefined {
    this.#current()
    return this.#nodeAtKey.get(key)
  }

  assetAt(id: string): number | undefined {
    return this.#assetAt.get(id)
  }

  assetId(at: number): string {
    return this.#assetIds[at] ?? ''
  }

  orgOf(asset: number): string {
    return this.#orgs[asset] ?? ''
  }

  nodesOf(asset: number): readonly number[] {
    return this.#nodesOf[asset] ?? []
  }

  members(node: number): readonly number[] {
    return this.#members[node] ?? []
  }

  /** -1 for a root. */
  parent(node: number): number {
    return this.#current().parent[node] ?? -1
  }

  /** Ordered by name. */
  children(node: number): readonly number[] {
    return this.#current().children[node] ?? []
  }

  get roots(): readonly number[] {
    return this.#current().roots
  }

  /** All nodes ordered by name. */
  get nodes(): readonly number[] {
    this.#current()
    return this.#byValue
  }

  /** All nodes, each before its subtree. */
  get walk(): readonly number[] {
    return this.#current().walk
  }

  /** A node and its subtree, parents first. */
  subtree(node: number): readonly number[] {
    return subtreeIn(this.#current(), node)
  }

  /** Members of a node and its subtree; an asset occurs once for each of its nodes. */
  membersWithin(node: number): Int32Array {
    const { rank, size } = this.#flatten()
    const from = rank[node] ?? 0
    return this.#flat.subarray(this.#flatFrom[from], this.#flatFrom[from + (size[node] ?? 0)])
  }

  #flatten(): Shape {
    const shape = this.#current()
    if (!this.#flatStale) return shape
    this.#flatStale = false
    const { walk } = shape
    this.#flatFrom = new Int32Array(walk.length + 1)
    let total = 0
    for (const [rank, node] of walk.entries()) {
      this.#flatFrom[rank] = total
      total += this.members(node).length
    }
    this.#flatFrom[walk.length] = total
    this.#flat = new Int32Array(total)
    for (const [rank, node] of walk.entries()) this.#flat.set(this.members(node), this.#flatFrom[rank])
    return shape
  }

  /** The lowest common ancestor of two nodes (or one of them); -1 when there is none. */
  meet(a: number, b: number): number {
    return meetIn(this.#current(), a, b)
  }

  /** The number of distinct assets in each subtree. */
  get totals(): Int32Array {
    this.#current()
    this.#totals ??= summedUp(this, this.#weights)
    return this.#totals
  }

  /** All assets by name, equal names by id. */
  get order(): readonly number[] {
    if (this.#unordered.size > 0) {
      const before = (a: number, b: number) => this.#compare(a, b)
      const stay = this.#order.filter((at) => !this.#unordered.has(at))
      const come = [...this.#unordered].filter((at) => this.#assetAt.get(this.assetId(at)) === at).sort(before)
      this.#order = merged(stay, come, before)
      this.#unordered.clear()
    }
    return this.#order
  }

  /** Sorts some assets by name, without ordering the others. */
  byName(assets: readonly number[]): number[] {
    return [...assets].sort((a, b) => this.#compare(a, b))
  }

  #compare(a: number, b: number): number {
    const [left, right] = [this.#names[a] ?? '', this.#names[b] ?? '']
    if (left !== right) return left < right ? -1 : 1
    return this.assetId(a) < this.assetId(b) ? -1 : 1
  }
}

function merged(left: readonly number[], right: readonly number[], order: (a: number, b: number) => number): number[] {
  if (right.length === 0) return [...left]
  const result: number[] = []
  let next = 0
  for (const one of left) {
    for (let other = right[next]; other !== undefined && order(other, one) < 0; other = right[next]) {
      result.push(other)
      next += 1
    }
    result.push(one)
  }
  for (; next < right.length; next++) result.push(right[next] as number)
  return result
}

/** Sums weights along the tree: per node, the number of distinct assets in its subtree. */
export function summedUp(index: PlacementIndex, weights: Int32Array): Int32Array {
  const sums = weights.slice()
  const { walk } = index
  for (let at = walk.length - 1; at >= 0; at--) {
    const node = walk[at] as number
    const parent = index.parent(node)
    if (parent >= 0) sums[parent] = (sums[parent] ?? 0) + (sums[node] ?? 0)
  }
  return sums
}

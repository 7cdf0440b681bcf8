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
 * Which assets stand in which nodes, in memory: nodes and assets are small numbers ("places" in lists), so that a
 * question about a hundred thousand assets is a walk over arrays. Pure: `placements.ts` fills it and keeps it true.
 *
 * Memory is linear in nodes, assets and memberships. A change of an asset costs its memberships times the tree's depth;
 * a change of nodes costs, when the next question comes, one walk over all nodes and the memberships below those that
 * were moved.
 */
export class PlacementIndex {
  /** Removed ones stay readable for whoever asked before. */
  readonly #nodes: PlacedNode[] = []
  readonly #nodeAt = new Map<string, number>()
  #nodeAtKey = new Map<string, number>()
  readonly #members: number[][] = []
  /** Per organization, its nodes above which there is none. */
  readonly #rootsOf = new Map<string, Set<number>>()
  #shape: Shape = emptyShape
  /** Members of all nodes in the order of the walk, so that a subtree's are one stretch; and where each node's begin. */
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

  /** Per node: its members, less those that a union of subtrees would count twice there. */
  #weights = new Int32Array(0)
  /** Assets that wait for the next shape to be in the weights. */
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

  /** @param nodeIds of the nodes it stands in; one that stands in none is in its organization's root */
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

  /** Counts an asset that waits for it, in the shape as it is. */
  #weigh(asset: number): void {
    const nodes = this.#nodesOf[asset] ?? []
    sortByRank(nodes, this.#shape.rank)
    this.#unweighed.delete(asset)
    this.#totals = undefined
    addWeights(this.#shape, this.#weights, nodes, 1)
  }

  /** Takes an asset back as it was counted, in the shape of then. */
  #unweigh(asset: number): void {
    if (this.#unweighed.has(asset)) return
    this.#unweighed.add(asset)
    this.#totals = undefined
    addWeights(this.#shape, this.#weights, this.nodesOf(asset), -1)
  }

  /** The tree as the keys make it. What stands below nodes that stay where they are is counted already. */
  #current(): Shape {
    if (!this.#shapeStale) return this.#shape
    this.#shapeStale = false
    this.#totals = undefined
    this.#flatStale = true
    // In the order of last time, with what is new behind: sorting what is sorted already costs next to nothing.
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

  /** One more than the highest place of an asset. */
  get assetCount(): number {
    return this.#assetIds.length
  }

  /** Whether most places belong to what was removed. */
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

  /** -1 above a root. */
  parent(node: number): number {
    return this.#current().parent[node] ?? -1
  }

  /** In the order of their names. */
  children(node: number): readonly number[] {
    return this.#current().children[node] ?? []
  }

  get roots(): readonly number[] {
    return this.#current().roots
  }

  /** All nodes by their names. */
  get nodes(): readonly number[] {
    this.#current()
    return this.#byValue
  }

  /** All nodes, each before everything below it. */
  get walk(): readonly number[] {
    return this.#current().walk
  }

  /** A node and everything below it, each before what is below it. */
  subtree(node: number): readonly number[] {
    return subtreeIn(this.#current(), node)
  }

  /** Members of a node and of everything below it; an asset comes once for each node it stands in. */
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

  /** The lowest node that is above both or one of them; -1 when there is none. */
  meet(a: number, b: number): number {
    return meetIn(this.#current(), a, b)
  }

  /** How many different assets stand in and below each node. */
  get totals(): Int32Array {
    this.#current()
    this.#totals ??= summedUp(this, this.#weights)
    return this.#totals
  }

  /** All assets by name; among equal names by id. */
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

  /** Some assets by name, without a look at the others. */
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

/** Weights added up along the tree: per node, how many different assets are seen in and below it. */
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

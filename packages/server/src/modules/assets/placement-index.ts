/** What the index knows of a node. */
export interface PlacedNode {
  readonly id: string
  readonly key: string
  readonly value: string
  readonly parent_key: string
  readonly org_id: string
}

/**
 * Which assets stand in which nodes, in memory: nodes and assets are small numbers ("places" in lists), so that a
 * question about a hundred thousand assets is a walk over arrays. Pure: `placements.ts` fills it and keeps it true.
 *
 * Memory is linear in nodes, assets and memberships. A change of an asset costs its memberships times the tree's depth;
 * a change of nodes costs one walk over all nodes and memberships, when the next question comes.
 */
export class PlacementIndex {
  /** Removed ones stay readable for whoever asked before. */
  readonly #nodes: PlacedNode[] = []
  readonly #nodeAt = new Map<string, number>()
  #nodeAtKey = new Map<string, number>()
  readonly #members: number[][] = []
  #parent: number[] = []
  #depth: number[] = []
  /** Places of nodes, each before everything below it. */
  #walk: number[] = []
  /** Where a node stands in `#walk`. */
  #rank: number[] = []
  /** How many nodes there are from a node to the end of what is below it. */
  #size: number[] = []
  /** Members of all nodes in the order of the walk, so that a subtree's are one stretch; and where each node's begin. */
  #flat = new Int32Array(0)
  #flatFrom = new Int32Array(0)
  #flatStale = true
  #children: number[][] = []
  #roots: number[] = []
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
  #totals: Int32Array | undefined

  setNode(node: PlacedNode): void {
    let at = this.#nodeAt.get(node.id)
    if (at === undefined) {
      at = this.#nodes.length
      this.#nodeAt.set(node.id, at)
      this.#members.push([])
    }
    this.#nodes[at] = node
    this.#shapeStale = true
  }

  removeNode(id: string): void {
    const at = this.#nodeAt.get(id)
    if (at === undefined) return
    this.#nodeAt.delete(id)
    for (const asset of this.#members[at] ?? [])
      this.#nodesOf[asset] = (this.#nodesOf[asset] ?? []).filter((node) => node !== at)
    this.#members[at] = []
    this.#shapeStale = true
  }

  /** @param nodeIds of the nodes it stands in; one that stands in none is in its organisation's root */
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
    if (nodes.length === 0) nodes.push(...this.#rootsOf(orgId))
    if (!this.#shapeStale) this.#sortByRank(nodes)
    this.#nodesOf[at] = nodes
    for (const node of nodes) this.#members[node]?.push(at)
    this.#flatStale = true
    this.#weigh(nodes, 1)
  }

  removeAsset(id: string): void {
    const at = this.#assetAt.get(id)
    if (at === undefined) return
    this.#leave(at)
    this.#assetAt.delete(id)
    this.#nodesOf[at] = []
    this.#unordered.add(at)
  }

  #rootsOf(orgId: string): number[] {
    const isRoot = ({ org_id, parent_key }: PlacedNode) => org_id === orgId && parent_key === ''
    return [...this.#nodeAt.values()].filter((at) => isRoot(this.node(at)))
  }

  #sortByRank(nodes: number[]): void {
    // They are two or three, and this is done for every asset when a node moves: no sort is as quick as swapping.
    for (let end = 1; end < nodes.length; end++)
      for (let at = end; at > 0; at--) {
        const [left, right] = [nodes[at - 1] as number, nodes[at] as number]
        if ((this.#rank[left] ?? 0) <= (this.#rank[right] ?? 0)) break
        nodes[at - 1] = right
        nodes[at] = left
      }
  }

  #leave(asset: number): void {
    this.#flatStale = true
    const nodes = this.#nodesOf[asset] ?? []
    for (const node of nodes) {
      const members = this.#members[node]
      const where = members?.indexOf(asset) ?? -1
      if (members && where >= 0) members.splice(where, 1)
    }
    this.#weigh(nodes, -1)
  }

  /** Parents, depths and the order of the walk, from the keys. */
  #shape(): void {
    if (!this.#shapeStale) return
    this.#shapeStale = false
    this.#totals = undefined
    // In the order of last time, with what is new behind: sorting what is sorted already costs next to nothing.
    const unseen = new Set(this.#nodeAt.values())
    const live = this.#byValue.filter((at) => unseen.delete(at))
    live.push(...unseen)
    this.#nodeAtKey = new Map(live.map((at) => [this.node(at).key, at]))
    this.#children = this.#nodes.map(() => [])
    this.#parent = this.#nodes.map(() => -1)
    this.#depth = this.#nodes.map(() => 0)
    this.#rank = this.#nodes.map(() => -1)
    this.#roots = []
    live.sort((a, b) => byValue(this.node(a), this.node(b)))
    this.#byValue = live
    for (const at of live) {
      const parent = this.#nodeAtKey.get(this.node(at).parent_key)
      if (parent === undefined) this.#roots.push(at)
      else {
        this.#parent[at] = parent
        this.#children[parent]?.push(at)
      }
    }
    this.#walk = []
    const waiting = this.#roots.toReversed()
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      this.#rank[at] = this.#walk.length
      this.#walk.push(at)
      for (const child of this.#children[at]?.toReversed() ?? []) {
        this.#depth[child] = (this.#depth[at] ?? 0) + 1
        waiting.push(child)
      }
    }
    this.#size = this.#nodes.map(() => 1)
    for (const at of this.#walk.toReversed()) {
      const parent = this.#parent[at] ?? -1
      if (parent >= 0) this.#size[parent] = (this.#size[parent] ?? 0) + (this.#size[at] ?? 0)
    }
    this.#flatStale = true
    this.#weights = new Int32Array(this.#nodes.length)
    for (const nodes of this.#nodesOf) {
      this.#sortByRank(nodes)
      addWeights(this, this.#weights, nodes, 1)
    }
  }

  #weigh(nodes: readonly number[], by: 1 | -1): void {
    this.#totals = undefined
    if (!this.#shapeStale) addWeights(this, this.#weights, nodes, by)
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
    this.#shape()
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
    this.#shape()
    return this.#parent[node] ?? -1
  }

  /** In the order of their names. */
  children(node: number): readonly number[] {
    this.#shape()
    return this.#children[node] ?? []
  }

  get roots(): readonly number[] {
    this.#shape()
    return this.#roots
  }

  /** All nodes by their names. */
  get nodes(): readonly number[] {
    this.#shape()
    return this.#byValue
  }

  /** All nodes, each before everything below it. */
  get walk(): readonly number[] {
    this.#shape()
    return this.#walk
  }

  /** A node and everything below it, each before what is below it. */
  subtree(node: number): readonly number[] {
    this.#shape()
    const from = this.#rank[node] ?? 0
    return this.#walk.slice(from, from + (this.#size[node] ?? 0))
  }

  /** Members of a node and of everything below it; an asset comes once for each node it stands in. */
  membersWithin(node: number): Int32Array {
    this.#flatten()
    const from = this.#rank[node] ?? 0
    return this.#flat.subarray(this.#flatFrom[from], this.#flatFrom[from + (this.#size[node] ?? 0)])
  }

  #flatten(): void {
    this.#shape()
    if (!this.#flatStale) return
    this.#flatStale = false
    this.#flatFrom = new Int32Array(this.#walk.length + 1)
    let total = 0
    for (const [rank, node] of this.#walk.entries()) {
      this.#flatFrom[rank] = total
      total += this.#members[node]?.length ?? 0
    }
    this.#flatFrom[this.#walk.length] = total
    this.#flat = new Int32Array(total)
    for (const [rank, node] of this.#walk.entries()) this.#flat.set(this.#members[node] ?? [], this.#flatFrom[rank])
  }

  /** The lowest node that is above both or one of them; -1 when there is none. */
  meet(a: number, b: number): number {
    this.#shape()
    let [left, right] = [a, b]
    while (left !== right && left >= 0 && right >= 0) {
      const [deepLeft, deepRight] = [this.#depth[left] ?? 0, this.#depth[right] ?? 0]
      if (deepLeft >= deepRight) left = this.#parent[left] ?? -1
      if (deepRight >= deepLeft) right = this.#parent[right] ?? -1
    }
    return left === right ? left : -1
  }

  /** How many different assets stand in and below each node. */
  get totals(): Int32Array {
    this.#shape()
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

const byValue = (a: PlacedNode, b: PlacedNode) =>
  a.value < b.value ? -1 : a.value > b.value ? 1 : a.key < b.key ? -1 : 1

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

/**
 * Notes one asset that is seen in some nodes, so that `summedUp` counts it once in every node above them: one for each
 * of the nodes, taken back once where two neighbours of the walk meet.
 */
export function addWeights(index: PlacementIndex, weights: Int32Array, nodes: readonly number[], by: 1 | -1): void {
  // An index keeps the nodes of an asset in the order of its walk, and so do parts of them.
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as number
    weights[node] = (weights[node] ?? 0) + by
    if (at === 0) continue
    const meeting = index.meet(nodes[at - 1] as number, node)
    if (meeting >= 0) weights[meeting] = (weights[meeting] ?? 0) - by
  }
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

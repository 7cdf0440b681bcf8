import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { levelText, PlacementIndex } from '../assets/index.ts'
import {
  assetCounts,
  assetSetPage,
  assetsBelow,
  assetsInScope,
  type GrantScope,
  isCovered,
  isInScope,
  outermostKeys,
  scopeCounter,
  scopeOf,
  visibleNodes,
} from './coverage.ts'

/** A tree and its assets as plain lists, to compare the index with. */
class Model {
  /** Path of ids from the root down, by node. */
  readonly nodes = new Map<string, { key: string; value: string }>()
  readonly assets = new Map<string, { name: string; nodes: Set<string> }>()
  readonly index = new PlacementIndex()
  #next = 0
  #mark = 0

  constructor() {
    this.#store('root', '1', 'root')
  }

  #store(id: string, key: string, value: string): void {
    this.nodes.set(id, { key, value })
    const parent_key = key.split(':').slice(0, -1).join(':')
    this.index.setNode({ id, key, value, parent_key, org_id: 'org' })
  }

  pick<T>(list: Iterable<T>, at: number): T {
    const all = [...list]
    return all[at % all.length] as T
  }

  keyOf = (id: string) => this.nodes.get(id)?.key ?? ''
  within = (id: string, top: string) =>
    this.keyOf(id) === this.keyOf(top) || this.keyOf(id).startsWith(`${this.keyOf(top)}:`)

  addNode(parent: number, value: string): void {
    const id = `n${this.#next++}`
    this.#store(id, `${this.keyOf(this.pick(this.nodes.keys(), parent))}:${this.#mark++}`, value)
  }

  moveNode(node: number, target: number): void {
    const id = this.pick(this.nodes.keys(), node)
    const to = this.pick(this.nodes.keys(), target)
    if (id === 'root' || this.within(to, id)) return
    const [from, fresh] = [this.keyOf(id), `${this.keyOf(to)}:${this.#mark++}`]
    for (const [one, { key, value }] of [...this.nodes])
      if (key === from || key.startsWith(`${from}:`)) this.#store(one, fresh + key.slice(from.length), value)
  }

  renameNode(node: number, value: string): void {
    const id = this.pick(this.nodes.keys(), node)
    this.#store(id, this.keyOf(id), value)
  }

  removeNode(node: number): void {
    const id = this.pick(this.nodes.keys(), node)
    if (id === 'root') return
    for (const one of [...this.nodes.keys()].filter((other) => this.within(other, id))) {
      for (const asset of this.assets.values()) asset.nodes.delete(one)
      this.index.removeNode(one)
      this.nodes.delete(one)
    }
    // As in the product: assets without any other node are read again and placed in the root.
    for (const [asset, { name, nodes }] of this.assets) if (nodes.size === 0) this.#place(asset, name, ['root'])
  }

  #place(id: string, name: string, nodes: readonly string[]): void {
    this.assets.set(id, { name, nodes: new Set(nodes) })
    this.index.setAsset(id, name, 'org', nodes)
  }

  setAsset(which: number, name: string, nodes: readonly number[]): void {
    this.#place(`a${which}`, name, [...new Set(nodes.map((at) => this.pick(this.nodes.keys(), at)))])
  }

  removeAsset(which: number): void {
    this.assets.delete(`a${which}`)
    this.index.removeAsset(`a${which}`)
  }
}

const place = fc.nat(30)
const name = fc.constantFrom('alpha', 'beta', 'gamma', '大阪', 'delta')
const step = fc.oneof(
  fc.record({ do: fc.constant('addNode' as const), at: place, name }),
  fc.record({ do: fc.constant('addNode' as const), at: place, name }),
  fc.record({ do: fc.constant('moveNode' as const), at: place, to: place }),
  fc.record({ do: fc.constant('renameNode' as const), at: place, name }),
  fc.record({ do: fc.constant('removeNode' as const), at: place }),
  fc.record({
    do: fc.constant('setAsset' as const),
    at: fc.nat(8),
    name,
    nodes: fc.array(place, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    do: fc.constant('setAsset' as const),
    at: fc.nat(8),
    name,
    nodes: fc.array(place, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ do: fc.constant('removeAsset' as const), at: fc.nat(8) }),
)

function take(model: Model, one: typeof step extends fc.Arbitrary<infer T> ? T : never): void {
  if (one.do === 'addNode') model.addNode(one.at, one.name)
  else if (one.do === 'moveNode') model.moveNode(one.at, one.to)
  else if (one.do === 'renameNode') model.renameNode(one.at, one.name)
  else if (one.do === 'removeNode') model.removeNode(one.at)
  else if (one.do === 'setAsset') model.setAsset(one.at, one.name, one.nodes)
  else model.removeAsset(one.at)
}

function expectSame(
  model: Model,
  namedNodes: readonly number[],
  namedAssets: readonly number[],
  directInTree: boolean,
): void {
  const { index, nodes, assets } = model
  const named = namedNodes.map((at) => model.pick(nodes.keys(), at))
  const direct = new Set(namedAssets.map((at) => `a${at}`).filter((id) => assets.has(id)))
  const reach: GrantScope = scopeOf(
    index,
    named.map((id) => index.nodeAt(id) as number),
    [...direct].map((id) => index.assetAt(id) as number),
  )
  const covered = (node: string) => named.some((top) => model.within(node, top))
  const seen = (id: string, node: string) => covered(node) || (directInTree && direct.has(id))
  const reached = [...assets].filter(([id, one]) => direct.has(id) || [...one.nodes].some(covered))

  expect([...index.order].map((at) => index.assetId(at))).toEqual(
    [...assets]
      .map(([id, one]) => [one.name, id] as const)
      .sort((a, b) => (a[0] + a[1] < b[0] + b[1] ? -1 : 1))
      .map(([, id]) => id),
  )
  const marks = assetsInScope(reach)
  expect(marks.count).toBe(reached.length)
  expect(new Set(assetSetPage(index, marks, { offset: 0, limit: 100 }))).toEqual(new Set(reached.map(([id]) => id)))
  expect(assetSetPage(index, marks, { offset: 1, limit: 2 }, true)).toEqual(
    assetSetPage(index, marks, { offset: 0, limit: 100 }).toReversed().slice(1, 3),
  )
  // As when there are too many for a list of indexes.
  const many = { at: marks.at, count: marks.count }
  for (const descending of [false, true])
    expect(assetSetPage(index, many, { offset: 1, limit: 3 }, descending)).toEqual(
      assetSetPage(index, marks, { offset: 1, limit: 3 }, descending),
    )
  expect(scopeCounter(index)(reach)).toBe(marks.count)
  for (const id of assets.keys())
    expect(isInScope(reach, index.assetAt(id) as number)).toBe(reached.some(([one]) => one === id))

  const shape = visibleNodes(reach, directInTree)
  for (const id of nodes.keys()) {
    const at = index.nodeAt(id) as number
    const inside = [...assets].filter(([, one]) => [...one.nodes].some((node) => model.within(node, id)))
    expect(index.totals[at]).toBe(inside.length)
    expect(isCovered(reach, at)).toBe(covered(id))
    const mine = inside.filter(([asset, one]) =>
      [...one.nodes].some((node) => model.within(node, id) && seen(asset, node)),
    )
    expect(
      assetCounts(
        reach,
        [...nodes.keys()].map((one) => index.nodeAt(one) as number),
        directInTree,
      )(at),
    ).toBe(mine.length)
    expect(assetsBelow(reach, at, directInTree).count).toBe(mine.length)
    expectLevel(model, id)
    const leads = named.some((top) => model.within(top, id)) || mine.length > 0
    expect(shape.has(at) || covered(id)).toBe(leads || covered(id))
  }
}

/** Compares the serialized children of a node with the plain lists. */
function expectLevel({ index, nodes, assets, within, keyOf }: Model, parent: string): void {
  const above = keyOf(parent)
  const below = [...nodes].filter(([, { key }]) => key.slice(0, key.lastIndexOf(':')) === above && key.includes(':'))
  const amount = (top: string) =>
    [...assets.values()].filter((one) => [...one.nodes].some((id) => within(id, top))).length
  const sent = JSON.parse(`[${levelText(index, index.nodeAt(parent) as number)}]`)
  expect(new Set(sent.map(({ id, pId, name }: Record<string, string>) => [id, pId, name].join()))).toEqual(
    new Set(below.map(([id, { key, value }]) => [key, above, `${value} (${amount(id)})`].join())),
  )
}

describe('the index of nodes and assets', () => {
  it('agrees with a brute-force computation after every change', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60, size: 'max' }),
        fc.array(place, { maxLength: 3 }),
        fc.array(fc.nat(8), { maxLength: 4 }),
        fc.boolean(),
        (steps, namedNodes, namedAssets, directInTree) => {
          const model = new Model()
          for (const [at, one] of steps.entries()) {
            take(model, one)
            if (at % 3 === 0) expectSame(model, namedNodes, namedAssets, directInTree)
          }
          expectSame(model, namedNodes, namedAssets, directInTree)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('outermost keys', () => {
  it('are those without an ancestor among them', () => {
    const key = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 4 }).map((steps) => ['1', ...steps].join(':'))
    fc.assert(
      fc.property(fc.array(key), (named) => {
        const below = (one: string, other: string) => one.startsWith(`${other}:`)
        expect(new Set(outermostKeys(named))).toEqual(
          new Set(named.filter((one) => !named.some((other) => below(one, other)))),
        )
      }),
    )
  })
})

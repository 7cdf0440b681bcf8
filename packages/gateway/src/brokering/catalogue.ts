import type { GrantedAsset, GrantedNode } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import type { User } from './user.ts'

export type { Grant, GrantedAsset, GrantedAssetDetail, GrantedNode, PermedAccount } from '../server-client/wire.ts'

/** A list of assets that can be paged through. */
export interface AssetList {
  page(offset: number, limit: number): Promise<{ count: number; results: GrantedAsset[] }>
}

const refineLimit = 5000

/** The person's assets, of a category or a node or matching a search. */
export function assetList(
  broker: Broker,
  person: User,
  filter: { search?: string; category?: string; node?: string } = {},
): AssetList {
  const order = broker.config().TERMINAL_ASSET_LIST_SORT_BY === 'ip' ? 'address' : 'name'
  return { page: (offset, limit) => broker.api.assets(person.id, { ...filter, order, offset, limit }) }
}

export function favouriteList(broker: Broker, person: User): AssetList {
  return fixedList(() => broker.api.favourites(person.id))
}

/** A list narrowed by a word, over name, address and comment. */
export function refined(list: AssetList, word: string): AssetList {
  const wanted = word.toLowerCase()
  return fixedList(async () => {
    const { results } = await list.page(0, refineLimit)
    return results.filter((asset) =>
      [asset.name, asset.address, asset.comment].some((text) => (text ?? '').toLowerCase().includes(wanted)),
    )
  })
}

/** A list fetched once. */
function fixedList(fetch: () => Promise<GrantedAsset[]>): AssetList {
  let all: Promise<GrantedAsset[]> | undefined
  return {
    async page(offset, limit) {
      all ??= fetch()
      const results = await all
      return { count: results.length, results: results.slice(offset, offset + limit) }
    },
  }
}

/** The person's nodes without the special ones, in tree order. */
export async function nodeTree(broker: Broker, person: User): Promise<GrantedNode[]> {
  const nodes = (await broker.api.nodes(person.id)).filter((node) => /^\d+(?::\d+)*$/.test(node.key))
  const path = (node: GrantedNode) => node.key.split(':').map(Number)
  return nodes.sort((a, b) => {
    const [one, two] = [path(a), path(b)]
    for (let at = 0; at < Math.min(one.length, two.length); at += 1) {
      const difference = (one[at] ?? 0) - (two[at] ?? 0)
      if (difference !== 0) return difference
    }
    return one.length - two.length
  })
}

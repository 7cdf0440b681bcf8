import type { GrantedAsset, GrantedNode } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import type { User } from './user.ts'

export type { Grant, GrantedAsset, GrantedAssetDetail, GrantedNode, PermedAccount } from '../server-client/wire.ts'

/** A list of assets with pages. */
export interface AssetList {
  page(offset: number, limit: number): Promise<{ count: number; results: GrantedAsset[] }>
}

const refineLimit = 5000

/** The user's assets, of a category or a node or matching a search. */
export function assetList(
  broker: Broker,
  user: User,
  filter: { search?: string; category?: string; node?: string } = {},
): AssetList {
  const order = broker.config().TERMINAL_ASSET_LIST_SORT_BY === 'ip' ? 'address' : 'name'
  return { page: (offset, limit) => broker.api.assets(user.id, { ...filter, order, offset, limit }) }
}

export function favoriteList(broker: Broker, user: User): AssetList {
  return fixedList(() => broker.api.favorites(user.id))
}

/** Filters a list by a term in name, address and comment. */
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

/** The user's nodes without pseudo nodes, in tree order. */
export async function nodeTree(broker: Broker, user: User): Promise<GrantedNode[]> {
  const nodes = (await broker.api.nodes(user.id)).filter((node) => /^\d+(?::\d+)*$/.test(node.key))
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

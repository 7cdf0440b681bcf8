import type { Context } from '../../kernel/context.ts'
import { isRootKey, lineage, subtree } from './node-key.ts'

/**
 * How many different assets stand in each node's subtree, for every node of some subtrees: exact at the moment it is
 * asked. Memberships are counted per node by the database and added up along each key; assets that stand in more than
 * one node are then taken back where they were counted twice.
 */
export async function subtreeCounts(ctx: Context, tops: readonly { key: string }[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { key } of tops) {
    for (const [own, n] of await directCounts(ctx, key))
      for (const above of lineage(own)) counts.set(above, (counts.get(above) ?? 0) + n)
    takeBackRepeated(counts, await repeated(ctx, key))
  }
  return counts
}

/** Members of each node itself. */
async function directCounts(ctx: Context, top: string): Promise<[key: string, n: number][]> {
  if (isRootKey(top)) {
    // Counting all memberships by an index alone is faster than joining them; keys come from the nodes.
    const keys = await ctx.unscoped.selectFrom('assets_node').select(['id', 'key']).where(subtree(top)).execute()
    const byNode = await ctx.unscoped
      .selectFrom('assets_asset_nodes')
      .select(['node_id', (eb) => eb.fn.countAll().as('n')])
      .groupBy('node_id')
      .execute()
    const members = new Map(byNode.map(({ node_id, n }) => [node_id, Number(n)]))
    return keys.flatMap(({ id, key }) => (members.has(id) ? [[key, members.get(id) ?? 0]] : []))
  }
  const rows = await ctx.unscoped
    .selectFrom('assets_node as n')
    .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
    .select(['n.key', (eb) => eb.fn.countAll().as('n')])
    .where(subtree(top, 'n.key'))
    .groupBy('n.key')
    .execute()
  return rows.map(({ key, n }) => [key, Number(n)])
}

/** Keys of the nodes of every asset that stands in several nodes of a subtree. */
async function repeated(ctx: Context, top: string): Promise<Map<string, string[]>> {
  const several = ctx.unscoped
    .selectFrom('assets_asset_nodes')
    .select('asset_id')
    .groupBy('asset_id')
    .having((eb) => eb.fn.countAll(), '>', 1)
  const rows = await ctx.unscoped
    .selectFrom('assets_asset_nodes as m')
    .innerJoin('assets_node as n', 'n.id', 'm.node_id')
    .select(['m.asset_id', 'n.key'])
    .where('m.asset_id', 'in', several)
    .where(subtree(top, 'n.key'))
    .execute()
  const keys = new Map<string, string[]>()
  for (const { asset_id, key } of rows) keys.set(asset_id, [...(keys.get(asset_id) ?? []), key])
  return keys
}

function takeBackRepeated(counts: Map<string, number>, assets: Map<string, string[]>): void {
  for (const keys of assets.values()) {
    const times = new Map<string, number>()
    for (const key of keys) for (const above of lineage(key)) times.set(above, (times.get(above) ?? 0) + 1)
    for (const [key, n] of times) if (n > 1) counts.set(key, (counts.get(key) ?? 0) - (n - 1))
  }
}

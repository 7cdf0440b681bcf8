import { batches } from '../../../db/batches.ts'
import type { Context } from '../../../kernel/context.ts'
import { type AnyRow, normalSerial, uuidsOf } from '../../../kernel/fields/index.ts'
import { findAll } from '../../../kernel/repository.ts'
import { actionRoutes } from '../../../kernel/resource-routes.ts'
import { readableFields, serialize } from '../../../kernel/serialize.ts'
import { asset } from '../asset.ts'
import { node } from '../nodes/node.ts'
import { subtree } from '../nodes/node-key.ts'
import { platform } from './platform.ts'

export const shownPlatforms = (ctx: Context, rows: readonly AnyRow[]) =>
  serialize(ctx, platform, rows, readableFields(ctx, platform))

/** Platforms of the given assets and of the assets in the subtrees of the given nodes. */
async function platformIdsOf(
  ctx: Context,
  assetIds: readonly string[],
  nodeIds: readonly string[],
): Promise<Set<number>> {
  const ids = new Set<number>()
  for (const some of batches(assetIds))
    for (const { platform_id } of await findAll(ctx, asset, (query) => query.where('t.id', 'in', some)))
      ids.add(Number(platform_id))
  const tops = nodeIds.length > 0 ? await findAll(ctx, node, (query) => query.where('t.id', 'in', [...nodeIds])) : []
  for (const top of tops)
    for (const { platform_id } of await ctx.unscoped
      .selectFrom('assets_node as n')
      .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
      .innerJoin('assets_asset as a', 'a.id', 'm.asset_id')
      .select('a.platform_id')
      .distinct()
      .where(subtree(top.key, 'n.key'))
      .execute())
      ids.add(Number(platform_id))
  return ids
}

export const platformRoutes = actionRoutes(platform, [
  {
    path: 'filter-nodes-assets',
    methods: ['POST'],
    requires: 'assets.view_platform',
    summary: 'Platforms of some assets and of the assets in some subtrees',
    handle: async ({ ctx, request }) => {
      const { node_ids, asset_ids, platform_ids } = (request.body ?? {}) as AnyRow
      const ids = await platformIdsOf(ctx, uuidsOf(asset_ids), uuidsOf(node_ids))
      for (const sent of Array.isArray(platform_ids) ? platform_ids : []) {
        const id = normalSerial(sent)
        if (id !== undefined) ids.add(id)
      }
      if (ids.size === 0) return []
      return shownPlatforms(
        ctx,
        await findAll(ctx, platform, (query) => query.where('t.id', 'in', [...ids]).orderBy('t.id')),
      )
    },
  },
])

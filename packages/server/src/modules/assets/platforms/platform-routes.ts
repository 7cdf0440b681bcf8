import { batches } from '../../../db/batches.ts'
import { normalSerial, type StoredRow, uuidsOf } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { readableFields, serialize } from '../../../kernel/resource/serialize.ts'
import { asset } from '../asset.ts'
import { node } from '../nodes/node.ts'
import { subtree } from '../nodes/node-key.ts'
import { platform } from './platform.ts'
import { internalPlatform } from './platform-guard.ts'
import { previewFields, previewOf } from './platform-preview.ts'

export const shownPlatforms = (ctx: Context, rows: readonly StoredRow[]) =>
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
    for (const { platform_id } of await ctx.acrossOrganizations
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
    path: 'change-preview',
    methods: ['POST'],
    detail: true,
    requires: 'assets.change_platform',
    summary: 'What a change of a platform, sent as for PATCH, would do to the assets that use it; nothing is stored',
    transaction: 'none',
    fields: { POST: previewFields },
    handle: ({ ctx, request, row }) => {
      if (row.internal) throw internalPlatform()
      return previewOf(ctx, row.id, request.body)
    },
  },
  {
    path: 'filter-nodes-assets',
    methods: ['POST'],
    requires: 'assets.view_platform',
    summary: 'Platforms of some assets and of the assets in some subtrees',
    handle: async ({ ctx, request }) => {
      const { node_ids, asset_ids, platform_ids } = objectOf(request.body)
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

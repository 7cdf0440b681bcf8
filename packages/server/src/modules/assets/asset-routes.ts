import { assetsMessages } from '@castellan/contract/messages/assets'
import { normalSerial } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { type Action, Reply, type Route } from '../../kernel/http/route.ts'
import { notFound } from '../../kernel/module/errors.ts'
import { recordUpdates } from '../../kernel/resource/changes.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import type { Resource } from '../../kernel/resource/resource.ts'
import { actionRoutes, listReply } from '../../kernel/resource/resource-routes.ts'
import { asset, assetCategoriesResources, gateway } from './asset.ts'
import { fillProtocols } from './asset-hooks.ts'
import { platform, platformsById } from './platforms/platform.ts'
import { shownPlatforms } from './platforms/platform-routes.ts'

const actions: readonly Action[] = [
  {
    path: 'platform',
    methods: ['GET'],
    detail: true,
    requires: 'assets.view_platform',
    describes: platform.url,
    summary: 'The platform of an asset',
    handle: async ({ ctx, row }) => {
      const found = (await platformsById(ctx)).get(row.platform_id)
      if (!found) throw notFound(assetsMessages.platform)
      return (await shownPlatforms(ctx, [found]))[0]
    },
  },
  {
    path: 'gateways',
    methods: ['GET'],
    detail: true,
    requires: 'assets.view_gateway',
    describes: gateway.url,
    listed: true,
    summary: "Gateways of an asset's domain",
    handle: ({ ctx, request, row }) => {
      const { id: _id, ...query } = request.query
      return listReply(ctx, gateway, { ...request, query }, (list) =>
        list.where('t.domain_id', '=', row.domain_id ?? '').where('t.id', '!=', row.id),
      )
    },
  },
  {
    path: 'sync-platform-protocols',
    methods: ['POST'],
    requires: 'assets.change_asset',
    summary: 'Add the missing protocols of a platform to its assets',
    withoutBody: true,
    handle: async ({ ctx, request }) => {
      const id = normalSerial(objectOf(request.body).platform_id) ?? 0
      if (!(await platformsById(ctx)).has(id)) throw notFound(assetsMessages.platform)
      const rows = await findAll(ctx, asset, (query) => query.where('t.platform_id', '=', id))
      const added = Map.groupBy(await fillProtocols(ctx, rows), ({ asset_id }) => asset_id)
      const changed = rows.flatMap((row) => {
        const names = added.get(row.id)?.map(({ name, port }) => `${name}/${port}`)
        return names ? [{ row, before: { protocols: [] }, after: { protocols: names } }] : []
      })
      await recordUpdates(ctx, asset as unknown as Resource, changed)
      return new Reply(200)
    },
  },
]

/** Extra actions of assets of every category. */
export const assetRoutes: readonly Route[] = [asset, ...assetCategoriesResources, gateway].flatMap((resource) =>
  actionRoutes(resource, actions),
)

import type { AssetCategory } from '@castellan/contract/asset-types'
import { assetsMessages } from '@castellan/contract/messages/assets'
import type { Context } from '../../kernel/context.ts'
import { failureAs, text as say } from '../../kernel/errors.ts'
import { type AnyRow, normalUuid } from '../../kernel/fields/index.ts'
import { findById } from '../../kernel/repository.ts'
import { defineResource, type Resource } from '../../kernel/resource.ts'
import type { Params } from '../../kernel/route.ts'
import { withinType } from './asset-bulk.ts'
import { assetColumns, assetFields } from './asset-fields.ts'
import { assetFilters, assetRuleAttributes } from './asset-filters.ts'
import { assetHooks, creating } from './asset-hooks.ts'
import { grantPort } from './grant-port.ts'
import { gatewayPlatformId, gatewayPlatformName, platformsById } from './platforms/platform.ts'

const shared = {
  app: 'assets',
  scope: 'org' as const,
  mini: ['id', 'name', 'address'],
  small: ['id', 'name', 'address', 'is_active', 'comment'],
  search: ['name', 'address', 'comment'],
  idFilter: true,
  orderable: ['name', 'connectivity', 'platform', 'date_updated'],
  defaultOrder: ['name'],
  filters: assetFilters,
  ruleAttributes: assetRuleAttributes,
  hooks: assetHooks,
  suggestions: {
    requires: 'assets.match_asset' as const,
    fields: ['id', 'name'],
    permitted: (ctx: Context) => grantPort.use.assets(ctx),
  },
  display: (row: AnyRow) => `${row.name}(${row.address})`,
  // Accounts are sent with a new asset and shown in its detail.
  hidden: (_ctx: unknown, verb: string, use?: string) =>
    use === 'options' || verb === 'retrieve' || (verb === 'create' && use !== 'answer') ? [] : ['accounts'],
  changeable: withinType,
}

/** A target of connections. One table for all categories; this collection lists them all. */
export const asset = defineResource({
  ...shared,
  name: 'asset',
  path: 'assets',
  fields: assetFields(),
  columns: assetColumns(),
  unique: [['org_id', 'name']],
  indexes: [
    ['address'],
    ['platform_id'],
    ['domain_id'],
    ['org_id', 'category', 'name', 'id'],
    ['org_id', 'date_updated'],
    ['org_id', 'platform_id'],
  ],
  // Assets are created in the collection of their category, which knows its fields.
  create: () => {
    throw failureAs(400, 'error', say(assetsMessages.asset_needs_category))
  },
})

/** Forms depend on the type of the platform: of `?platform=`, or that of the asset. */
async function describing(ctx: Context, params: Params): Promise<Params> {
  const id = normalUuid(params.pk)
  const row = id && !params.platform ? await findById(ctx, asset, id) : undefined
  const platform = (await platformsById(ctx)).get(Number(params.platform ?? row?.platform_id))
  return { ...params, type: String(platform?.type ?? '') }
}

/** The assets of one category, with its own fields. */
function category<C extends AssetCategory>(name: C, path: string): Resource {
  const resource: Resource = defineResource({
    ...shared,
    name,
    path,
    table: 'assets_asset',
    shares: 'assets.asset',
    permission: 'asset',
    fields: assetFields(name),
    columns: assetColumns(name),
    unique: [['org_id', 'name']],
    visible: (_ctx, query) => query.where('t.category', '=', name),
    describing,
    create: creating(
      () => resource,
      (platform) => platform.category === name,
    ),
  })
  return resource
}

export const host = category('host', 'hosts')
export const device = category('device', 'devices')
export const database = category('database', 'databases')
export const cloud = category('cloud', 'clouds')
export const web = category('web', 'webs')
export const gpt = category('gpt', 'gpts')
export const customAsset = category('custom', 'customs')

/** Jump hosts through which others are reached. Their platform is always the built-in Gateway. */
export const gateway: Resource = defineResource({
  ...shared,
  name: 'gateway',
  path: 'gateways',
  table: 'assets_asset',
  shares: 'assets.asset',
  fields: assetFields('host'),
  columns: assetColumns('host'),
  unique: [['org_id', 'name']],
  visible: (ctx, query) =>
    query.where(
      't.platform_id',
      'in',
      ctx.unscoped.selectFrom('assets_platform').select('id').where('name', '=', gatewayPlatformName),
    ),
  hooks: {
    ...assetHooks,
    prepare: async (ctx, input, change) => ({
      ...(await assetHooks.prepare?.(ctx, input, change)),
      platform: await gatewayPlatformId(ctx),
    }),
  },
})

export const assetCategoriesResources = [host, device, database, cloud, web, gpt, customAsset]

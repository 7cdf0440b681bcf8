import { type AssetCategory, gatewayPlatformName } from '@castellan/contract/asset-types'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { normalUuid } from '../../kernel/fields/index.ts'
import type { Params } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { failureAs, text as say } from '../../kernel/module/errors.ts'
import { findById } from '../../kernel/resource/repository.ts'
import { defineResource, type ListQuery, type Resource } from '../../kernel/resource/resource.ts'
import { defineVariants } from '../../kernel/resource/variants.ts'
import { withinType } from './asset-bulk.ts'
import { assetFields, type CommonFields } from './asset-fields.ts'
import { assetFilters, assetRuleAttributes } from './asset-filters.ts'
import { assetHooks, creating } from './asset-hooks.ts'
import { assetKinds } from './asset-kinds.ts'
import { grantPort } from './grant-port.ts'
import { gatewayPlatformId, platformsById } from './platforms/platform.ts'

/** Forms differ by the platform: the one that `?platform=` names, or that of the asset. */
async function describing(ctx: Context, params: Params): Promise<Params> {
  const id = normalUuid(params.pk)
  const row = id && !params.platform ? await findById(ctx, asset, id) : undefined
  const platform = (await platformsById(ctx)).get(Number(params.platform ?? row?.platform_id))
  return {
    ...params,
    ...(platform ? { category: platform.category } : {}),
    type: String(platform?.type ?? ''),
    custom_fields: JSON.stringify(platform?.custom_fields ?? []),
  }
}

/** Something users connect to. One table for all categories. */
const variants = defineVariants<AssetCategory, CommonFields>({
  shared: {
    app: 'assets',
    scope: 'org',
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
      requires: 'assets.match_asset',
      fields: ['id', 'name'],
      permitted: (ctx) => grantPort.use.assets(ctx),
    },
    display: (row) => `${row.name}(${row.address})`,
    // Accounts are sent with a new asset and shown by its detail.
    hidden: (_ctx, verb, use) =>
      use === 'options' || verb === 'retrieve' || (verb === 'create' && use !== 'answer') ? [] : ['accounts'],
    changeable: withinType,
    describing,
  },
  common: {
    name: 'asset',
    path: 'assets',
    unique: [['org_id', 'name']],
    indexes: [
      ['address'],
      ['platform_id'],
      ['domain_id'],
      ['org_id', 'category', 'name', 'id'],
      ['org_id', 'date_updated'],
      ['org_id', 'platform_id'],
    ],
    // An asset is made in its category's own collection, which knows its fields.
    create: () => {
      throw failureAs(400, 'error', say(assetsMessages.asset_needs_category))
    },
  },
  each: (_category, resource) => ({ create: creating(resource) }),
  by: 'category',
  details: 'spec',
  kindOf: async (ctx) => {
    const platforms = await platformsById(ctx)
    return (row) => platforms.get(row.platform_id)?.category
  },
  decidedBy: { field: 'platform', refusal: [say(assetsMessages.platform_other_category)] },
  fields: assetFields,
  kinds: assetKinds,
})

export const asset = variants.common
export const assetCategoriesResources: readonly Resource[] = Object.values(variants.kinds)

/** What a further collection of hosts begins with. */
export const hostDeclaration = variants.declaration('host')

/** Hosts that others are reached through. Their platform is always the built-in Gateway. */
export const gateway: Resource = defineResource({
  ...hostDeclaration,
  name: 'gateway',
  path: 'gateways',
  search: [...(hostDeclaration.search ?? []), 'd.name'],
  visible: (ctx, query) =>
    (query.leftJoin('assets_domain as d', 'd.id', 't.domain_id') as unknown as ListQuery).where(
      't.platform_id',
      'in',
      ctx.rawDb.selectFrom('assets_platform').select('id').where('name', '=', gatewayPlatformName),
    ),
  hooks: {
    ...hostDeclaration.hooks,
    prepare: async (ctx, input, change) => ({
      ...(await hostDeclaration.hooks?.prepare?.(ctx, input, change)),
      platform: await gatewayPlatformId(ctx),
    }),
  },
})

import { assetsMessages } from '@castellan/contract/messages/assets'
import { defineModule } from '../../kernel/module.ts'
import { onOrganisationDeleting, onOrganisationSaved } from '../orgs/index.ts'
import { asset, assetCategoriesResources, gateway } from './asset.ts'
import { assetProtocolTable } from './asset-protocols.ts'
import { assetRoutes } from './asset-routes.ts'
import { categoryRoutes } from './category-routes.ts'
import { domain } from './domain.ts'
import { favoriteAsset } from './favorite-asset.ts'
import { hostKey } from './host-key.ts'
import { hostKeyRoutes } from './host-key-routes.ts'
import { label } from './label.ts'
import { node } from './node.ts'
import { ensureRoot, removeRoot } from './node-changes.ts'
import { nodeRoutes } from './node-routes.ts'
import { placements } from './placements.ts'
import { platform, seedPlatforms } from './platform.ts'
import { platformProtocol } from './platform-protocols.ts'
import { platformRoutes } from './platform-routes.ts'
import { taskRoutes } from './task-routes.ts'

export { type AccountPort, type LoginAccount, useAccounts } from './account-port.ts'
export { asset, gateway } from './asset.ts'
export { autoConfigs } from './asset-fields.ts'
export { inNode } from './asset-filters.ts'
export { type AssetProtocol, protocolsOf } from './asset-protocols.ts'
export { domain } from './domain.ts'
export { label } from './label.ts'
export { node } from './node.ts'
export {
  belowNode,
  isBelow,
  isRootKey,
  isWithin,
  lineage,
  outermost,
  parentKey,
  subtree,
  subtreeRange,
  withinOther,
} from './node-key.ts'
export { type NodeRow, nodeBy, orgRoot, rootNodes } from './node-rows.ts'
export { PlacementIndex, summedUp } from './placement-index.ts'
export { type ChangeListener, keptWithPlacements, placements, placementsOnce } from './placements.ts'
export { gatewayPlatformName, type Platform, platform, platformsById } from './platform.ts'
export { protocolsByPlatform } from './platform-protocols.ts'
export { typeAndCategory } from './platform-type.ts'
export { reasonOf, sshPortOf, usableForSsh, viaOf, withSsh } from './reach.ts'
export { assetItems, levelText, nodeText, treeReply } from './tree-items.ts'
export { endingOf, leavesOf } from './tree-leaves.ts'
export type { PlacedNode } from './tree-shape.ts'

onOrganisationSaved(ensureRoot)
onOrganisationDeleting((ctx, { id }) => removeRoot(ctx, id))

export const assets = defineModule({
  app: 'assets',
  texts: assetsMessages,
  resources: [
    platform,
    platformProtocol,
    node,
    domain,
    label,
    asset,
    ...assetCategoriesResources,
    gateway,
    favoriteAsset,
    hostKey,
  ],
  routes: [...hostKeyRoutes, ...categoryRoutes, ...platformRoutes, ...nodeRoutes, ...assetRoutes, ...taskRoutes],
  tables: [assetProtocolTable],
  async seed(ctx) {
    await seedPlatforms(ctx)
    for (const org of await ctx.unscoped.selectFrom('orgs_organization').select(['id', 'name']).execute())
      await ensureRoot(ctx, org as { id: string; name: string })
  },
  start(services, role) {
    // Read before anybody asks, so that the first question after a start need not wait for it.
    if (role !== 'worker') setImmediate(() => void placements({ services }).catch(() => undefined))
  },
})

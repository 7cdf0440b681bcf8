import { assetsMessages } from '@castellan/contract/messages/assets'
import { on } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { organizationDeleting, organizationSaved } from '../orgs/index.ts'
import { accountPort } from './account-port.ts'
import { asset, assetCategoriesResources, gateway } from './asset.ts'
import { assetProtocolTable } from './asset-protocols.ts'
import { assetRoutes } from './asset-routes.ts'
import { checkAmounts, refreshAssets, testAssets } from './connectivity/asset-jobs.ts'
import { testDomainGateways, testGateway } from './connectivity/gateway-jobs.ts'
import { gatewayTimeTable } from './connectivity/gateways.ts'
import { hostKey } from './connectivity/host-key.ts'
import { hostKeyRoutes } from './connectivity/host-key-routes.ts'
import { taskRoutes } from './connectivity/task-routes.ts'
import { domain } from './domain.ts'
import { favoriteAsset } from './favorite-asset.ts'
import { grantPort } from './grant-port.ts'
import { label } from './label.ts'
import { node } from './nodes/node.ts'
import { ensureRoot, removeRoot } from './nodes/node-changes.ts'
import { nodeRoutes } from './nodes/node-routes.ts'
import { placements } from './nodes/placements.ts'
import { categoryRoutes } from './platforms/category-routes.ts'
import { platform, platformRedirects, seedPlatforms } from './platforms/platform.ts'
import { platformProtocol } from './platforms/platform-protocols.ts'
import { platformRoutes } from './platforms/platform-routes.ts'

import { checkPlatformRedirects } from './redirects.ts'
import { unconfirmedTable } from './unconfirmed.ts'

export { accountPort, type LoginAccount, type SignedIn } from './account-port.ts'
export { asset, gateway, hostDeclaration } from './asset.ts'
export { type AssetRow, autoConfigs } from './asset-fields.ts'
export { inNode } from './asset-filters.ts'
export { labelValuesOf } from './asset-labels.ts'
export { type AssetProtocol, protocolsOf } from './asset-protocols.ts'
export { type Automation, defineAutomation } from './automations/define.ts'
export { methodParams, platformMethod } from './automations/methods.ts'
export { recipientUsers } from './automations/recipients.ts'
export type { AutomationRun, AutomationTarget, ItemResult, Report } from './automations/run.ts'
export {
  type AssetPayload,
  assetTitle,
  demandMethod,
  eachTarget,
  skip,
  type TargetAsset,
  TargetFailure,
  type TargetItem,
  targetAssets,
} from './automations/targets.ts'
export { type DomainGateway, domainOf, usableGateways } from './connectivity/gateways.ts'
export {
  failureOf,
  gatewayFailed,
  hostKeyVerifierFor,
  sshPortOf,
  type Target,
  usableForSsh,
  viaOf,
  withDial,
  withSsh,
} from './connectivity/reach.ts'
export { startedBy } from './connectivity/started-by.ts'
export { openedDetails, shownDetails } from './custom-info.ts'
export { domain } from './domain.ts'
export { type GrantPort, grantPort } from './grant-port.ts'
export { label } from './label.ts'
export { node } from './nodes/node.ts'
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
} from './nodes/node-key.ts'
export { type NodeRow, nodeBy, orgRoot, rootNodes } from './nodes/node-rows.ts'
export { PlacementIndex, summedUp } from './nodes/placement-index.ts'
export { type ChangeListener, keptWithPlacements, placements, placementsOnce } from './nodes/placements.ts'
export { assetItem, assetItems, levelText, nodeItem, nodeText, treeReply } from './nodes/tree-items.ts'
export { endingOf, leavesOf } from './nodes/tree-leaves.ts'
export type { PlacedNode } from './nodes/tree-shape.ts'
export { appletHostPlatformId, type Platform, platform, platformsById } from './platforms/platform.ts'
export { protocolsByPlatform } from './platforms/platform-protocols.ts'
export { typeAndCategory } from './platforms/platform-type.ts'

export {
  confirmDecisions,
  markUnconfirmed,
  mayDecideDestinations,
  noteDecision,
  type Unconfirmed,
  unconfirmedDestinations,
  unconfirmedOf,
} from './unconfirmed.ts'

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
  tables: [assetProtocolTable, gatewayTimeTable, unconfirmedTable],
  jobs: [testAssets, refreshAssets, testGateway, testDomainGateways, checkAmounts],
  listens: [
    on(platformRedirects, checkPlatformRedirects),
    on(organizationSaved, ensureRoot),
    on(organizationDeleting, (ctx, { id }) => removeRoot(ctx, id)),
  ],
  hooks: [platformRedirects],
  ports: [accountPort, grantPort],
  async seed(ctx) {
    await seedPlatforms(ctx)
    for (const org of await ctx.rawDb.selectFrom('orgs_organization').select(['id', 'name']).execute())
      await ensureRoot(ctx, org as { id: string; name: string })
  },
  start(services, role) {
    // Filled early, so that the first request after a start need not wait for it.
    if (role !== 'worker') setImmediate(() => void placements({ services }).catch(() => undefined))
  },
})

import { permsMessages } from '@castellan/contract/messages/perms'
import { provide } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { grantPort } from '../assets/index.ts'
import { expiryWarnings } from './expiry-warnings.ts'
import { effectRoute } from './explained/effect.ts'
import { findingsRoute } from './explained/findings.ts'
import { whyRoute } from './explained/why.ts'
import { assetLookupRoutes } from './granted/asset-lookups.ts'
import { groupGrantRoutes } from './granted/group-grants.ts'
import { knownToCaller } from './granted/known-to.ts'
import { userAssetRoutes } from './granted/user-assets.ts'
import { userTreeRoutes } from './granted/user-trees.ts'
import { assetPermission } from './permission.ts'
import { permissionRelations } from './relations.ts'
import { accessListeners, watchAccess } from './session-revalidation.ts'
import { expiryChecks, grantedTree } from './settings.ts'

export { protocolPasses } from './effective.ts'
export { accessToMany } from './granted/access-to-many.ts'
export { type Access, accessTo, actionsWire, type PermedAccount, permedAccount } from './granted/permed-account.ts'
export { grantedAssetsIn } from './granted/selected-assets.ts'
export { lazyTree } from './granted/user-trees.ts'
export { assetPermission } from './permission.ts'
export { accessChanged, revalidate } from './session-revalidation.ts'
export { findAnyUser, grantsRight, type Subject, userOfPath } from './subject.ts'

export const perms = defineModule({
  app: 'perms',
  texts: permsMessages,
  resources: [assetPermission, ...permissionRelations],
  settings: [grantedTree, expiryChecks],
  start: watchAccess,
  jobs: [expiryWarnings],
  listens: accessListeners,
  provides: [provide(grantPort, knownToCaller)],
  routes: [
    ...userAssetRoutes,
    ...userTreeRoutes,
    ...groupGrantRoutes,
    ...assetLookupRoutes,
    whyRoute,
    effectRoute,
    findingsRoute,
  ],
})

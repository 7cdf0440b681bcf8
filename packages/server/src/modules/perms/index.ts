import { permsMessages } from '@castellan/contract/messages/perms'
import { defineModule } from '../../kernel/module.ts'
import { assetLookupRoutes } from './asset-lookups.ts'
import { effectRoute } from './effect.ts'
import './expiry-warnings.ts'
import { findingsRoute } from './findings.ts'
import { groupGrantRoutes } from './group-grants.ts'
import { watchAccess } from './live.ts'
import { assetPermission } from './permission.ts'
import { permissionRelations } from './relations.ts'
import { userAssetRoutes } from './user-assets.ts'
import { userTreeRoutes } from './user-trees.ts'
import { whyRoute } from './why.ts'

export { protocolPasses } from './effective.ts'
export { accessChanged, revalidate } from './live.ts'
export { type Access, accessTo, actionsWire, type PermedAccount, permedAccount } from './permed-account.ts'
export { assetPermission } from './permission.ts'
export { findPerson, grantsRight, type Person, personOf } from './subject.ts'
export { lazyTree } from './user-trees.ts'

export const perms = defineModule({
  app: 'perms',
  texts: permsMessages,
  resources: [assetPermission, ...permissionRelations],
  start: watchAccess,
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

import { aclsMessages } from '@castellan/contract/messages/acls'
import { provide } from '../../kernel/hooks.ts'
import { defineModule } from '../../kernel/module.ts'
import { connectMethodRules } from '../terminal/index.ts'
import { commandFilterAcl } from './command-filter.ts'
import { commandGroup } from './command-group.ts'
import { allowedMethods, connectMethodAcl } from './connect-method.ts'
import { loginAssetAcl } from './login-asset.ts'
import { reviewRoutes } from './review-routes.ts'

export { type CommandFilter, commandFiltersFor } from './command-filter.ts'
export { refusedMethods } from './connect-method.ts'
export { type AssetLogin, decideAssetLogin } from './login-asset.ts'

export const acls = defineModule({
  app: 'acls',
  texts: aclsMessages,
  resources: [commandGroup, commandFilterAcl, loginAssetAcl, connectMethodAcl],
  routes: reviewRoutes,
  provides: [provide(connectMethodRules, allowedMethods)],
})

import { settingDeclarations } from '@castellan/contract/settings'
import { defineModule } from '../../kernel/module.ts'
import { accessKey } from './access-key.ts'
import { apiRoutes } from './api.ts'
import { bearerTable, sessionTable } from './tables.ts'

export { accessKey } from './access-key.ts'
export { authenticationIdentity } from './identity.ts'
export { type LoginFacts, onSignIn } from './sign-in-outcomes.ts'

export const authentication = defineModule({
  app: 'authentication',
  resources: [accessKey],
  routes: apiRoutes,
  tables: [sessionTable, bearerTable],
  settings: settingDeclarations,
})

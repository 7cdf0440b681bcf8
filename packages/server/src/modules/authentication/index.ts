import { defineModule } from '../../kernel/module.ts'
import { accessKey } from './access-key.ts'
import { bearerTable, sessionTable } from './tables.ts'

export { authenticationIdentity } from './identity.ts'

export const authentication = defineModule({
  app: 'authentication',
  resources: [accessKey],
  tables: [sessionTable, bearerTable],
})

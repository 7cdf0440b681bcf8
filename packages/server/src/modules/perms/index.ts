import { permsMessages } from '@castellan/contract/messages/perms'
import { defineModule } from '../../kernel/module.ts'
import { assetPermission } from './permission.ts'
import { permissionRelations } from './relations.ts'

export { assetPermission } from './permission.ts'

export const perms = defineModule({
  app: 'perms',
  texts: permsMessages,
  resources: [assetPermission, ...permissionRelations],
})

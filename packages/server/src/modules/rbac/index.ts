import { rbacMessages } from '@castellan/contract/messages/rbac'
import { builtinRoles } from '@castellan/contract/permissions'
import { on } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { insertRow, updateRow } from '../../kernel/resource/repository.ts'
import { organizationDeleting } from '../orgs/index.ts'
import { forgetPermissions, rolesChanged } from './effective.ts'
import { permissionRoutes } from './permission-routes.ts'
import { orgRole, role, systemRole } from './role.ts'
import { orgRoleBinding, roleBinding, systemRoleBinding } from './role-binding.ts'
import { administration } from './settings.ts'

export { usersBeyond } from './authority.ts'
export { permissionsOf, placeOf, roleCodes, rolesChanged } from './effective.ts'
export {
  giveFirstRoles,
  type Holding,
  heldIn,
  holdersOf,
  holdingsOf,
  isMember,
  membersAmong,
  replaceRoles,
} from './holders.ts'
export { type OrganizationRef, organizationsOf, rootOrganization } from './organizations.ts'
export { roleDisplay } from './role-display.ts'
export { role, roleBinding }

export const rbac = defineModule({
  app: 'rbac',
  texts: rbacMessages,
  resources: [role, systemRole, orgRole, roleBinding, systemRoleBinding, orgRoleBinding],
  settings: [administration],
  routes: permissionRoutes,
  listens: [on(organizationDeleting, (ctx) => ctx.publish(rolesChanged, {}))],
  async seed(ctx) {
    for (const { id, name, scope } of builtinRoles) {
      const values = { name, scope, builtin: true, permissions: [] }
      const known = await ctx.rawDb.selectFrom(role.table).select('name').where('id', '=', id).executeTakeFirst()
      if (!known) await insertRow(ctx, role, { id, ...values, created_by: 'System', comment: '' })
      else if (known.name !== name) await updateRow(ctx, role, id, values)
    }
  },
  start(services) {
    forgetPermissions(services)
  },
})

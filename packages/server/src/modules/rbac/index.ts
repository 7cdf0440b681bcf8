import { rbacMessages } from '@castellan/contract/messages/rbac'
import { builtinRoles } from '@castellan/contract/permissions'
import { defineModule } from '../../kernel/module.ts'
import { insertRow, updateRow } from '../../kernel/rows.ts'
import { forgetPermissions } from './effective.ts'
import { role } from './role.ts'
import { roleBinding } from './role-binding.ts'

export { permissionsOf, roleCodes, rolesChanged } from './effective.ts'
export { giveFirstRoles, type Holding, heldIn, holdingsOf, replaceRoles } from './holders.ts'
export { type OrganisationRef, organisationsOf, rootOrganisation } from './organisations.ts'
export { role, roleDisplay } from './role.ts'
export { roleBinding } from './role-binding.ts'

export const rbac = defineModule({
  app: 'rbac',
  texts: rbacMessages,
  resources: [role, roleBinding],
  async seed(ctx) {
    for (const { id, name, scope } of builtinRoles) {
      const values = { name, scope, builtin: true, permissions: [] }
      const known = await ctx.unscoped.selectFrom(role.table).select('name').where('id', '=', id).executeTakeFirst()
      if (!known) await insertRow(ctx, role, { id, ...values, created_by: 'System', comment: '' })
      else if (known.name !== name) await updateRow(ctx, role, id, values)
    }
  },
  start(services) {
    forgetPermissions(services)
  },
})

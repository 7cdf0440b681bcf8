import { roleScopes } from '@castellan/contract/choices/users'
import { one, rawChoice } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

/** Who holds which role; in an organisation, or in the whole system when `org_id` is empty. */
export const roleBinding = defineResource({
  app: 'rbac',
  name: 'rolebinding',
  path: 'role-bindings',
  scope: 'global',
  unlogged: true,
  fields: {
    user: one('users.user', { attrs: ['id', 'name', 'username'], required: true, onDelete: 'cascade', anyOrg: true }),
    role: one('rbac.role', { required: true, onDelete: 'restrict' }),
    scope: rawChoice(roleScopes, { readOnly: true }),
    org: one('orgs.organization', { nullable: true, onDelete: 'cascade' }),
  },
  unique: [['user_id', 'role_id', 'org_id']],
  indexes: [['org_id', 'user_id'], ['role_id']],
})

import { usersMessages } from '@castellan/contract/messages/users'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, text as say } from '../../kernel/module/errors.ts'
import { defineResource } from '../../kernel/resource/resource.ts'
import { membersOnly, memberTotal } from './membership.ts'
import { userActions } from './user-actions.ts'
import { userColumns, userFields } from './user-fields.ts'
import { userFilters, userRuleAttributes } from './user-filters.ts'
import { userGuard, userHooks } from './user-hooks.ts'

/** Role fields exist only for callers who may see, or grant, roles of that scope. */
function hidden(ctx: Context, verb: string): string[] {
  const need = verb === 'create' || verb === 'update' ? 'add' : 'view'
  return (['system', 'org'] as const)
    .filter((scope) => !ctx.can(`rbac.${need}_${scope}rolebinding`))
    .map((scope) => `${scope}_roles`)
}

export const user = defineResource({
  app: 'users',
  name: 'user',
  path: 'users',
  scope: 'global',
  // A name or address that a directory changes is a change of the account.
  alwaysLogged: true,
  fields: userFields,
  columns: userColumns,
  unique: [['username'], ['email'], ['wecom_id'], ['dingtalk_id'], ['feishu_id']],
  // User lists are counted and skipped without reading rows, and the few components are found directly.
  indexes: [['is_service_account', 'name', 'id']],
  idFilter: true,
  mini: ['id', 'name', 'username'],
  small: [
    ...(['id', 'name', 'username', 'password', 'public_key', 'email', 'wechat', 'phone', 'mfa_level'] as const),
    ...(['source', 'wecom_id', 'dingtalk_id', 'feishu_id', 'created_by', 'updated_by', 'comment'] as const),
  ],
  search: ['username', 'email', 'name'],
  defaultOrder: ['name'],
  display: (row) => `${row.name}(${row.username})`,
  visible: membersOnly,
  total: memberTotal,
  hidden,
  suggestions: {
    requires: 'users.match_user',
    acrossOrgs: true,
    fields: ['id', 'name', 'username'],
  },
  filters: userFilters,
  ruleAttributes: userRuleAttributes,
  hooks: userHooks,
  guard: userGuard,
  actions: userActions,
  bulkDelete: async (_ctx, selected, all) => {
    if (selected.length >= (await all())) throw badRequest(say(usersMessages.delete_all), 'unable_to_delete_all_users')
  },
})

import { roleScopes } from '@castellan/contract/choices/users'
import { builtinRoles } from '@castellan/contract/permissions'
import { contains } from '../../db/search.ts'
import { boolean, choice, computed, datetime, nullableText, text } from '../../kernel/fields/index.ts'
import { defineResource, type ListQuery } from '../../kernel/resource.ts'
import { permissionsField } from './permission-rows.ts'
import { roleActions } from './role-actions.ts'
import { roleDisplay } from './role-display.ts'
import { roleGuard, roleHooks } from './role-hooks.ts'

/** Number of users with a role, in the caller's scope. */
const usersAmount = () =>
  computed('field', {
    load: async (ctx, rows) => {
      let query = ctx.unscoped
        .selectFrom('rbac_rolebinding')
        .select((eb) => ['role_id', eb.fn.count('user_id').distinct().as('amount')])
        .where(
          'role_id',
          'in',
          rows.map((row) => row.id),
        )
        .groupBy('role_id')
      if (!ctx.isRootOrg) query = query.where((eb) => eb.or([eb('org_id', 'is', null), eb('org_id', '=', ctx.orgId)]))
      const amounts = new Map((await query.execute()).map((row) => [row.role_id, Number(row.amount)]))
      return (row) => amounts.get(row.id) ?? 0
    },
  })

const fields = {
  name: text({ max: 128, required: true }),
  display_name: computed('field', {
    wire: (_value, ctx, row) => roleDisplay({ id: row.id, name: row.name }, ctx.language),
  }),
  scope: choice(roleScopes, { required: true, filter: true }),
  users_amount: usersAmount(),
  builtin: boolean({ readOnly: true, filter: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
  created_by: nullableText({ readOnly: true }),
  updated_by: nullableText({ readOnly: true }),
  comment: text({ max: 128 }),
  /** For built-in roles the contract's catalog is used instead. */
  permissions: permissionsField(),
}

/** Roles by one of their three collections: all of them, or those of one scope. */
function declared(path: string, scope?: 'system' | 'org') {
  return defineResource({
    app: 'rbac',
    name: 'role',
    path,
    table: 'rbac_role',
    ...(scope ? { shares: 'rbac.role', permission: `${scope}role` } : {}),
    scope: 'global',
    bulk: false,
    wholeRows: true,
    fields,
    unique: [['name', 'scope']],
    conflictsUnder: 'non_field_errors',
    search: ['name', 'scope'],
    defaultOrder: ['-builtin', 'name'],
    filters: {
      name: (ctx, query, value) => {
        const localised = builtinRoles.filter((one) => one.displayName[ctx.language].includes(value))
        return query.where((eb) =>
          eb.or([contains(ctx.dialect, eb.ref('t.name'), value), ...localised.map((one) => eb('t.id', '=', one.id))]),
        )
      },
    },
    ...(scope ? { visible: (_ctx: unknown, query: ListQuery) => query.where('t.scope', '=', scope) } : {}),
    guard: roleGuard,
    hooks: roleHooks(scope),
    actions: roleActions,
  })
}

export const role = declared('roles')
export const systemRole = declared('system-roles', 'system')
export const orgRole = declared('org-roles', 'org')

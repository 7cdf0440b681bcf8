import { builtinRoles } from '@castellan/contract/permissions'
import { contains } from '../../db/search.ts'
import { defineResource, type ListQuery } from '../../kernel/resource/resource.ts'
import { roleActions } from './role-actions.ts'
import { roleFields } from './role-fields.ts'
import { roleGuard, roleHooks } from './role-hooks.ts'

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
    fields: roleFields,
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

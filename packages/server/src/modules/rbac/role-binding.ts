import { roleScopes } from '@castellan/contract/choices/users'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow, Field } from '../../kernel/fields/field.ts'
import { computed, one, rawChoice } from '../../kernel/fields/index.ts'
import { defineResource, type Filter, type ListQuery } from '../../kernel/resource.ts'
import { organisationNames } from '../../kernel/standard-fields.ts'
import { bindingHooks } from './binding-hooks.ts'

const plainId = (row: AnyRow) => row.id

/** The same links under three addresses: those of the system, those of the organisation, both. */
type Path = 'any' | 'system' | 'org'

const visible: Record<Path, (ctx: Context, query: ListQuery) => ListQuery> = {
  any: (ctx, query) =>
    query.where((eb) =>
      eb.or([eb('t.org_id', 'is', null), ...(ctx.isRootOrg ? [] : [eb('t.org_id', '=', ctx.orgId)])]),
    ),
  system: (_ctx, query) => query.where('t.org_id', 'is', null),
  org: (ctx, query) => (ctx.isRootOrg ? query : query.where('t.org_id', '=', ctx.orgId)),
}

const related =
  (table: string, column: string, link: string): Filter =>
  (_ctx, query, value) =>
    query.where((eb) => eb(link, 'in', eb.selectFrom(table).select('id').where(column, '=', value)))

const filters: Record<string, Filter> = {
  user: (_ctx, query, value) => query.where('t.user_id', '=', value),
  role: (_ctx, query, value) => query.where('t.role_id', '=', value),
  org: (_ctx, query, value) => query.where('t.org_id', '=', value),
  user__name: related('users_user', 'name', 't.user_id'),
  user__username: related('users_user', 'username', 't.user_id'),
  role__name: related('rbac_role', 'name', 't.role_id'),
}

function fieldsOf(path: Path): Record<string, Field> {
  const org: Field = {
    ...one('orgs.organization', {
      nullable: true,
      onDelete: 'cascade',
      show: plainId,
      required: path === 'any',
      readOnly: path === 'org',
    }),
    type: 'field',
  }
  return {
    // Not demanded by the form, yet a role is always somebody's: the hooks say so.
    user: one('users.user', { attrs: ['id', 'name', 'username'], onDelete: 'cascade', anyOrg: true }),
    role: { ...one('rbac.role', { required: true, onDelete: 'restrict', show: plainId }), type: 'field' },
    scope: rawChoice(roleScopes, { readOnly: true, filter: true }),
    ...(path === 'system' ? {} : { org }),
    org_name: computed('field', {
      load: async (ctx) => {
        const names = await organisationNames(ctx)
        return (row) => names.get(row.org_id) ?? ''
      },
    }),
  }
}

/** Who holds which role; in an organisation, or in the whole system when `org_id` is empty. */
function declared(path: Path, address: string) {
  return defineResource({
    app: 'rbac',
    name: 'rolebinding',
    path: address,
    table: 'rbac_rolebinding',
    ...(path === 'any' ? {} : { shares: 'rbac.rolebinding', permission: `${path}rolebinding` }),
    scope: 'global',
    wholeRows: true,
    fields: fieldsOf(path),
    // The system's address does not show the organisation, but the same row holds it.
    ...(path === 'system'
      ? { columns: { org: one('orgs.organization', { nullable: true, onDelete: 'cascade' }) as Field } }
      : {}),
    unique: [['user_id', 'role_id', 'org_id']],
    indexes: [['org_id', 'user_id'], ['role_id']],
    filters,
    visible: visible[path],
    hooks: bindingHooks(path),
  })
}

export const roleBinding = declared('any', 'role-bindings')
export const systemRoleBinding = declared('system', 'system-role-bindings')
export const orgRoleBinding = declared('org', 'org-role-bindings')

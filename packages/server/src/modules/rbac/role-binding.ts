import { roleScopes } from '@castellan/contract/choices/users'
import { errors } from '@castellan/contract/messages/errors'
import { noRow } from '../../db/text.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, text } from '../../kernel/errors.ts'
import type { AnyRow, Field } from '../../kernel/fields/field.ts'
import { computed, normalUuid, one, rawChoice } from '../../kernel/fields/index.ts'
import { defineResource, type Filter, type ListQuery } from '../../kernel/resource.ts'
import { organizationNames } from '../../kernel/standard-fields.ts'
import { bindingHooks, giveOnce } from './binding-hooks.ts'

const plainId = (row: AnyRow) => row.id

/** The same bindings under three URLs: those of the system, those of the organization, both. */
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

/** The system collection accepts this filter too, although none of its bindings belongs to an organization. */
const byOrganization: Filter = (_ctx, query, value) => {
  if (!normalUuid(value)) throw invalid({ org: [text(errors.not_a_uuid, { input: value })] })
  return query.where(noRow)
}

const filters: Record<string, Filter> = {
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
      filter: true,
    }),
    type: 'field',
  }
  return {
    // Optional in the form, but a binding needs a user: the hooks check it.
    user: one('users.user', { attrs: ['id', 'name', 'username'], onDelete: 'cascade', anyOrg: true, filter: true }),
    role: { ...one('rbac.role', { required: true, onDelete: 'restrict', show: plainId, filter: true }), type: 'field' },
    scope: rawChoice(roleScopes, { readOnly: true, filter: true }),
    ...(path === 'system' ? {} : { org }),
    org_name: computed('field', {
      load: async (ctx) => {
        const names = await organizationNames(ctx)
        return (row) => names.get(row.org_id) ?? ''
      },
    }),
  }
}

/** Role bindings of users; in an organization, or in the whole system when `org_id` is empty. */
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
    // The system collection does not show the organization, but the column exists.
    ...(path === 'system'
      ? { columns: { org: one('orgs.organization', { nullable: true, onDelete: 'cascade' }) as Field } }
      : {}),
    unique: [['user_id', 'role_id', 'org_id']],
    conflictsUnder: 'role',
    ...(path === 'org' ? { create: giveOnce } : {}),
    indexes: [['org_id', 'user_id'], ['role_id']],
    filters: path === 'system' ? { ...filters, org: byOrganization } : filters,
    visible: visible[path],
    hooks: bindingHooks(path),
  })
}

export const roleBinding = declared('any', 'role-bindings')
export const systemRoleBinding = declared('system', 'system-role-bindings')
export const orgRoleBinding = declared('org', 'org-role-bindings')

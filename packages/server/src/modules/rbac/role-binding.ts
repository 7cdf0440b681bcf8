import { errors } from '@castellan/contract/messages/errors'
import { noRow } from '../../db/text.ts'
import { normalUuid, one } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text } from '../../kernel/module/errors.ts'
import { defineResource, type Filter, type ListQuery } from '../../kernel/resource/resource.ts'
import { bindingFields, type Path } from './binding-fields.ts'
import { bindingHooks, giveOnce } from './binding-hooks.ts'

const visible: Record<Path, (ctx: Context, query: ListQuery) => ListQuery> = {
  any: (ctx, query) =>
    query.where((eb) =>
      eb.or([eb('t.org_id', 'is', null), ...(ctx.isRootOrg ? [] : [eb('t.org_id', '=', ctx.orgId)])]),
    ),
  system: (_ctx, query) => query.where('t.org_id', 'is', null),
  org: (ctx, query) => (ctx.isRootOrg ? query : query.where('t.org_id', '=', ctx.orgId)),
}

/** Bindings with their users and roles, which a search finds them by. */
const joined = (query: ListQuery) =>
  query
    .leftJoin('users_user as u', 'u.id', 't.user_id')
    .leftJoin('rbac_role as r', 'r.id', 't.role_id') as unknown as ListQuery

const named =
  (column: 'u.name' | 'u.username' | 'r.name'): Filter =>
  (_ctx, query, value) =>
    query.where(column as 't.id', '=', value)

/** The system collection accepts this filter too, although none of its bindings belongs to an organization. */
const byOrganization: Filter = (_ctx, query, value) => {
  if (!normalUuid(value)) throw invalid({ org: [text(errors.not_a_uuid, { input: value })] })
  return query.where(noRow)
}

const filters: Record<string, Filter> = {
  user__name: named('u.name'),
  user__username: named('u.username'),
  role__name: named('r.name'),
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
    fields: bindingFields(path),
    fieldOrder: path === 'system' ? ['role', 'user', 'id', 'org_name', 'scope'] : 'declared',
    // The system collection does not show the organization, but the column exists.
    ...(path === 'system'
      ? { columns: { org: one('orgs.organization', { nullable: true, onDelete: 'cascade' }) } }
      : {}),
    unique: [['user_id', 'role_id', 'org_id']],
    conflictsUnder: 'role',
    ...(path === 'org' ? { create: giveOnce } : {}),
    indexes: [['org_id', 'user_id'], ['role_id']],
    filters: path === 'system' ? { ...filters, org: byOrganization } : filters,
    search: ['u.name', 'u.username', 'r.name'],
    visible: (ctx, query) => visible[path](ctx, joined(query)),
    hooks: bindingHooks(path),
  })
}

export const roleBinding = declared('any', 'role-bindings')
export const systemRoleBinding = declared('system', 'system-role-bindings')
export const orgRoleBinding = declared('org', 'org-role-bindings')

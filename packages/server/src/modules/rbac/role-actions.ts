import { rbacMessages } from '@castellan/contract/messages/rbac'
import { permissionTree } from '@castellan/contract/permission-tree'
import { permissionById } from '@castellan/contract/permissions'
import { integer, json, text } from '../../kernel/fields/index.ts'
import type { Action } from '../../kernel/http/route.ts'
import { listOf, pagedReply } from '../../kernel/lists/paging.ts'
import type { Context } from '../../kernel/module/context.ts'
import { notFound } from '../../kernel/module/errors.ts'
import { licenseState } from '../xpack/index.ts'
import { roleCodes } from './effective.ts'
import { permissionRow, permissionsByCodes } from './permission-rows.ts'
import type { RoleRow } from './role-fields.ts'

const codesOf = (row: RoleRow) => roleCodes(row.id, row.permissions, row.scope)

const holdersOf = (ctx: Context, row: RoleRow) => {
  const query = ctx.acrossOrganizations
    .selectFrom('users_user as u')
    .innerJoin('rbac_rolebinding as b', 'b.user_id', 'u.id')
    .select(['u.id', 'u.name', 'u.username'])
    .distinct()
    .where('b.role_id', '=', row.id)
    .orderBy('u.name')
  return (row.scope === 'org' && !ctx.isRootOrg ? query.where('b.org_id', '=', ctx.orgId) : query).execute()
}

const shown = text({ readOnly: true })
const permissionFields = {
  GET: { id: integer({ readOnly: true }), name: shown, content_type: json({ readOnly: true }), codename: shown },
}

export const roleActions: Action<RoleRow>[] = [
  {
    path: 'users',
    methods: ['GET'],
    detail: true,
    requires: 'rbac.view_rolebinding',
    fields: { GET: { id: shown, name: shown, username: shown } },
    summary: 'Users with a role',
    handle: async ({ ctx, request, row }) => pagedReply(ctx, request, listOf(await holdersOf(ctx, row))),
  },
  {
    path: 'permissions',
    methods: ['GET'],
    detail: true,
    requires: 'rbac.view_permission',
    fields: permissionFields,
    summary: 'The permissions of a role',
    handle: ({ ctx, request, row }) =>
      pagedReply(
        ctx,
        request,
        listOf(permissionsByCodes(codesOf(row)).map((permission) => permissionRow(ctx, permission))),
      ),
  },
  {
    path: 'permissions/:permission',
    methods: ['GET'],
    detail: true,
    requires: 'rbac.view_permission',
    fields: permissionFields,
    summary: 'One of the permissions of a role',
    handle: ({ ctx, request, row }) => {
      const permission = permissionById(Number(request.params.permission))
      if (!permission || !codesOf(row).includes(permission.code)) throw notFound(rbacMessages.permission)
      return permissionRow(ctx, permission)
    },
  },
  {
    path: 'permissions/tree',
    methods: ['GET'],
    detail: true,
    requires: 'rbac.view_permission',
    summary: 'The tree for selecting the permissions of a role',
    handle: ({ ctx, row }) =>
      permissionTree({
        scope: row.scope,
        extended: licenseState(ctx.services).extended,
        language: ctx.language,
        held: new Set(codesOf(row)),
        disabled: row.builtin,
      }),
  },
]

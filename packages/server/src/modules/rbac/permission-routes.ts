import { errors } from '@castellan/contract/messages/errors'
import { rbacMessages } from '@castellan/contract/messages/rbac'
import { grantablePermissions, type Permission, permissionById } from '@castellan/contract/permissions'
import { normalUuid } from '../../kernel/fields/index.ts'
import { defineRoute, type RequestParts } from '../../kernel/http/route.ts'
import { listOf, pagedReply } from '../../kernel/lists/paging.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, notFound, permissionDenied, text } from '../../kernel/module/errors.ts'
import { licenseState } from '../xpack/index.ts'
import { roleCodes } from './effective.ts'
import { permissionRow, permissionsByCodes } from './permission-rows.ts'

const path = '/api/v1/rbac/permissions/'

async function wanted(ctx: Context, { query }: RequestParts): Promise<readonly Permission[]> {
  if (!query.role)
    return grantablePermissions(
      !query.scope || query.scope === 'org' ? 'org' : 'system',
      licenseState(ctx.services).extended,
    )
  const id = normalUuid(query.role)
  if (!id) throw invalid({ role: [text(errors.not_a_uuid, { input: query.role })] })
  const row = await ctx.rawDb.selectFrom('rbac_role').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? permissionsByCodes(roleCodes(row.id, JSON.parse(row.permissions), row.scope)) : []
}

export const permissionRoutes = [
  defineRoute({
    method: 'GET',
    path,
    requires: 'rbac.view_permission',
    withoutOptions: true,
    summary: 'The permissions roles of a scope can hold, or those of one role',
    handle: async ({ ctx, request }) => {
      const { codename } = request.query
      const found = (await wanted(ctx, request)).filter((one) => !codename || one.codename === codename)
      return pagedReply(ctx, request, listOf(found.map((permission) => permissionRow(ctx, permission))))
    },
  }),
  // The contract has this URL and rejects all callers; the visible trees are below their role.
  defineRoute({
    method: 'GET',
    path: `${path}tree/`,
    requires: 'nobody',
    withoutOptions: true,
    summary: 'Rejected: the tree belongs to a role',
    handle: () => {
      throw permissionDenied()
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${path}:id/`,
    requires: 'rbac.view_permission',
    withoutOptions: true,
    summary: 'One permission',
    handle: ({ ctx, request }) => {
      const permission = permissionById(Number(request.params.id))
      if (!permission) throw notFound(rbacMessages.permission)
      return permissionRow(ctx, permission)
    },
  }),
]

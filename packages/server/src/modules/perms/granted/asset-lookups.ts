import { noRow } from '../../../db/text.ts'
import { normalUuid } from '../../../kernel/fields/index.ts'
import { defineRoute, type Handling, type RequestParts, type Route } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { notFound } from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { findById, getById } from '../../../kernel/resource/repository.ts'
import type { ListQuery } from '../../../kernel/resource/resource.ts'
import { listReply } from '../../../kernel/resource/resource-routes.ts'
import { user, userGroup } from '../../users/index.ts'
import { assetPermission } from '../permission.ts'
import { usersOfPermissions } from '../permission-lookups.ts'
import { concernsAsset, concernsUser, keysAbove, permissions } from '../valid-permissions.ts'
import { asset } from './user-assets.ts'

/** Users who may access one asset, by which permissions, valid or not. */

// biome-ignore lint/suspicious/noExplicitAny: conditions for queries over tables the builder does not know
type Condition = (eb: any) => any

/** The asset in the path, in the caller's organization, and the condition "the permission concerns it". */
async function concerning({ ctx, request }: Handling): Promise<Condition> {
  const row = await findById(ctx, asset, normalUuid(request.params.id) ?? '')
  if (!row) throw notFound(nameOf(asset))
  return concernsAsset(row.id, await keysAbove(ctx, row.id))
}

async function idsOf(ctx: Context, condition: Condition): Promise<string[]> {
  const rows = await permissions(ctx.rawDb).select('p.id').where(condition).execute()
  return rows.map(({ id }) => id)
}

async function permUsers(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const ids = await idsOf(ctx, await concerning(handling))
  return listReply(ctx, user, request, (query) =>
    ids.length > 0 ? usersOfPermissions(query, ids) : query.where(noRow),
  )
}

async function permGroups(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const ids = await idsOf(ctx, await concerning(handling))
  return listReply(ctx, userGroup, request, (query) =>
    query.where((eb) =>
      eb(
        't.id',
        'in',
        eb
          .selectFrom('perms_assetpermission_user_groups')
          .select('usergroup_id')
          .where('assetpermission_id', 'in', ids.length > 0 ? ids : ['']),
      ),
    ),
  )
}

const permissionList = (ctx: Context, request: RequestParts, condition: Condition) =>
  listReply(ctx, assetPermission, request, (query: ListQuery) =>
    query.where('t.id', 'in', permissions(ctx.rawDb).select('p.id').where(condition)),
  )

async function ofUser(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const onAsset = await concerning(handling)
  const row = await getById(ctx.acrossOrgs(), user, normalUuid(request.params.user) ?? '')
  return permissionList(ctx, request, (eb) => eb.and([onAsset(eb), concernsUser(row.id)(eb)]))
}

/** "The permission names the group." */
export const concernsGroup =
  (groupId: string): Condition =>
  (eb) =>
    eb('p.id', 'in', (inner: Parameters<Condition>[0]) =>
      inner
        .selectFrom('perms_assetpermission_user_groups')
        .select('assetpermission_id')
        .where('usergroup_id', '=', groupId),
    )

async function ofGroup(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const onAsset = await concerning(handling)
  const row = await getById(ctx, userGroup, normalUuid(request.params.group) ?? '')
  return permissionList(ctx, request, (eb) => eb.and([onAsset(eb), concernsGroup(row.id)(eb)]))
}

const get = (
  path: string,
  { url }: { url: string },
  summary: string,
  handle: (handling: Handling) => Promise<unknown>,
): Route =>
  defineRoute({
    method: 'GET',
    path: `/api/v1/assets/assets/:id/${path}`,
    requires: 'perms.view_assetpermission',
    describes: url,
    listed: true,
    summary,
    handle,
  })

export const assetLookupRoutes: Route[] = [
  get('perm-users/', user, 'Users who may access an asset', permUsers),
  get('perm-user-groups/', userGroup, 'Groups that may access an asset', permGroups),
  get('perm-users/:user/permissions/', assetPermission, 'Permissions that grant a user access to an asset', ofUser),
  get(
    'perm-user-groups/:group/permissions/',
    assetPermission,
    'Permissions that grant a group access to an asset',
    ofGroup,
  ),
]

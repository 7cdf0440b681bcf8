import { contains } from '../../db/search.ts'
import type { StoredRow } from '../../kernel/fields/field.ts'
import { booleanOf, text } from '../../kernel/fields/index.ts'
import type { Action, Handling, Params } from '../../kernel/http/route.ts'
import { type Pageable, pagedReply } from '../../kernel/lists/paging.ts'
import { countOf, filtered, ordered } from '../../kernel/lists/query.ts'
import type { Context } from '../../kernel/module/context.ts'
import { findResource, type ListQuery } from '../../kernel/resource/resource.ts'
import { chosenFields, serialize } from '../../kernel/resource/serialize.ts'
import { type Grant, grantBy, grantedOnly } from './granted/granted-assets.ts'
import type { PermissionRow } from './permission-fields.ts'
import { permissions } from './valid-permissions.ts'

const grantOfRow = (ctx: Context, row: { id: string }): Promise<Grant> =>
  grantBy(ctx, permissions(ctx.rawDb).select('p.id').where('p.id', '=', row.id))

const only = (params: Params, names: readonly string[]): Params =>
  Object.fromEntries(names.flatMap((name) => (params[name] ? [[name, params[name]]] : [])))

/** A list with its own small row shape. */
const shaped = (query: ListQuery, show: (row: StoredRow) => StoredRow): Pageable => {
  const orderedQuery = query.orderBy('t.name').orderBy('t.id')
  return {
    count: () => countOf(query),
    rows: async (page) =>
      (await (page ? orderedQuery.limit(page.limit).offset(page.offset) : orderedQuery).execute()).map((row) =>
        show(row),
      ),
  }
}

async function allAssets({ ctx, request, row }: Handling & { row: PermissionRow }): Promise<unknown> {
  const list = await filtered(ctx, findResource('assets.asset'), only(request.query, ['name', 'address']))
  const found = request.query.search
    ? words(request.query.search).reduce(
        (query, word) =>
          query.where((eb) =>
            eb.or([contains(ctx.dialect, eb.ref('t.name'), word), contains(ctx.dialect, eb.ref('t.address'), word)]),
          ),
        list,
      )
    : list
  return pagedReply(
    ctx,
    request,
    shaped(grantedOnly(ctx, found, await grantOfRow(ctx, row)), (asset) => ({
      asset: asset.id,
      asset_display: `${asset.name}(${asset.address})`,
    })),
  )
}

const words = (search: string) => search.split(/[,\s]+/).filter(Boolean)

/** Users named by the permission, directly or by a group, whatever their organizations. */
export const usersOfPermissions = (query: ListQuery, ids: readonly string[]): ListQuery =>
  query.where((eb) =>
    eb.or([
      eb(
        't.id',
        'in',
        eb.selectFrom('perms_assetpermission_users').select('user_id').where('assetpermission_id', 'in', ids),
      ),
      eb(
        't.id',
        'in',
        eb
          .selectFrom('perms_assetpermission_user_groups as pg')
          .innerJoin('users_user_groups as ug', 'ug.usergroup_id', 'pg.usergroup_id')
          .select('ug.user_id')
          .where('pg.assetpermission_id', 'in', ids),
      ),
    ]),
  )

async function allUsers({ ctx, request, row }: Handling & { row: PermissionRow }): Promise<unknown> {
  const list = await filtered(ctx.acrossOrgs(), findResource('users.user'), only(request.query, ['username', 'name']))
  const found = words(request.query.search ?? '').reduce(
    (query, word) =>
      query.where((eb) =>
        eb.or([contains(ctx.dialect, eb.ref('t.name'), word), contains(ctx.dialect, eb.ref('t.username'), word)]),
      ),
    list,
  )
  return pagedReply(
    ctx,
    request,
    shaped(usersOfPermissions(found, [row.id]), (user) => ({
      user: user.id,
      user_display: `${user.name}(${user.username})`,
    })),
  )
}

/** Stored accounts that the permission grants, on all its assets. */
async function accounts({ ctx, request, row }: Handling & { row: PermissionRow }): Promise<unknown> {
  const assets = grantedOnly(
    ctx,
    ctx.acrossOrganizations.selectFrom('assets_asset as t') as unknown as ListQuery,
    await grantOfRow(ctx, row),
  )
  const everyone = row.accounts.includes('@ALL')
  const { name } = request.query
  const privileged = booleanOf(request.query.privileged ?? '')
  const version = Number(request.query.version || Number.NaN)
  const account = findResource('accounts.account')
  let on = (await filtered(ctx, account, request.query)).where('t.asset_id', 'in', assets.select('t.id'))
  if (name) on = on.where('t.name', '=', name)
  if (privileged !== undefined) on = on.where('t.privileged', '=', privileged)
  if (Number.isSafeInteger(version)) on = on.where('t.version', '=', version)
  if (!everyone) on = on.where('t.username', 'in', row.accounts.length > 0 ? row.accounts : [''])
  const orderedQuery = request.query.order ? ordered(on, account, request.query) : byAsset(on)
  return pagedReply(ctx, request, {
    count: () => countOf(on),
    rows: async (page) => {
      const rows = await (page ? orderedQuery.limit(page.limit).offset(page.offset) : orderedQuery).execute()
      return serialize(ctx, account, rows.map(account.decode), chosenFields(ctx, account, request.query))
    },
  })
}

/** Accounts grouped by asset, assets by name. */
const byAsset = (query: ListQuery): ListQuery =>
  query
    .orderBy((eb) => eb.selectFrom('assets_asset as a').select('a.name').whereRef('a.id', '=', 't.asset_id'))
    .orderBy('t.name')
    .orderBy('t.username')
    .orderBy('t.id')

/** Fields of a list of pairs: id and display name of an object. */
const pairFields = (name: 'user' | 'asset') => ({
  GET: { [name]: text({ readOnly: true }), [`${name}_display`]: text({ readOnly: true }) },
})

export const permissionLookups: readonly Action[] = [
  {
    path: 'assets/all',
    methods: ['GET'],
    detail: true,
    requires: 'assets.view_asset',
    fields: pairFields('asset'),
    summary: 'Every asset a permission grants, directly or through nodes',
    handle: allAssets,
  },
  {
    path: 'users/all',
    methods: ['GET'],
    detail: true,
    requires: 'users.view_user',
    fields: pairFields('user'),
    summary: 'Every user a permission names, directly or through groups',
    handle: allUsers,
  },
  {
    path: 'accounts',
    methods: ['GET'],
    detail: true,
    requires: 'accounts.view_account',
    describes: '/api/v1/accounts/accounts/',
    listed: true,
    summary: 'The stored accounts a permission grants',
    handle: accounts,
  },
]

import { randomUUID } from 'node:crypto'
import { permsMessages } from '@castellan/contract/messages/perms'
import { batches } from '../../../db/batches.ts'
import type { Field, StoredRow } from '../../../kernel/fields/field.ts'
import { normalUuid } from '../../../kernel/fields/index.ts'
import { isObject, objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { listOrFile } from '../../../kernel/files/export.ts'
import type { Params } from '../../../kernel/http/route.ts'
import { defineRoute, type Handling, type RequestParts, type Route } from '../../../kernel/http/route.ts'
import type { Pageable } from '../../../kernel/lists/paging.ts'
import { countOf, filtered } from '../../../kernel/lists/query.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { notFound } from '../../../kernel/module/errors.ts'
import { labelOf, nameOf } from '../../../kernel/module/texts.ts'
import { decoded, findById } from '../../../kernel/resource/repository.ts'
import type { ListQuery, Row } from '../../../kernel/resource/resource.ts'
import { narrowed, serialize } from '../../../kernel/resource/serialize.ts'
import {
  asset as assetResource,
  node,
  nodeBy,
  platformsById,
  protocolsByPlatform,
  protocolsOf,
} from '../../assets/index.ts'
import { type AssetSet, assetSetPage, assetsInScope, type GrantScope } from '../coverage.ts'
import { permittedProtocols, type Rule } from '../effective.ts'
import { grantsRight, type Subject, userOfPath } from '../subject.ts'
import { directOnly, type Grant, grantedOnly, grantOf } from './granted-assets.ts'
import { inGrantedNode, marksInNode } from './granted-tree.ts'
import { accessTo, permedAccountWire } from './permed-account.ts'

export const asset = assetResource

/** The fields of an asset shown to users who may access it. */
const itemFields = [
  ...['id', 'name', 'address', 'domain', 'platform', 'comment', 'created_by', 'connectivity', 'nodes', 'labels'],
  ...['category', 'type', 'org_id', 'org_name', 'is_active', 'date_verified', 'date_created'],
]

/** Applies `fields` and `fields!`; `fields_size` has no effect here. */
const fieldsAsked = ({ fields_size: _size, action: _action, ...params }: Params): string[] =>
  narrowed(asset, itemFields, params)

const filterNames = [
  ...['id', 'name', 'address', 'is_active', 'type', 'category', 'platform', 'domain', 'labels', 'protocols'],
  ...['domain_enabled', 'ping_enabled', 'gather_facts_enabled', 'change_secret_enabled', 'push_account_enabled'],
  ...['verify_account_enabled', 'gather_accounts_enabled', 'search'],
]

const assetFields: Readonly<Record<string, Field>> = asset.fields
const orders: readonly string[] = ['name', 'address']

const orderFields: Record<string, Field> = Object.fromEntries(
  itemFields.map((name) => {
    const field = assetFields[name] as Field
    return [name, { ...field, readOnly: true, required: false, order: orders.includes(name) } as Field]
  }),
)

export const optionFields = { GET: orderFields }

/** The caller's own conditions on a list of assets. */
export const assetsAsked = (ctx: Context, params: Params, more: readonly string[] = []): Promise<ListQuery> =>
  filtered(
    ctx,
    asset,
    Object.fromEntries([...filterNames, ...more].flatMap((name) => (params[name] ? [[name, params[name]]] : []))),
  )

/** Orders a list of assets as requested. */
export function assetsOrdered(query: ListQuery, params: Params): ListQuery {
  const wanted = (params.order ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => orders.includes(name.replace(/^-/, '')))
  let orderedQuery = query
  for (const name of wanted.length > 0 ? wanted : ['name'])
    orderedQuery = orderedQuery.orderBy(`t.${name.replace(/^-/, '')}`, name.startsWith('-') ? 'desc' : 'asc')
  return orderedQuery.orderBy('t.id')
}

/** Assets as pages, or as a file. */
function assetsReply(ctx: Context, request: RequestParts, list: Pageable, uncapped: boolean): Promise<unknown> {
  const columns = fieldsAsked(request.query)
    .filter((name) => name !== 'org_id' && !assetFields[name]?.noExport)
    .map((name) => ({ name, field: orderFields[name] as Field, label: labelOf(asset, name, ctx.language) }))
  return listOrFile(ctx, request, { name: 'asset', columns, list, uncapped })
}

export function assetPage(ctx: Context, request: RequestParts, query: ListQuery, uncapped: boolean): Promise<unknown> {
  const orderedQuery = assetsOrdered(query, request.query)
  return assetsReply(
    ctx,
    request,
    {
      count: () => countOf(query),
      rows: async (page) => {
        const rows = await (page ? orderedQuery.limit(page.limit).offset(page.offset) : orderedQuery).execute()
        return serialize(ctx, asset, rows.map(asset.decode), fieldsAsked(request.query))
      },
    },
    uncapped,
  )
}

/** Whether a list is requested in its default form: by name and without filters. */
const isPlain = ({ query }: RequestParts, ...more: readonly string[]): boolean =>
  ![...filterNames, ...more].some((name) => query[name]) && /^-?name$/.test(query.order || 'name')

/** A set of assets by name: counted and cut in memory, so that only one page is read. */
export function markedAssets(
  ctx: Context,
  request: RequestParts,
  reach: GrantScope,
  marks: AssetSet,
): Promise<unknown> {
  const descending = request.query.order === '-name'
  const { count } = marks
  return assetsReply(
    ctx,
    request,
    {
      count: async () => count,
      rows: async (page) => {
        const ids = assetSetPage(reach.index, marks, page ?? { offset: 0, limit: count }, descending)
        return serialize(ctx, asset, await assetsById(ctx, ids), fieldsAsked(request.query))
      },
    },
    true,
  )
}

/** Rows of assets in the order of their ids. */
async function assetsById(ctx: Context, ids: readonly string[]): Promise<Row<typeof asset>[]> {
  const found = new Map<string, Row<typeof asset>>()
  for (const some of batches(ids))
    for (const row of await ctx.acrossOrganizations
      .selectFrom(asset.table)
      .selectAll()
      .where('id', 'in', some)
      .execute())
      found.set(row.id, decoded(asset, row))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** The granted assets as a list, with the caller's own conditions. */
export async function grantedPage(ctx: Context, request: RequestParts, grant: Grant): Promise<unknown> {
  if (isPlain(request, 'node_id')) return markedAssets(ctx, request, grant.reach, assetsInScope(grant.reach))
  const asked = await assetsAsked(ctx, request.query, ['node_id'])
  return assetPage(ctx, request, grantedOnly(ctx, asked, grant), true)
}

async function allAssets(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const user = await userOfPath(handling)
  return grantedPage(ctx, request, await grantOf(ctx, user.id))
}

async function nodeAssets(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const user = await userOfPath(handling)
  const top = await nodeBy(ctx, request.params.node ?? '')
  if (!top) throw notFound(nameOf(node))
  if (isPlain(request)) {
    const { reach } = await grantOf(ctx, user.id)
    return markedAssets(ctx, request, reach, await marksInNode(ctx, user.id, top.key))
  }
  const asked = await assetsAsked(ctx, request.query)
  return assetPage(ctx, request, await inGrantedNode(ctx, asked, user.id, top.key), true)
}

async function directAssets(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const user = await userOfPath(handling)
  const asked = await assetsAsked(ctx, request.query)
  return assetPage(ctx, request, directOnly(ctx, asked, await grantOf(ctx, user.id)), false)
}

/** Narrows a list of assets (`t`) to a user's favorites. */
export const favoritesOnly = (ctx: Context, query: ListQuery, userId: string): ListQuery =>
  query.where(
    't.id',
    'in',
    ctx.rawDb.selectFrom('assets_favoriteasset').select('asset_id').where('user_id', '=', userId),
  )

async function favoriteAssets(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const user = await userOfPath(handling)
  const asked = favoritesOnly(ctx, await assetsAsked(ctx, request.query), user.id)
  return assetPage(ctx, request, grantedOnly(ctx, asked, await grantOf(ctx, user.id)), false)
}

/** Protocols a user may use on an asset, each with its platform's settings. */
async function permedProtocols(ctx: Context, row: { id: string; platform_id: number }, rules: readonly Rule[]) {
  const offered = (await protocolsOf(ctx, [row.id])).get(row.id) ?? []
  const declared = (await protocolsByPlatform(ctx)).get(row.platform_id) ?? []
  const names = new Set(
    permittedProtocols(
      rules,
      offered.map(({ name }) => name),
    ),
  )
  return offered
    .filter(({ name }) => names.has(name))
    .map(({ name, port }) => {
      const of = declared.find((one) => one.name === name)
      return { name, port, public: of?.public ?? true, setting: of?.setting ?? {} }
    })
}

const plainValues = (info: unknown) =>
  Object.fromEntries(
    Object.entries(objectOf(info)).map(([name, value]) => [
      name,
      isObject(value) && 'label' in value ? value.value : value,
    ]),
  )

/** One granted asset, with its permitted accounts and protocols. */
export async function grantedAsset(ctx: Context, user: Subject, id: string): Promise<StoredRow> {
  // Users access their own assets in any organization; a caller who reads another user's remains in the current one.
  const where = user.id === ctx.me.id ? ctx.acrossOrgs() : ctx
  const [row, access] = await ctx.together(
    () => findById(where, asset, id),
    () => accessTo(where, user, id),
  )
  if (!row || !access) throw notFound(permsMessages.permedasset)
  const platform = (await platformsById(ctx)).get(row.platform_id)
  const bySudo = platform?.su_enabled === true && platform.su_method === 'sudo'
  const [item] = await serialize(where, asset, [row], [...itemFields, 'spec_info'])
  return {
    ...item,
    spec_info: plainValues(item?.spec_info),
    permed_protocols: await permedProtocols(ctx, row, access.rules),
    permed_accounts: access.accounts.map((one) => permedAccountWire(ctx, user, one, bySudo, randomUUID)),
  }
}

const get = (path: string, summary: string, handle: (handling: Handling) => Promise<unknown>): Route =>
  defineRoute({
    method: 'GET',
    path: `/api/v1/perms/users/:user/${path}`,
    requires: grantsRight,
    refusesOthers: true,
    summary,
    fields: optionFields,
    handle,
  })

export const userAssetRoutes: Route[] = [
  get('assets/', 'Every asset a user may access', allAssets),
  get('assets/:id/', 'One asset a user may access, with accounts, protocols and actions', async (handling) => {
    const user = await userOfPath(handling)
    return grantedAsset(handling.ctx, user, normalUuid(handling.request.params.id) ?? '')
  }),
  get('nodes/ungrouped/assets/', 'Assets granted directly, not through nodes', directAssets),
  get('nodes/favorite/assets/', 'Favorite assets a user may access', favoriteAssets),
  get('nodes/:node/assets/', 'Assets a user may access in a node and its subtree', nodeAssets),
]

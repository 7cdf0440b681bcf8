import { normalUuid } from '../../../kernel/fields/index.ts'
import {
  defineRoute,
  type Handling,
  type RequestParts,
  type Route,
  type RouteFields,
} from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { notFound } from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { findAll, getById } from '../../../kernel/resource/repository.ts'
import type { ListQuery } from '../../../kernel/resource/resource.ts'
import type { Requirement } from '../../../kernel/security/permission.ts'
import { lineage, node, nodeBy, type PlacedNode, parentKey, subtree } from '../../assets/index.ts'
import { userGroup } from '../../users/index.ts'
import { covers } from '../coverage.ts'
import { type Ids, permissions, validNow } from '../valid-permissions.ts'
import { concernsGroup } from './asset-lookups.ts'
import { coveredNodes, directAssets, type Grant, grantBy, grantedOnly } from './granted-assets.ts'
import { levelOf, rowsOf } from './granted-tree.ts'
import { assetPage, assetsAsked, grantedPage, optionFields } from './user-assets.ts'
import { nodeRowFields, nodeRows } from './user-trees.ts'

/** The grants of a group. */
async function grantOfGroup({ ctx, request }: Handling, valid: boolean): Promise<Grant> {
  const group = await getById(ctx, userGroup, normalUuid(request.params.id) ?? '')
  const all = permissions(ctx.rawDb).select('p.id').where(concernsGroup(group.id))
  return grantBy(ctx, (valid ? all.where(validNow(ctx.now)) : all) as Ids)
}

/** The caller's own conditions on a group's assets; `comment` is a filter only here. */
async function askedOfGroup(ctx: Context, { query }: RequestParts): Promise<ListQuery> {
  const asked = await assetsAsked(ctx, query)
  return query.comment ? asked.where('t.comment', '=', query.comment) : asked
}

async function groupAssets(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const grant = await grantOfGroup(handling, true)
  if (!request.query.comment) return grantedPage(ctx, request, grant)
  return assetPage(ctx, request, grantedOnly(ctx, await askedOfGroup(ctx, request), grant), true)
}

/** Keys of nodes that contain a directly granted asset. */
async function directKeys(ctx: Context, grant: Grant): Promise<string[]> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('assets_asset_nodes as m')
    .innerJoin('assets_node as n', 'n.id', 'm.node_id')
    .select('n.key')
    .distinct()
    .where('m.asset_id', 'in', directAssets(ctx, grant))
    .execute()
  return rows.map(({ key }) => key)
}

/** Nodes that permissions of the group name, or that contain an asset named by them; valid or not. */
async function groupNodes(handling: Handling): Promise<unknown> {
  const { ctx } = handling
  const grant = await grantOfGroup(handling, false)
  const named = await ctx.acrossOrganizations
    .selectFrom('perms_assetpermission_nodes as pn')
    .innerJoin('assets_node as n', 'n.id', 'pn.node_id')
    .select('n.key')
    .distinct()
    .where('pn.assetpermission_id', 'in', grant.permissions)
    .execute()
  const keys = new Set([...named.map(({ key }) => key), ...(await directKeys(ctx, grant))])
  const nodes = [...keys].flatMap((key) => grant.reach.index.nodeAtKey(key) ?? [])
  return nodeRows(handling, rowsOf([levelOf({ reach: grant.reach, directInTree: true }, nodes)]).sort(byValue))
}

const byValue = (a: PlacedNode, b: PlacedNode) => compare(a.value, b.value) || compare(a.key, b.key)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** One level of the tree leading to a group's grants; below a granted node all children. */
async function groupTree(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const grant = await grantOfGroup(handling, false)
  const granted = new Set(grant.granted)
  const key = request.query.key ?? ''
  const leading = new Set([...granted, ...(await directKeys(ctx, grant))].flatMap(lineage))
  const rows = await findAll(ctx, node, (query) => {
    if (key !== '' && covers(granted, key)) return query.where('t.parent_key', '=', key)
    const wanted = [...leading].filter((one) => parentKey(one) === key)
    return query.where('t.key', 'in', wanted.length > 0 ? wanted : [''])
  })
  return rows
    .sort((a, b) => compare(a.value, b.value))
    .map((row) => ({
      id: row.key,
      name: row.value,
      title: row.value,
      pId: parentKey(row.key),
      isParent: true,
      open: true,
      meta: { type: 'node', data: { id: row.id, key: row.key, value: row.value } },
    }))
}

async function groupNodeAssets(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const grant = await grantOfGroup(handling, true)
  const top = await nodeBy(ctx, request.params.node ?? '')
  if (!top) throw notFound(nameOf(node))
  const asked = await askedOfGroup(ctx, request)
  const inside = asked.where((eb) => {
    let members = ctx.acrossOrganizations
      .selectFrom('assets_node as n')
      .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
      .select('m.asset_id')
      .where(subtree(top.key, 'n.key'))
    if (!covers(new Set(grant.granted), top.key))
      members = members.where((inner) =>
        inner.or([inner('m.asset_id', 'in', directAssets(ctx, grant)), inner('n.id', 'in', coveredNodes(ctx, grant))]),
      )
    return eb('t.id', 'in', members)
  })
  return assetPage(ctx, request, inside, true)
}

const get = (
  path: string,
  requires: Requirement,
  summary: string,
  handle: (handling: Handling) => Promise<unknown>,
  fields: RouteFields = {},
) => defineRoute({ method: 'GET', path: `/api/v1/perms/user-groups/:id/${path}`, requires, summary, handle, fields })

export const groupGrantRoutes: Route[] = [
  get('assets/', 'assets.view_asset', 'Assets a group may access', groupAssets, optionFields),
  get('nodes/', 'assets.view_node', 'Nodes in which a group has grants', groupNodes, nodeRowFields),
  get('nodes/children/', 'assets.view_node', 'Nodes in which a group has grants', groupNodes, nodeRowFields),
  get('nodes/children/tree/', 'perms.view_usergroupassets', 'One level of a group’s tree', groupTree),
  get(
    'nodes/:node/assets/',
    'assets.view_asset',
    'Assets a group may reach in a node and below it',
    groupNodeAssets,
    optionFields,
  ),
]

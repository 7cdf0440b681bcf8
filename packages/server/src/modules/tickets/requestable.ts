import { ticketsMessages as texts } from '@castellan/contract/messages/tickets'
import { contains } from '../../db/search.ts'
import { text as words } from '../../kernel/fields/index.ts'
import { defineRoute, type Handling } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, invalid, text } from '../../kernel/module/errors.ts'
import { decoded, findAll, scoped } from '../../kernel/resource/repository.ts'
import {
  asset,
  assetItem,
  grantPort,
  inNode,
  lineage,
  nodeItem,
  type PlacementIndex,
  placements,
} from '../assets/index.ts'
import { ticketSettings } from '../settings/index.ts'
import { levelsFor } from './flow.ts'
import { demandOrganization } from './request-organization.ts'
import { assetTicket } from './ticket.ts'

/** Assets of one node, and of one search. */
const mostOfNode = 1000
const mostFound = 200

type Rows = { id: string; name: string; category: string; type: string }[]

/** Names only: who asks for access need not know the address of what they ask for. */
const nodeNamed = (index: PlacementIndex, at: number) => {
  const node = index.node(at)
  return { ...nodeItem(node, 0), name: node.value, title: node.value }
}

/** Assets below their nodes, with whether the caller is granted them already. */
async function assetsNamed(ctx: Context, rows: Rows, placesOf: (id: string) => readonly string[]) {
  const granted = await grantPort.use.assets(ctx)
  const ids = rows.map(({ id }) => id)
  const known = new Set(
    ids.length > 0
      ? (await findAll(ctx, asset, (query) => granted(query.where('t.id', 'in', ids)))).map(({ id }) => id)
      : [],
  )
  return rows.flatMap((row) =>
    placesOf(row.id).map((pId) => ({
      ...assetItem({ ...row, address: '', comment: '', is_active: true, org_id: ctx.orgId }, pId, '', false),
      title: row.name,
      meta: { type: 'asset', data: { name: row.name, platform_type: row.type, granted: known.has(row.id) } },
    })),
  )
}

const activeAssets = (ctx: Context) =>
  scoped(ctx, asset).where('t.is_active', '=', true).orderBy('t.name').orderBy('t.id')

async function level(ctx: Context, index: PlacementIndex, at: number) {
  const node = index.node(at)
  const isRoot = index.parent(at) < 0
  const placed = ctx.rawDb.selectFrom('assets_asset_nodes as placed').select('placed.asset_id')
  const rows = await activeAssets(ctx)
    .where((eb) =>
      eb.or([
        eb('t.id', 'in', inNode(ctx, scoped(ctx, asset), node, true).clearSelect().select('t.id')),
        // An asset without a node is in its organization's root.
        ...(isRoot ? [eb.not(eb.exists(placed.whereRef('placed.asset_id', '=', 't.id' as never)))] : []),
      ]),
    )
    .limit(mostOfNode)
    .execute()
  return [
    ...index.children(at).map((child) => nodeNamed(index, child)),
    ...(await assetsNamed(ctx, rows.map((row) => decoded(asset, row)) as Rows, () => [node.key])),
  ]
}

/** Nodes and assets whose name contains a text, with the nodes above them. */
async function found(ctx: Context, index: PlacementIndex, search: string) {
  const term = search.toLowerCase()
  const own = index.nodes.filter((at) => index.node(at).org_id === ctx.orgId)
  const matching = own.filter((at) => index.node(at).value.toLowerCase().includes(term)).slice(0, mostFound)
  const rows = (
    await activeAssets(ctx)
      .where((eb) => contains(ctx.dialect, eb.ref('t.name'), search))
      .limit(mostFound)
      .execute()
  ).map((row) => decoded(asset, row)) as Rows
  const keysOf = (id: string) => index.nodesOf(index.assetAt(id) ?? -1).map((at) => index.node(at).key)
  const shown = new Set(
    [...matching.map((at) => index.node(at).key), ...rows.flatMap(({ id }) => keysOf(id))].flatMap(lineage),
  )
  return [
    ...own.filter((at) => shown.has(index.node(at).key)).map((at) => nodeNamed(index, at)),
    ...(await assetsNamed(ctx, rows, keysOf)),
  ]
}

/**
 * What exists in an organization, for its members who ask for access: items of the console's tree, level by level
 * (`key`) or by a part of the name (`search`). Throws 400 where nobody can be asked.
 */
async function requestable({ ctx, request }: Handling): Promise<unknown> {
  if (!ticketSettings.of(ctx).TICKETS_ENABLED) throw badRequest(text(texts.switched_off))
  const { org_id, key, search } = request.query
  const orgId = await demandOrganization(ctx, org_id ?? ctx.orgId, ctx.me.id)
  const here = ctx.inOrg(orgId)
  await levelsFor(here, 'apply_asset', orgId)
  const index = await placements(here)
  if (search) return found(here, index, search)
  if (key) {
    const at = index.nodeAtKey(key)
    if (at === undefined || index.node(at).org_id !== orgId) throw invalid({ key: [text(texts.node_gone)] })
    return level(here, index, at)
  }
  const root = index.roots.find((at) => index.node(at).org_id === orgId)
  return root === undefined ? [] : [nodeNamed(index, root), ...(await level(here, index, root))]
}

export const requestableRoute = defineRoute({
  method: 'GET',
  path: `${assetTicket.url}requestable/tree/`,
  requires: 'tickets.view_ticket',
  summary: 'Names of the nodes and assets of an organization that a member may ask for, as a tree',
  fields: { GET: { id: words({ readOnly: true }), name: words({ readOnly: true }) } },
  handle: requestable,
})

import { batches } from '../../db/batches.ts'
import {
  byName,
  type Change,
  linksOf,
  many,
  removeLinks,
  type StoredRow,
  stringList,
  unstored,
} from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ensurePaths } from './nodes/node-changes.ts'
import { orgRoot } from './nodes/node-rows.ts'
import type { PlacementIndex } from './nodes/placement-index.ts'
import { placementsOnce } from './nodes/placements.ts'
import { confirmDecisions, noteDecision } from './unconfirmed.ts'

const membership = { table: 'assets_asset_nodes', from: 'asset_id', to: 'node_id' }

/** Ids of the nodes of each changed asset; undefined leaves them unchanged. */
async function wantedNodes(ctx: Context, changes: readonly Change[]): Promise<Map<Change, readonly string[]>> {
  const wanted = new Map<Change, readonly string[]>()
  const paths = [...new Set(changes.flatMap(({ values }) => (values.nodes_display as string[] | undefined) ?? []))]
  const byPath = paths.length > 0 ? await ensurePaths(ctx, paths) : new Map<string, string>()
  for (const change of changes) {
    const { nodes, nodes_display: display } = change.values as { nodes?: string[]; nodes_display?: string[] }
    // Paths are applied last, so they take precedence.
    if (display && display.length > 0) wanted.set(change, [...new Set(display.map((path) => byPath.get(path) ?? ''))])
    else if (nodes && nodes.length > 0) wanted.set(change, nodes)
    else if (nodes || change.mode === 'create')
      wanted.set(change, [(await ctx.once('assets.root', () => orgRoot(ctx))).id])
  }
  return wanted
}

async function storeNodes(ctx: Context, changes: readonly Change[]): Promise<void> {
  const wanted = await wantedNodes(ctx, changes)
  const changed = [...wanted.keys()].filter(({ mode }) => mode === 'update')
  const before = new Map<unknown, Set<unknown>>()
  for (const link of await linksOf(
    ctx,
    membership,
    changed.map(({ row }) => row.id),
  )) {
    const nodes = before.get(link.asset_id) ?? new Set()
    nodes.add(link.node_id)
    before.set(link.asset_id, nodes)
  }
  const fresh: StoredRow[] = []
  const gone: { parent: unknown; ids: unknown[] }[] = []
  for (const [change, nodes] of wanted) {
    const known = before.get(change.row.id) ?? new Set()
    gone.push({ parent: change.row.id, ids: [...known].filter((id) => !nodes.includes(String(id))) })
    for (const id of nodes) if (!known.has(id)) fresh.push({ asset_id: change.row.id, node_id: id })
  }
  await removeLinks(ctx, membership, gone)
  for (const some of batches(fresh)) await ctx.rawDb.insertInto(membership.table).values(some).execute()
  await noteDecision(
    ctx,
    fresh.map(({ asset_id }) => asset_id),
    'placement',
  )
  await confirmDecisions(
    ctx,
    changed.map(({ row }) => row.id),
    'placement',
  )
}

const links = many('assets.node', {
  through: membership.table,
  from: membership.from,
  to: membership.to,
  nameColumn: 'value',
  show: (row) => ({ id: row.id, name: row.value }),
})

/** From the index, which saves two queries; in a transaction from the tables, because it may have changed them. */
const loadNodes: NonNullable<typeof links.load> = async (ctx, rows, field) => {
  if (ctx.inTransaction && links.load) return links.load(ctx, rows, field)
  const index = await placementsOnce(ctx)
  return ({ id }: { id?: string }) => {
    const asset = index.assetAt(id ?? '')
    const nodes = asset === undefined ? [] : index.nodesOf(asset).map((at) => index.node(at))
    return nodes
      .sort((one, other) => byName({ ...one }, { ...other }))
      .map((node) => ({ id: node.id, name: node.value }))
  }
}

/** The nodes of an asset; the organization's root when none is given. */
export const assetNodesField: typeof links = {
  ...links,
  load: loadNodes,
  nullable: true,
  store: storeNodes,
  meta: () => ({ default: [] }),
}

/** The path of a node, as `full_value` holds it. */
function pathIn(index: PlacementIndex, node: number): string {
  let path = ''
  for (let at = node; at >= 0; at = index.parent(at)) path = `/${index.node(at).value}${path}`
  return path
}

/** The paths of the nodes of assets: from the index, as their nodes. */
async function pathsOf(ctx: Context, rows: readonly StoredRow[]): Promise<(row: StoredRow) => string[]> {
  if (!ctx.inTransaction) {
    const index = await placementsOnce(ctx)
    return ({ id }) => {
      const asset = index.assetAt(String(id))
      return asset === undefined
        ? []
        : index
            .nodesOf(asset)
            .map((node) => pathIn(index, node))
            .sort()
    }
  }
  const found = new Map<unknown, string[]>()
  const ids = rows.map(({ id }) => id)
  for (const some of batches(ids))
    for (const row of await ctx.acrossOrganizations
      .selectFrom('assets_asset_nodes as m')
      .innerJoin('assets_node as n', 'n.id', 'm.node_id')
      .select(['m.asset_id', 'n.full_value'])
      .where('m.asset_id', 'in', some)
      .orderBy('n.full_value')
      .execute())
      found.set(row.asset_id, [...(found.get(row.asset_id) ?? []), row.full_value])
  return ({ id }) => found.get(id) ?? []
}

/** Full paths of the nodes; when written they take precedence over `nodes`, and missing nodes are created. */
export const nodesDisplayField = unstored(stringList(), {
  resets: false,
  nullable: true,
  load: pathsOf,
  meta: () => ({ child: { type: 'field', required: true, read_only: false, write_only: false } }),
})

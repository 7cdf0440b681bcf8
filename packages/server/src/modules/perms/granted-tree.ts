import type { Context } from '../../kernel/context.ts'
import type { ListQuery } from '../../kernel/resource.ts'
import { type NodeRow, parentKey, subtree, subtreeCounts, withinOther } from '../assets/index.ts'
import { countUp, covers, type Origin, treeShape } from './coverage.ts'
import { coveredNodes, directAssets, type Grant, grantOf } from './granted-assets.ts'

/** A node of somebody's tree with the number of different assets they reach in it and below. */
export interface TreeNode extends NodeRow {
  amount: number
}

/** What somebody's tree is made of; nodes below granted ones are the real ones and not in `shape`. */
interface Tree {
  grant: Grant
  granted: ReadonlySet<string>
  shape: ReadonlyMap<string, Origin>
  /** Whether assets granted by themselves stand in their nodes, or apart as "ungrouped". */
  placed: boolean
}

/** Whether assets granted by themselves are shown apart, in no node of the tree. */
export const showsUngrouped = (ctx: Context): boolean => ctx.services.settings.bool('PERM_SINGLE_ASSET_TO_UNGROUP_NODE')

export const treeOf = (ctx: Context, userId: string): Promise<Tree> =>
  ctx.once(`perms.tree ${ctx.orgId} ${userId}`, async () => {
    const grant = await grantOf(ctx, userId)
    const placed = !showsUngrouped(ctx)
    const direct = placed ? await nodesOfDirect(ctx, grant) : []
    return { grant, granted: new Set(grant.granted), shape: treeShape(grant.granted, direct), placed }
  })

async function nodesOfDirect(ctx: Context, grant: Grant): Promise<string[]> {
  const rows = await ctx.unscoped
    .selectFrom('assets_asset_nodes as m')
    .innerJoin('assets_node as n', 'n.id', 'm.node_id')
    .select('n.key')
    .distinct()
    .where('m.asset_id', 'in', directAssets(ctx, grant))
    .execute()
  return rows.map(({ key }) => key)
}

const byValue = (a: NodeRow, b: NodeRow) =>
  a.value < b.value ? -1 : a.value > b.value ? 1 : a.key < b.key ? -1 : a.key > b.key ? 1 : 0

async function nodesByKey(ctx: Context, keys: readonly string[]): Promise<NodeRow[]> {
  const found: NodeRow[] = []
  for (let at = 0; at < keys.length; at += 500)
    found.push(
      ...((await ctx.unscoped
        .selectFrom('assets_node')
        .selectAll()
        .where('key', 'in', keys.slice(at, at + 500))
        .execute()) as NodeRow[]),
    )
  return found
}

/** Nodes of the tree right below a key; the tops for the empty key. */
async function below(ctx: Context, tree: Tree, key: string): Promise<NodeRow[]> {
  if (key !== '' && covers(tree.granted, key))
    return (await ctx.unscoped
      .selectFrom('assets_node')
      .selectAll()
      .where('parent_key', '=', key)
      .execute()) as NodeRow[]
  return nodesByKey(
    ctx,
    [...tree.shape.keys()].filter((one) => parentKey(one) === key),
  )
}

/** Pairs of asset and node key by which somebody sees an asset in their tree; within one subtree, or everywhere. */
export async function placements(ctx: Context, tree: Tree, within?: string): Promise<[asset: string, key: string][]> {
  const pairs: [string, string][] = []
  if (tree.granted.size > 0) {
    let covered = ctx.unscoped
      .selectFrom('assets_node as g')
      .innerJoin('assets_node as n', (join) => join.on(withinOther('n.key', 'g.key')))
      .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
      .select(['m.asset_id', 'n.key'])
      .where('g.key', 'in', [...tree.granted])
    if (within) covered = covered.where(subtree(within, 'n.key'))
    for (const { asset_id, key } of await covered.execute()) pairs.push([asset_id, key])
  }
  if (!tree.placed) return pairs
  let direct = ctx.unscoped
    .selectFrom('assets_asset_nodes as m')
    .innerJoin('assets_node as n', 'n.id', 'm.node_id')
    .select(['m.asset_id', 'n.key'])
    .where('m.asset_id', 'in', directAssets(ctx, tree.grant))
  if (within) direct = direct.where(subtree(within, 'n.key'))
  for (const { asset_id, key } of await direct.execute()) if (!covers(tree.granted, key)) pairs.push([asset_id, key])
  return pairs
}

/**
 * Nodes right below `parent` with their amounts. Below a granted node the real tree is counted, once for all of them;
 * elsewhere what the person sees there.
 */
async function counted(ctx: Context, tree: Tree, nodes: readonly NodeRow[], parent: string): Promise<TreeNode[]> {
  if (nodes.length === 0) return []
  const amounts =
    parent !== '' && covers(tree.granted, parent)
      ? await subtreeCounts(ctx, [{ key: parent }])
      : parent === '' && nodes.every(({ key }) => tree.granted.has(key))
        ? await wholeCounts(ctx, nodes)
        : countUp(await placements(ctx, tree, parent || undefined))
  return nodes.map((node) => ({ ...node, amount: amounts.get(node.key) ?? 0 })).sort(byValue)
}

/** How many assets there are in organisations, by the keys of their roots. */
async function wholeCounts(ctx: Context, roots: readonly NodeRow[]): Promise<Map<string, number>> {
  const rows = await ctx.unscoped
    .selectFrom('assets_asset')
    .select(['org_id', (eb) => eb.fn.countAll().as('n')])
    .where(
      'org_id',
      'in',
      roots.map(({ org_id }) => org_id),
    )
    .groupBy('org_id')
    .execute()
  const byOrg = new Map(rows.map(({ org_id, n }) => [org_id, Number(n)]))
  return new Map(roots.map(({ key, org_id }) => [key, byOrg.get(org_id) ?? 0]))
}

/** The nodes of somebody's tree right below a key, with amounts; none when the key is not in their tree. */
export async function childNodes(ctx: Context, userId: string, key: string): Promise<TreeNode[]> {
  const tree = await treeOf(ctx, userId)
  return counted(ctx, tree, await below(ctx, tree, key), key)
}

/** The tops of somebody's tree: one per organisation at most. With exactly one, what is right below it comes along. */
export async function topNodes(ctx: Context, userId: string): Promise<{ roots: TreeNode[]; below: TreeNode[] }> {
  const roots = await childNodes(ctx, userId, '')
  const [only] = roots
  return { roots, below: only && roots.length === 1 ? await childNodes(ctx, userId, only.key) : [] }
}

/** Every node of somebody's tree: what leads to grants, the granted ones, and everything below those. */
export async function wholeTree(
  ctx: Context,
  userId: string,
): Promise<{ nodes: TreeNode[]; pairs: [asset: string, key: string][] }> {
  const tree = await treeOf(ctx, userId)
  const nodes = await nodesByKey(
    ctx,
    [...tree.shape].filter(([, origin]) => origin !== 'granted').map(([key]) => key),
  )
  if (tree.granted.size > 0)
    nodes.push(
      ...((await ctx.unscoped
        .selectFrom('assets_node')
        .selectAll()
        .where('id', 'in', coveredNodes(ctx, tree.grant))
        .execute()) as NodeRow[]),
    )
  const pairs = await placements(ctx, tree)
  const amounts = countUp(pairs)
  return { nodes: nodes.map((node) => ({ ...node, amount: amounts.get(node.key) ?? 0 })).sort(byValue), pairs }
}

/** A list of assets (`t`) narrowed to those somebody sees in a node of their tree and below it (perms.md §7). */
export async function inGrantedNode(ctx: Context, query: ListQuery, userId: string, key: string): Promise<ListQuery> {
  const tree = await treeOf(ctx, userId)
  return query.where((eb) => {
    let members = ctx.unscoped
      .selectFrom('assets_node as n')
      .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
      .select('m.asset_id')
      .where(subtree(key, 'n.key'))
    if (!covers(tree.granted, key)) members = members.where(visibleThere(ctx, tree))
    return eb('t.id', 'in', members)
  })
}

/** A list of assets (`t`) narrowed to those somebody sees right in a node of their tree. */
export async function rightInNode(ctx: Context, query: ListQuery, userId: string, node: NodeRow): Promise<ListQuery> {
  const tree = await treeOf(ctx, userId)
  const members = query.where(
    't.id',
    'in',
    ctx.unscoped.selectFrom('assets_asset_nodes').select('asset_id').where('node_id', '=', node.id),
  )
  if (covers(tree.granted, node.key)) return members
  return tree.placed ? members.where('t.id', 'in', directAssets(ctx, tree.grant)) : members.where((eb) => eb.lit(false))
}

/** "The membership `m` of node `n` is one by which the person sees the asset". */
// biome-ignore lint/suspicious/noExplicitAny: a condition for queries over tables the builder does not know
const visibleThere = (ctx: Context, tree: Tree) => (eb: any) => {
  const ways = tree.placed ? [eb('m.asset_id', 'in', directAssets(ctx, tree.grant))] : []
  if (tree.granted.size > 0) ways.push(eb('n.id', 'in', coveredNodes(ctx, tree.grant)))
  return ways.length > 0 ? eb.or(ways) : eb.lit(false)
}

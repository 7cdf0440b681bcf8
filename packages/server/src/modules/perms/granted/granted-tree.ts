import { noRow } from '../../../db/text.ts'
import type { Context } from '../../../kernel/context.ts'
import type { ListQuery } from '../../../kernel/resource.ts'
import { levelText, nodeText, type PlacedNode, type PlacementIndex, subtree } from '../../assets/index.ts'
import {
  type AssetSet,
  assetCounts,
  assetsBelow,
  assetsInScope,
  type GrantScope,
  isCovered,
  type Origin,
  seenIn,
  visibleNodes,
} from '../coverage.ts'
import { coveredNodes, directAssets, type Grant, grantOf } from './granted-assets.ts'

/** A node of somebody's tree with the number of different assets they reach in it and below. */
export interface TreeNode extends PlacedNode {
  amount: number
}

/** What somebody's tree is made of; nodes below granted ones are the real ones and not in `shape`. */
interface Tree {
  grant: Grant
  reach: GrantScope
  shape: ReadonlyMap<number, Origin>
  /** Whether assets granted by themselves stand in their nodes, or apart as "ungrouped". */
  directInTree: boolean
}

/** Whether assets granted by themselves are shown apart, in no node of the tree. */
export const showsUngrouped = (ctx: Context): boolean => ctx.services.settings.bool('PERM_SINGLE_ASSET_TO_UNGROUP_NODE')

export const treeOf = (ctx: Context, userId: string): Promise<Tree> =>
  ctx.once(`perms.tree ${ctx.orgId} ${userId}`, async () => {
    const grant = await grantOf(ctx, userId)
    const directInTree = !showsUngrouped(ctx)
    return { grant, reach: grant.reach, shape: visibleNodes(grant.reach, directInTree), directInTree }
  })

/** Some nodes of somebody's tree. */
export interface Level {
  readonly index: PlacementIndex
  /** Places in the index. */
  readonly nodes: readonly number[]
  /** How many different assets they reach in one of the nodes and below it. */
  readonly amount: (node: number) => number
  /** The node right below which all of them stand, when everything there is granted. */
  readonly allOf?: number
}

export const levelOf = (
  { reach, directInTree }: Pick<Tree, 'reach' | 'directInTree'>,
  nodes: readonly number[],
): Level => ({
  index: reach.index,
  nodes,
  amount: assetCounts(reach, nodes, directInTree),
})

/** Nodes of the tree right below one. */
const levelBelow = (tree: Tree, node: number): Level => ({
  ...levelOf(tree, below(tree, node)),
  ...(isCovered(tree.reach, node) ? { allOf: node } : {}),
})

/** The nodes of levels, one by one. */
export const rowsOf = (levels: readonly Level[]): TreeNode[] =>
  levels.flatMap(({ index, nodes, amount }) =>
    nodes.map((at) => {
      const { id, key, value, parent_key, org_id } = index.node(at)
      return { id, key, value, parent_key, org_id, amount: amount(at) }
    }),
  )

/** The nodes of levels as a tree's items in JSON, for `treeReply`. What everybody sees alike is written once for all. */
export const textsOf = (levels: readonly Level[]): (string | Buffer)[] =>
  levels.flatMap<string | Buffer>((level) =>
    level.allOf === undefined ? textsOfEach(level) : [levelText(level.index, level.allOf)],
  )

/** The nodes of a level as a tree's items, in JSON. @param isOpen every one, unless it is told */
export const textsOfEach = ({ index, nodes, amount }: Level, isOpen = (_node: PlacedNode) => true): string[] =>
  nodes.map((at) => {
    const node = index.node(at)
    return nodeText(node, amount(at), isOpen(node))
  })

/** Nodes of the tree right below one; the tops without one. In the order of their names. */
function below({ reach, shape }: Tree, node: number | undefined): number[] {
  const { index } = reach
  if (node === undefined) return index.roots.filter((at) => shape.has(at))
  return isCovered(reach, node) ? [...index.children(node)] : index.children(node).filter((at) => shape.has(at))
}

/** What opening a tree or a node of it shows, and the node whose assets belong there. */
interface Opened {
  levels: Level[]
  opened: PlacedNode | undefined
}

/** The nodes of somebody's tree right below a key; none when the key is not in their tree. */
export async function childNodes(ctx: Context, userId: string, key: string): Promise<Opened> {
  const tree = await treeOf(ctx, userId)
  const { index } = tree.reach
  const node = index.nodeAtKey(key)
  return node === undefined
    ? { levels: [], opened: undefined }
    : { levels: [levelBelow(tree, node)], opened: index.node(node) }
}

/** The tops of somebody's tree: one per organization at most. With exactly one, what is right below it comes along. */
export async function topNodes(ctx: Context, userId: string): Promise<Opened> {
  const tree = await treeOf(ctx, userId)
  const roots = below(tree, undefined)
  const [only] = roots
  const tops = levelOf(tree, roots)
  if (only === undefined || roots.length > 1) return { levels: [tops], opened: undefined }
  return { levels: [tops, levelBelow(tree, only)], opened: tree.reach.index.node(only) }
}

/** Every node of somebody's tree: what leads to grants, the granted ones, and everything below those. */
export async function wholeTree(ctx: Context, userId: string): Promise<Level> {
  const tree = await treeOf(ctx, userId)
  const { index, granted } = tree.reach
  const nodes = new Set(tree.shape.keys())
  for (const top of granted) for (const node of index.subtree(top)) nodes.add(node)
  return levelOf(
    tree,
    index.nodes.filter((node) => nodes.has(node)),
  )
}

/** Every asset somebody reaches, by name, and the nodes in which they see each: places in the index. */
export async function reachedPlaces(
  ctx: Context,
  userId: string,
): Promise<{ reach: GrantScope; assets: number[]; nodesOf: (asset: number) => readonly number[] }> {
  const { reach, directInTree } = await treeOf(ctx, userId)
  const { at } = assetsInScope(reach)
  return { reach, assets: reach.index.order.filter((asset) => at[asset] === 1), nodesOf: seenIn(reach, directInTree) }
}

/** Which assets somebody sees in a node of their tree and below it: marks in the index. */
export async function marksInNode(ctx: Context, userId: string, key: string): Promise<AssetSet> {
  const { reach, directInTree } = await treeOf(ctx, userId)
  const node = reach.index.nodeAtKey(key)
  return node === undefined ? { at: new Uint8Array(0), count: 0 } : assetsBelow(reach, node, directInTree)
}

/** A list of assets (`t`) narrowed to those somebody sees in a node of their tree and below it. */
export async function inGrantedNode(ctx: Context, query: ListQuery, userId: string, key: string): Promise<ListQuery> {
  const tree = await treeOf(ctx, userId)
  const node = tree.reach.index.nodeAtKey(key)
  return query.where((eb) => {
    let members = ctx.unscoped
      .selectFrom('assets_node as n')
      .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
      .select('m.asset_id')
      .where(subtree(key, 'n.key'))
    if (node === undefined || !isCovered(tree.reach, node)) members = members.where(visibleThere(ctx, tree))
    return eb('t.id', 'in', members)
  })
}

/** A list of assets (`t`) narrowed to those somebody sees right in a node of their tree. */
export async function rightInNode(
  ctx: Context,
  query: ListQuery,
  userId: string,
  node: { id: string; key: string },
): Promise<ListQuery> {
  const { reach, directInTree, grant } = await treeOf(ctx, userId)
  const members = query.where(
    't.id',
    'in',
    ctx.unscoped.selectFrom('assets_asset_nodes').select('asset_id').where('node_id', '=', node.id),
  )
  const at = reach.index.nodeAt(node.id)
  if (at !== undefined && isCovered(reach, at)) return members
  return directInTree ? members.where('t.id', 'in', directAssets(ctx, grant)) : members.where(noRow)
}

/** "The membership `m` of node `n` is one by which the person sees the asset". */
// biome-ignore lint/suspicious/noExplicitAny: a condition for queries over tables the builder does not know
const visibleThere = (ctx: Context, tree: Tree) => (eb: any) => {
  const ways = tree.directInTree ? [eb('m.asset_id', 'in', directAssets(ctx, tree.grant))] : []
  if (tree.reach.granted.size > 0) ways.push(eb('n.id', 'in', coveredNodes(ctx, tree.grant)))
  return ways.length > 0 ? eb.or(ways) : eb.lit(false)
}

import { noRow } from '../../../db/text.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { ListQuery } from '../../../kernel/resource/resource.ts'
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
import { grantedTree } from '../settings.ts'
import { coveredNodes, directAssets, type Grant, grantOf } from './granted-assets.ts'

/** A node of a user's tree with the number of distinct assets in it and below. */
export interface TreeNode extends PlacedNode {
  amount: number
}

/** The data of a user's tree; nodes below granted ones are read from the index and not in `shape`. */
interface Tree {
  grant: Grant
  reach: GrantScope
  shape: ReadonlyMap<number, Origin>
  /** Whether directly granted assets are shown in their nodes, or separately as "ungrouped". */
  directInTree: boolean
}

/** Whether assets granted by themselves are shown apart, in no node of the tree. */
export const showsUngrouped = (ctx: Context): boolean => grantedTree.of(ctx).PERM_SINGLE_ASSET_TO_UNGROUP_NODE

export const treeOf = (ctx: Context, userId: string): Promise<Tree> =>
  ctx.once(`perms.tree ${ctx.orgId} ${userId}`, async () => {
    const grant = await grantOf(ctx, userId)
    const directInTree = !showsUngrouped(ctx)
    return { grant, reach: grant.reach, shape: visibleNodes(grant.reach, directInTree), directInTree }
  })

/** Some nodes of a user's tree. */
export interface Level {
  readonly index: PlacementIndex
  /** Indexes. */
  readonly nodes: readonly number[]
  /** The number of distinct assets shown in and below a node. */
  readonly amount: (node: number) => number
  /** The parent of all nodes, when everything is granted. */
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

/** Children of a node in the tree. */
const levelBelow = (tree: Tree, node: number): Level => ({
  ...levelOf(tree, below(tree, node)),
  ...(isCovered(tree.reach, node) ? { allOf: node } : {}),
})

/** The nodes of levels as rows. */
export const rowsOf = (levels: readonly Level[]): TreeNode[] =>
  levels.flatMap(({ index, nodes, amount }) =>
    nodes.map((at) => {
      const { id, key, value, parent_key, org_id } = index.node(at)
      return { id, key, value, parent_key, org_id, amount: amount(at) }
    }),
  )

/** The nodes of levels as JSON tree items, for `treeReply`. Levels that all users see alike are serialized once. */
export const textsOf = (levels: readonly Level[]): (string | Buffer)[] =>
  levels.flatMap<string | Buffer>((level) =>
    level.allOf === undefined ? textsOfEach(level) : [levelText(level.index, level.allOf)],
  )

/**
 * The nodes of a level as JSON tree items.
 * @param isOpen all of them by default
 */
export const textsOfEach = ({ index, nodes, amount }: Level, isOpen = (_node: PlacedNode) => true): string[] =>
  nodes.map((at) => {
    const node = index.node(at)
    return nodeText(node, amount(at), isOpen(node))
  })

/** Children of a node in the tree; the top nodes without one. Ordered by name. */
function below({ reach, shape }: Tree, node: number | undefined): number[] {
  const { index } = reach
  if (node === undefined) return index.roots.filter((at) => shape.has(at))
  return isCovered(reach, node) ? [...index.children(node)] : index.children(node).filter((at) => shape.has(at))
}

/** The result of opening a tree or a node, and the node whose assets belong to it. */
interface Opened {
  levels: Level[]
  opened: PlacedNode | undefined
}

/** The children of a node in a user's tree; none when the key is not in their tree. */
export async function childNodes(ctx: Context, userId: string, key: string): Promise<Opened> {
  const tree = await treeOf(ctx, userId)
  const { index } = tree.reach
  const node = index.nodeAtKey(key)
  return node === undefined
    ? { levels: [], opened: undefined }
    : { levels: [levelBelow(tree, node)], opened: index.node(node) }
}

/** The top nodes of a user's tree: at most one per organization. If there is exactly one, its children are included. */
export async function topNodes(ctx: Context, userId: string): Promise<Opened> {
  const tree = await treeOf(ctx, userId)
  const roots = below(tree, undefined)
  const [only] = roots
  const tops = levelOf(tree, roots)
  if (only === undefined || roots.length > 1) return { levels: [tops], opened: undefined }
  return { levels: [tops, levelBelow(tree, only)], opened: tree.reach.index.node(only) }
}

/** Every node of a user's tree: ancestors of grants, the granted nodes, and everything below them. */
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

/** Every asset a user may access, by name, and the nodes in which it is shown: indexes. */
export async function reachedPlaces(
  ctx: Context,
  userId: string,
): Promise<{ reach: GrantScope; assets: number[]; nodesOf: (asset: number) => readonly number[] }> {
  const { reach, directInTree } = await treeOf(ctx, userId)
  const { at } = assetsInScope(reach)
  return { reach, assets: reach.index.order.filter((asset) => at[asset] === 1), nodesOf: seenIn(reach, directInTree) }
}

/** The assets shown in a node of a user's tree and below it. */
export async function marksInNode(ctx: Context, userId: string, key: string): Promise<AssetSet> {
  const { reach, directInTree } = await treeOf(ctx, userId)
  const node = reach.index.nodeAtKey(key)
  return node === undefined ? { at: new Uint8Array(0), count: 0 } : assetsBelow(reach, node, directInTree)
}

/** Narrows a list of assets (`t`) to those shown in a node of a user's tree and below it. */
export async function inGrantedNode(ctx: Context, query: ListQuery, userId: string, key: string): Promise<ListQuery> {
  const tree = await treeOf(ctx, userId)
  const node = tree.reach.index.nodeAtKey(key)
  return query.where((eb) => {
    let members = ctx.acrossOrganizations
      .selectFrom('assets_node as n')
      .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
      .select('m.asset_id')
      .where(subtree(key, 'n.key'))
    if (node === undefined || !isCovered(tree.reach, node)) members = members.where(visibleThere(ctx, tree))
    return eb('t.id', 'in', members)
  })
}

/** Narrows a list of assets (`t`) to those shown directly in a node of a user's tree. */
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
    ctx.rawDb.selectFrom('assets_asset_nodes').select('asset_id').where('node_id', '=', node.id),
  )
  const at = reach.index.nodeAt(node.id)
  if (at !== undefined && isCovered(reach, at)) return members
  return directInTree ? members.where('t.id', 'in', directAssets(ctx, grant)) : members.where(noRow)
}

/** "The placement `m` in node `n` makes the asset visible to the user". */
// biome-ignore lint/suspicious/noExplicitAny: a condition for queries over tables the builder does not know
const visibleThere = (ctx: Context, tree: Tree) => (eb: any) => {
  const ways = tree.directInTree ? [eb('m.asset_id', 'in', directAssets(ctx, tree.grant))] : []
  if (tree.reach.granted.size > 0) ways.push(eb('n.id', 'in', coveredNodes(ctx, tree.grant)))
  return ways.length > 0 ? eb.or(ways) : eb.lit(false)
}

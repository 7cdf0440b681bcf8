import { contains } from '../../../db/search.ts'
import type { Context } from '../../../kernel/context.ts'
import type { AnyRow } from '../../../kernel/fields/index.ts'
import { flag } from '../../../kernel/fields/index.ts'
import { scoped } from '../../../kernel/repository.ts'
import type { Params } from '../../../kernel/route.ts'
import { asset } from '../asset.ts'
import { inNode } from '../asset-filters.ts'
import { belowNode, lineage } from './node-key.ts'
import { type NodeRow, nodeBy, orgRoot, rootNodes } from './node-rows.ts'
import type { PlacementIndex } from './placement-index.ts'
import { placements } from './placements.ts'
import { assetItems, levelText, nodeText, treeReply } from './tree-items.ts'
import type { PlacedNode } from './tree-shape.ts'

/** The node a tree request refers to by `key` or `id`; undefined means the whole organization. */
export async function scopeNode(ctx: Context, query: Params): Promise<NodeRow | undefined> {
  const word = query.key || query.id
  return word ? nodeBy(ctx, word) : undefined
}

async function nodesWhere(
  ctx: Context,
  condition: 'all' | { childrenOf: string } | { below: string },
): Promise<NodeRow[]> {
  let query = ctx.unscoped.selectFrom('assets_node').selectAll()
  if (!ctx.isRootOrg) query = query.where('org_id', '=', ctx.orgId)
  if (condition !== 'all')
    query =
      'childrenOf' in condition
        ? query.where('parent_key', '=', condition.childrenOf)
        : query.where(belowNode(condition.below))
  return (await query.orderBy('value').orderBy('key').execute()) as NodeRow[]
}

/** Nodes below the scope, without the scope node itself; with the roots for the whole organization. */
export async function childNodes(ctx: Context, top: NodeRow | undefined, everything: boolean): Promise<NodeRow[]> {
  if (top) return nodesWhere(ctx, everything ? { below: top.key } : { childrenOf: top.key })
  if (everything) return nodesWhere(ctx, 'all')
  const roots = await rootNodes(ctx)
  // The root view shows the organizations' roots; an organization shows its root and the root's children.
  if (ctx.isRootOrg || !roots[0]) return roots
  return [roots[0], ...(await nodesWhere(ctx, { childrenOf: roots[0].key }))]
}

/** Matching nodes with their ancestors up to the scope, so that the tree can show them. */
function withAncestors(all: readonly PlacedNode[], search: string): PlacedNode[] {
  const term = search.toLowerCase()
  const wanted = new Set<string>()
  for (const node of all)
    if (node.value.toLowerCase().includes(term)) for (const key of lineage(node.key)) wanted.add(key)
  return all.filter(({ key }) => wanted.has(key))
}

/** All nodes by name: below one, or of the visible organizations. */
function allNodes(ctx: Context, index: PlacementIndex, top: NodeRow | undefined): PlacedNode[] {
  const at = top && index.nodeAt(top.id)
  const below = new Set(at === undefined ? [] : index.subtree(at))
  const wanted = (node: number) =>
    top ? node !== at && below.has(node) : ctx.isRootOrg || index.node(node).org_id === ctx.orgId
  return index.nodes.filter(wanted).map((node) => index.node(node))
}

/** One level with amounts, as JSON items (see `childNodes`). */
function oneLevel(ctx: Context, index: PlacementIndex, top: NodeRow | undefined): (string | Buffer)[] {
  if (top) {
    const at = index.nodeAt(top.id)
    return at === undefined ? [] : [levelText(index, at)]
  }
  return index.roots
    .filter((root) => ctx.isRootOrg || index.node(root).org_id === ctx.orgId)
    .flatMap((root) => [
      nodeText(index.node(root), index.totals[root] ?? 0),
      ...(ctx.isRootOrg ? [] : [levelText(index, root)]),
    ])
}

async function treeAssets(ctx: Context, query: Params, top: NodeRow | undefined): Promise<AnyRow[]> {
  // The root view has no assets of its own: a node is required.
  if (flag(query.assets) !== true || (!top && ctx.isRootOrg)) return []
  const node = top ?? (await orgRoot(ctx))
  let rows = inNode(ctx, scoped(ctx, asset), node, query.all !== 'all')
  if (query.search) {
    const term = query.search
    rows = rows.where((eb) =>
      eb.or([contains(ctx.dialect, eb.ref('t.name'), term), contains(ctx.dialect, eb.ref('t.address'), term)]),
    )
  }
  return assetItems(ctx, (await rows.orderBy('t.name').execute()).map(asset.decode), node.key)
}

/** All levels with amounts, or the matches of a search, as JSON items. */
function severalLevels(ctx: Context, index: PlacementIndex, query: Params, top: NodeRow | undefined): string[] {
  const { totals } = index
  const all = allNodes(ctx, index, top)
  const found = query.search ? withAncestors(all, query.search) : all
  return found.map((node) => nodeText(node, totals[index.nodeAt(node.id) ?? -1] ?? 0))
}

/** The response of `/nodes/children/tree/`: nodes with their current amounts, then assets if requested. */
export async function nodeTree(ctx: Context, query: Params): Promise<unknown> {
  const top = await scopeNode(ctx, query)
  if ((query.key || query.id) && !top) return []
  const index = await placements(ctx)
  return treeReply([
    ...(query.all === 'all' || query.search ? severalLevels(ctx, index, query, top) : oneLevel(ctx, index, top)),
    ...(await treeAssets(ctx, query, top)).map((item) => JSON.stringify(item)),
  ])
}

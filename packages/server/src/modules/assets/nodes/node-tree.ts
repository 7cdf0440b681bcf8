import { contains } from '../../../db/search.ts'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { flag } from '../../../kernel/fields/index.ts'
import type { Params } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { decoded, scoped } from '../../../kernel/resource/repository.ts'
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
  let query = ctx.acrossOrganizations.selectFrom('assets_node').selectAll()
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

/** A label as it is typed into a search: `name:value`. */
const labelIn = (search: string): { name: string; value: string } | undefined => {
  const [, name = '', value = ''] = /^([^:]+):(.+)$/.exec(search.trim()) ?? []
  return name && value ? { name: name.trim(), value: value.trim() } : undefined
}

/** Ids of the assets with the label that a search names, as a subselect; undefined where it names none. */
function assetsLabelled(ctx: Context, search: string | undefined) {
  const label = labelIn(search ?? '')
  return (
    label &&
    ctx.acrossOrganizations
      .selectFrom('assets_asset_labels as al')
      .innerJoin('assets_label as l', 'l.id', 'al.label_id')
      .select('al.asset_id')
      .where('l.is_active', '=', true)
      .where('l.name', '=', label.name)
      .where('l.value', '=', label.value)
  )
}

/** Keys of the nodes that hold an asset with the label that a search names. */
async function labelledKeys(ctx: Context, index: PlacementIndex, search: string): Promise<Set<string>> {
  const rows = (await assetsLabelled(ctx, search)?.execute()) ?? []
  return new Set(
    rows.flatMap(({ asset_id }) => {
      const at = index.assetAt(asset_id)
      return at === undefined ? [] : index.nodesOf(at).map((node) => index.node(node).key)
    }),
  )
}

/** Matching nodes with their ancestors up to the scope, so that the tree can show them. */
function withAncestors(all: readonly PlacedNode[], search: string, labelled: ReadonlySet<string>): PlacedNode[] {
  const term = search.toLowerCase()
  const wanted = new Set<string>()
  for (const node of all)
    if (node.value.toLowerCase().includes(term) || labelled.has(node.key))
      for (const key of lineage(node.key)) wanted.add(key)
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

async function treeAssets(ctx: Context, query: Params, top: NodeRow | undefined): Promise<StoredRow[]> {
  // The root view has no assets of its own: a node is required.
  if (flag(query.assets) !== true || (!top && ctx.isRootOrg)) return []
  const node = top ?? (await orgRoot(ctx))
  let rows = inNode(ctx, scoped(ctx, asset), node, query.all !== 'all')
  if (query.search) {
    const term = query.search
    const labelled = assetsLabelled(ctx, term)
    rows = rows.where((eb) =>
      eb.or([
        contains(ctx.dialect, eb.ref('t.name'), term),
        contains(ctx.dialect, eb.ref('t.address'), term),
        ...(labelled ? [eb('t.id', 'in', labelled)] : []),
      ]),
    )
  }
  return assetItems(
    ctx,
    (await rows.orderBy('t.name').execute()).map((row) => decoded(asset, row)),
    node.key,
  )
}

/** All levels with amounts, or the matches of a search, as JSON items. */
async function severalLevels(
  ctx: Context,
  index: PlacementIndex,
  query: Params,
  top: NodeRow | undefined,
): Promise<string[]> {
  const { totals } = index
  const all = allNodes(ctx, index, top)
  const { search } = query
  const found = search ? withAncestors(all, search, await labelledKeys(ctx, index, search)) : all
  return found.map((node) => nodeText(node, totals[index.nodeAt(node.id) ?? -1] ?? 0))
}

/** The response of `/nodes/children/tree/`: nodes with their current amounts, then assets if requested. */
export async function nodeTree(ctx: Context, query: Params): Promise<unknown> {
  const top = await scopeNode(ctx, query)
  if ((query.key || query.id) && !top) return []
  const index = await placements(ctx)
  return treeReply([
    ...(query.all === 'all' || query.search ? await severalLevels(ctx, index, query, top) : oneLevel(ctx, index, top)),
    ...(await treeAssets(ctx, query, top)).map((item) => JSON.stringify(item)),
  ])
}

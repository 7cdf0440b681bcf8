import { say } from '@castellan/contract/messages'
import { permsMessages } from '@castellan/contract/messages/perms'
import type { StoredRow } from '../../../kernel/fields/field.ts'
import { booleanOf, integer, text } from '../../../kernel/fields/index.ts'
import { defineRoute, type Handling, type Route, type RouteFields } from '../../../kernel/http/route.ts'
import { pagedReply } from '../../../kernel/lists/paging.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { decoded, scoped } from '../../../kernel/resource/repository.ts'
import type { ListQuery } from '../../../kernel/resource/resource.ts'
import { assetItems, endingOf, leavesOf, nodeBy, treeReply } from '../../assets/index.ts'
import { isInScope } from '../coverage.ts'
import { grantsRight, type Subject, userOfPath } from '../subject.ts'
import { grantedCategories } from './category-tree.ts'
import { directOnly, grantedOnly, grantOf } from './granted-assets.ts'
import {
  childNodes,
  reachedPlaces,
  rightInNode,
  rowsOf,
  showsUngrouped,
  type TreeNode,
  textsOf,
  textsOfEach,
  topNodes,
  wholeTree,
} from './granted-tree.ts'
import { asset, assetsAsked, assetsOrdered, favoritesOnly } from './user-assets.ts'

/** Pseudo nodes of a user's tree: favorites, and assets granted outside of nodes. */
type Special = 'favorite' | 'ungrouped'

/** Maximum leaves in the result of a tree search. */
const mostFound = 999

export const isSpecial = (word: string | undefined): word is Special => word === 'favorite' || word === 'ungrouped'

export async function specialAssets(ctx: Context, user: Subject, which: Special): Promise<ListQuery> {
  const grant = await grantOf(ctx, user.id)
  const all = scoped(ctx, asset)
  return which === 'favorite' ? grantedOnly(ctx, favoritesOnly(ctx, all, user.id), grant) : directOnly(ctx, all, grant)
}

/** Assets in a pseudo node: indexes. */
async function specialPlaces(ctx: Context, user: Subject, which: Special): Promise<number[]> {
  const { reach } = await grantOf(ctx, user.id)
  if (which === 'ungrouped') return [...reach.direct]
  const rows = await ctx.rawDb
    .selectFrom('assets_favoriteasset')
    .select('asset_id')
    .where('user_id', '=', user.id)
    .execute()
  const places = rows.flatMap(({ asset_id }) => reach.index.assetAt(asset_id) ?? [])
  return places.filter((at) => isInScope(reach, at))
}

async function specials(ctx: Context, user: Subject) {
  const keys: Special[] = showsUngrouped(ctx) ? ['ungrouped', 'favorite'] : ['favorite']
  const found = []
  for (const key of keys) {
    const places = await specialPlaces(ctx, user, key)
    found.push({ key, value: say(permsMessages[key], ctx.language), amount: places.length, places })
  }
  return found
}

type SpecialNode = Awaited<ReturnType<typeof specials>>[number]

const specialItem = ({ key, value, amount }: SpecialNode, open: boolean) => ({
  id: key,
  name: `${value} (${amount})`,
  title: value,
  pId: '',
  isParent: true,
  open,
  meta: { type: 'node', data: { id: key, key, value } },
})

const specialRow = (ctx: Context, { key, value, amount }: SpecialNode) => ({
  id: key,
  name: value,
  key,
  value,
  org_id: ctx.orgId,
  assets_amount: amount,
})

const nodeRow = ({ id, key, value, org_id, amount }: TreeNode) => ({
  id,
  name: value,
  key,
  value,
  org_id,
  assets_amount: amount,
})

const shown = text({ readOnly: true })
/** Fields of `nodeRows` for OPTIONS. */
export const nodeRowFields = {
  GET: { id: shown, name: shown, key: shown, value: shown, org_id: shown, assets_amount: integer({ readOnly: true }) },
}

/** The pseudo nodes as JSON tree items. */
const specialTexts = (special: readonly SpecialNode[]) => special.map((one) => JSON.stringify(specialItem(one, true)))

async function assetLeaves(ctx: Context, query: ListQuery, pId: string, params = {}): Promise<StoredRow[]> {
  const rows = (await assetsOrdered(query, params).execute()).map((row) => decoded(asset, row))
  return assetItems(ctx, rows, pId)
}

/** The key that a lazy call opens: `key`, or the node with the id `id`. */
async function openedKey({ ctx, request }: Handling): Promise<string | undefined> {
  const word = request.query.key || request.query.id
  if (!word || isSpecial(word)) return word || undefined
  return (await nodeBy(ctx.acrossOrgs(), word))?.key ?? 'none'
}

/** Rows of nodes, in pages when requested: pseudo nodes first. */
export function nodeRows({ ctx, request }: Handling, nodes: readonly TreeNode[], special: readonly SpecialNode[] = []) {
  const first = special.map((one) => specialRow(ctx, one))
  return pagedReply(ctx, request, {
    count: async () => first.length + nodes.length,
    rows: async ({ offset, limit } = { offset: 0, limit: first.length + nodes.length }) => {
      const skipped = Math.max(offset - first.length, 0)
      const shown = first.slice(offset, offset + limit)
      return [...shown, ...nodes.slice(skipped, skipped + limit - shown.length).map(nodeRow)]
    },
  })
}

async function nodeList(handling: Handling): Promise<unknown> {
  const { ctx } = handling
  const user = await userOfPath(handling)
  return nodeRows(handling, rowsOf([await wholeTree(ctx, user.id)]), await specials(ctx, user))
}

async function nodeChildren(handling: Handling): Promise<unknown> {
  const { ctx } = handling
  const user = await userOfPath(handling)
  const key = await openedKey(handling)
  if (isSpecial(key)) return nodeRows(handling, [])
  if (key) return nodeRows(handling, rowsOf((await childNodes(ctx, user.id, key)).levels))
  const { levels } = await topNodes(ctx, user.id)
  return nodeRows(handling, rowsOf(levels), await specials(ctx, user))
}

async function wholeNodeTree(handling: Handling): Promise<unknown> {
  const { ctx } = handling
  const user = await userOfPath(handling)
  const nodes = await wholeTree(ctx, user.id)
  return treeReply([...specialTexts(await specials(ctx, user)), ...textsOfEach(nodes)])
}

/** One level of a tree: the top nodes, or the children of the opened node. */
export async function lazyTree(handling: Handling, withAssets: boolean): Promise<unknown> {
  const { ctx } = handling
  const user = await userOfPath(handling)
  const key = await openedKey(handling)
  if (isSpecial(key)) return withAssets ? assetLeaves(ctx, await specialAssets(ctx, user, key), key) : []
  const special = key ? [] : await specials(ctx, user)
  const { levels, opened } = key ? await childNodes(ctx, user.id, key) : await topNodes(ctx, user.id)
  const texts = [...specialTexts(special), ...textsOf(levels)]
  if (withAssets && opened) {
    const right = await rightInNode(ctx, scoped(ctx.acrossOrgs(), asset), user.id, opened)
    for (const leaf of await assetLeaves(ctx, right, opened.key)) texts.push(JSON.stringify(leaf))
  }
  return treeReply(texts)
}

/** Everything at once: one leaf for each node in which an asset is shown. */
async function treeWithAssets(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const user = await userOfPath(handling)
  const special = await specials(ctx, user)
  const nodes = await wholeTree(ctx, user.id)
  const { reach, assets, nodesOf } = await reachedPlaces(ctx, user.id)
  const leaves = await leavesOf(ctx, reach.index, assets)
  for (const { key, places } of special) {
    const inside = new Set(places)
    const ending = endingOf(key)
    if (inside.size > 0) for (const asset of assets) if (inside.has(asset)) leaves.add(asset, ending)
  }
  const endings: Buffer[] = []
  for (const asset of assets)
    for (const node of nodesOf(asset)) {
      endings[node] ??= endingOf(reach.index.node(node).key)
      leaves.add(asset, endings[node])
    }
  // The console opens only the roots of its own tree; other callers get every node open, as in the contract.
  const mine = request.params.user === 'self'
  return treeReply([
    ...specialTexts(special),
    ...textsOfEach(nodes, (node) => !mine || node.parent_key === ''),
    ...leaves.pieces(),
  ])
}

async function assetTree(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const user = await userOfPath(handling)
  const asked = await assetsAsked(ctx, request.query)
  const found = grantedOnly(ctx, asked, await grantOf(ctx, user.id))
  return assetLeaves(ctx, request.query.search ? found.limit(mostFound) : found, '', request.query)
}

async function ungroupedTree(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const user = await userOfPath(handling)
  if (!showsUngrouped(ctx)) return []
  const asked = await assetsAsked(ctx, request.query)
  const found = directOnly(ctx, asked, await grantOf(ctx, user.id))
  return assetLeaves(ctx, request.query.search ? found.limit(mostFound) : found, '', request.query)
}

async function categoryTree(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const user = await userOfPath(handling)
  const granted = grantedOnly(ctx, scoped(ctx, asset), await grantOf(ctx, user.id))
  return grantedCategories(ctx, granted, {
    type: request.query.type,
    lazy: Boolean(request.query.n),
    sync: booleanOf(request.query.sync ?? '') === true,
    leaves: (query, pId) => assetLeaves(ctx, query, pId),
  })
}

const get = (
  path: string,
  summary: string,
  handle: (handling: Handling) => Promise<unknown>,
  fields?: RouteFields,
): Route =>
  defineRoute({
    ...(fields ? { fields } : {}),
    method: 'GET',
    path: `/api/v1/perms/users/:user/${path}`,
    requires: grantsRight,
    refusesOthers: true,
    summary,
    handle,
  })

export const userTreeRoutes: Route[] = [
  get('nodes/', 'The nodes of a user’s tree', nodeList, nodeRowFields),
  get('nodes/children/', 'Children of a node in a user’s tree', nodeChildren, nodeRowFields),
  get('nodes/tree/', 'A user’s tree without assets', wholeNodeTree),
  get('nodes/children/tree/', 'One level of a user’s tree without assets', (handling) => lazyTree(handling, false)),
  get('nodes/children-with-assets/tree/', 'One level of a user’s tree with assets', (handling) =>
    lazyTree(handling, true),
  ),
  get('nodes/all-with-assets/tree/', 'A user’s complete tree with assets', treeWithAssets),
  get('nodes/children-with-assets/category/tree/', 'Accessible assets by category and type', categoryTree),
  get('assets/tree/', 'Accessible assets as leaves', assetTree),
  get('ungroup/assets/tree/', 'Assets granted outside of nodes, as leaves', ungroupedTree),
]

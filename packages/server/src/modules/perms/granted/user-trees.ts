import { say } from '@castellan/contract/messages'
import { permsMessages } from '@castellan/contract/messages/perms'
import type { Context } from '../../../kernel/context.ts'
import type { AnyRow } from '../../../kernel/fields/field.ts'
import { booleanOf, integer, text } from '../../../kernel/fields/index.ts'
import { pagedReply } from '../../../kernel/paging.ts'
import { scoped } from '../../../kernel/repository.ts'
import type { ListQuery } from '../../../kernel/resource.ts'
import { defineRoute, type Handling, type Route, type RouteFields } from '../../../kernel/route.ts'
import { assetItems, endingOf, leavesOf, nodeBy, treeReply } from '../../assets/index.ts'
import { isInScope } from '../coverage.ts'
import { grantsRight, personOf, type Subject } from '../subject.ts'
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
import { asset, assetsAsked, assetsOrdered, favouritesOnly } from './user-assets.ts'

/** Places in somebody's tree that are no nodes: what they marked, and what they are given outside of nodes. */
type Special = 'favorite' | 'ungrouped'

/** A tree searched by name answers at most as many leaves. */
const mostFound = 999

const isSpecial = (word: string | undefined): word is Special => word === 'favorite' || word === 'ungrouped'

async function specialAssets(ctx: Context, person: Subject, which: Special): Promise<ListQuery> {
  const grant = await grantOf(ctx, person.id)
  const all = scoped(ctx, asset)
  return which === 'favorite'
    ? grantedOnly(ctx, favouritesOnly(ctx, all, person.id), grant)
    : directOnly(ctx, all, grant)
}

/** Assets in a special node: places in the index. */
async function specialPlaces(ctx: Context, person: Subject, which: Special): Promise<number[]> {
  const { reach } = await grantOf(ctx, person.id)
  if (which === 'ungrouped') return [...reach.direct]
  const rows = await ctx.unscoped
    .selectFrom('assets_favoriteasset')
    .select('asset_id')
    .where('user_id', '=', person.id)
    .execute()
  const places = rows.flatMap(({ asset_id }) => reach.index.assetAt(asset_id) ?? [])
  return places.filter((at) => isInScope(reach, at))
}

async function specials(ctx: Context, person: Subject) {
  const keys: Special[] = showsUngrouped(ctx) ? ['ungrouped', 'favorite'] : ['favorite']
  const found = []
  for (const key of keys) {
    const places = await specialPlaces(ctx, person, key)
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
/** What `nodeRows` answers, as OPTIONS tells it. */
export const nodeRowFields = {
  GET: { id: shown, name: shown, key: shown, value: shown, org_id: shown, assets_amount: integer({ readOnly: true }) },
}

/** The special nodes as a tree's items, in JSON. */
const specialTexts = (special: readonly SpecialNode[]) => special.map((one) => JSON.stringify(specialItem(one, true)))

async function assetLeaves(ctx: Context, query: ListQuery, pId: string, params = {}): Promise<AnyRow[]> {
  const rows = (await assetsOrdered(query, params).execute()).map(asset.decode)
  return assetItems(ctx, rows, pId)
}

/** The key that a lazy call opens: sent as `key`, or a node's id as `id`. */
async function openedKey({ ctx, request }: Handling): Promise<string | undefined> {
  const word = request.query.key || request.query.id
  if (!word || isSpecial(word)) return word || undefined
  return (await nodeBy(ctx.acrossOrgs(), word))?.key ?? 'none'
}

/** Rows of nodes, in pages when they are asked for: special ones first. */
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
  const person = await personOf(handling)
  return nodeRows(handling, rowsOf([await wholeTree(ctx, person.id)]), await specials(ctx, person))
}

async function nodeChildren(handling: Handling): Promise<unknown> {
  const { ctx } = handling
  const person = await personOf(handling)
  const key = await openedKey(handling)
  if (isSpecial(key)) return nodeRows(handling, [])
  if (key) return nodeRows(handling, rowsOf((await childNodes(ctx, person.id, key)).levels))
  const { levels } = await topNodes(ctx, person.id)
  return nodeRows(handling, rowsOf(levels), await specials(ctx, person))
}

async function wholeNodeTree(handling: Handling): Promise<unknown> {
  const { ctx } = handling
  const person = await personOf(handling)
  const nodes = await wholeTree(ctx, person.id)
  return treeReply([...specialTexts(await specials(ctx, person)), ...textsOfEach(nodes)])
}

/** One level of a tree: the tops, or what is right below the node that the call opens. */
export async function lazyTree(handling: Handling, withAssets: boolean): Promise<unknown> {
  const { ctx } = handling
  const person = await personOf(handling)
  const key = await openedKey(handling)
  if (isSpecial(key)) return withAssets ? assetLeaves(ctx, await specialAssets(ctx, person, key), key) : []
  const special = key ? [] : await specials(ctx, person)
  const { levels, opened } = key ? await childNodes(ctx, person.id, key) : await topNodes(ctx, person.id)
  const texts = [...specialTexts(special), ...textsOf(levels)]
  if (withAssets && opened) {
    const right = await rightInNode(ctx, scoped(ctx.acrossOrgs(), asset), person.id, opened)
    for (const leaf of await assetLeaves(ctx, right, opened.key)) texts.push(JSON.stringify(leaf))
  }
  return treeReply(texts)
}

/** Everything at once: one leaf for each place in which somebody sees an asset. */
async function treeWithAssets(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const person = await personOf(handling)
  const special = await specials(ctx, person)
  const nodes = await wholeTree(ctx, person.id)
  const { reach, assets, nodesOf } = await reachedPlaces(ctx, person.id)
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
  // The console opens its own tree at the roots only; other callers get every node open, as the contract has it.
  const mine = request.params.user === 'self'
  return treeReply([
    ...specialTexts(special),
    ...textsOfEach(nodes, (node) => !mine || node.parent_key === ''),
    ...leaves.pieces(),
  ])
}

async function assetTree(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const person = await personOf(handling)
  const asked = await assetsAsked(ctx, request.query)
  const found = grantedOnly(ctx, asked, await grantOf(ctx, person.id))
  return assetLeaves(ctx, request.query.search ? found.limit(mostFound) : found, '', request.query)
}

async function ungroupedTree(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const person = await personOf(handling)
  if (!showsUngrouped(ctx)) return []
  const asked = await assetsAsked(ctx, request.query)
  const found = directOnly(ctx, asked, await grantOf(ctx, person.id))
  return assetLeaves(ctx, request.query.search ? found.limit(mostFound) : found, '', request.query)
}

async function categoryTree(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const person = await personOf(handling)
  const granted = grantedOnly(ctx, scoped(ctx, asset), await grantOf(ctx, person.id))
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
  get('nodes/', 'The nodes of somebody’s tree', nodeList, nodeRowFields),
  get('nodes/children/', 'Nodes of somebody’s tree right below one', nodeChildren, nodeRowFields),
  get('nodes/tree/', 'Somebody’s tree without assets', wholeNodeTree),
  get('nodes/children/tree/', 'One level of somebody’s tree without assets', (handling) => lazyTree(handling, false)),
  get('nodes/children-with-assets/tree/', 'One level of somebody’s tree with assets', (handling) =>
    lazyTree(handling, true),
  ),
  get('nodes/all-with-assets/tree/', 'Somebody’s whole tree with assets', treeWithAssets),
  get('nodes/children-with-assets/category/tree/', 'What somebody may reach, by category and type', categoryTree),
  get('assets/tree/', 'What somebody may reach, as leaves', assetTree),
  get('ungroup/assets/tree/', 'What somebody is given outside of nodes, as leaves', ungroupedTree),
]

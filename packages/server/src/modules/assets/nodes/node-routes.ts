import { errors } from '@castellan/contract/messages/errors'
import { contains } from '../../../db/search.ts'
import { keyOf, normalUuid, type StoredRow } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { type Action, created, type RequestParts } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, notFound, quoted, text as say } from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { actionRoutes, listReply } from '../../../kernel/resource/resource-routes.ts'
import { readableFields, serialize } from '../../../kernel/resource/serialize.ts'
import { asset } from '../asset.ts'
import { inNode } from '../asset-filters.ts'
import { categoryTree } from './category-tree.ts'
import { node } from './node.ts'
import { addChild, moveNodes } from './node-changes.ts'
import { belowNode } from './node-key.ts'
import { changeMembers, type Membership } from './node-members.ts'
import { type NodeRow, orgRoot } from './node-rows.ts'
import { childNodes, nodeTree, scopeNode } from './node-tree.ts'
import { treeFields } from './tree-fields.ts'

const shownNode = async (ctx: Context, row: StoredRow) =>
  (await serialize(ctx, node, [row], readableFields(ctx, node)))[0] as StoredRow

const bodyOf = (request: RequestParts) => objectOf(request.body)

/** Children as a list with pages: those of a node, or the organization's root and its children. */
async function childrenReply(ctx: Context, request: RequestParts, top: NodeRow | undefined): Promise<unknown> {
  const all = request.query.all === 'all'
  const { search, ...query } = request.query
  const keys = top
    ? undefined
    : (await (all ? Promise.resolve([]) : childNodes(ctx, undefined, false))).map(({ key }) => key)
  return listReply(ctx, node, { ...request, query: { ...query, id: '', key: '' } }, (list) => {
    let rows = list
    if (top) rows = all ? rows.where(belowNode(top.key, 't.key')) : rows.where('t.parent_key', '=', top.key)
    else if (!all) rows = rows.where('t.key', 'in', keys ?? [])
    return search ? rows.where((eb) => contains(ctx.dialect, eb.ref('t.value'), search)) : rows
  })
}

const membership = (how: Membership): Action<NodeRow> => ({
  path: `assets/${how}`,
  methods: ['PUT', 'PATCH'],
  detail: true,
  requires: 'assets.change_assetnodes',
  summary: {
    add: 'Put assets into a node',
    remove: 'Take assets out of a node',
    replace: 'Make a node the only one of assets',
  }[how],
  handle: ({ ctx, request, row }) => changeMembers(ctx, row, how, request.body),
})

const actions: readonly Action<NodeRow>[] = [
  {
    path: 'children',
    methods: ['GET'],
    detail: true,
    requires: 'assets.view_node',
    summary: 'Children of a node, or its whole subtree',
    handle: ({ ctx, request, row }) => childrenReply(ctx, request, row),
  },
  {
    path: 'children',
    methods: ['POST'],
    detail: true,
    requires: 'assets.add_node',
    summary: 'Create a child of a node',
    statuses: [201],
    handle: async ({ ctx, request, row }) => created(await shownNode(ctx, await addChild(ctx, row, bodyOf(request)))),
  },
  {
    path: 'children/add',
    methods: ['PUT', 'PATCH'],
    detail: true,
    requires: 'assets.change_node',
    summary: 'Move nodes with their subtrees under a node',
    handle: async ({ ctx, request, row }) => {
      const sent = objectOf(request.body).nodes
      if (!Array.isArray(sent)) throw invalid({ nodes: [say(errors.required)] })
      const ids = sent.map((item) => {
        const id = normalUuid(keyOf(item))
        if (!id) throw invalid({ nodes: [say(errors.not_a_uuid, { input: quoted(item) })] })
        return id
      })
      await moveNodes(ctx, row, ids)
      return 'OK'
    },
  },
  {
    path: 'assets',
    methods: ['GET'],
    detail: true,
    requires: 'assets.view_asset',
    describes: asset.url,
    listed: true,
    summary: 'Assets of a node, or of its subtree with `all`',
    handle: ({ ctx, request, row }) => {
      const { all, id: _id, ...query } = request.query
      return listReply(ctx, asset, { ...request, query }, (list) => inNode(ctx, list, row, !all))
    },
  },
  membership('add'),
  membership('remove'),
  membership('replace'),
  {
    path: 'children',
    methods: ['GET'],
    requires: 'assets.view_node',
    summary: "The organization's root with its children, or those of `id` or `key`",
    handle: async ({ ctx, request }) => childrenReply(ctx, request, await scopeNode(ctx, request.query)),
  },
  ...['children', 'children/tree'].map(
    (path): Action<NodeRow> => ({
      path,
      methods: ['POST'],
      requires: 'assets.add_node',
      summary: "Create a child of the organization's root, or of the node in `id` or `key`",
      statuses: [201],
      handle: async ({ ctx, request }) => {
        const parent = await scopeNode(ctx, request.query)
        if (!parent && (request.query.id || request.query.key)) throw notFound(nameOf(node))
        return created(await shownNode(ctx, await addChild(ctx, parent ?? (await orgRoot(ctx)), bodyOf(request))))
      },
    }),
  ),
  {
    path: 'children/tree',
    methods: ['GET'],
    requires: 'assets.view_node',
    summary: 'The node tree, level by level, with current amounts and, on request, assets',
    handle: ({ ctx, request }) => nodeTree(ctx, request.query),
  },
  {
    path: 'category/tree',
    methods: ['GET'],
    requires: 'assets.view_asset',
    summary: 'Assets by category, type and platform',
    fields: { GET: treeFields },
    handle: ({ ctx, request }) => categoryTree(ctx, request.query),
  },
]

/** Extra actions of nodes. */
export const nodeRoutes = actionRoutes(node, actions)

import { defaultOrgId } from '@castellan/contract/ids'
import { say as render } from '@castellan/contract/messages'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../../db/batches.ts'
import { concat, tailAfter } from '../../../db/text.ts'
import { normalUuid, type StoredRow, textIn } from '../../../kernel/fields/index.ts'
import { unseenCharacters } from '../../../kernel/fields/scalars.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, invalid, quoted, text as say } from '../../../kernel/module/errors.ts'
import { recordSaves } from '../../../kernel/resource/changes.ts'
import { makerOf, stampsOf } from '../../../kernel/resource/repository.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { newRowId } from '../../../kernel/resource/row-id.ts'
import { mayDecideDestinations, noteDecision } from '../unconfirmed.ts'
import { belowNode, isWithin, subtree } from './node-key.ts'
import { type NodeRow, orgRoot } from './node-rows.ts'

/** Rows inserted by one statement. */
const rowsAtOnce = 100

/** The longest key the contract allows; deeper trees are rejected instead of truncated. */
const longestKey = 64

function checkedName(value: unknown): string {
  const name = textIn(value).trim()
  if (name === '') throw invalid({ value: [say(errors.blank)] })
  if (name.length > 128) throw invalid({ value: [say(errors.max_length, { max: 128 })] })
  if (unseenCharacters.test(name)) throw invalid({ value: [say(errors.unseen_characters)] })
  if (name.includes('/')) throw invalid({ value: [say(assetsMessages.node_name_slash)] })
  return name
}

const childrenOf = (ctx: Context, key: string) =>
  ctx.acrossOrganizations.selectFrom('assets_node').selectAll().where('parent_key', '=', key)

/**
 * Reserves child numbers, one for each new child of a node; returns the first of each by the node's id. This locks
 * their rows, so that concurrent calls never get the same number.
 */
async function takeMarks(ctx: Context, wanted: ReadonlyMap<NodeRow, number>): Promise<Map<string, number>> {
  const parents = [...wanted.keys()].sort((a, b) => (a.key < b.key ? -1 : 1))
  // Locks in a fixed order prevent deadlocks.
  if (ctx.dialect === 'postgres')
    for (const some of batches(parents))
      await ctx.acrossOrganizations
        .selectFrom('assets_node')
        .select('id')
        .where(
          'id',
          'in',
          some.map(({ id }) => id),
        )
        .orderBy('key')
        .forUpdate()
        .execute()
  const first = new Map<string, number>()
  for (const [many, some] of Map.groupBy(parents, (parent) => wanted.get(parent) ?? 1))
    for (const part of batches(some))
      for (const { id, child_mark } of await ctx.acrossOrganizations
        .updateTable('assets_node')
        .set((eb) => ({ child_mark: eb('child_mark', '+', many) }))
        .where(
          'id',
          'in',
          part.map((parent) => parent.id),
        )
        .returning(['id', 'child_mark'])
        .execute())
        first.set(id, Number(child_mark) - many)
  return first
}

function childKey(parent: NodeRow, mark: number): string {
  const key = `${parent.key}:${mark}`
  if (key.length > longestKey) throw badRequest(say(errors.max_length, { max: longestKey }))
  return key
}

interface NewNode {
  parent: NodeRow
  value: string
  /** Chosen by the client; generated otherwise. */
  id?: string | undefined
}

const pathOf = ({ parent, value }: NewNode) => `${parent.full_value}/${value}`

/** Existing nodes of an organization by their full paths. */
async function nodesAt(ctx: Context, orgId: string, paths: readonly string[]): Promise<Map<string, NodeRow>> {
  const found = new Map<string, NodeRow>()
  for (const some of batches(paths))
    for (const row of await ctx.rawDb
      .selectFrom('assets_node')
      .selectAll()
      .where('org_id', '=', orgId)
      .where('full_value', 'in', some)
      .execute())
      found.set(row.full_value, row as NodeRow)
  return found
}

/** Inserts children in the order of the input; a child that a concurrent call has just created is returned instead. */
async function insertNodes(ctx: Context, wanted: readonly NewNode[]): Promise<(NodeRow & { isOld?: true })[]> {
  const parents = new Map<NodeRow, number>()
  for (const children of Map.groupBy(wanted, ({ parent }) => parent.id).values())
    if (children[0]) parents.set(children[0].parent, children.length)
  const marks = await takeMarks(ctx, parents)
  // While waiting for the locks, another call may have created children of the same parents.
  const old = await nodesAt(ctx, wanted[0]?.parent.org_id ?? '', wanted.map(pathOf))
  const fresh: NodeRow[] = []
  const result = wanted.map((one) => {
    const { parent, value } = one
    const same = old.get(pathOf(one))
    if (same) return { ...same, isOld: true as const }
    const mark = marks.get(parent.id) ?? 0
    marks.set(parent.id, mark + 1)
    const row = {
      id: one.id ?? newRowId(),
      key: childKey(parent, mark),
      value,
      full_value: pathOf(one),
      parent_key: parent.key,
      child_mark: 0,
      org_id: parent.org_id,
    }
    fresh.push(row)
    return row
  })
  for (const some of batches(fresh, rowsAtOnce))
    await ctx.rawDb
      .insertInto('assets_node')
      .values(some.map((row) => stamped(ctx, row)))
      .execute()
  await recordSaves(
    ctx,
    findResource('assets.node'),
    fresh.map((row, index) => ({
      mode: 'create',
      partial: false,
      before: undefined,
      row,
      values: {},
      input: {},
      index,
    })),
  )
  return result
}

const insertNode = async (ctx: Context, parent: NodeRow, value: string, id?: string) =>
  (await insertNodes(ctx, [{ parent, value, id }]))[0] as NodeRow & { isOld?: true }

const stamped = (ctx: Context, row: StoredRow) => ({ ...row, ...makerOf(ctx), ...stampsOf(ctx) })

/**
 * The id that a client chose for a new node; undefined when none was sent. Throws 400 for an invalid or existing one.
 */
async function chosenId(ctx: Context, sent: unknown): Promise<string | undefined> {
  if (sent === undefined || sent === null || sent === '') return undefined
  const id = normalUuid(sent)
  if (!id) throw invalid({ id: [say(errors.not_a_uuid, { input: quoted(sent) })] })
  const taken = await ctx.acrossOrganizations
    .selectFrom('assets_node')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (taken) throw invalid({ id: [say(errors.unique)] })
  return id
}

/** Adds a child; without a name it gets the next free "New node N". */
export async function addChild(ctx: Context, parent: NodeRow, { id: sent, value }: StoredRow): Promise<NodeRow> {
  const id = await chosenId(ctx, sent)
  const nameless = value === undefined || value === null || value === ''
  const name = nameless ? await nextName(ctx, parent) : checkedName(value)
  if (!nameless && (await childrenOf(ctx, parent.key).where('value', '=', name).executeTakeFirst()))
    throw badRequest(say(assetsMessages.node_same_name))
  const made = await insertNode(ctx, parent, name, id)
  if (made.isOld) throw badRequest(say(assetsMessages.node_same_name))
  return made
}

async function nextName(ctx: Context, parent: NodeRow): Promise<string> {
  const prefix = render(assetsMessages.new_node, ctx.language, { number: '' }).trim()
  const rows = await childrenOf(ctx, parent.key).execute()
  const numbers = rows.flatMap(({ value }) => {
    const rest = String(value).startsWith(prefix) ? String(value).slice(prefix.length).trim() : ''
    return /^\d+$/.test(rest) ? [Number(rest)] : []
  })
  return render(assetsMessages.new_node, ctx.language, { number: String(Math.max(0, ...numbers) + 1) })
}

export async function childOfRoot(ctx: Context, { id: sent, value }: StoredRow): Promise<NodeRow> {
  const id = await chosenId(ctx, sent)
  const name = checkedName(value)
  const root = await orgRoot(ctx)
  if (await childrenOf(ctx, root.key).where('value', '=', name).executeTakeFirst())
    throw invalid({ value: [say(assetsMessages.node_same_name)] })
  const made = await insertNode(ctx, root, name, id)
  if (made.isOld) throw invalid({ value: [say(assetsMessages.node_same_name)] })
  return made
}

type NamedNode = Pick<NodeRow, 'id' | 'key' | 'parent_key' | 'value' | 'full_value'>

/** Renames a node: sibling names are unique, and the paths of its subtree are updated. */
export async function renamed(
  ctx: Context,
  before: NamedNode,
  row: { value: string; full_value: string },
): Promise<void> {
  const same = await childrenOf(ctx, before.parent_key).where('value', '=', row.value).where('id', '!=', before.id)
  if (await same.executeTakeFirst()) throw invalid({ value: [say(assetsMessages.node_same_name)] })
  const parentPath = String(before.full_value).slice(0, -(String(before.value).length + 1))
  row.full_value = `${parentPath}/${row.value}`
  await ctx.acrossOrganizations
    .updateTable('assets_node')
    .set((eb) => ({ full_value: concat(row.full_value, tailAfter(eb.ref('full_value'), before.full_value)) }))
    .where(belowNode(before.key))
    .execute()
}

/** Moves nodes with their subtrees under another one. Keys change; ids do not. */
export async function moveNodes(ctx: Context, target: NodeRow, ids: readonly string[]): Promise<void> {
  const found = new Map((await nodesById(ctx, ids)).map((row) => [row.id, row]))
  const moving: NodeRow[] = []
  for (const id of new Set(ids)) {
    const row = found.get(id)
    if (!row || row.org_id !== target.org_id) throw invalid({ nodes: [say(errors.does_not_exist, { pk: id })] })
    if (row.parent_key === target.key) continue
    // A root is an ancestor of everything, so this also prevents moving roots.
    if (isWithin(target.key, row.key)) throw badRequest(say(assetsMessages.node_move_cycle))
    moving.push(row)
  }
  if (moving.length === 0) return
  const mark = (await takeMarks(ctx, new Map([[target, moving.length]]))).get(target.id) ?? 0
  // While waiting for the lock, another call may have moved nodes there.
  const names = new Set((await childrenOf(ctx, target.key).select('value').execute()).map(({ value }) => value))
  for (const { value } of moving) {
    if (names.has(value)) throw badRequest(say(assetsMessages.node_same_name))
    names.add(value)
  }
  // Deepest first: a node that is moved out of another moved one has its old key until then.
  const order = moving.map((row, index) => ({ row, key: childKey(target, mark + index) }))
  for (const { row, key } of order.sort((a, b) => b.row.key.length - a.row.key.length))
    await moveOne(ctx, target, row, key)
  if (!mayDecideDestinations(ctx)) for (const { key } of order) await notePlacement(ctx, key)
}

/** What is below a moved node is among the targets of plans for the nodes above from now on. */
async function notePlacement(ctx: Context, key: string): Promise<void> {
  const members = await ctx.acrossOrganizations
    .selectFrom('assets_node as n')
    .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
    .select('m.asset_id')
    .where(subtree(key, 'n.key'))
    .execute()
  await noteDecision(
    ctx,
    members.map(({ asset_id }) => asset_id),
    'placement',
  )
}

async function nodesById(ctx: Context, ids: readonly string[]): Promise<NodeRow[]> {
  const found: NodeRow[] = []
  for (const some of batches(ids))
    found.push(
      ...((await ctx.acrossOrganizations
        .selectFrom('assets_node')
        .selectAll()
        .where('id', 'in', some)
        .execute()) as NodeRow[]),
    )
  return found
}

async function moveOne(ctx: Context, target: NodeRow, moved: NodeRow, key: string): Promise<void> {
  const fullValue = `${target.full_value}/${moved.value}`
  const deepest = await ctx.acrossOrganizations
    .selectFrom('assets_node')
    .select((eb) => eb.fn.max(eb.fn<number>('length', ['key'])).as('length'))
    .where(belowNode(moved.key))
    .executeTakeFirst()
  if (Number(deepest?.length ?? 0) - moved.key.length + key.length > longestKey)
    throw badRequest(say(errors.max_length, { max: longestKey }))
  await ctx.acrossOrganizations
    .updateTable('assets_node')
    .set((eb) => ({
      key: concat(key, tailAfter(eb.ref('key'), moved.key)),
      parent_key: concat(key, tailAfter(eb.ref('parent_key'), moved.key)),
      full_value: concat(fullValue, tailAfter(eb.ref('full_value'), moved.full_value)),
    }))
    .where(belowNode(moved.key))
    .execute()
  await ctx.acrossOrganizations
    .updateTable('assets_node')
    .set({ key, parent_key: target.key, full_value: fullValue, date_updated: ctx.now })
    .where('id', '=', moved.id)
    .execute()
  const row = { ...moved, key, parent_key: target.key, full_value: fullValue }
  await recordSaves(ctx, findResource('assets.node'), [
    { mode: 'update', partial: true, before: moved, row, values: {}, input: {}, index: 0 },
  ])
}

/**
 * Finds nodes by full path (`/Default/a/b`) and creates missing ones. A path without a leading `/` starts below the
 * organization's root. Returns ids by path as sent.
 */
export async function ensurePaths(ctx: Context, paths: readonly string[]): Promise<Map<string, string>> {
  if (paths.some((path) => unseenCharacters.test(path))) throw badRequest(say(errors.unseen_characters))
  const root = await orgRoot(ctx)
  const result = new Map<string, string>()
  const known = new Map<string, NodeRow>([[root.full_value, root]])
  const full = (path: string) => {
    const parts = path
      .split('/')
      .map((part) => part.trim())
      .filter(Boolean)
    if (path.startsWith('/') && parts[0] === root.value) parts.shift()
    return [root.full_value, ...parts].join('/')
  }
  const find = async (wanted: readonly string[]) => {
    const unseen = [...new Set(wanted)].filter((path) => !known.has(path))
    for (const [path, row] of await nodesAt(ctx, root.org_id, unseen)) known.set(path, row)
  }
  const wanted = paths.map(full)
  await find(wanted)
  // Missing nodes are created below their nearest existing ancestor.
  const above = wanted.filter((path) => !known.has(path)).flatMap((path) => pathsAbove(path, root.full_value))
  await find(above)
  const missing = [...new Set(above)].filter((path) => !known.has(path))
  const levels = Map.groupBy(missing, (path) => path.split('/').length)
  for (const [, level] of [...levels].sort(([a], [b]) => a - b)) {
    const made = await insertNodes(
      ctx,
      level.map((path) => {
        const cut = path.lastIndexOf('/')
        return { parent: known.get(path.slice(0, cut)) as NodeRow, value: checkedName(path.slice(cut + 1)) }
      }),
    )
    for (const row of made) known.set(row.full_value, row)
  }
  for (const [index, path] of paths.entries()) result.set(path, known.get(wanted[index] as string)?.id ?? '')
  return result
}

/** The path and its ancestors, from below the root downwards. */
function pathsAbove(path: string, root: string): string[] {
  const found: string[] = []
  for (let at = path; at.length > root.length; at = at.slice(0, at.lastIndexOf('/'))) found.push(at)
  return found
}

/** Every organization has a root node with the organization's name. */
export async function ensureRoot(ctx: Context, org: { id: string; name: string }): Promise<void> {
  const root = (await ctx.rawDb
    .selectFrom('assets_node')
    .selectAll()
    .where('org_id', '=', org.id)
    .where('parent_key', '=', '')
    .executeTakeFirst()) as NodeRow | undefined
  if (!root) {
    const key = org.id === defaultOrgId ? '1' : String(await highestRoot(ctx))
    const row = { id: newRowId(), key, value: org.name, full_value: `/${org.name}`, parent_key: '', child_mark: 0 }
    await ctx.rawDb
      .insertInto('assets_node')
      .values(stamped(ctx, { ...row, org_id: org.id }))
      .execute()
  } else if (root.value !== org.name) {
    await ctx.acrossOrganizations
      .updateTable('assets_node')
      .set({ value: org.name, full_value: `/${org.name}` })
      .where('id', '=', root.id)
      .execute()
    await ctx.acrossOrganizations
      .updateTable('assets_node')
      .set((eb) => ({ full_value: concat(`/${org.name}`, tailAfter(eb.ref('full_value'), root.full_value)) }))
      .where(belowNode(root.key))
      .execute()
  }
}

/** The number for a new root: one above the highest, never the default organization's 1. */
async function highestRoot(ctx: Context): Promise<number> {
  const rows = await ctx.acrossOrganizations
    .selectFrom('assets_node')
    .select('key')
    .where('parent_key', '=', '')
    .execute()
  return Math.max(1, ...rows.map(({ key }) => Number(key))) + 1
}

export async function removeRoot(ctx: Context, orgId: string): Promise<void> {
  await ctx.rawDb.deleteFrom('assets_node').where('org_id', '=', orgId).where('parent_key', '=', '').execute()
}

import type { Message } from '@castellan/contract/messages'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../../db/batches.ts'
import { computed, describedAs, type Field, integer, type StoredRow, text } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError, failureAs, invalid, Rejected, render, text as say } from '../../../kernel/module/errors.ts'
import { defineResource } from '../../../kernel/resource/resource.ts'
import { grantPort } from '../grant-port.ts'
import { childOfRoot, ensurePaths, renamed } from './node-changes.ts'
import { belowNode, isRootKey, outermost, withinOther } from './node-key.ts'
import { rowById } from './node-rows.ts'

const path = (options: Parameters<typeof text>[0] = {}): Field<string, 'own'> => ({
  ...text(options),
  column: { type: 'path' },
})

const refused = (message: Message) =>
  new ApiError(403, 'node', (language) => ({ error: render(say(message), language) }))

/** Which of some nodes have assets in their subtree. */
async function occupied(ctx: Context, rows: readonly { id: string }[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of batches(rows))
    for (const { id } of await ctx.acrossOrganizations
      .selectFrom('assets_node as top')
      .select('top.id')
      .where(
        'top.id',
        'in',
        some.map((row) => row.id),
      )
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('assets_node as n')
            .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
            .select('m.id')
            .where(withinOther('n.key', 'top.key')),
        ),
      )
      .execute())
      found.add(id)
  return found
}

/** A node of an organization's asset tree. Its key encodes the position (`node-key.ts`). */
export const node = defineResource({
  app: 'assets',
  name: 'node',
  path: 'nodes',
  scope: 'org',
  fields: {
    key: path({ readOnly: true, filter: true }),
    value: {
      ...describedAs(text({ max: 128, filter: true, blank: false }), { max_length: undefined }),
      parse: (input: unknown, ctx: Context) => {
        const value = text({ max: 128, blank: false }).parse?.(input, ctx) as string
        if (value.includes('/')) throw new Rejected([say(assetsMessages.node_name_slash)])
        return value
      },
    },
    name: computed('field', { wire: (_value, _ctx, row) => row.value }),
    full_value: describedAs(text({ max: 4096 }), { max_length: undefined }),
  },
  columns: {
    parent_key: path(),
    /** The number of the next child. */
    child_mark: integer({ default: 0 }),
  },
  unique: [['key']],
  indexes: [['org_id', 'parent_key', 'value'], ['parent_key'], ['org_id', 'full_value']],
  search: ['full_value'],
  orderable: ['key', 'value', 'full_value', 'org_id'],
  idFilter: true,
  fieldOrder: ['id', 'key', 'value', 'org_id'],
  defaultOrder: ['parent_key', 'value'],
  suggestions: {
    requires: 'assets.match_node',
    fields: ['id', 'name', 'value'],
    permitted: (ctx) => grantPort.use.nodes(ctx),
  },
  display: (row) => row.full_value ?? row.value,
  deletable,
  create: async (ctx, inputs, { bulk }) => {
    const made: StoredRow[] = []
    const failures = new Map<number, ApiError>()
    for (const [index, input] of inputs.entries())
      try {
        made.push(await created(ctx, (input ?? {}) as StoredRow))
      } catch (error) {
        if (!(error instanceof ApiError) || !bulk) throw error
        failures.set(index, error)
      }
    if (failures.size > 0)
      throw new ApiError(400, 'invalid', (language) =>
        inputs.map((_input, at) => failures.get(at)?.body(language) ?? {}),
      )
    return made
  },
  hooks: {
    validate(_ctx, changes) {
      for (const { before, row } of changes)
        if (before && isRootKey(before.key) && row.value !== before.value)
          throw failureAs(400, 'error', say(assetsMessages.node_root_rename))
    },
    async beforeSave(ctx, changes) {
      for (const { before, row } of changes) {
        if (!before) continue
        // Only the name can be changed; the path follows from it.
        row.full_value = before.full_value
        if (row.value !== before.value) await renamed(ctx, before, row)
      }
    },
    async beforeDelete(ctx, rows) {
      if (rows.some(({ key }) => isRootKey(key))) throw refused(assetsMessages.node_root_delete)
      if ((await occupied(ctx, rows)).size > 0) throw refused(assetsMessages.node_has_assets)
      for (const key of outermost(rows.map((row) => row.key)))
        await ctx.acrossOrganizations.deleteFrom('assets_node').where(belowNode(key)).execute()
    },
  },
})

/** Creates a node: at a path, with missing ancestors, or below the organization's root. */
async function created(ctx: Context, body: StoredRow): Promise<StoredRow> {
  const path = body.full_value ?? ''
  if (typeof path !== 'string') throw invalid({ full_value: [say(errors.not_a_string)] })
  const [id] = path ? [...(await ensurePaths(ctx, [path])).values()] : []
  return id ? rowById(ctx, id) : childOfRoot(ctx, body)
}

/** The rows a bulk delete may remove: not roots, nor nodes with assets in their subtree. */
async function deletable<R extends { id: string; key: string }>(ctx: Context, rows: R[]): Promise<R[]> {
  const kept = await occupied(ctx, rows)
  return rows.filter(({ id, key }) => !isRootKey(key) && !kept.has(id))
}

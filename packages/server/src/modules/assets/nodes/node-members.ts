import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../../db/batches.ts'
import { keyOf, normalUuid, type StoredRow } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, quoted, text as say } from '../../../kernel/module/errors.ts'
import { recordSaves } from '../../../kernel/resource/changes.ts'
import { decoded, scoped } from '../../../kernel/resource/repository.ts'
import type { Row } from '../../../kernel/resource/resource.ts'
import { organizationNames } from '../../../kernel/resource/standard-fields.ts'
import { asset } from '../asset.ts'
import { confirmDecisions, noteDecision } from '../unconfirmed.ts'
import { type NodeRow, orgRoot } from './node-rows.ts'

const table = 'assets_asset_nodes'

/** The assets named by a body, all of the caller's organization. */
async function namedAssets(ctx: Context, body: unknown): Promise<Row<typeof asset>[]> {
  const sent = objectOf(body).assets
  if (!Array.isArray(sent))
    throw invalid({ assets: [say(sent === undefined ? errors.required : errors.not_a_list, { type: typeof sent })] })
  const ids = sent.map((item) => {
    const id = normalUuid(keyOf(item))
    if (!id) throw invalid({ assets: [say(errors.not_a_uuid, { input: quoted(item) })] })
    return id
  })
  const found = new Map<string, Row<typeof asset>>()
  for (const some of batches(ids))
    for (const row of await scoped(ctx, asset).where('t.id', 'in', some).execute())
      found.set(row.id, decoded(asset, row))
  const missing = ids.find((id) => !found.has(id))
  if (missing) throw invalid({ assets: [say(errors.does_not_exist, { pk: missing })] })
  return [...found.values()]
}

async function add(ctx: Context, nodeId: string, ids: readonly string[]): Promise<void> {
  for (const some of batches(ids))
    await ctx.rawDb
      .insertInto(table)
      .values(some.map((id) => ({ asset_id: id, node_id: nodeId })))
      .onConflict((conflict) => conflict.columns(['asset_id', 'node_id']).doNothing())
      .execute()
}

/** Moves assets without any node to the organization's root, so that none is missing from the tree. */
async function rescue(ctx: Context, ids: readonly string[]): Promise<void> {
  const lost: string[] = []
  for (const some of batches(ids)) {
    const placed = await ctx.rawDb.selectFrom(table).select('asset_id').where('asset_id', 'in', some).execute()
    const known = new Set(placed.map(({ asset_id }) => asset_id))
    lost.push(...some.filter((id) => !known.has(id)))
  }
  if (lost.length > 0) await add(ctx, (await orgRoot(ctx)).id, lost)
}

export type Membership = 'add' | 'remove' | 'replace'

/** Adds assets to a node, removes them, or makes it their only node. */
export async function changeMembers(ctx: Context, node: NodeRow, how: Membership, body: unknown): Promise<unknown> {
  const home = ctx.inOrg(node.org_id)
  const rows = await namedAssets(home, body)
  const ids = rows.map(({ id }) => id)
  if (how !== 'add')
    for (const some of batches(ids)) {
      const gone = ctx.rawDb.deleteFrom(table).where('asset_id', 'in', some)
      await (how === 'remove' ? gone.where('node_id', '=', node.id) : gone).execute()
    }
  if (how !== 'remove') await add(ctx, node.id, ids)
  if (how !== 'remove') await noteDecision(ctx, ids, 'placement')
  if (how === 'replace') await confirmDecisions(ctx, ids, 'placement')
  if (how === 'remove') await rescue(home, ids)
  await record(ctx, node, rows)
  const members = await ctx.rawDb.selectFrom(table).select('asset_id').where('node_id', '=', node.id).execute()
  return {
    assets: members.map(({ asset_id }) => asset_id),
    org_id: node.org_id,
    org_name: (await organizationNames(ctx)).get(node.org_id) ?? '',
  }
}

/** Logs the change of nodes for every moved asset. */
async function record(ctx: Context, node: NodeRow, rows: readonly StoredRow[]): Promise<void> {
  await recordSaves(
    ctx,
    asset,
    rows.map((row, index) => ({
      mode: 'update' as const,
      partial: true,
      before: row,
      row,
      values: { nodes: [node.id] },
      input: {},
      index,
    })),
  )
}

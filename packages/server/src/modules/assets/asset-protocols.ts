import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import type { TableShape } from '../../db/schema.ts'
import { base } from '../../kernel/fields/field.ts'
import { type Change, type Field, integer, type StoredRow, text } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { Rejected, text as say } from '../../kernel/module/errors.ts'
import { parseItems, parseParts } from './parsed-items.ts'
import { protocolOfText, protocolsOfCell } from './platforms/protocol-cells.ts'

/** A protocol of an asset: name and port. Its settings are the platform's. */
export interface AssetProtocol {
  name: string
  port: number
}

export const assetProtocolTable: TableShape = {
  name: 'assets_protocol',
  columns: {
    id: { type: 'serial' },
    asset_id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
    name: { type: 'text' },
    port: { type: 'integer' },
  },
  primaryKey: ['id'],
  unique: [['asset_id', 'name']],
  indexes: [['name', 'asset_id']],
}

const parts = { name: text({ max: 32, required: true }), port: integer({ required: true, min: 0, max: 65_535 }) }

const parsed = (ctx: Context, input: unknown): AssetProtocol =>
  parseParts(ctx, parts, protocolOfText(input)) as AssetProtocol & StoredRow

/** Protocols of many assets, in the order in which they were sent. */
export async function protocolsOf(ctx: Context, ids: readonly unknown[]): Promise<Map<unknown, AssetProtocol[]>> {
  const grouped = new Map<unknown, AssetProtocol[]>()
  for (const some of batches(ids))
    for (const { asset_id, name, port } of await ctx.rawDb
      .selectFrom('assets_protocol')
      .selectAll()
      .where('asset_id', 'in', some)
      .orderBy('id')
      .execute()) {
      const list = grouped.get(asset_id) ?? []
      list.push({ name, port: Number(port) })
      grouped.set(asset_id, list)
    }
  return grouped
}

export async function addProtocols(
  ctx: Context,
  rows: readonly (AssetProtocol & { asset_id: unknown })[],
): Promise<void> {
  for (const some of batches(rows))
    await ctx.rawDb
      .insertInto('assets_protocol')
      .values(some.map((row) => ({ ...row })))
      .execute()
}

async function storeProtocols(ctx: Context, changes: readonly Change[]): Promise<void> {
  const sent = changes.filter(({ values }) => values.protocols !== undefined)
  const changed = sent.filter(({ mode }) => mode === 'update').map(({ row }) => row.id)
  for (const some of batches(changed))
    await ctx.rawDb.deleteFrom('assets_protocol').where('asset_id', 'in', some).execute()
  await addProtocols(
    ctx,
    sent.flatMap(({ row, values }) =>
      (values.protocols as AssetProtocol[]).map((one) => ({ asset_id: row.id, name: one.name, port: one.port })),
    ),
  )
}

/**
 * The protocols of an asset; a sent list replaces the old one. The asset's hooks check those that the platform
 * requires.
 */
export const assetProtocolsField: Field<never, 'none'> = {
  ...base('field', { nullable: true, filter: true, order: false }),
  parse: (input, ctx) => {
    const items = parseItems(input, (item) => parsed(ctx, item))
    const names = items.map(({ name }) => name)
    if (new Set(names).size !== names.length) throw new Rejected([say(errors.unique)])
    return items
  },
  load: async (ctx, rows) => {
    const all = await protocolsOf(
      ctx,
      rows.map(({ id }) => id),
    )
    return ({ id }) => all.get(id) ?? []
  },
  store: storeProtocols,
  meta: () => ({
    child: {
      type: 'nested object',
      required: false,
      read_only: false,
      write_only: false,
      children: {
        name: { type: 'string', required: true, read_only: false, write_only: false, max_length: 32 },
        port: {
          type: 'integer',
          required: false,
          read_only: false,
          write_only: false,
          min_value: 0,
          max_value: 65_535,
        },
      },
    },
  }),
  toCell: (wire) => JSON.stringify((wire as AssetProtocol[]).map(({ name, port }) => `${name}/${port}`)),
  fromCell: protocolsOfCell,
}

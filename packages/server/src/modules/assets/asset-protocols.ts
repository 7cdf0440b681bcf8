import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import type { TableShape } from '../../db/schema.ts'
import type { Context } from '../../kernel/context.ts'
import { Rejected, text as say } from '../../kernel/errors.ts'
import { base } from '../../kernel/fields/field.ts'
import { type AnyRow, type Change, type Field, numberIn } from '../../kernel/fields/index.ts'
import { parseItems } from './platforms/platform-protocols.ts'
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

function parsed(input: unknown): AssetProtocol {
  const item = protocolOfText(input) as AnyRow
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new Rejected({ non_field_errors: [say(errors.not_a_dictionary, { type: typeof input })] })
  if (typeof item.name !== 'string' || item.name.trim() === '') throw new Rejected({ name: [say(errors.required)] })
  if (item.name.length > 32) throw new Rejected({ name: [say(errors.max_length, { max: 32 })] })
  const port = numberIn(item.port)
  if (!Number.isInteger(port)) throw new Rejected({ port: [say(errors.not_an_integer)] })
  if (port < 0) throw new Rejected({ port: [say(errors.min_value, { min: 0 })] })
  if (port > 65_535) throw new Rejected({ port: [say(errors.max_value, { max: 65_535 })] })
  return { name: item.name.trim(), port }
}

/** Protocols of many assets, in the order in which they were sent. */
export async function protocolsOf(ctx: Context, ids: readonly unknown[]): Promise<Map<unknown, AssetProtocol[]>> {
  const grouped = new Map<unknown, AssetProtocol[]>()
  for (const some of batches(ids))
    for (const { asset_id, name, port } of await ctx.unscoped
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
    await ctx.unscoped
      .insertInto('assets_protocol')
      .values(some as AnyRow[])
      .execute()
}

async function storeProtocols(ctx: Context, changes: readonly Change[]): Promise<void> {
  const sent = changes.filter(({ values }) => values.protocols !== undefined)
  const changed = sent.filter(({ mode }) => mode === 'update').map(({ row }) => row.id)
  for (const some of batches(changed))
    await ctx.unscoped.deleteFrom('assets_protocol').where('asset_id', 'in', some).execute()
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
  parse: (input) => {
    const items = parseItems(input, parsed)
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

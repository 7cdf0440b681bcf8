import { errors } from '@castellan/contract/messages/errors'
import { protocolOf } from '@castellan/contract/protocols'
import {
  boolean,
  type Change,
  computed,
  describedAs,
  type Field,
  integer,
  json,
  oneBySerial,
  type StoredRow,
  text,
} from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { Rejected, text as say } from '../../../kernel/module/errors.ts'
import { itemInfo, resourceInfo } from '../../../kernel/resource/metadata.ts'
import { decoded, findAll, insertRows, updateRow } from '../../../kernel/resource/repository.ts'
import { type Columns, defineResource } from '../../../kernel/resource/resource.ts'
import { parseItems, parseParts, rejectTwice } from '../parsed-items.ts'
import { internalPlatform } from './platform-guard.ts'
import { protocolOfText, protocolsOfCell } from './protocol-cells.ts'
import { settingChildren } from './protocol-setting-fields.ts'

const secretTypesOf = (name: string) => protocolOf(name)?.secretTypes ?? ['password']

const name = text({ max: 32, required: true, filter: true })
const port = describedAs(integer({ required: true, min: 0, max: 65_535 }), {
  // The contract's OPTIONS say the limits of the column.
  min_value: -2_147_483_648,
  max_value: 2_147_483_647,
})
const flags = {
  primary: boolean({ default: false }),
  required: boolean({ default: false }),
  default: boolean({ default: false }),
  public: describedAs(boolean({ default: true }), { default: undefined }),
}
const parts = { name, port, ...flags, setting: json<StoredRow>({ default: {}, shape: 'object' }) }

const setting: Field<StoredRow, 'own'> = {
  ...parts.setting,
  type: 'nested object',
  meta: (ctx, params) => settingChildren(ctx, params.name),
}

/** Throws 403 for the protocols of a built-in platform. */
async function demandOwnPlatform(ctx: Context, platformId: unknown): Promise<void> {
  const found = await ctx.rawDb
    .selectFrom('assets_platform')
    .select('internal')
    .where('id', '=', platformId ?? 0)
    .executeTakeFirst()
  if (found?.internal) throw internalPlatform()
}

/** A protocol of a platform. Edited with its platform; this collection exists for its OPTIONS. */
export const platformProtocol = defineResource({
  app: 'assets',
  name: 'platformprotocol',
  path: 'protocol-settings',
  scope: 'global',
  serialId: true,
  fieldOrder: 'declared',
  bulk: false,
  guard: async (ctx, row, verb) => {
    if (verb === 'update' || verb === 'delete') await demandOwnPlatform(ctx, row.platform_id)
  },
  requires: {
    list: 'assets.add_platform',
    retrieve: 'assets.add_platform',
    create: 'assets.add_platform',
    update: 'assets.add_platform',
    delete: 'assets.add_platform',
  },
  unlogged: true,
  fields: {
    name,
    port,
    port_from_addr: computed('boolean', {
      wire: (_value, _ctx, row: { name: string }) => protocolOf(row.name)?.portFromAddr ?? false,
    }),
    ...flags,
    secret_types: computed('field', { wire: (_value, _ctx, row: { name: string }) => secretTypesOf(row.name) }),
    setting,
  },
  hooks: {
    beforeSave(_ctx, changes) {
      for (const { row } of changes) if (row.name === 'winrm') row.public = false
    },
    afterSave: (ctx, changes) => keepOnePrimary(ctx, changes),
  },
  columns: {
    platform: oneBySerial('assets.platform', { onDelete: 'cascade', nullable: true }),
  },
  indexes: [['platform_id']],
  orderable: ['id', 'name', 'port', 'primary', 'required', 'default', 'public'],
  filters: {
    platform__name: (ctx, query, value) =>
      query.where(
        't.platform_id',
        'in',
        ctx.rawDb.selectFrom('assets_platform').select('id').where('name', '=', value),
      ),
  },
})

/** A platform has one primary protocol: the one that was last made so. */
async function keepOnePrimary(ctx: Context, changes: readonly Change[]): Promise<void> {
  for (const { row } of changes)
    if (row.primary && row.platform_id !== null)
      for (const { id } of await findAll(ctx, platformProtocol, (query) =>
        query.where('t.platform_id', '=', row.platform_id).where('t.id', '!=', row.id),
      ))
        await updateRow(ctx, platformProtocol, id, { primary: false })
  ctx.forget('assets.platform-protocols')
}

/** A platform's protocol as code uses it. */
export interface OfferedProtocol {
  id: number
  name: string
  port: number
  primary: boolean
  required: boolean
  default: boolean
  public: boolean
  setting: StoredRow
}

/** The protocols of every platform, loaded once per request: there are few, and nearly every asset needs them. */
export function protocolsByPlatform(ctx: Context): Promise<Map<number, OfferedProtocol[]>> {
  return ctx.once('assets.platform-protocols', () =>
    ctx.services.lists.derived(ctx, ctx.rawDb.selectFrom(platformProtocol.table).selectAll().orderBy('id'), grouped),
  )
}

function grouped(rows: readonly StoredRow[]): Map<number, OfferedProtocol[]> {
  const byPlatform = new Map<number, OfferedProtocol[]>()
  for (const row of rows.map((stored) => decoded(platformProtocol, stored))) {
    const list = byPlatform.get(row.platform_id) ?? []
    list.push({
      id: row.id,
      name: row.name,
      port: Number(row.port),
      primary: row.primary,
      required: row.required,
      default: row.default,
      public: row.public,
      setting: row.setting ?? {},
    })
    byPlatform.set(row.platform_id, list)
  }
  return byPlatform
}

/** A platform's protocol in wire form. */
export const protocolWire = (protocol: OfferedProtocol) => ({
  id: protocol.id,
  name: protocol.name,
  port: protocol.port,
  port_from_addr: protocolOf(protocol.name)?.portFromAddr ?? false,
  primary: protocol.primary,
  required: protocol.required,
  default: protocol.default,
  public: protocol.public,
  secret_types: secretTypesOf(protocol.name),
  setting: protocol.setting,
})

type NewProtocol = Omit<OfferedProtocol, 'id'>

function parsedProtocol(ctx: Context, input: unknown): NewProtocol {
  const protocol = parseParts(ctx, parts, protocolOfText(input)) as NewProtocol
  // WinRM is for automations only.
  return { ...protocol, public: protocol.name !== 'winrm' && protocol.public, setting: protocol.setting ?? {} }
}

/** The first of several primary protocols stays primary; without one, the first protocol becomes it. */
function withOnePrimary(items: readonly NewProtocol[]): NewProtocol[] {
  const primary = items.find((item) => item.primary) ?? items[0]
  return items.map((item) => ({ ...item, primary: item === primary }))
}

/** The protocols of a platform; a sent list replaces every row. */
export const platformProtocolsField: Field<NewProtocol[], 'none'> = {
  type: 'field',
  required: false,
  readOnly: false,
  writeOnly: false,
  nullable: false,
  blank: true,
  resets: false,
  search: false,
  filter: false,
  order: false,
  parse: (input, ctx) => {
    const items = parseItems(input, (item) => parsedProtocol(ctx, item))
    if (items.length === 0) throw new Rejected([say(errors.empty_list)])
    rejectTwice(items)
    return withOnePrimary(items)
  },
  load: async (ctx) => {
    const all = await protocolsByPlatform(ctx)
    return (row: { id: number }) => (all.get(row.id) ?? []).map(protocolWire)
  },
  store: async (ctx, changes) => {
    for (const change of changes as readonly ProtocolChange[]) await replaceProtocols(ctx, change)
    ctx.forget('assets.platform-protocols')
  },
  fromCell: protocolsOfCell,
  toCell: (wire) => JSON.stringify((wire as NewProtocol[]).map(({ name, port }) => `${name}/${port}`)),
  meta: (ctx) => itemInfo(resourceInfo(ctx, platformProtocol, 'POST', false)),
}

type ProtocolChange = Change<{ id: number }, { protocols?: NewProtocol[] }>

async function replaceProtocols(ctx: Context, change: ProtocolChange): Promise<void> {
  const items = change.values.protocols
  if (!items) return
  await ctx.rawDb.deleteFrom(platformProtocol.table).where('platform_id', '=', change.row.id).execute()
  await insertProtocols(ctx, change.row.id, items)
}

export async function insertProtocols(
  ctx: Context,
  platformId: number,
  items: readonly Columns<typeof platformProtocol>[],
): Promise<void> {
  await insertRows(
    ctx,
    platformProtocol,
    items.map((item) => ({ ...item, platform_id: platformId })),
  )
}

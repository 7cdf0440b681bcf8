import { errors } from '@castellan/contract/messages/errors'
import { protocolOf } from '@castellan/contract/protocols'
import type { Context } from '../../../kernel/context.ts'
import { invalid, type Problem, Rejected, text as say } from '../../../kernel/errors.ts'
import {
  type AnyRow,
  boolean,
  booleanOf,
  type Change,
  computed,
  describedAs,
  type Field,
  integer,
  json,
  numberIn,
  one,
  text,
} from '../../../kernel/fields/index.ts'
import { itemInfo, resourceInfo } from '../../../kernel/metadata.ts'
import { insertRows } from '../../../kernel/repository.ts'
import { defineResource } from '../../../kernel/resource.ts'
import { protocolOfText, protocolsOfCell } from './protocol-cells.ts'
import { settingChildren } from './protocol-setting-fields.ts'

const secretTypesOf = (name: string) => protocolOf(name)?.secretTypes ?? ['password']

/** A protocol of a platform. Edited with its platform; this collection exists for its OPTIONS. */
export const platformProtocol = defineResource({
  app: 'assets',
  name: 'platformprotocol',
  path: 'protocol-settings',
  scope: 'global',
  serialId: true,
  bulk: false,
  requires: {
    list: 'assets.add_platform',
    retrieve: 'assets.add_platform',
    create: 'assets.add_platform',
    update: 'assets.add_platform',
    delete: 'assets.add_platform',
  },
  unlogged: true,
  fields: {
    name: text({ max: 32, required: true, filter: true }),
    port: integer({ required: true, min: -2_147_483_648, max: 2_147_483_647 }),
    port_from_addr: computed('boolean', { wire: (_value, _ctx, row) => protocolOf(row.name)?.portFromAddr ?? false }),
    primary: boolean({ default: false }),
    required: boolean({ default: false }),
    default: boolean({ default: false }),
    public: describedAs(boolean({ default: true }), { default: undefined }),
    secret_types: computed('field', { wire: (_value, _ctx, row) => secretTypesOf(row.name) }),
    setting: {
      ...json<AnyRow>({ default: {}, shape: 'object' }),
      type: 'nested object' as const,
      meta: (ctx, { name }) => settingChildren(ctx, name),
    },
  },
  columns: {
    platform: one('assets.platform', { onDelete: 'cascade', nullable: true }),
  },
  indexes: [['platform_id']],
  orderable: ['id', 'name', 'port', 'primary', 'required', 'default', 'public'],
  filters: {
    platform__name: (ctx, query, value) =>
      query.where(
        't.platform_id',
        'in',
        ctx.unscoped.selectFrom('assets_platform').select('id').where('name', '=', value),
      ),
  },
})

/** A platform's protocol as code uses it. */
export interface OfferedProtocol {
  id: number
  name: string
  port: number
  primary: boolean
  required: boolean
  default: boolean
  public: boolean
  setting: AnyRow
}

/** The protocols of every platform, loaded once per request: there are few, and nearly every asset needs them. */
export function protocolsByPlatform(ctx: Context): Promise<Map<number, OfferedProtocol[]>> {
  return ctx.once('assets.platform-protocols', () =>
    ctx.services.lists.derived(ctx, ctx.unscoped.selectFrom(platformProtocol.table).selectAll().orderBy('id'), grouped),
  )
}

function grouped(rows: readonly AnyRow[]): Map<number, OfferedProtocol[]> {
  const byPlatform = new Map<number, OfferedProtocol[]>()
  for (const row of rows.map(platformProtocol.decode)) {
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

function parsedProtocol(input: unknown): AnyRow {
  const item = protocolOfText(input) as AnyRow
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw new Rejected({ non_field_errors: [say(errors.not_a_dictionary, { type: typeof input })] })
  const { name, setting } = item
  if (typeof name !== 'string' || name.trim() === '') throw new Rejected({ name: [say(errors.required)] })
  if (name.length > 32) throw new Rejected({ name: [say(errors.max_length, { max: 32 })] })
  if (item.port === undefined || item.port === null) throw new Rejected({ port: [say(errors.required)] })
  const port = numberIn(item.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Rejected({ port: [say(errors.not_an_integer)] })
  if (setting !== undefined && (typeof setting !== 'object' || setting === null || Array.isArray(setting)))
    throw new Rejected({ setting: [say(errors.not_a_dictionary, { type: typeof setting })] })
  const flag = (value: unknown, otherwise: boolean) => booleanOf(value) ?? otherwise
  return {
    name: name.trim(),
    port,
    primary: flag(item.primary, false),
    required: flag(item.required, false),
    default: flag(item.default, false),
    // WinRM is for automations only.
    public: name !== 'winrm' && flag(item.public, true),
    setting: setting ?? {},
  }
}

/** Parses a list; errors are reported by index, `{}` for valid items. */
export function parseItems<T>(input: unknown, parse: (item: unknown) => T): T[] {
  if (!Array.isArray(input)) throw new Rejected([say(errors.not_a_list, { type: typeof input })])
  const problems: Problem[] = []
  const items = input.map((item, index) => {
    try {
      problems[index] = {}
      return parse(item)
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      problems[index] = error.problem
      return undefined as T
    }
  })
  if (problems.some((problem) => Object.keys(problem).length > 0)) throw new Rejected(problems)
  return items
}

/** The protocols of a platform; a sent list replaces every row. */
export const platformProtocolsField: Field<never, 'none'> = {
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
  parse: (input) => {
    const items = parseItems(input, parsedProtocol)
    if (items.length === 0) throw new Rejected([say(errors.empty_list)])
    if (!items.some(({ primary }) => primary) && items[0]) items[0].primary = true
    return items
  },
  load: async (ctx) => {
    const all = await protocolsByPlatform(ctx)
    return (row) => (all.get(row.id) ?? []).map(protocolWire)
  },
  store: async (ctx, changes) => {
    for (const change of changes) await replaceProtocols(ctx, change)
    ctx.forget('assets.platform-protocols')
  },
  fromCell: protocolsOfCell,
  toCell: (wire) => JSON.stringify((wire as AnyRow[]).map(({ name, port }) => `${name}/${port}`)),
  meta: (ctx) => itemInfo(resourceInfo(ctx, platformProtocol, 'POST', false)),
}

async function replaceProtocols(ctx: Context, change: Change): Promise<void> {
  const items = change.values.protocols as AnyRow[] | undefined
  if (!items) return
  const names = items.map(({ name }) => name)
  if (new Set(names).size !== names.length) throw invalid({ protocols: [say(errors.unique)] })
  await ctx.unscoped.deleteFrom(platformProtocol.table).where('platform_id', '=', change.row.id).execute()
  await insertProtocols(ctx, change.row.id, items)
}

export async function insertProtocols(ctx: Context, platformId: number, items: readonly AnyRow[]): Promise<void> {
  await insertRows(
    ctx,
    platformProtocol,
    items.map((item) => ({ ...item, platform_id: platformId })),
  )
}

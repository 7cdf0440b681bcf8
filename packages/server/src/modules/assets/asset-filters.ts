import { contains } from '../../db/search.ts'
import { noRow } from '../../db/text.ts'
import { booleanOf, normalUuid } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import type { Filter, ListQuery, RuleSet } from '../../kernel/resource/resource.ts'
import { lineage, subtree, withinOther } from './nodes/node-key.ts'
import { nodeBy } from './nodes/node-rows.ts'
import { platformsById } from './platforms/platform.ts'

const words = (value: string) =>
  value
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

/** Assets by a flag of their platform; the list of platforms is short and cached. */
const byPlatformFlag =
  (flag: string): Filter =>
  async (ctx, query, value) => {
    if (!/^(true|false)$/i.test(value)) return query
    const wanted = value.toLowerCase() === 'true'
    const ids = [...(await platformsById(ctx)).values()]
      .filter((platform) => {
        const flags: Readonly<Record<string, unknown>> = { ...platform.automation, ...platform }
        return flags[flag] === wanted
      })
      .map(({ id }) => id)
    return ids.length > 0 ? query.where('t.platform_id', 'in', ids) : query.where(noRow)
  }

/** Assets in a node's subtree, or directly in the node. */
export function inNode(ctx: Context, query: ListQuery, node: { id: string; key: string }, direct: boolean): ListQuery {
  const members = direct
    ? ctx.rawDb.selectFrom('assets_asset_nodes').select('asset_id').where('node_id', '=', node.id)
    : ctx.acrossOrganizations
        .selectFrom('assets_node as n')
        .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
        .select('m.asset_id')
        .where(subtree(node.key, 'n.key'))
  return query.where('t.id', 'in', members)
}

/** Whether only direct members are requested: `show_current_asset` takes precedence over `all`. */
export function onlyDirect(all: Readonly<Record<string, string>>): boolean {
  if (all.show_current_asset !== undefined) return booleanOf(all.show_current_asset) === true
  return all.all !== undefined && booleanOf(all.all) === false
}

const byNode: Filter = async (ctx, query, value, all) => {
  const node = await nodeBy(ctx, value)
  return node ? inNode(ctx, query, node, onlyDirect(all)) : query
}

const byDomain: Filter = (ctx, query, value) => {
  const id = normalUuid(value)
  if (id) return query.where('t.domain_id', '=', id)
  const domains = ctx.acrossOrganizations
    .selectFrom('assets_domain as d')
    .select('d.id')
    .where((eb) => contains(ctx.dialect, eb.ref('d.name'), value))
  return query.where('t.domain_id', 'in', domains)
}

function labelled(ctx: Context, query: ListQuery, name: string, value: string | undefined): ListQuery {
  const links = ctx.acrossOrganizations
    .selectFrom('assets_asset_labels as al')
    .innerJoin('assets_label as l', 'l.id', 'al.label_id')
    .select('al.asset_id')
    .where('l.is_active', '=', true)
  const fitting =
    value !== undefined
      ? links.where('l.name', '=', name).where('l.value', '=', value)
      : links.where((eb) =>
          eb.or([contains(ctx.dialect, eb.ref('l.name'), name), contains(ctx.dialect, eb.ref('l.value'), name)]),
        )
  return query.where('t.id', 'in', fitting)
}

const byLabels: Filter = (ctx, query, value) => {
  const [name = '', rest] = value.includes(':') ? splitAt(value, ':') : [value, undefined]
  return labelled(ctx, query, name, rest)
}

const splitAt = (value: string, separator: string): [string, string] => {
  const at = value.indexOf(separator)
  return [value.slice(0, at), value.slice(at + separator.length)]
}

/** Repeated: assets with all of these labels. */
const byLabel: Filter = (ctx, query, value) => {
  const separator = value.includes('#') ? '#' : ':'
  let narrowed = query
  for (const label of value.split('\n')) {
    if (!label.includes(separator)) return query.where(noRow)
    const [name, rest] = splitAt(label, separator)
    narrowed = labelled(ctx, narrowed, name, rest)
  }
  return narrowed
}

const offering = (ctx: Context, names: readonly string[]) =>
  ctx.rawDb.selectFrom('assets_protocol').select('asset_id').where('name', 'in', names)

const byProtocols: Filter = (ctx, query, value) => query.where('t.id', 'in', offering(ctx, words(value)))

const byPlatform: Filter = async (ctx, query, value) => {
  if (/^\d+$/.test(value)) return query.where('t.platform_id', '=', Number(value))
  const found = [...(await platformsById(ctx)).values()].find(({ name }) => name === value)
  return found ? query.where('t.platform_id', '=', found.id) : query.where(noRow)
}

const flags = [
  'domain_enabled',
  'ping_enabled',
  'gather_facts_enabled',
  'change_secret_enabled',
  'push_account_enabled',
  'verify_account_enabled',
  'gather_accounts_enabled',
]

/** Filters of asset lists. */
export const assetFilters: Record<string, Filter> = {
  type: (_ctx, query, value) => query.where('t.type', '=', value),
  category: (_ctx, query, value) => query.where('t.category', '=', value),
  platform: byPlatform,
  domain: byDomain,
  labels: byLabels,
  label: byLabel,
  protocols: byProtocols,
  node: byNode,
  node_id: byNode,
  ips: (_ctx, query, value) => query.where('t.address', 'in', words(value)),
  ...Object.fromEntries(flags.map((flag) => [flag, byPlatformFlag(flag)])),
}

/** Columns of an asset as one of several values, whatever the operator. */
const oneOf = (column: 'category' | 'type'): RuleSet => ({
  alwaysAny: true,
  any: (_ctx, query, values) => query.where(`t.${column}`, 'in', values),
  of: async (_ctx, row) => [String(row[column])],
})

/** Attributes of an asset that rules may name beside the plain columns. */
export const assetRuleAttributes: Readonly<Record<string, RuleSet>> = {
  category: oneOf('category'),
  type: oneOf('type'),
  /** An asset has the nodes it is placed in, and all nodes above them. */
  nodes: {
    ids: true,
    any: (ctx, query, ids) =>
      query.where(
        't.id',
        'in',
        ctx.acrossOrganizations
          .selectFrom('assets_node as top')
          .innerJoin('assets_node as n', (join) => join.on(withinOther('n.key', 'top.key')))
          .innerJoin('assets_asset_nodes as m', 'm.node_id', 'n.id')
          .select('m.asset_id')
          .where('top.id', 'in', ids),
      ),
    async of(ctx, row) {
      const placed = await ctx.acrossOrganizations
        .selectFrom('assets_asset_nodes as m')
        .innerJoin('assets_node as n', 'n.id', 'm.node_id')
        .select('n.key')
        .where('m.asset_id', '=', row.id)
        .execute()
      const keys = [...new Set(placed.flatMap(({ key }) => lineage(key)))]
      if (keys.length === 0) return []
      const nodes = ctx.acrossOrganizations.selectFrom('assets_node').select('id').where('key', 'in', keys)
      return (await nodes.execute()).map(({ id }) => String(id))
    },
  },
  protocols: {
    alwaysAny: true,
    any: (ctx, query, names) => query.where('t.id', 'in', offering(ctx, names)),
    async of(ctx, row) {
      const offered = ctx.rawDb.selectFrom('assets_protocol').select('name').where('asset_id', '=', row.id)
      return (await offered.execute()).map(({ name }) => String(name))
    },
  },
  labels: {
    ids: true,
    any: (ctx, query, ids) =>
      query.where(
        't.id',
        'in',
        ctx.rawDb.selectFrom('assets_asset_labels').select('asset_id').where('label_id', 'in', ids),
      ),
    async of(ctx, row) {
      const tied = ctx.rawDb.selectFrom('assets_asset_labels').select('label_id').where('asset_id', '=', row.id)
      return (await tied.execute()).map(({ label_id }) => String(label_id))
    },
  },
}

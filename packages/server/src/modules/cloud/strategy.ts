import { actionAttributes, ruleAttributes, ruleMatches } from '@castellan/contract/choices/cloud'
import { batches } from '../../db/batches.ts'
import { base } from '../../kernel/fields/field.ts'
import {
  bare,
  type Change,
  choice,
  datetime,
  type Field,
  integer,
  json,
  keyOf,
  linksOf,
  longText,
  one,
  type StoredRow,
  text,
} from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { Rejected } from '../../kernel/module/errors.ts'
import { fieldsInfo, itemInfo } from '../../kernel/resource/metadata.ts'
import { insertRows } from '../../kernel/resource/repository.ts'
import { defineResource, type Resource } from '../../kernel/resource/resource.ts'
import { accountPort, noteDecision } from '../assets/index.ts'
import { assetsOfTasks } from './instance.ts'
import {
  type ActionAttribute,
  demandSingle,
  demandTargets,
  demandTemplates,
  mostParts,
  type ProtocolAndPort,
  parseAction,
  parseParts,
  parseRule,
  type SentPart,
  type StrategyAction,
  targetName,
  targetRows,
} from './strategy-parts.ts'

const attrOfRule = choice(ruleAttributes, { required: true })
const attrOfAction = choice(actionAttributes, { required: true })
const ofStrategy = () => one('xpack.strategy', { required: true, onDelete: 'cascade' })

const plainValue = text({ max: 64, required: true })

/** The value of an action as `{value, label}`: the id and the name of what is set. */
const actionValue: Field<string, 'own'> = {
  ...plainValue,
  type: 'field',
  parse: (input, ctx) => plainValue.parse?.(keyOf(bare(input)), ctx),
  load: async (ctx, rows) => {
    const found = await targetRows(ctx, rows as readonly Pick<StrategyAction, 'attr' | 'value'>[] & StoredRow[])
    return ({ attr, value }) => ({
      value: attr === 'platform' ? Number(value) : value,
      label: targetName(attr as ActionAttribute, found.get(`${attr}:${value}`)),
    })
  },
}

/** Parts are sent with their strategy; single ones can be read, changed and removed as well. */
const partOptions = {
  app: 'xpack',
  scope: 'org',
  imports: false,
  bulk: false,
  unlogged: true,
} as const

const demandPart = (
  changes: readonly Change[],
  parse: (input: StoredRow) => unknown,
  problem: (index: number, field: 'non_field_errors', problem: Rejected['problem']) => void,
) => {
  for (const { row, index } of changes)
    try {
      parse(row)
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      problem(index, 'non_field_errors', error.problem)
    }
}

export const strategyRule = defineResource({
  ...partOptions,
  name: 'strategyrule',
  path: 'cloud/strategy-rules',
  fields: {
    strategy: ofStrategy(),
    attr: attrOfRule,
    match: choice(ruleMatches, { required: true }),
    value: text({ max: 128, required: true }),
  },
  columns: { position: integer({ default: 0 }) },
  indexes: [['strategy_id']],
  defaultOrder: ['position'],
  display: (row) => `${row.attr} ${row.match} ${row.value}`,
  hooks: {
    async validate(ctx, changes, problem) {
      demandPart(changes as never, parseRule, problem)
      await demandRights(ctx, strategiesOf(changes))
    },
    beforeDelete: (ctx, rows) =>
      demandRights(
        ctx,
        rows.map(({ strategy_id }) => strategy_id),
      ),
  },
})

export const strategyAction = defineResource({
  ...partOptions,
  name: 'strategyaction',
  path: 'cloud/strategy-actions',
  fields: {
    strategy: ofStrategy(),
    attr: attrOfAction,
    value: actionValue,
    protocols: json<readonly ProtocolAndPort[]>({ default: [], shape: 'array' }),
  },
  columns: { position: integer({ default: 0 }) },
  indexes: [['strategy_id']],
  defaultOrder: ['position'],
  display: (row) => `${row.attr} ${row.value}`,
  hooks: {
    async validate(ctx, changes, problem) {
      for (const { row, index } of changes)
        try {
          await demandTargets(ctx, [parseAction(row)])
        } catch (error) {
          if (!(error instanceof Rejected)) throw error
          problem(index, 'non_field_errors', error.problem)
        }
      await demandRights(ctx, strategiesOf(changes))
    },
    beforeDelete: (ctx, rows) =>
      demandRights(
        ctx,
        rows.map(({ strategy_id }) => strategy_id),
      ),
  },
})

/**
 * Strategies that set platforms and domains of synchronized assets decide how these are reached. Throws 403 as for a
 * change of the assets themselves.
 */
async function demandRedirect(ctx: Context, strategies: readonly string[]): Promise<void> {
  const tasks = await linksOf(
    ctx,
    { table: taskStrategies, from: 'strategy_id', to: 'syncinstancetask_id' },
    strategies,
  )
  const ids = tasks.map(({ syncinstancetask_id: id }) => id)
  if (ids.length === 0) return
  await accountPort.use.demandRedirect(ctx, await assetsOfTasks(ctx, { tasks: ids }))
  await noteDecision(ctx, ids, 'destination')
}

/** The strategies whose parts are changed; a part may move from one to another. */
const strategiesOf = (
  changes: readonly { row: { strategy_id: string }; before: { strategy_id: string } | undefined }[],
): string[] => changes.flatMap(({ row, before }) => [row.strategy_id, ...(before ? [before.strategy_id] : [])])

/** Which machines a strategy matches decides who gets the secrets of its templates, as well as what is redirected. */
async function demandRights(ctx: Context, strategies: readonly string[]): Promise<void> {
  await demandRedirect(ctx, strategies)
  const parts = await partsOf(ctx, strategyAction as Resource, strategies)
  demandTemplates(ctx, [...parts.values()].flat() as unknown as readonly StrategyAction[])
}

/** The join table of tasks and their strategies. */
export const taskStrategies = 'xpack_syncinstancetask_strategy'

/** The rows of a strategy's parts, by strategy. */
export async function partsOf(ctx: Context, part: Resource, ids: readonly string[]): Promise<Map<string, StoredRow[]>> {
  const rows: StoredRow[] = []
  for (const some of batches(ids))
    rows.push(
      ...(await ctx.acrossOrganizations
        .selectFrom(part.table)
        .selectAll()
        .where('strategy_id', 'in', some)
        .orderBy('position')
        .execute()),
    )
  return Map.groupBy(rows.map(part.decode), ({ strategy_id }) => String(strategy_id))
}

/** A list of parts inside a strategy. A sent list replaces the old one; parts with a known id keep it. */
function partsField<T>(
  part: () => Resource,
  parse: (input: unknown) => T,
  own: readonly string[],
): Field<never, 'none'> {
  return {
    ...base('list', { order: false, nullable: false, noExport: true }),
    required: false,
    parse: (input) => parseParts(input, parse),
    load: async (ctx, rows) => {
      const resource = part()
      const found = await partsOf(
        ctx,
        resource,
        rows.map(({ id }) => String(id)),
      )
      const all = [...found.values()].flat()
      const present = new Map<string, (row: StoredRow) => unknown>()
      for (const name of own) {
        const field = resource.fields[name]
        const loaded = await field?.load?.(ctx, all, name)
        present.set(name, (row) => (loaded ? loaded(row) : field?.wire ? field.wire(row[name], ctx, row) : row[name]))
      }
      const shown = (row: StoredRow) =>
        Object.fromEntries([['id', row.id], ...own.map((name) => [name, present.get(name)?.(row)])])
      return ({ id }) => (found.get(String(id)) ?? []).map(shown)
    },
    store: async (ctx, changes, field) => {
      const resource = part()
      for (const { row, values } of changes) {
        const sent = values[field] as readonly SentPart<T>[] | undefined
        if (!sent) continue
        const known = new Set((await partsOf(ctx, resource, [String(row.id)])).get(String(row.id))?.map(({ id }) => id))
        await ctx.acrossOrganizations.deleteFrom(resource.table).where('strategy_id', '=', row.id).execute()
        await insertRows(
          ctx.inOrg(String(row.org_id)),
          resource,
          sent.map(({ id, ...part }, position) => ({
            ...part,
            ...(id && known.has(id) ? { id } : {}),
            strategy_id: row.id,
            position,
          })),
        )
      }
    },
    meta: (ctx) => ({
      max_length: mostParts,
      ...itemInfo(
        fieldsInfo(
          ctx,
          'xpack',
          Object.fromEntries(Object.entries(part().fields).filter(([name]) => own.includes(name))),
        ),
      ),
    }),
  }
}

/** What is set for the instances that match. */
export const strategy = defineResource({
  app: 'xpack',
  name: 'strategy',
  path: 'cloud/strategies',
  scope: 'org',
  imports: false,
  fields: {
    name: text({ max: 128, required: true, filter: true }),
    priority: integer({ default: 50, min: 1, max: 100 }),
    strategy_rules: partsField(() => strategyRule as Resource, parseRule, ['attr', 'match', 'value']),
    strategy_actions: partsField(
      () => strategyAction as Resource,
      (input): StrategyAction => parseAction(input),
      ['attr', 'value', 'protocols'],
    ),
    comment: longText(),
    date_created: datetime({ readOnly: true }),
  },
  unique: [['org_id', 'name']],
  search: ['name', 'comment'],
  defaultOrder: ['-priority', 'name'],
  hooks: {
    async validate(ctx, changes, problem) {
      for (const { values, index } of changes) {
        const actions = values.strategy_actions as readonly StrategyAction[] | undefined
        if (!actions) continue
        try {
          demandSingle(actions)
          await demandTargets(ctx, actions)
        } catch (error) {
          if (!(error instanceof Rejected)) throw error
          problem(index, 'strategy_actions', error.problem)
        }
      }
      await demandRedirect(
        ctx,
        changes.flatMap(({ before, row, values }) =>
          before && (values.strategy_actions || values.strategy_rules || before.priority !== row.priority)
            ? [before.id]
            : [],
        ),
      )
    },
    beforeDelete: (ctx, rows) =>
      demandRedirect(
        ctx,
        rows.map(({ id }) => id),
      ),
    async afterSave(ctx, changes) {
      // Rules decide which machines get the template's secret.
      for (const { row, before, values } of changes)
        if (before && (values.strategy_rules || values.strategy_actions))
          demandTemplates(ctx, ((await partsOf(ctx, strategyAction as Resource, [row.id])).get(row.id) ?? []) as never)
    },
  },
})

import { loadPeriods } from '@castellan/contract/choices/terminal'
import { batches } from '../../../db/batches.ts'
import type { TableRow, TableShape } from '../../../db/schema.ts'
import { float, integer, rawChoice, text } from '../../../kernel/fields/index.ts'
import { formatTimestamp } from '../../../kernel/fields/timestamps.ts'
import { defineJob } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { component } from './component.ts'
import { livingBeats } from './heartbeat.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** How long measurements of a minute and averages of an hour are kept. Milliseconds. */
const keptFor = { [minute]: 25 * hour, [hour]: 31 * day }

/** The loads of components over time: as measured in each minute, and the averages of each hour. */
export const componentLoadTable = {
  name: 'terminal_componentload',
  columns: {
    component_id: { type: 'uuid', references: 'terminal_terminal.id', onDelete: 'cascade' },
    /** Length of the time that a row is about. Milliseconds. */
    span: { type: 'integer' },
    /** Its beginning. */
    at: { type: 'timestamp' },
    /** The most at a time. */
    session_online: { type: 'integer' },
    cpu_load: { type: 'float' },
    memory_used: { type: 'float' },
    disk_used: { type: 'float' },
    /** Measurements in the averages. */
    measured: { type: 'integer' },
  },
  primaryKey: ['component_id', 'span', 'at'],
  unique: [],
  indexes: [['span', 'at']],
} as const satisfies TableShape

type Loads = TableRow<typeof componentLoadTable>

const table = componentLoadTable.name
const averages = ['cpu_load', 'memory_used', 'disk_used'] as const

/** Measurements of the components that are alive, one for each in a minute. */
async function measure(ctx: Context, now: number): Promise<void> {
  const at = Math.floor(now / minute) * minute
  const beats = await livingBeats(ctx)
  // A removed component may send for as long as it does not know.
  const known = await ctx.rawDb.selectFrom(component.table).select('id').where('is_deleted', '=', false).execute()
  const rows = known.flatMap(({ id }) => {
    const beat = beats.get(id)
    if (!beat) return []
    const { session_online, cpu_load, memory_used, disk_used } = beat
    return [{ component_id: id, span: minute, at, session_online, cpu_load, memory_used, disk_used, measured: 1 }]
  })
  for (const some of batches(rows)) {
    const added = await ctx.rawDb
      .insertInto(table)
      .values(some)
      .onConflict((conflict) => conflict.columns(['component_id', 'span', 'at']).doNothing())
      .returning('component_id')
      .execute()
    // A minute that is measured again, after this job was repeated, counts once.
    const isNew = new Set(added.map(({ component_id }) => component_id))
    const hours = some
      .filter(({ component_id }) => isNew.has(component_id))
      .map((row) => ({ ...row, span: hour, at: Math.floor(now / hour) * hour }))
    if (hours.length > 0) await addToHours(ctx, hours)
  }
}

async function addToHours(ctx: Context, rows: readonly Loads[]): Promise<void> {
  await ctx.rawDb
    .insertInto(table)
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['component_id', 'span', 'at']).doUpdateSet((eb) => {
        const before = (name: string) => eb.ref(`${table}.${name}`)
        const added = (name: string) => eb.ref(`excluded.${name}`)
        const count = eb(before('measured'), '+', added('measured'))
        const sum = (name: string) => eb(eb(before(name), '*', before('measured')), '+', added(name))
        const average = (name: (typeof averages)[number]) => eb(eb.parens(sum(name)), '/', eb.parens(count))
        const [sessions, now] = [before('session_online'), added('session_online')]
        return {
          session_online: eb.case().when(sessions, '>', now).then(sessions).else(now).end(),
          cpu_load: average('cpu_load'),
          memory_used: average('memory_used'),
          disk_used: average('disk_used'),
          measured: count,
        }
      }),
    )
    .execute()
}

/** Every minute: notes what the components have reported, and forgets what is too old for a graph. */
export const measureLoads = defineJob<object>({
  name: 'terminal.measure-loads',
  delivery: 'idempotent',
  every: minute,
  timeout: minute,
  async run(ctx) {
    await ctx.transaction(async (inside) => {
      await measure(inside, inside.now)
      for (const [span, kept] of Object.entries(keptFor))
        await inside.rawDb
          .deleteFrom(table)
          .where('span', '=', Number(span))
          .where('at', '<', inside.now - kept)
          .execute()
    })
  },
})

/** Periods of the graphs, the time between two points, and the rows that they are made from. Milliseconds. */
const periods = {
  hour: { length: hour, step: minute, span: minute },
  day: { length: day, step: 10 * minute, span: minute },
  week: { length: 7 * day, step: hour, span: hour },
  month: { length: 30 * day, step: 6 * hour, span: hour },
} as const satisfies Record<keyof typeof loadPeriods, object>
type Period = keyof typeof periods

const query = { period: rawChoice(loadPeriods, { default: 'hour' }) }

/** Points of a graph from the beginning of its period until now, with null where nothing was reported. */
async function history(ctx: Context, id: string, period: Period) {
  const { length, step, span } = periods[period]
  const last = Math.floor(ctx.now / step) * step
  const first = last - length + step
  const rows = await ctx.rawDb
    .selectFrom(table)
    .selectAll()
    .where('component_id', '=', id)
    .where('span', '=', span)
    .where('at', '>=', first)
    .orderBy('at')
    .$castTo<Loads>()
    .execute()
  const byPoint = Map.groupBy(rows, ({ at }) => Math.floor(Number(at) / step) * step)
  const rounded = (value: number) => Math.round(value * 10) / 10
  return Array.from({ length: length / step }, (_, index) => {
    const at = first + index * step
    const some = byPoint.get(at)
    const mean = (name: (typeof averages)[number]) =>
      some ? rounded(some.reduce((sum, row) => sum + Number(row[name]), 0) / some.length) : null
    return {
      date: formatTimestamp(at, ctx.zone),
      session_online: some ? Math.max(...some.map((row) => Number(row.session_online))) : null,
      cpu_load: mean('cpu_load'),
      memory_used: mean('memory_used'),
      disk_used: mean('disk_used'),
    }
  })
}

/** The graphs of a component. */
export const loadHistoryRoutes = actionRoutes(component, [
  {
    path: 'loads',
    methods: ['GET'],
    detail: true,
    requires: 'terminal.view_terminal',
    summary: 'Loads of a component in the last hour, day, week or month',
    fields: {
      GET: {
        date: text({ max: 32 }),
        session_online: integer({ nullable: true }),
        cpu_load: float({ nullable: true }),
        memory_used: float({ nullable: true }),
        disk_used: float({ nullable: true }),
      },
    },
    handle({ ctx, request, row }) {
      const { period } = readBody<{ period: Period }>(ctx, query, { period: request.query.period || 'hour' })
      return history(ctx, row.id, period)
    },
  },
])

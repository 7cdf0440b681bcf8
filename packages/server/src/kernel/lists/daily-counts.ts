import { randomInt } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import type { TableShape } from '../../db/schema.ts'
import type { StoredRow } from '../fields/field.ts'
import { parseTimestamp } from '../fields/timestamps.ts'
import type { Params } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import { scoped } from '../resource/repository.ts'
import type { DailyCounts, ListQuery, Resource } from '../resource/resource.ts'
import type { Page } from './query.ts'

/**
 * Rows of a log per organization and UTC day, updated by the writer of the log in the same transaction. Counting a
 * million rows, or skipping half of them for a deep page, takes a database tens of milliseconds; adding up a few
 * hundred days takes almost nothing.
 */
export const dailyCountTable: TableShape = {
  name: 'kernel_daily_count',
  columns: {
    name: { type: 'text' },
    org_id: { type: 'uuid' },
    day: { type: 'integer' },
    slot: { type: 'integer' },
    amount: { type: 'integer' },
  },
  primaryKey: ['name', 'org_id', 'day', 'slot'],
  unique: [],
  indexes: [],
}

const dayLength = 86_400_000

/**
 * On PostgreSQL a row stays locked until its transaction is on disk, so concurrent writers count in different rows of a
 * day, which are added up.
 */
const slots = 16
const slotOf = (ctx: Context) => (ctx.dialect === 'postgres' ? randomInt(slots) : 0)

const dailyCountsOf = (resource: Resource): DailyCounts => {
  if (!resource.dailyCounts) throw new Error(`${resource.key} declares no daily counts.`)
  return resource.dailyCounts
}

interface Amount {
  name: string
  org_id: string
  day: number
  amount: number
}

/** Amounts that open transactions will add, by database handle. */
const waiting = new WeakMap<Db, Map<string, Amount>>()

/** Counts inserted rows, or with `-1` deleted rows: at the end of the transaction, if there is one. */
export async function addToDailyCounts(
  ctx: Context,
  resource: Resource,
  rows: readonly StoredRow[],
  amount: 1 | -1 = 1,
): Promise<void> {
  const { column, unit } = dailyCountsOf(resource)
  let amounts = waiting.get(ctx.rawDb)
  const isFirst = amounts === undefined
  amounts ??= new Map()
  for (const row of rows) {
    const day = Math.floor((Number(row[column]) * unit) / dayLength)
    const key = `${resource.key} ${row.org_id} ${String(day).padStart(12, '0')}`
    const known = amounts.get(key) ?? { name: resource.key, org_id: row.org_id as string, day, amount: 0 }
    known.amount += amount
    amounts.set(key, known)
  }
  if (!isFirst) return
  if (ctx.inTransaction) waiting.set(ctx.rawDb, amounts)
  await ctx.beforeCommit(() => store(ctx, amounts))
}

async function store(ctx: Context, amounts: ReadonlyMap<string, Amount>): Promise<void> {
  const slot = slotOf(ctx)
  // Sorted, so that two concurrent writers lock rows in the same order and cannot deadlock.
  for (const [, values] of [...amounts].sort(([a], [b]) => (a < b ? -1 : 1)))
    await ctx.services.database.withNext(
      ctx.rawDb,
      ctx.rawDb
        .insertInto(dailyCountTable.name)
        .values({ ...values, slot })
        .onConflict((conflict) =>
          conflict
            .columns(['name', 'org_id', 'day', 'slot'])
            .doUpdateSet((eb) => ({ amount: eb(`${dailyCountTable.name}.amount`, '+', eb.ref('excluded.amount')) })),
        ),
    )
}

/** Recounts the log, including rows written directly to the database by an import or by hand. */
export async function rebuildDailyCounts(ctx: Context, resource: Resource): Promise<void> {
  const { column, unit } = dailyCountsOf(resource)
  await ctx.transaction(async ({ rawDb }) => {
    await rawDb.deleteFrom(dailyCountTable.name).where('name', '=', resource.key).execute()
    await rawDb
      .insertInto(dailyCountTable.name)
      .columns(['name', 'org_id', 'day', 'slot', 'amount'])
      .expression((eb) =>
        eb
          .selectFrom((inner) =>
            inner
              .selectFrom(resource.table)
              // A literal, because with a bound number SQLite would use floating-point division.
              .select((of) => ['org_id', of(column, '/', of.lit(dayLength / unit)).as('day')])
              .as('x'),
          )
          .select((of) => [
            of.val(resource.key).as('name'),
            'x.org_id',
            'x.day',
            of.lit(0).as('slot'),
            of.fn.countAll().as('amount'),
          ])
          .groupBy(['x.org_id', 'x.day']),
      )
      .execute()
  })
}

/** Counts the log if it has rows but no daily counts yet. */
export async function ensureDailyCounts(ctx: Context, resource: Resource): Promise<void> {
  const some = await ctx.rawDb
    .selectFrom(dailyCountTable.name)
    .select('day')
    .where('name', '=', resource.key)
    .limit(1)
    .executeTakeFirst()
  if (!some) await rebuildDailyCounts(ctx, resource)
}

/** A time range in units of the column, both ends included, containing `amount` rows. */
interface Stretch {
  from: number
  to: number
  amount: number
}

const everyList = new Set(['limit', 'offset', 'order', 'date_from', 'date_to', 'oid', 'format', 'fields_size'])

/** Whether the parameters only select an organization, a time range and an order along it. */
function plain(resource: Resource, counts: DailyCounts, params: Params): boolean {
  const given = Object.entries(params).filter(([name, value]) => value !== '' && !everyList.has(name))
  const order = params.order || (resource.defaultOrder ?? []).join(',')
  return (
    (!resource.visible || counts.hidesNothing === true) &&
    order.replace(/^-/, '') === counts.column &&
    given.every(([name]) => counts.ignores?.includes(name) ?? false)
  )
}

async function between(ctx: Context, resource: Resource, from: number, to: number): Promise<Stretch> {
  const { column } = dailyCountsOf(resource)
  const row = await scoped(ctx, resource)
    .where(`t.${column}`, '>=', from)
    .where(`t.${column}`, '<=', to)
    .clearSelect()
    .select((eb) => eb.fn.countAll().as('n'))
    .executeTakeFirst()
  return { from, to, amount: Number((row as StoredRow | undefined)?.n ?? 0) }
}

/**
 * Splits the time range into ranges of at most a day, oldest first: whole days from the daily counts, the partial days
 * at both ends counted in the log.
 */
async function stretches(ctx: Context, resource: Resource, from: number, to: number): Promise<Stretch[]> {
  const { unit } = dailyCountsOf(resource)
  const perDay = dayLength / unit
  const firstWhole = Math.ceil(from / perDay)
  const lastWhole = Math.floor((to + 1) / perDay) - 1
  if (firstWhole > lastWhole) return [await between(ctx, resource, from, to)]
  const query = ctx.rawDb
    .selectFrom(dailyCountTable.name)
    .select((eb) => ['day', eb.fn.sum('amount').as('amount')])
    .where('name', '=', resource.key)
    .where('day', '>=', firstWhole)
    .where('day', '<=', lastWhole)
    .groupBy('day')
    .orderBy('day')
  const days = await (ctx.isRootOrg ? query : query.where('org_id', '=', ctx.orgId)).execute()
  const whole = days.map(({ day, amount }) => ({
    from: Number(day) * perDay,
    to: (Number(day) + 1) * perDay - 1,
    amount: Number(amount),
  }))
  const head = from < firstWhole * perDay ? [await between(ctx, resource, from, firstWhole * perDay - 1)] : []
  const tail = to >= (lastWhole + 1) * perDay ? [await between(ctx, resource, (lastWhole + 1) * perDay, to)] : []
  return [...head, ...whole, ...tail]
}

/** Limits of the timestamps in a log: 1970 to 9999. */
const ends = { from: 0, to: 253_402_300_799_999 }

/** Start of a page in a log: an offset from the edge of a time range, in the list's direction or the opposite one. */
interface Place extends Page {
  /** The page is read in the opposite order and then reversed. */
  backwards: boolean
  narrow: (query: ListQuery) => ListQuery
  /** The only range that the page is in: its rows, how many they are, and where in it the page begins. */
  within?: { narrow: (query: ListQuery) => ListQuery; count: number; offset: number }
}

/** The nearer of the two edges from which rows `first` up to (excluding) `last` of a list can be reached. */
function nearestEdge(days: readonly Stretch[], column: string, down: boolean, first: number, last: number): Place {
  let start = 0
  let place: Place = { limit: last - first, offset: first, backwards: false, narrow: (query) => query }
  for (const { from, to, amount } of days) {
    const end = start + amount
    const [near, far] = down ? [to, from] : [from, to]
    if (first >= start && first < end)
      place = {
        ...place,
        offset: first - start,
        narrow: (query) => query.where(`t.${column}`, down ? '<=' : '>=', near),
        ...(last <= end
          ? {
              within: {
                narrow: (query) => query.where(`t.${column}`, '>=', from).where(`t.${column}`, '<=', to),
                count: amount,
                offset: first - start,
              },
            }
          : {}),
      }
    if (last > start && last <= end && end - last < place.offset)
      return {
        ...place,
        limit: last - first,
        offset: end - last,
        backwards: true,
        narrow: (query) => query.where(`t.${column}`, down ? '>=' : '<=', far),
      }
    start = end
  }
  return place
}

/**
 * Total and start of a page of a log, without counting the log. Undefined when the parameters filter by anything the
 * daily counts do not cover.
 */
export async function countedPage(
  ctx: Context,
  resource: Resource,
  params: Params,
  page: Page,
): Promise<({ count: number } & Place) | undefined> {
  const { dailyCounts: counts } = resource
  if (!counts || !plain(resource, counts, params)) return undefined
  const bound = (value: string | undefined, otherwise: number) =>
    Math.floor(((value ? parseTimestamp(value, ctx.zone) : undefined) ?? otherwise) / counts.unit)
  const [from, to] = [bound(params.date_from, ends.from), bound(params.date_to, ends.to)]
  if (from > to) return undefined
  const parts = await stretches(ctx, resource, from, to)
  const count = parts.reduce((sum, { amount }) => sum + amount, 0)
  const down = (params.order || resource.defaultOrder?.[0] || '').startsWith('-')
  const first = Math.min(page.offset, count)
  const last = Math.min(first + page.limit, count)
  return { count, ...nearestEdge(down ? parts.toReversed() : parts, counts.column, down, first, last) }
}

import { dayNumber } from '../../db/days.ts'
import type { StoredRow } from '../../kernel/fields/field.ts'
import { localStamp } from '../../kernel/fields/timestamps.ts'
import type { Context } from '../../kernel/module/context.ts'
import { scoped } from '../../kernel/resource/repository.ts'
import { findResource, type ListQuery } from '../../kernel/resource/resource.ts'
import type { Window } from './index-window.ts'

const most = 10

/** One number per day of the window: rows, or distinct values of a column. */
async function byDay(
  ctx: Context,
  window: Window,
  resource: string,
  timestamp: string,
  column?: string,
  narrow: (query: ListQuery) => ListQuery = (query) => query,
): Promise<number[]> {
  const rows = await narrow(scoped(ctx, findResource(resource)))
    .clearSelect()
    .select((eb) => [
      dayNumber(eb.ref(`t.${timestamp}`), window.offset).as('day'),
      (column ? eb.fn.count(`t.${column}`).distinct() : eb.fn.countAll()).as('n'),
    ])
    .where(`t.${timestamp}`, '>=', window.from)
    .groupBy('day')
    .execute()
  const counts = new Map(rows.map((row) => [Number(row.day), Number(row.n)]))
  return [...window.days.keys()].map((day) => counts.get(day) ?? 0)
}

const dates = (window: Window) => ({ dates_metrics_date: [...window.days.values()] })
const sessions = (ctx: Context, from: number) =>
  scoped(ctx, findResource('terminal.session')).where('t.date_start', '>=', from)

const succeeded = (query: ListQuery) => query.where('t.status', '=', true)

/** The ten column values with the most sessions. */
async function top(ctx: Context, { from }: Window, columns: readonly string[]): Promise<StoredRow[]> {
  const rows = await sessions(ctx, from)
    .clearSelect()
    .select((eb) => [
      ...columns.map((column) => `t.${column}` as const),
      eb.fn.countAll().as('total'),
      eb.fn.max('t.date_start').as('last'),
    ])
    .groupBy(columns.map((column) => `t.${column}`))
    .orderBy('total', 'desc')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    ...row,
    total: Number(row.total),
    last: `${localStamp(Number(row.last), 'UTC')}.000000`,
  }))
}

/** Elapsed time in the largest two relevant units. */
function timeSince(from: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - from) / 60_000))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}

async function latestSessions(ctx: Context, { from }: Window): Promise<StoredRow[]> {
  const rows = await sessions(ctx, from)
    .clearSelect()
    .select(['t.user', 't.asset', 't.is_finished', 't.date_start'])
    .orderBy('t.date_start', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ user, asset, is_finished, date_start }) => ({
    user,
    asset,
    is_finished: Boolean(is_finished),
    date_start: `${localStamp(Number(date_start), 'UTC')}.000000+00:00`,
    timesince: timeSince(Number(date_start), ctx.now),
  }))
}

type Chart = (ctx: Context, window: Window) => Promise<Record<string, unknown>>

/** Chart data of the dashboard, by parameter name. */
export const charts: Readonly<Record<string, Chart>> = {
  session_dates_metrics: async (ctx, window) => ({
    ...dates(window),
    dates_metrics_total_count_session: await byDay(ctx, window, 'terminal.session', 'date_start'),
  }),
  dates_metrics: async (ctx, window) => ({
    ...dates(window),
    dates_metrics_total_count_login: await byDay(ctx, window, 'audits.userloginlog', 'datetime', undefined, succeeded),
    dates_metrics_total_count_active_users: await byDay(ctx, window, 'terminal.session', 'date_start', 'user_id'),
    dates_metrics_total_count_active_assets: await byDay(ctx, window, 'terminal.session', 'date_start', 'asset_id'),
  }),
  dates_login_times_top10_assets: async (ctx, window) => ({
    dates_login_times_top10_assets: await top(ctx, window, ['asset']),
  }),
  dates_login_times_top10_users: async (ctx, window) => ({
    dates_login_times_top10_users: await top(ctx, window, ['user_id', 'user']),
  }),
  dates_login_record_top10_sessions: async (ctx, window) => ({
    dates_login_record_top10_sessions: await latestSessions(ctx, window),
  }),
}

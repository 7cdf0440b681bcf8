import { assetTypeLabels, assetTypes } from '@castellan/contract/asset-types'
import { countOf } from '../../kernel/lists/query.ts'
import type { Context } from '../../kernel/module/context.ts'
import { scoped } from '../../kernel/resource/repository.ts'
import { allResources, findResource, type ListQuery } from '../../kernel/resource/resource.ts'
import type { Window } from './index-window.ts'

type Narrow = (query: ListQuery) => ListQuery
export type Total = (ctx: Context, window: Window) => Promise<unknown>

const count = (ctx: Context, resource: string, narrow: Narrow = (query) => query) =>
  countOf(narrow(scoped(ctx, findResource(resource))))

/** Number of distinct values of a column. */
async function distinct(ctx: Context, resource: string, column: string, narrow: Narrow): Promise<number> {
  const rows = await narrow(scoped(ctx, findResource(resource)))
    .clearSelect()
    .select((eb) => eb.fn.count(`t.${column}`).distinct().as('n'))
    .execute()
  return Number(rows[0]?.n ?? 0)
}

const since =
  (column: string, from: number): Narrow =>
  (query) =>
    query.where(`t.${column}`, '>=', from)

/** A browser session with a request this recent counts as online. Milliseconds. */
const presentFor = 300_000
/** Risk level of commands that a rule rejected. */
const refused = 5

async function onlineUsers(ctx: Context): Promise<number> {
  let query = ctx.rawDb
    .selectFrom('authentication_session as s')
    .select((eb) => eb.fn.count('s.user_id').distinct().as('n'))
    .where('s.user_id', 'is not', null)
    .where('s.date_expired', '>', ctx.now)
    .where('s.date_updated', '>', ctx.now - presentFor)
  if (!ctx.isRootOrg) {
    const members = ctx.rawDb.selectFrom('rbac_rolebinding').select('user_id').where('org_id', '=', ctx.orgId)
    query = query.where('s.user_id', 'in', members)
  }
  return Number((await query.executeTakeFirst())?.n ?? 0)
}

async function assetsByType(ctx: Context): Promise<unknown[]> {
  const rows = await scoped(ctx, findResource('assets.asset'))
    .clearSelect()
    .select((eb) => ['t.type', eb.fn.countAll().as('total')])
    .groupBy('t.type')
    .orderBy('t.type')
    .execute()
  const labels: Readonly<Record<string, { en: string; zh: string; ja: string }>> = assetTypeLabels
  // Without any asset, the chart shows every type of host with a count of zero.
  const found = rows.length > 0 ? rows : assetTypes.host.map((type) => ({ type, total: 0 }))
  return found.map(({ type, total }) => ({
    type,
    total: Number(total),
    label: labels[type]?.[ctx.language] ?? type,
  }))
}

const jobs = 'ops.jobexecution'
/** Jobs come with their own module; without it the count is zero. */
const jobCount =
  (narrow: (query: ListQuery, window: Window) => ListQuery): Total =>
  async (ctx, window) =>
    allResources().some(({ key }) => key === jobs) ? count(ctx, jobs, (query) => narrow(query, window)) : 0

/** Every count of the dashboard, by parameter name. */
export const totals: Readonly<Record<string, Total>> = {
  total_count_users: (ctx) => count(ctx, 'users.user'),
  total_count_assets: (ctx) => count(ctx, 'assets.asset'),
  total_count_users_this_week: (ctx, { weekStart }) => count(ctx, 'users.user', since('date_joined', weekStart)),
  total_count_assets_this_week: (ctx, { weekStart }) => count(ctx, 'assets.asset', since('date_created', weekStart)),
  total_count_login_users: (ctx, { from }) =>
    distinct(ctx, 'audits.userloginlog', 'username', (query) =>
      since('datetime', from)(query).where('t.status', '=', true),
    ),
  total_count_today_active_assets: (ctx, { from }) =>
    distinct(ctx, 'terminal.session', 'asset_id', since('date_start', from)),
  total_count_online_users: onlineUsers,
  total_count_online_sessions: (ctx) =>
    count(ctx, 'terminal.session', (query) => query.where('t.is_finished', '=', false)),
  total_count_today_failed_sessions: (ctx, { from }) =>
    count(ctx, 'terminal.session', (query) => since('date_start', from)(query).where('t.is_success', '=', false)),
  total_count_user_login_logs: (ctx, { from }) => count(ctx, 'audits.userloginlog', since('datetime', from)),
  total_count_user_login_success_logs: (ctx, { from }) =>
    count(ctx, 'audits.userloginlog', (query) => since('datetime', from)(query).where('t.status', '=', true)),
  total_count_operate_logs: (ctx, { from }) => count(ctx, 'audits.operatelog', since('datetime', from)),
  total_count_change_password_logs: (ctx, { from }) => count(ctx, 'audits.passwordchangelog', since('datetime', from)),
  total_count_commands: (ctx, { from }) => count(ctx, 'terminal.command', since('timestamp', Math.floor(from / 1000))),
  total_count_commands_danger: (ctx, { from }) =>
    count(ctx, 'terminal.command', (query) =>
      since('timestamp', Math.floor(from / 1000))(query).where('t.risk_level', '=', refused),
    ),
  total_count_history_sessions: (ctx, { from }) =>
    count(ctx, 'terminal.session', (query) => since('date_start', from)(query).where('t.is_finished', '=', true)),
  total_count_ftp_logs: (ctx, { from }) => count(ctx, 'audits.ftplog', since('date_start', from)),
  total_count_job_logs: jobCount((query, { from }) => since('date_start', from)(query)),
  total_count_job_logs_running: jobCount((query) => query.where('t.status', '=', 'running')),
  total_count_job_logs_failed: jobCount((query, { from }) =>
    since('date_start', from)(query).where('t.status', 'in', ['failed', 'timeout']),
  ),
  total_count_type_to_assets_amount: assetsByType,
}

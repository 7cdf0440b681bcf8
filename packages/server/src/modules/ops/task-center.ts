import { createHash } from 'node:crypto'
import { errors } from '@castellan/contract/messages/errors'
import { opsMessages } from '@castellan/contract/messages/ops'
import { boolean, computed, describedAs, nullableDatetime, text as words } from '../../kernel/fields/index.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { columnsFor, importRoute } from '../../kernel/files/import.ts'
import { created, defineRoute } from '../../kernel/http/route.ts'
import { findJobKind, type JobKind, jobKinds } from '../../kernel/jobs/kinds.ts'
import type { Queueable } from '../../kernel/jobs/queue.ts'
import { declaredSchedules, enableSchedule } from '../../kernel/jobs/schedules.ts'
import type { ScheduleRow } from '../../kernel/jobs/tables.ts'
import { listOf, pagedReply } from '../../kernel/lists/paging.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, notFound, text } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { listReply } from '../../kernel/resource/resource-routes.ts'
import { recordOperate } from '../audits/index.ts'
import { executionScope } from './task-access.ts'
import { taskExecution, titleOf } from './task-execution.ts'
import { jobForCaller } from './task-log.ts'

/** A stable id of a kind of task: kinds have names, and clients of the contract ask by id. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(`castellan task ${name}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

interface Totals {
  total: number
  success: number
  /** The newest run, and the newest that failed. Unix milliseconds. */
  last: number
  lastFailed: number
}
const noRuns: Totals = { total: 0, success: 0, last: 0, lastFailed: 0 }
const failedStates = ['FAILURE', 'LOST']
/** So many recent runs decide whether a task is shown as failing lately. */
const recent = 5

/** Runs by kind, as far as the caller sees them. One pass over an index. */
async function totalsOf(ctx: Context): Promise<Map<string, Totals>> {
  const all = executionScope(ctx) === 'all'
  const query = ctx.acrossOrganizations
    .selectFrom('kernel_job')
    .select((eb) => ['name', 'state', eb.fn.countAll<number>().as('runs'), eb.fn.max<number>('date_due').as('last')])
    .groupBy(['state', 'name'])
  const rows = await (all ? query : query.where('org_id', '=', ctx.orgId)).execute()
  const totals = new Map<string, Totals>()
  for (const { name, state, runs, last } of rows) {
    const one = totals.get(name) ?? noRuns
    totals.set(name, {
      total: one.total + Number(runs),
      success: one.success + (state === 'SUCCESS' ? Number(runs) : 0),
      last: Math.max(one.last, Number(last)),
      lastFailed: failedStates.includes(state) ? Math.max(one.lastFailed, Number(last)) : one.lastFailed,
    })
  }
  return totals
}

/** red: the last run failed; yellow: one of the last five; green: none of them. */
async function stateOf(ctx: Context, name: string, { last, lastFailed }: Totals): Promise<'red' | 'yellow' | 'green'> {
  if (lastFailed === 0) return 'green'
  if (lastFailed >= last) return 'red'
  const later = await ctx.acrossOrganizations
    .selectFrom('kernel_job')
    .select('id')
    .where('name', '=', name)
    .where('state', 'in', ['SUCCESS', 'CANCELED'])
    .where('date_due', '>', lastFailed)
    .limit(recent)
    .execute()
  return later.length < recent ? 'yellow' : 'green'
}

const timestamp = (ctx: Context, value: unknown) =>
  value === null || value === undefined || Number(value) === 0 ? null : formatTimestamp(Number(value), ctx.zone)

/** The schedule of a kind as text: its crontab, or its interval in seconds. */
const timingOf = (schedule: ScheduleRow | undefined): string =>
  schedule?.crontab ?? (schedule?.interval_seconds ? `${schedule.interval_seconds} s` : '')

async function taskRow(ctx: Context, kind: JobKind<never>, totals = noRuns, schedule?: ScheduleRow) {
  return {
    id: idOf(kind.name),
    name: kind.name,
    meta: { comment: titleOf(ctx, kind.name), queue: 'celery' },
    summary: { total: totals.total, success: totals.success },
    state: await stateOf(ctx, kind.name, totals),
    date_last_publish: timestamp(ctx, totals.last),
    is_periodic: schedule !== undefined,
    enabled: Boolean(schedule?.enabled ?? false),
    schedule: timingOf(schedule),
    date_next: timestamp(ctx, schedule?.date_next),
  }
}

const taskFields = {
  id: { ...words({ readOnly: true, filter: true }), order: false },
  name: { ...words({ readOnly: true, filter: true }), order: true },
  meta: computed('field', { answers: 'object' as never }),
  summary: computed('field', { answers: 'object' as never }),
  state: computed('field', { answers: 'string' }),
  date_last_publish: nullableDatetime({ readOnly: true }),
  is_periodic: computed('boolean', { answers: 'boolean' }),
  enabled: computed('boolean', { answers: 'boolean' }),
  schedule: computed('string', { answers: 'string' }),
  date_next: nullableDatetime({ readOnly: true }),
}

type TaskRow = Awaited<ReturnType<typeof taskRow>>

const has = (value: string, part: string | undefined) => !part || value.toLowerCase().includes(part.toLowerCase())

/** Orders by a column, descending with a leading minus. Names are compared by what is shown. */
function inOrder(rows: TaskRow[], order = 'name'): TaskRow[] {
  const key = order.replace(/^-/, '')
  const sortValue = (row: TaskRow) => String((key === 'name' ? row.meta.comment : row[key as keyof TaskRow]) ?? '')
  const sorted = rows.toSorted((a, b) => sortValue(a).localeCompare(sortValue(b)))
  return order.startsWith('-') ? sorted.reverse() : sorted
}

async function tasks(ctx: Context): Promise<TaskRow[]> {
  const [totals, schedules] = [await totalsOf(ctx), await declaredSchedules(ctx)]
  return Promise.all(jobKinds().map((kind) => taskRow(ctx, kind, totals.get(kind.name), schedules.get(kind.name))))
}

const kindOf = (id: string | undefined): JobKind<never> => {
  const kind = jobKinds().find(({ name }) => idOf(name) === id)
  if (!kind) throw notFound(opsMessages.celerytask)
  return kind
}

/** Starts a task that runs by schedule now, unless a scheduled run of it waits or works. */
async function runNow(ctx: Context, kind: JobKind<never>): Promise<string> {
  const schedule = (await declaredSchedules(ctx)).get(kind.name)
  if (!schedule) throw badRequest(text(opsMessages.task_not_periodic))
  await recordOperate(ctx, { action: 'update', resourceType: 'Task', resource: titleOf(ctx, kind.name) })
  return ctx.services.jobs.enqueue(
    ctx.rawDb,
    kind as unknown as Queueable<object>,
    {},
    {
      uniqueKey: `schedule:${schedule.id}`,
      language: ctx.language,
      ...(ctx.caller ? { creator: ctx.caller.id } : {}),
    },
  )
}

/** Clients of the contract are told what stands in a schedule, though nothing but `enabled` is written. */
const demanded = { required: true, read_only: false, max_length: 200 }
const periodicFields = {
  name: describedAs(words({ readOnly: true }), demanded),
  task: describedAs(words({ readOnly: true }), demanded),
  enabled: describedAs(boolean({ required: true }), { required: false }),
  description: describedAs(words({ readOnly: true }), { read_only: false }),
  last_run_at: nullableDatetime({ readOnly: true }),
  date_next: nullableDatetime({ readOnly: true }),
  total_run_count: computed('integer', { answers: 'number' }),
}

async function periodicRows(ctx: Context) {
  const totals = await totalsOf(ctx)
  return [...(await declaredSchedules(ctx)).values()].map((row) => ({
    id: row.id,
    name: row.job_name,
    task: row.job_name,
    enabled: Boolean(row.enabled),
    description: titleOf(ctx, row.job_name),
    last_run_at: timestamp(ctx, row.date_last),
    date_next: timestamp(ctx, row.date_next),
    total_run_count: totals.get(row.job_name)?.total ?? 0,
  }))
}

async function scheduleById(ctx: Context, id: string | undefined): Promise<ScheduleRow> {
  const row = [...(await declaredSchedules(ctx)).values()].find((one) => one.id === id)
  if (!row) throw notFound(opsMessages.periodictask)
  return row
}

const base = '/api/v1/ops/'
const periodic = `${base}celery/period-tasks/`

/** The kinds of background tasks, when they run, and their runs. */
export const taskCenterRoutes = [
  defineRoute({
    method: 'GET',
    path: `${base}tasks/`,
    requires: 'ops.view_celerytask',
    summary: 'Kinds of background tasks with their runs and their schedule',
    fields: { GET: taskFields },
    listed: true,
    handle: async ({ ctx, request }) => {
      const { id, name, search, order } = request.query
      const found = (await tasks(ctx)).filter(
        (row) =>
          has(row.meta.comment, name) &&
          (!id || row.id === id) &&
          (has(row.meta.comment, search) || has(row.name, search) || row.id === search),
      )
      return pagedReply(ctx, request, listOf(inOrder(found, order)))
    },
  }),
  importRoute({
    url: `${base}tasks/`,
    title: 'kinds of background tasks',
    requires: 'superuser',
    fields: taskFields,
    columns: columnsFor('ops', taskFields),
  }),
  importRoute({
    url: `${base}task-executions/`,
    title: 'runs of background tasks',
    requires: 'superuser',
    columns: columnsFor('ops', taskExecution.fields),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}tasks/:id/`,
    requires: 'ops.view_celerytask',
    summary: 'One kind of background task',
    fields: { GET: taskFields },
    listed: true,
    handle: async ({ ctx, request }) => {
      const kind = kindOf(request.params.id)
      const schedule = (await declaredSchedules(ctx)).get(kind.name)
      return taskRow(ctx, kind, (await totalsOf(ctx)).get(kind.name), schedule)
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}tasks/:id/run/`,
    requires: 'superuser',
    summary: 'Run a task of the schedule now',
    statuses: [201],
    handle: async ({ ctx, request }) => created({ task_id: await runNow(ctx, kindOf(request.params.id)) }),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}task-executions/`,
    requires: 'ops.view_celerytaskexecution',
    summary: 'Runs of background tasks: own ones, and those of others by right; `task_id` names a kind',
    fields: { GET: taskExecution.fields },
    listed: true,
    handle: ({ ctx, request }) => {
      const { task_id } = request.query
      const name = task_id ? kindOf(task_id).name : undefined
      const scope = executionScope(ctx)
      return listReply(ctx, taskExecution, request, (query) => {
        const named = name ? query.where('t.name', '=', name) : query
        if (scope === 'all') return named
        return scope === 'own'
          ? named.where('t.created_by', '=', ctx.me.id)
          : named.where((eb) => eb.or([eb('t.org_id', '=', ctx.orgId), eb('t.created_by', '=', ctx.me.id)]))
      })
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}task-executions/`,
    requires: 'superuser',
    summary: 'Run the task of the execution `from` again, if it runs by schedule',
    statuses: [201],
    handle: async ({ ctx, request }) => {
      const { from } = request.query
      if (!from) throw badRequest(text(errors.required))
      const job = await jobForCaller(ctx, from)
      const kind = job && findJobKind(job.name)
      if (!kind) throw notFound(opsMessages.celerytaskexecution)
      return created({ task_id: await runNow(ctx, kind) })
    },
  }),
  defineRoute({
    method: 'GET',
    path: periodic,
    requires: 'superuser',
    summary: 'Tasks that the system runs by schedule',
    fields: { GET: periodicFields },
    listed: true,
    handle: async ({ ctx, request }) => pagedReply(ctx, request, listOf(await periodicRows(ctx))),
  }),
  defineRoute({
    method: 'GET',
    path: `${periodic}:id/`,
    requires: 'superuser',
    summary: 'One task that the system runs by schedule',
    fields: { GET: periodicFields },
    handle: async ({ ctx, request }) => {
      const { id } = await scheduleById(ctx, request.params.id)
      return (await periodicRows(ctx)).find((row) => row.id === id)
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: `${periodic}:id/`,
    requires: 'superuser',
    summary: 'Switch a task of the schedule on or off',
    fields: { PATCH: periodicFields },
    handle: async ({ ctx, request }) => {
      const row = await scheduleById(ctx, request.params.id)
      const { enabled } = readBody<{ enabled: boolean }>(ctx, { enabled: periodicFields.enabled }, request.body)
      await enableSchedule(ctx, row, enabled)
      await recordOperate(ctx, {
        action: 'update',
        resourceType: 'Task',
        resource: titleOf(ctx, row.job_name),
        before: { enabled: Boolean(row.enabled) },
        after: { enabled },
      })
      return (await periodicRows(ctx)).find((one) => one.id === row.id)
    },
  }),
]

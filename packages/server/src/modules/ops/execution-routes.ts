import { automationErrors } from '@castellan/contract/messages/automations'
import { errors } from '@castellan/contract/messages/errors'
import { opsMessages } from '@castellan/contract/messages/ops'
import { keyOf, normalUuid } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { created, defineRoute, type Handling } from '../../kernel/http/route.ts'
import { nextRuns, timingFrom } from '../../kernel/jobs/crontab.ts'
import { jobItem } from '../../kernel/jobs/item-resource.ts'
import { unfinishedItems } from '../../kernel/jobs/item-rows.ts'
import { unsuccessfulStates } from '../../kernel/jobs/states.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, invalid, quoted, text as say } from '../../kernel/module/errors.ts'
import { findById } from '../../kernel/resource/repository.ts'
import { actionRoutes, listReply, rowBySegment } from '../../kernel/resource/resource-routes.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { job } from './job.ts'
import { type ExecutionRow, jobExecution } from './job-execution.ts'
import type { JobRow } from './job-fields.ts'
import { startExecution } from './run/start.ts'

async function namedJob(ctx: Context, sent: unknown): Promise<JobRow> {
  const key = keyOf(sent)
  if (key === undefined || key === null || key === '') throw invalid({ job: [say(errors.required)] })
  const id = normalUuid(key)
  if (!id) throw invalid({ job: [say(errors.not_a_uuid, { input: quoted(key) })] })
  const row = await findById(ctx, job, id)
  if (!row) throw invalid({ job: [say(errors.does_not_exist, { pk: id })] })
  return row
}

const executionOf = ({ ctx, request }: Handling, id = request.params.id): Promise<ExecutionRow> =>
  rowBySegment(ctx, jobExecution, id ?? '')

/** Runs an execution again on the hosts on which it did not succeed. */
async function repeat(ctx: Context, row: ExecutionRow): Promise<string> {
  if (row.date_finished === null) throw badRequest(say(automationErrors.still_running))
  const plan = row.job_id && (await findById(ctx, job, row.job_id))
  if (!plan) throw badRequest(say(opsMessages.job_gone))
  const items = await unfinishedItems(ctx.rawDb, row.id, unsuccessfulStates)
  if (items.length === 0) throw badRequest(say(automationErrors.nothing_failed))
  const again = items.map(({ target }) => ({ target }))
  return startExecution(ctx, plan, { items: again, parameters: row.parameters, retryOf: row.id })
}

const view = 'ops.view_jobexecution'
const add = 'ops.add_jobexecution'

/** Starting jobs, and what became of their executions. */
export const executionRoutes = [
  defineRoute({
    method: 'POST',
    path: jobExecution.url,
    requires: add,
    summary: 'Start a job: `job` names it, `parameters` are its values',
    statuses: [201],
    describes: jobExecution.url,
    async handle({ ctx, request }) {
      const body = objectOf(request.body)
      const row = await namedJob(ctx, body.job)
      return created({ task_id: await startExecution(ctx, row, { parameters: body.parameters }) })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/ops/job-execution/task-detail/:id/',
    requires: view,
    summary: 'How the execution with the ID of a task stands',
    async handle(handling) {
      const row = await executionOf(handling)
      const { time_cost, is_finished, is_success } = await serializeOne(handling.ctx, jobExecution, row)
      return { status: row.status, is_finished, is_success, time_cost, job_id: row.job_id }
    },
  }),
  ...actionRoutes(jobExecution, [
    {
      path: 'items',
      methods: ['GET'],
      detail: true,
      requires: view,
      summary: 'What an execution did to each of its hosts',
      fields: { GET: jobItem.fields },
      listed: true,
      handle: ({ ctx, request, row }) =>
        listReply(ctx, jobItem, request, (query) => query.where('t.job_id', '=', row.id)),
    },
    {
      path: 'stop',
      methods: ['POST'],
      detail: true,
      requires: add,
      summary: 'Stop an execution; one that has ended stays as it is',
      async handle({ ctx, request, row }) {
        await ctx.services.jobs.cancel(ctx.rawDb, row.id)
        return serializeOne(ctx, jobExecution, await rowBySegment(ctx, jobExecution, request.params.id ?? ''))
      },
    },
    {
      path: 'retry',
      methods: ['POST'],
      detail: true,
      requires: add,
      summary: 'Run an execution again on the hosts on which it did not succeed',
      statuses: [201],
      handle: async ({ ctx, row }) => created({ task_id: await repeat(ctx, row as ExecutionRow) }),
    },
  ]),
  ...actionRoutes(job, [
    {
      path: 'next-runs',
      methods: ['GET'],
      detail: true,
      requires: 'ops.view_job',
      summary: 'The next five runs of a periodic job',
      handle: ({ ctx, row }) =>
        row.is_periodic
          ? nextRuns({ ...timingFrom(row), zone: ctx.zone }, 5).map((date) => formatTimestamp(date, ctx.zone))
          : [],
    },
  ]),
]

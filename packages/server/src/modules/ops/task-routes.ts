import { automationErrors } from '@castellan/contract/messages/automations'
import { opsMessages } from '@castellan/contract/messages/ops'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import { normalUuid } from '../../kernel/fields/index.ts'
import { created, defineRoute } from '../../kernel/http/route.ts'
import { jobItem } from '../../kernel/jobs/item-resource.ts'
import { unfinishedItems } from '../../kernel/jobs/item-rows.ts'
import { findJobKind } from '../../kernel/jobs/kinds.ts'
import { readLog } from '../../kernel/jobs/log.ts'
import type { Queueable } from '../../kernel/jobs/queue.ts'
import { unsuccessfulStates } from '../../kernel/jobs/states.ts'
import type { JobRow } from '../../kernel/jobs/tables.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, notFound, permissionDenied, text } from '../../kernel/module/errors.ts'
import { listReply } from '../../kernel/resource/resource-routes.ts'
import { executionOf, wireState } from './task-execution.ts'
import { isOver, jobForCaller } from './task-log.ts'

async function ownJob(ctx: Context, id: string | undefined): Promise<JobRow> {
  const known = normalUuid(id)
  const job = known ? await jobForCaller(ctx, known) : undefined
  if (!job) throw notFound(opsMessages.celerytaskexecution)
  return job
}

/** Starts a run again for those of its targets that did not succeed. */
async function repeat(ctx: Context, job: JobRow): Promise<string> {
  const kind = findJobKind(job.name)
  const mayRepeat = kind?.repeatedWith !== undefined && ctx.can(kind.repeatedWith)
  if (!kind || !mayRepeat || job.org_id === null) throw permissionDenied()
  if (job.created_by !== ctx.caller?.id && !ctx.caller?.isSuperuser) throw permissionDenied()
  if (!isOver(job)) throw badRequest(text(automationErrors.still_running))
  const items = await unfinishedItems(ctx.rawDb, job.id, unsuccessfulStates)
  if (items.length === 0) throw badRequest(text(automationErrors.nothing_failed))
  return ctx.inOrg(job.org_id).enqueue(kind as Queueable<unknown>, JSON.parse(job.payload), { items })
}

async function logPart(ctx: Context, given: string | undefined, mark: string | undefined) {
  const id = normalUuid(given)
  const job = id ? await jobForCaller(ctx, id) : undefined
  // Who asks again, as scripts do with the mark they did not get, only wants to see that it goes on.
  if (!job) return { data: mark === 'undefined' ? '.' : taskLogs.waiting[ctx.language] }
  const from = /^\d+$/.test(mark ?? '') ? Number(mark) : 0
  const { text, position } = await readLog(ctx.services.database.reader, job.id, from)
  return { data: text, end: text === '' && isOver(job), mark: String(position) }
}

/** Runs of background tasks, and their logs for clients without a socket. */
export const taskRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/ops/task-executions/:id/',
    requires: 'valid',
    summary: 'One run of a background task; own ones, or all with the right to see them',
    handle: async ({ ctx, request }) => executionOf(ctx, await ownJob(ctx, request.params.id)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/ops/task-executions/:id/stop/',
    requires: 'valid',
    summary: 'Stop a run: who started it may, and a system administrator',
    handle: async ({ ctx, request }) => {
      const job = await ownJob(ctx, request.params.id)
      if (job.created_by !== ctx.caller?.id && !ctx.caller?.isSuperuser) throw permissionDenied()
      await ctx.services.jobs.cancel(ctx.rawDb, job.id)
      return executionOf(ctx, await ownJob(ctx, job.id))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/ops/task-executions/:id/items/',
    requires: 'valid',
    summary: 'What a run did to each of its targets',
    fields: { GET: jobItem.fields },
    listed: true,
    handle: async ({ ctx, request }) => {
      const { id } = await ownJob(ctx, request.params.id)
      return listReply(ctx, jobItem, request, (query) => query.where('t.job_id', '=', id))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/ops/task-executions/:id/retry/',
    requires: 'valid',
    summary: 'Do the failed targets of a run again, as a new run; for tests, fact collection and verification',
    statuses: [201],
    handle: async ({ ctx, request }) => created({ task: await repeat(ctx, await ownJob(ctx, request.params.id)) }),
  }),
  ...['/api/v1/ops/celery/task/:task/task-execution/:id/log/', '/api/v1/ops/ansible/job-execution/:id/log/'].map(
    (path) =>
      defineRoute({
        method: 'GET',
        path,
        requires: 'valid',
        summary: 'The log of a run from `mark` on; `mark` of the answer continues it',
        handle: ({ ctx, request }) => logPart(ctx, request.params.id, request.query.mark),
      }),
  ),
  defineRoute({
    method: 'GET',
    path: '/api/v1/ops/celery/task/:task/task-execution/:id/result/',
    requires: 'valid',
    summary: 'How a run ended',
    handle: async ({ ctx, request }) => {
      const job = await ownJob(ctx, request.params.id)
      return { id: job.id, state: wireState(job), result: job.result === null ? null : JSON.parse(job.result) }
    },
  }),
]

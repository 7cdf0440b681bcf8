import { opsMessages } from '@castellan/contract/messages/ops'
import { taskLogs } from '@castellan/contract/messages/task-logs'
import type { Context } from '../../kernel/context.ts'
import { notFound, permissionDenied } from '../../kernel/errors.ts'
import { normalUuid } from '../../kernel/fields/index.ts'
import { readLog } from '../../kernel/jobs/log.ts'
import { defineRoute } from '../../kernel/route.ts'
import { executionOf, isOver, type JobRow, jobForCaller, wireState } from './task-log.ts'

async function ownJob(ctx: Context, id: string | undefined): Promise<JobRow> {
  const known = normalUuid(id)
  const job = known ? await jobForCaller(ctx, known) : undefined
  if (!job) throw notFound(opsMessages.celerytaskexecution)
  return job
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
      await ctx.services.jobs.cancel(ctx.unscoped, job.id)
      return executionOf(ctx, await ownJob(ctx, job.id))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/ops/celery/task/:task/task-execution/:id/log/',
    requires: 'valid',
    summary: 'The log of a run from `mark` on; `mark` of the answer continues it',
    handle: async ({ ctx, request }) => {
      const id = normalUuid(request.params.id)
      const job = id ? await jobForCaller(ctx, id) : undefined
      if (!job) return { data: taskLogs.waiting[ctx.language] }
      const from = /^\d+$/.test(request.query.mark ?? '') ? Number(request.query.mark) : 0
      const { text, position } = await readLog(ctx.services.database.reader, job.id, from)
      return { data: text, end: text === '' && isOver(job), mark: String(position) }
    },
  }),
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

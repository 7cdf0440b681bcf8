import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { opsMessages } from '@castellan/contract/messages/ops'
import { normalUuid } from '../../kernel/fields/index.ts'
import { streamReply } from '../../kernel/files/serve.ts'
import { defineRoute, type Handling } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { notFound } from '../../kernel/module/errors.ts'
import { findById } from '../../kernel/resource/repository.ts'
import { actionRoutes } from '../../kernel/resource/resource-routes.ts'
import { type ExecutionSummary, jobExecution } from './job-execution.ts'
import { jobLog } from './job-log.ts'
import { restPath } from './run/output-store.ts'
import { readOutput } from './run/read-output.ts'

/** Hosts in the detail of the contract, and characters of the output of each. */
const mostHosts = 500
const longestOutput = 4096

const positionIn = (text: string | undefined) => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0)

const outputOf = (ctx: Context, id: string, { after, asset }: Readonly<Record<string, string>>) =>
  readOutput(ctx.services.database.reader, id, positionIn(after), normalUuid(asset))

/** The file with the rest of a long output. */
async function restOf({ ctx, request }: Handling, id: string): Promise<unknown> {
  const asset = normalUuid(request.query.asset)
  const path = asset ? restPath(ctx.services, id, asset) : undefined
  const size = path === undefined ? undefined : (await stat(path).catch(() => undefined))?.size
  if (!path || size === undefined) throw notFound(opsMessages.output_file)
  return streamReply({ size, open: async (range) => createReadStream(path, range) }, request, {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${asset}.log"`,
  })
}

/** The output of each host in the order of the summary. */
async function detailOf(ctx: Context, id: string, { ok, failures, dark, excludes }: ExecutionSummary) {
  const items = await ctx.rawDb
    .selectFrom('kernel_job_item')
    .select(['target_id', 'payload'])
    .where('job_id', '=', id)
    .orderBy('position')
    .limit(mostHosts)
    .execute()
  const failed = { ...failures, ...dark }
  const detail = []
  for (const { target_id, payload } of items) {
    const name = String(JSON.parse(payload ?? '{}').host ?? target_id)
    const status = ok.includes(name) ? 'ok' : Object.hasOwn(excludes, name) ? 'excludes' : 'failed'
    const { parts } =
      status === 'excludes' ? { parts: [] } : await readOutput(ctx.services.database.reader, id, 0, target_id)
    const text = parts.map((part) => (part.stream === 'end' ? '' : part.text)).join('')
    const output = text || failed[name] || excludes[name] || ''
    detail.push({ name, status, tasks: [{ name: 'command', output: output.slice(0, longestOutput) }] })
  }
  return detail
}

const view = 'ops.view_jobexecution'
const shared = [
  { resource: jobExecution, requires: view },
  { resource: jobLog, requires: 'audits.view_joblog' },
] as const

/** What hosts printed: for the owner of an execution, and for auditors. */
export const outputRoutes = [
  ...shared.flatMap(({ resource, requires }) =>
    actionRoutes(resource, [
      {
        path: 'output',
        methods: ['GET'],
        detail: true,
        requires,
        summary: 'Output from `after` on, of all hosts or of `asset`; `position` of the answer continues it',
        handle: ({ ctx, request, row }) => outputOf(ctx, String(row.id), request.query),
      },
      {
        path: 'output-file',
        methods: ['GET'],
        detail: true,
        requires,
        summary: 'The rest of the long output of `asset`',
        mediaType: 'text/plain',
        handle: ({ row, ...handling }) => restOf(handling, String(row.id)),
      },
    ]),
  ),
  defineRoute({
    method: 'GET',
    path: '/api/v1/ops/job-execution/asset-detail/',
    requires: view,
    summary: 'The output of each host of the execution `execution_id`; null while it runs',
    async handle({ ctx, request }) {
      const id = normalUuid(request.query.execution_id)
      const row = id ? await findById(ctx, jobExecution, id) : undefined
      if (!row) throw notFound(opsMessages.jobexecution)
      const summary = row.summary as ExecutionSummary
      return row.date_finished === null || !summary.ok
        ? null
        : { summary, detail: await detailOf(ctx, row.id, summary) }
    },
  }),
]

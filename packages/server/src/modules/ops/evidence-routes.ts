import { opsMessages } from '@castellan/contract/messages/ops'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import type { Handling } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { notFound } from '../../kernel/module/errors.ts'
import { actionRoutes } from '../../kernel/resource/resource-routes.ts'
import { jobExecution } from './job-execution.ts'
import { jobLog } from './job-log.ts'

/** Commands in one answer. */
const mostCommands = 200

async function filesOf(ctx: Context, execution: string) {
  const rows = await ctx.services.database.reader
    .selectFrom('ops_executionfile')
    .select(['path', 'size', 'sha256', 'is_whole'])
    .where('execution_id', '=', execution)
    .orderBy('path')
    .execute()
  return rows.map((row) => ({ ...row, is_whole: Boolean(row.is_whole) }))
}

async function commandsOf(ctx: Context, execution: string, after: number) {
  const rows = await ctx.services.database.reader
    .selectFrom('ops_carriedcommand')
    .selectAll()
    .where('execution_id', '=', execution)
    .where('number', '>', after)
    .orderBy('number')
    .limit(mostCommands)
    .execute()
  const date = (value: number | null) => (value === null ? null : formatTimestamp(Number(value), ctx.zone))
  return rows.map(({ id, number, asset, account, command, input, input_size, input_sha256, status, ...row }) => ({
    ...{ id, number, asset, account, command, input, input_size, input_sha256, status },
    ...{ date_start: date(row.date_created), date_end: date(row.date_end) },
  }))
}

async function evidenceOf({ ctx, request }: Handling, execution: string) {
  const { path, after } = request.query
  if (path === undefined) {
    const commands = await commandsOf(ctx, execution, /^\d{1,9}$/.test(after ?? '') ? Number(after) : 0)
    return { files: await filesOf(ctx, execution), commands, position: commands.at(-1)?.number ?? 0 }
  }
  const file = await ctx.services.database.reader
    .selectFrom('ops_executionfile')
    .select(['path', 'content', 'is_whole'])
    .where('execution_id', '=', execution)
    .where('path', '=', path)
    .executeTakeFirst()
  if (!file) throw notFound(opsMessages.playbook_file)
  return { ...file, is_whole: Boolean(file.is_whole) }
}

/** What the worker noted of a playbook: for the owner of an execution, and for auditors. There is no way to change it. */
export const evidenceRoutes = (
  [
    { resource: jobExecution, requires: 'ops.view_jobexecution' },
    { resource: jobLog, requires: 'audits.view_joblog' },
  ] as const
).flatMap(({ resource, requires }) =>
  actionRoutes(resource, [
    {
      path: 'evidence',
      methods: ['GET'],
      detail: true,
      requires,
      summary:
        'The files of a playbook and the commands carried to hosts, `after` a number; the content of the file `path`',
      handle: ({ row, ...handling }) => evidenceOf(handling, String(row.id)),
    },
  ]),
)

import { automationErrors, executionReasons } from '@castellan/contract/messages/automations'
import { errors } from '@castellan/contract/messages/errors'
import type { PermissionCode } from '@castellan/contract/permissions'
import { keyOf, normalUuid } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { created, defineRoute, type Route } from '../../../kernel/http/route.ts'
import { jobItem } from '../../../kernel/jobs/item-resource.ts'
import { type NewItem, unfinishedItems } from '../../../kernel/jobs/item-rows.ts'
import { unsuccessfulStates } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, invalid, quoted, text as say } from '../../../kernel/module/errors.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import type { Resource } from '../../../kernel/resource/resource.ts'
import { actionRoutes, listReply, rowBySegment } from '../../../kernel/resource/resource-routes.ts'
import { serializeOne } from '../../../kernel/resource/serialize.ts'
import type { Snapshot } from './execution.ts'
import type { AutomationRow, Execution } from './run.ts'

interface Parts {
  automation: Resource
  execution: Resource
  add: PermissionCode
  view: PermissionCode
  start: StartExecution
}

/** Starts an execution of a plan. `items` and `snapshot`: those of an earlier execution, for a repetition. */
export type StartExecution = (
  ctx: Context,
  row: AutomationRow,
  more?: { items?: readonly NewItem[]; snapshot?: Snapshot },
) => Promise<string>

/** Starting executions, their items, stopping them, and doing again what failed. */
export function executionRoutes({ automation, execution, add, view, start }: Parts): Route[] {
  const named = async (ctx: Context, sent: unknown): Promise<AutomationRow> => {
    const key = keyOf(sent)
    if (key === undefined || key === null || key === '') throw invalid({ automation: [say(errors.required)] })
    const id = normalUuid(key)
    if (!id) throw invalid({ automation: [say(errors.not_a_uuid, { input: quoted(key) })] })
    const row = await findById(ctx, automation, id)
    if (!row) throw invalid({ automation: [say(errors.does_not_exist, { pk: id })] })
    return row as unknown as AutomationRow
  }

  async function repeat(ctx: Context, row: Execution): Promise<string> {
    if (row.date_finished === null) throw badRequest(say(automationErrors.still_running))
    const plan = row.automation_id && (await findById(ctx, automation, row.automation_id))
    if (!plan) throw badRequest(say(executionReasons.automation_gone))
    const items = await unfinishedItems(ctx.rawDb, row.id, unsuccessfulStates)
    if (items.length === 0) throw badRequest(say(automationErrors.nothing_failed))
    const snapshot = { ...(row.snapshot as Snapshot), retry_of: row.id }
    return start(ctx, plan as unknown as AutomationRow, { items, snapshot })
  }

  return [
    defineRoute({
      method: 'POST',
      path: execution.url,
      requires: add,
      summary: `Start an execution: \`automation\` names ${automation.path}`,
      statuses: [201],
      describes: execution.url,
      handle: async ({ ctx, request }) => {
        const row = await named(ctx, objectOf(request.body).automation)
        return created({ task: await start(ctx, row) })
      },
    }),
    ...actionRoutes(execution, [
      {
        path: 'items',
        methods: ['GET'],
        detail: true,
        requires: view,
        summary: 'What an execution did to each of its targets',
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
        handle: async ({ ctx, request, row }) => {
          await ctx.services.jobs.cancel(ctx.rawDb, row.id)
          return serializeOne(ctx, execution, await rowBySegment(ctx, execution, request.params.id ?? ''))
        },
      },
      {
        path: 'retry',
        methods: ['POST'],
        detail: true,
        requires: add,
        summary: 'Do the failed targets of an execution again, from where each of them stopped',
        statuses: [201],
        handle: async ({ ctx, row }) => created({ task: await repeat(ctx, row as Execution) }),
      },
    ]),
  ]
}

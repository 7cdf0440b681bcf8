import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { created, defineRoute, type Handling, type Route } from '../../../kernel/http/route.ts'
import { pagedReply } from '../../../kernel/lists/paging.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { notFound } from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { pendingTasks } from '../task.ts'
import { component, componentOf } from './component.ts'
import { type Beat, noteBeat } from './heartbeat.ts'
import { beatFields, statusFields } from './status-fields.ts'

/** Parses the heartbeat in a body. Throws 400 with its errors. */
export const readBeat = (ctx: Context, body: unknown): Beat => readBody<Beat>(ctx, beatFields, body)

async function beat({ ctx, request }: Handling): Promise<unknown> {
  const body = readBeat(ctx, request.body)
  const row = await componentOf(ctx)
  if (!row) throw notFound(nameOf(component))
  await noteBeat(ctx.services, row.id, body)
  return created(await pendingTasks(ctx, row.id))
}

/** Heartbeats by HTTP; the response contains pending tasks. Only the last heartbeat is stored. */
export const statusRoutes: Route[] = ['status', 'terminals/status', 'terminals/:id/status'].flatMap((path) => [
  defineRoute({
    method: 'POST',
    path: `/api/v1/terminal/${path}/`,
    requires: 'terminal.add_status',
    componentsOnly: true,
    summary: 'Heartbeat of a component',
    statuses: [201],
    // A heartbeat is one statement, and must not wait for a transaction.
    transaction: 'none',
    fields: { POST: statusFields },
    handle: beat,
  }),
  defineRoute({
    method: 'GET',
    path: `/api/v1/terminal/${path}/`,
    requires: 'terminal.view_status',
    summary: 'Heartbeats are not stored: always empty',
    fields: { GET: statusFields },
    handle: ({ ctx, request }) => pagedReply(ctx, request, { count: async () => 0, rows: async () => [] }),
  }),
  defineRoute({
    method: 'GET',
    path: `/api/v1/terminal/${path}/:status/`,
    requires: 'terminal.view_status',
    summary: 'Heartbeats are not stored: never found',
    handle: () => {
      throw notFound(texts.heartbeat)
    },
  }),
])

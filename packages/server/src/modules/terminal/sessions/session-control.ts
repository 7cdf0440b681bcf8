import { sessionTaskNames } from '@castellan/contract/choices/terminal'
import { normalUuid, rawChoice, text } from '../../../kernel/fields/index.ts'
import { isObject, objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { defineRoute, Reply, type Route } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import type { ListQuery } from '../../../kernel/resource/resource.ts'
import { createTasks, type TaskName } from '../task.ts'
import { session } from './session.ts'
import { ticketSessions } from './ticket-sessions.ts'

const who = (ctx: Context) => `${ctx.me.name}(${ctx.me.username})`

/**
 * Ids as consoles send them: a list, a single id as text, or that text as a form (whose only name it is) or as plain
 * text, which HTTP clients send for a text without the JSON content type.
 */
function idsOf(body: unknown): unknown[] {
  if (Buffer.isBuffer(body)) return [body.toString('utf8').trim()]
  return isObject(body) ? Object.keys(body) : [body].flat()
}

const uuidsIn = (wanted: readonly unknown[]) => [...new Set(wanted.map(normalUuid).filter((id) => id !== undefined))]

/** Creates a task for the unfinished sessions among the given ones; returns their ids. */
async function order(ctx: Context, name: TaskName, wanted: readonly unknown[]): Promise<{ ok: string[] }> {
  const ids = uuidsIn(wanted)
  if (ids.length === 0) return { ok: [] }
  const rows = await findAll(ctx, session, (query) => query.where('t.id', 'in', ids).where('t.is_finished', '=', false))
  await createTasks(ctx, name, rows, who(ctx))
  return { ok: rows.map((row) => row.id) }
}

const toggleFields = {
  session_id: text({ max: 40, required: true }),
  task_name: rawChoice(sessionTaskNames, { required: true }),
}

/** The same for assignees of the sessions' tickets, in any organization; 403 when the caller is none for all of them. */
async function orderForTicket(ctx: Context, name: TaskName, wanted: readonly unknown[]) {
  const own = await ticketSessions.use(ctx, ctx.me.id, uuidsIn(wanted))
  return own.size > 0 ? order(ctx.acrossOrgs(), name, [...own]) : new Reply(403, {})
}

const forTickets: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/terminal/tasks/kill-session-for-ticket/',
    requires: 'valid',
    summary: 'Terminate sessions as an assignee of their ticket',
    handle: ({ ctx, request }) => orderForTicket(ctx, 'kill_session', idsOf(request.body)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/terminal/tasks/toggle-lock-session-for-ticket/',
    requires: 'valid',
    summary: 'Pause or resume a session as an assignee of its ticket',
    fields: { POST: toggleFields },
    handle({ ctx, request }) {
      const { session_id, task_name } = objectOf(request.body)
      // Who is no assignee learns nothing about the body.
      if (!['lock_session', 'unlock_session'].includes(String(task_name))) return new Reply(403, {})
      return orderForTicket(ctx, task_name as TaskName, [session_id])
    },
  }),
]

export const sessionControlRoutes: Route[] = [
  ...forTickets,
  defineRoute({
    method: 'POST',
    path: '/api/v1/terminal/tasks/kill-session/',
    requires: 'terminal.terminate_session',
    summary: 'Terminate sessions',
    handle: ({ ctx, request }) => order(ctx, 'kill_session', idsOf(request.body)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/terminal/tasks/toggle-lock-session/',
    requires: 'terminal.terminate_session',
    summary: 'Pause, resume or terminate a session',
    fields: { POST: toggleFields },
    handle({ ctx, request }) {
      const { session_id, task_name } = readBody<{ session_id: string; task_name: TaskName }>(
        ctx,
        toggleFields,
        request.body,
      )
      return order(ctx, task_name, [session_id])
    },
  }),
]

/**
 * Ends running sessions because of a change elsewhere: a disabled user, an expired permission. The reason is shown to
 * the user. Returns the number of sessions ordered to end.
 */
export async function terminateSessions(
  ctx: Context,
  where: (query: ListQuery) => ListQuery,
  reason: string,
): Promise<number> {
  const rows = await findAll(ctx, session, (query) => where(query.where('t.is_finished', '=', false)))
  await createTasks(ctx, 'kill_session', rows, ctx.caller ? who(ctx) : 'System', reason)
  return rows.length
}

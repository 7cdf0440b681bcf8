import { ticketsMessages as texts } from '@castellan/contract/messages/tickets'
import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, text } from '../../kernel/module/errors.ts'
import { runningSessions } from '../terminal/index.ts'
import { pageOf } from './notices.ts'
import { assigneeNames } from './steps.ts'
import type { TicketRow } from './ticket.ts'

/** How long a connection or a command waits for its approval. Milliseconds. */
export const longestWait = 1_800_000
/** How long the command of a job waits for its approval. Milliseconds. */
const longestJobWait = 24 * 3_600_000

const waitingTypes: readonly unknown[] = ['login_asset_confirm', 'command_confirm']

/** Whether a connection or a command waits for the ticket. */
export const isWaitedFor = ({ type }: Pick<TicketRow, 'type'>): boolean => waitingTypes.includes(type)

/**
 * Throws 400 unless somebody can still wait for a ticket that is to be approved: an approval must never take effect
 * later, for another session.
 */
export async function demandWaiting(ctx: Context, row: TicketRow): Promise<void> {
  if (!isWaitedFor(row)) return
  const over = () => badRequest(text(texts.nobody_waits))
  const execution = executionOf(row.details)
  if (execution) {
    const { jobs } = ctx.services
    if (isJobLate(ctx, row.date_created) || !(await jobs.unfinished(ctx.rawDb, [execution])).has(execution))
      throw over()
    return
  }
  if (Number(row.date_created) + longestWait <= ctx.now) throw over()
  const session = String(row.details.session ?? '')
  if (row.type === 'command_confirm' && !(await runningSessions(ctx, [session])).has(session)) throw over()
}

/** The execution of a job that waits for the ticket of its command. */
export const executionOf = (details: TicketRow['details']): string => String(details.execution ?? '')

const isJobLate = (ctx: Context, created: unknown): boolean => Number(created) + longestJobWait <= ctx.now

/** How a ticket stands, and who decided it. */
export async function outcomeOf(ctx: Context, id: string): Promise<{ state: string; serial: string; by: string }> {
  const row = await ctx.rawDb
    .selectFrom('tickets_ticket')
    .select(['state', 'serial_num'])
    .where('id', '=', id)
    .executeTakeFirst()
  const step = await ctx.rawDb
    .selectFrom('tickets_step')
    .select('processor_display')
    .where('ticket_id', '=', id)
    .where('status', '=', 'closed')
    .orderBy('level', 'desc')
    .executeTakeFirst()
  const by = String(step?.processor_display ?? '')
  return { state: String(row?.state ?? 'closed'), serial: String(row?.serial_num ?? ''), by }
}

/** Open tickets for which nobody waits any more. */
export async function abandonedTickets(ctx: Context): Promise<string[]> {
  const rows = await ctx.rawDb
    .selectFrom('tickets_ticket as t')
    .leftJoin('tickets_ticketsession as l', 'l.ticket_id', 't.id')
    .select(['t.id', 't.date_created', 't.details', 'l.session_id'])
    .where('t.status', '=', 'open')
    .where('t.type', 'in', waitingTypes)
    .execute()
  const running = await runningSessions(
    ctx,
    rows.flatMap(({ session_id }) => session_id ?? []),
  )
  const waiting = rows.map((row) => ({ ...row, execution: executionOf(JSON.parse(String(row.details))) }))
  const unfinished = await ctx.services.jobs.unfinished(
    ctx.rawDb,
    waiting.flatMap(({ execution }) => execution || []),
  )
  return waiting
    .filter(({ date_created, session_id, execution }) =>
      execution
        ? isJobLate(ctx, date_created) || !unfinished.has(execution)
        : Number(date_created) + longestWait <= ctx.now || (session_id && !running.has(session_id)),
    )
    .map(({ id }) => String(id))
}

/** The calls by which a waiting client follows and withdraws its ticket: components see any ticket, users their own. */
export async function waitingInfo(ctx: Context, row: Pick<TicketRow, 'id' | 'type'>) {
  const [check, close] = ctx.caller?.isServiceAccount
    ? [
        ['GET', `/api/v1/tickets/super-tickets/${row.id}/status/`],
        ['DELETE', `/api/v1/tickets/super-tickets/${row.id}/status/`],
      ]
    : [
        ['GET', `/api/v1/tickets/tickets/${row.id}/`],
        ['PUT', `/api/v1/tickets/tickets/${row.id}/close/`],
      ]
  return {
    check_ticket_api: { method: check?.[0], url: check?.[1] },
    close_ticket_api: { method: close?.[0], url: close?.[1] },
    ticket_detail_page_url: pageOf(ctx, row),
    assignees: await assigneeNames(ctx, row.id),
  }
}

/** Those of the sessions that belong to a ticket of which the user is an assignee. */
export async function sessionsReviewedBy(ctx: Context, userId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of batches([...new Set(ids)])) {
    const rows = await ctx.rawDb
      .selectFrom('tickets_ticketsession as l')
      .innerJoin('tickets_assignee as a', 'a.ticket_id', 'l.ticket_id')
      .select('l.session_id')
      .where('l.session_id', 'in', some)
      .where('a.user_id', '=', userId)
      .execute()
    for (const { session_id } of rows) found.add(String(session_id))
  }
  return found
}

/** Links a session with the ticket that allowed it, or from which its command is reviewed. */
export async function linkSession(ctx: Context, ticketId: string, sessionId: string): Promise<void> {
  await ctx.rawDb
    .insertInto('tickets_ticketsession')
    .values({ ticket_id: ticketId, session_id: sessionId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

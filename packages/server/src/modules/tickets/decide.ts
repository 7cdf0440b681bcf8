import { ticketStates } from '@castellan/contract/choices/tickets'
import { say } from '@castellan/contract/messages'
import { ticketsMessages as texts } from '@castellan/contract/messages/tickets'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, permissionDenied, text } from '../../kernel/module/errors.ts'
import { defineHook } from '../../kernel/module/hooks.ts'
import { recordAction } from '../../kernel/resource/changes.ts'
import { decoded } from '../../kernel/resource/repository.ts'
import { stillMay } from './assignees.ts'
import { askAssignees, tellApplicant } from './notices.ts'
import { type Applicant, addComment } from './open.ts'
import { type Decision, type Position, type TicketState, transition } from './state-machine.ts'
import { displayOf } from './steps.ts'
import { type TicketRow, ticket, typedTickets } from './ticket.ts'
import { demandWaiting } from './waiting.ts'

/** A ticket has ended. What follows from it happens here, in the transaction of the decision. */
export interface EndedTicket {
  row: TicketRow
  state: Exclude<TicketState, 'pending'>
  /** Who approved, level by level. */
  processors: readonly string[]
}
export const ticketEnded = defineHook<EndedTicket>('tickets.ended')

/** Who decides. `system`: the applicant cancels by leaving, or a component on their behalf; no assignee is needed. */
export interface Decider extends Applicant {
  system?: boolean
}

/** The ticket as it is now; 400 when it is gone. */
export async function currentTicket(ctx: Context, id: string): Promise<TicketRow | undefined> {
  const row = await ctx.rawDb.selectFrom(ticket.table).selectAll().where('id', '=', id).executeTakeFirst()
  return row && decoded(ticket, row)
}

const alreadyEnded = () => badRequest(text(texts.already_closed))

async function demandRight(ctx: Context, row: TicketRow, at: Position, decision: Decision, by: Decider): Promise<void> {
  if (by.system || (decision === 'close' && row.applicant_id === by.id)) return
  const assigned = await ctx.rawDb
    .selectFrom('tickets_assignee as a')
    .innerJoin('tickets_step as s', (join) =>
      join.onRef('s.ticket_id', '=', 'a.ticket_id').onRef('s.level', '=', 'a.level'),
    )
    .select('s.strategy')
    .where('a.ticket_id', '=', row.id)
    .where('a.level', '=', at.step)
    .where('a.user_id', '=', by.id)
    .executeTakeFirst()
  if (!assigned) throw permissionDenied(text(texts.not_assignee))
  if (!(await stillMay(ctx, by.id, row.organization_id, String(assigned.strategy))))
    throw permissionDenied(text(texts.right_lost))
}

async function positionOf(ctx: Context, row: TicketRow): Promise<Position> {
  const { levels } = await ctx.rawDb
    .selectFrom('tickets_step')
    .select((eb) => eb.fn.max('level').as('levels'))
    .where('ticket_id', '=', row.id)
    .executeTakeFirstOrThrow()
  return {
    status: row.status as Position['status'],
    state: row.state as TicketState,
    step: Number(row.approval_step),
    levels: Number(levels),
  }
}

/** Takes the transition for this decision alone: of two at the same time, one finds the ticket where it was. */
async function claim(ctx: Context, row: TicketRow, at: Position, to: Position): Promise<void> {
  const taken = await ctx.rawDb
    .updateTable(ticket.table)
    .set({ status: to.status, state: to.state, approval_step: to.step, date_updated: ctx.now })
    .where('id', '=', row.id)
    .where('status', '=', 'open')
    .where('approval_step', '=', at.step)
    .returning('id')
    .executeTakeFirst()
  if (!taken) throw alreadyEnded()
}

async function settleStep(ctx: Context, row: TicketRow, level: number, state: TicketState, by: Decider): Promise<void> {
  const closing = state === 'closed'
  const { applicant: applicantText = '' } = row.rel_snapshot as { applicant?: string }
  await ctx.rawDb
    .updateTable('tickets_step')
    .set({
      state,
      status: 'closed',
      processor_id: closing ? (row.applicant_id ?? '') : by.id,
      processor_display: closing ? applicantText : displayOf(by),
      date_decided: ctx.now,
    })
    .where('ticket_id', '=', row.id)
    .where('level', '=', level)
    .execute()
  await ctx.rawDb
    .updateTable('tickets_assignee')
    .set({ is_current: false })
    .where('ticket_id', '=', row.id)
    .where('level', '=', level)
    .where('user_id', '!=', by.id)
    .execute()
  await ctx.rawDb
    .updateTable('tickets_assignee')
    .set({ is_current: false, ...(closing ? {} : { state }) })
    .where('ticket_id', '=', row.id)
    .where('level', '=', level)
    .where('user_id', '=', by.id)
    .execute()
}

async function beginStep(ctx: Context, row: TicketRow, level: number): Promise<void> {
  await ctx.rawDb
    .updateTable('tickets_step')
    .set({ status: 'active' })
    .where('ticket_id', '=', row.id)
    .where('level', '=', level)
    .execute()
  const people = await ctx.rawDb
    .updateTable('tickets_assignee')
    .set({ is_current: true })
    .where('ticket_id', '=', row.id)
    .where('level', '=', level)
    .returning('user_id')
    .execute()
  await askAssignees(
    ctx,
    row,
    people.map(({ user_id }) => String(user_id)),
  )
}

/** The decision in the operate log of the ticket's organization, for those who took it themselves. */
async function log(ctx: Context, row: TicketRow, decision: Decision): Promise<void> {
  if (!ctx.caller || ctx.caller.isServiceAccount) return
  const resource = typedTickets.find(({ name }) => name === 'applyassetticket' && row.type === 'apply_asset') ?? ticket
  await recordAction(
    ctx,
    resource,
    decision,
    { ...row, org_id: row.organization_id },
    { id: row.id, title: row.title, applicant: row.rel_snapshot.applicant, state: row.state },
  )
}

/**
 * Decides the current step of a ticket. The transition, its entry in the history, the messages and the effect of an
 * approval are one transaction. Throws 400 for a ticket that has ended, 403 for who may not decide.
 * @param changes table of what an approver changed, for the history
 * @param level the only level to decide, for somebody who was asked about this one
 */
export async function decide(
  outer: Context,
  id: string,
  decision: Decision,
  by: Decider,
  changes = '',
  level?: number,
): Promise<TicketRow> {
  return outer.transaction(async (ctx) => {
    const before = await currentTicket(ctx, id)
    if (!before) throw alreadyEnded()
    const at = await positionOf(ctx, before)
    const move = transition(at, decision)
    if (!move || (level !== undefined && level !== at.step)) throw alreadyEnded()
    await demandRight(ctx, before, at, decision, by)
    if (decision === 'approve') await demandWaiting(ctx, before)
    await claim(ctx, before, at, move.to)
    const row = {
      ...before,
      status: move.to.status,
      state: move.to.state,
      approval_step: move.to.step as 1 | 2,
      date_updated: ctx.now,
    }
    await settleStep(ctx, row, at.step, move.step, by)
    const closing = move.step === 'closed'
    const author =
      closing && row.applicant_id
        ? { id: row.applicant_id, display: String(row.rel_snapshot.applicant ?? '') }
        : { id: by.id, display: displayOf(by) }
    const entry = say(texts.history, ctx.language, {
      user: author.display,
      state: ticketStates[move.step][ctx.language],
    })
    await addComment(ctx, id, author, changes ? `${entry}\n\n${changes}` : entry, move.step)
    await log(ctx, row, decision)
    await tellApplicant(ctx, row, move.step, author.display)
    if (move.next !== undefined) await beginStep(ctx, row, move.next)
    if (move.to.state !== 'pending')
      await ticketEnded.run(ctx, { row, state: move.to.state, processors: await processorsOf(ctx, id) })
    return row
  })
}

async function processorsOf(ctx: Context, id: string): Promise<string[]> {
  const steps = await ctx.rawDb
    .selectFrom('tickets_step')
    .select('processor_display')
    .where('ticket_id', '=', id)
    .orderBy('level')
    .execute()
  return steps.flatMap(({ processor_display }) => processor_display || [])
}

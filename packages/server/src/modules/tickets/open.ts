import { ticketStates } from '@castellan/contract/choices/tickets'
import { say } from '@castellan/contract/messages'
import { ticketsMessages as texts } from '@castellan/contract/messages/tickets'
import { localStamp } from '../../kernel/fields/timestamps.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, text } from '../../kernel/module/errors.ts'
import { insertRow } from '../../kernel/resource/repository.ts'
import { newRowId } from '../../kernel/resource/row-id.ts'
import { withoutApplicant } from './assignees.ts'
import { askAssignees } from './notices.ts'
import { displayOf } from './steps.ts'
import { type TicketDetails, type TicketRow, ticket } from './ticket.ts'

export interface Applicant {
  id: string
  name: string
  username: string
}

export interface Opening {
  id?: string
  type: 'apply_asset' | 'login_confirm' | 'login_asset_confirm' | 'command_confirm'
  title: string
  orgId: string
  applicant: Applicant
  comment?: string
  details: TicketDetails
  /** Texts of the related objects, which stay when these are deleted. */
  snapshot: Record<string, unknown>
  relevantAsset?: string
  relevantCommand?: string
  levels: readonly { strategy: string; assignees: readonly string[] }[]
}

/** The next number of today in the caller's zone; the row stays locked until the ticket is stored. */
async function nextSerial(ctx: Context): Promise<string> {
  const day = localStamp(ctx.now, ctx.zone).slice(0, 10).replaceAll('-', '')
  const { last } = await ctx.rawDb
    .insertInto('tickets_serial')
    .values({ day, last: 1 })
    .onConflict((conflict) => conflict.column('day').doUpdateSet((eb) => ({ last: eb('tickets_serial.last', '+', 1) })))
    .returning('last')
    .executeTakeFirstOrThrow()
  return `${day}${String(last).padStart(4, '0')}`
}

/** Adds an entry to the history of a ticket. */
export async function addComment(
  ctx: Context,
  ticketId: string,
  author: { id: string | null; display: string },
  body: string,
  state = '',
): Promise<string> {
  const id = newRowId()
  await ctx.rawDb
    .insertInto('tickets_comment')
    .values({
      id,
      ticket_id: ticketId,
      user_id: author.id,
      user_display: author.display,
      body,
      type: state ? 'state' : 'common',
      state,
      date_created: ctx.now,
    })
    .execute()
  return id
}

/**
 * Opens a ticket: number, steps, assignees, first entry of the history, and messages to those who decide first.
 * Throws 400 when nobody could decide one of the levels.
 */
export async function openTicket(outer: Context, opening: Opening): Promise<TicketRow> {
  return outer.transaction(async (ctx) => {
    const { applicant } = opening
    const display = displayOf(applicant)
    const levels = opening.levels.map(({ strategy, assignees }) => ({
      strategy,
      assignees: withoutApplicant(assignees, applicant.id),
    }))
    if (levels.length === 0 || levels.some(({ assignees }) => assignees.length === 0))
      throw badRequest(text(texts.nobody_decides))
    const row = await insertRow(ctx, ticket, {
      id: opening.id ?? newRowId(),
      title: opening.title,
      organization_id: opening.orgId,
      type: opening.type,
      state: 'pending',
      status: 'open',
      approval_step: 1,
      applicant_id: applicant.id,
      comment: opening.comment ?? '',
      serial_num: await nextSerial(ctx),
      rel_snapshot: { applicant: display, ...opening.snapshot },
      details: opening.details,
      relevant_asset: opening.relevantAsset ?? '',
      relevant_command: opening.relevantCommand ?? '',
    })
    for (const [at, { strategy, assignees }] of levels.entries()) {
      const level = at + 1
      await ctx.rawDb
        .insertInto('tickets_step')
        .values({
          ticket_id: row.id,
          level,
          strategy,
          state: 'pending',
          status: level === 1 ? 'active' : 'pending',
          processor_id: '',
          processor_display: '',
          date_decided: ctx.now,
        })
        .execute()
      await ctx.rawDb
        .insertInto('tickets_assignee')
        .values(
          assignees.map((user_id) => ({
            ticket_id: row.id,
            level,
            user_id,
            state: 'pending',
            is_current: level === 1,
          })),
        )
        .execute()
    }
    const entry = say(texts.history, ctx.language, { user: display, state: ticketStates.pending[ctx.language] })
    await addComment(ctx, row.id, { id: applicant.id, display }, entry, 'pending')
    await askAssignees(ctx, row, levels[0]?.assignees ?? [])
    return row
  })
}

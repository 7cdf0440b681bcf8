import { offeredTicketTypes, ticketStates } from '@castellan/contract/choices/tickets'
import type { Message } from '@castellan/contract/messages'
import { ticketsMessages as texts } from '@castellan/contract/messages/tickets'
import type { Context } from '../../kernel/module/context.ts'
import { notifyUsers } from '../notifications/index.ts'
import { siteUrl } from '../settings/index.ts'
import { directLink } from './direct-links.ts'
import type { TicketRow } from './ticket.ts'

/** The page of a ticket in the console. */
export const pageOf = (ctx: Context, row: Pick<TicketRow, 'id' | 'type'>): string =>
  `${siteUrl(ctx)}/ui/#/tickets/tickets/${row.id}?type=${row.type}`

const typeName = (row: TicketRow): Message | string =>
  offeredTicketTypes[row.type as keyof typeof offeredTicketTypes] ?? String(row.type)

const values = (row: TicketRow) => ({
  applicant: String(row.rel_snapshot.applicant ?? ''),
  title: row.title,
  type: typeName(row),
  serial: row.serial_num,
  comment: row.comment || '-',
})

/** Asks the assignees of the current step. The mail leads to the page with two buttons, the message to the ticket. */
export async function askAssignees(ctx: Context, row: TicketRow, assignees: readonly string[]): Promise<void> {
  const direct = await directLink(ctx, { ticketId: row.id, level: Number(row.approval_step) })
  await notifyUsers(ctx, assignees, {
    subject: texts.asked_subject,
    body: texts.asked_body,
    values: values(row),
    link: pageOf(ctx, row),
    mailLink: `${siteUrl(ctx)}${direct}`,
  })
}

/** Tells the applicant what was decided, and by whom. */
export async function tellApplicant(
  ctx: Context,
  row: TicketRow,
  state: keyof typeof ticketStates,
  processor: string,
): Promise<void> {
  if (!row.applicant_id) return
  await notifyUsers(ctx, [row.applicant_id], {
    subject: texts.processed_subject,
    body: texts.processed_body,
    values: { ...values(row), state: ticketStates[state] as Message, processor },
    link: pageOf(ctx, row),
  })
}

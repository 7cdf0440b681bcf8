import { ticketsMessages as texts } from '@castellan/contract/messages/tickets'
import { computed, describedAs, type Field, longText, normalUuid } from '../../kernel/fields/index.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { created, defineRoute, type Handling } from '../../kernel/http/route.ts'
import { listOf, pagedReply } from '../../kernel/lists/paging.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, notFound, text } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { findById } from '../../kernel/resource/repository.ts'
import { addComment } from './open.ts'
import { displayOf } from './steps.ts'
import { ticket } from './ticket.ts'

const shown = computed('field', { wire: () => '' })
const fields: Record<string, Field> = {
  id: describedAs({ ...shown, type: 'string' }, { read_only: false }),
  body: { ...longText({ required: true }), order: false },
  user_display: { ...shown, type: 'string' },
  date_created: { ...shown, type: 'datetime' },
  date_updated: { ...shown, type: 'datetime' },
}

/** The ticket whose history is asked for, if the caller takes part in it. */
async function ticketOf({ ctx, request }: Handling): Promise<string> {
  const id = normalUuid(request.query.ticket_id)
  const row = id && (await findById(ctx, ticket, id))
  if (!row) throw badRequest(text(texts.no_such_ticket))
  return row.id
}

async function commentsOf(ctx: Context, ticketId: string) {
  const rows = await ctx.rawDb
    .selectFrom('tickets_comment')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .orderBy('date_created')
    .orderBy('id')
    .execute()
  return rows.map((row) => {
    const at = formatTimestamp(Number(row.date_created), ctx.zone)
    return {
      id: row.id,
      body: row.body,
      user_display: row.user_display,
      user: row.user_id,
      ticket: ticketId,
      date_created: at,
      date_updated: at,
    }
  })
}

const path = '/api/v1/tickets/comments/'

export const commentRoutes = [
  defineRoute({
    method: 'GET',
    path,
    requires: 'tickets.view_ticket',
    summary: 'The history of a ticket',
    fields: { GET: fields },
    listed: true,
    handle: async (handling) =>
      pagedReply(handling.ctx, handling.request, listOf(await commentsOf(handling.ctx, await ticketOf(handling)))),
  }),
  defineRoute({
    method: 'POST',
    path,
    requires: 'tickets.view_ticket',
    summary: 'Comment on a ticket',
    statuses: [201],
    fields: { POST: fields },
    async handle(handling) {
      const { ctx, request } = handling
      const id = await ticketOf(handling)
      const { body } = readBody<{ body: string }>(ctx, { body: longText({ required: true }) as Field }, request.body)
      const comment = await addComment(ctx, id, { id: ctx.me.id, display: displayOf(ctx.me) }, body)
      return created((await commentsOf(ctx, id)).find((one) => one.id === comment))
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${path}:id/`,
    requires: 'tickets.view_ticket',
    summary: 'One comment of a ticket',
    async handle(handling) {
      const found = (await commentsOf(handling.ctx, await ticketOf(handling))).find(
        ({ id }) => id === normalUuid(handling.request.params.id),
      )
      if (!found) throw notFound(texts.comment)
      return found
    },
  }),
]

import { ticketStates, ticketStatuses } from '@castellan/contract/choices/tickets'
import { errors } from '@castellan/contract/messages/errors'
import { ticketsMessages as texts } from '@castellan/contract/messages/tickets'
import { batches } from '../../db/batches.ts'
import { type Field, json, normalUuid, uuid, uuidsOf } from '../../kernel/fields/index.ts'
import { columnsFor, importRoute } from '../../kernel/files/import.ts'
import { created, defineRoute, type Handling, noContent, Reply, type Route } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import {
  badRequest,
  failureAs,
  invalid,
  methodNotAllowed,
  notFound,
  permissionDenied,
  text,
} from '../../kernel/module/errors.ts'
import { nameOf } from '../../kernel/module/texts.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { findAll, findById, getById } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { reportableSessions, type SessionRow } from '../terminal/index.ts'
import { currentTicket, decide } from './decide.ts'
import type { Decision } from './state-machine.ts'
import { stepsOf } from './steps.ts'
import { assetTicket, type TicketRow, ticket, typedTickets } from './ticket.ts'
import { linkSession } from './waiting.ts'

const collections = [ticket, ...typedTickets] as const
type Collection = (typeof collections)[number]

const act =
  (resource: Collection, decision: Decision) =>
  async ({ ctx, request }: Handling): Promise<unknown> => {
    const row = await getById(ctx, resource, normalUuid(request.params.id) ?? '')
    await decide(ctx, row.id, decision, ctx.me)
    return 'ok'
  }

const route = (resource: Collection, decision: Decision): Route =>
  defineRoute({
    method: decision === 'approve' ? ['PUT', 'PATCH'] : 'PUT',
    path: `${resource.url}:id/${decision}/`,
    requires: 'valid',
    summary: `Decide a ticket: ${decision}`,
    describes: resource.url,
    handle: act(resource, decision),
  })

const ticketIds: Field<string[], 'own'> = { ...json<string[]>({ required: true }), type: 'list', parse: uuidsOf }

/** Those of the tickets whose current step the caller is asked to decide. */
async function askedAbout(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of batches(ids)) {
    const rows = await ctx.rawDb
      .selectFrom('tickets_assignee')
      .select('ticket_id')
      .where('ticket_id', 'in', some)
      .where('user_id', '=', ctx.me.id)
      .where('is_current', '=', true)
      .execute()
    for (const { ticket_id } of rows) found.add(String(ticket_id))
  }
  return found
}

/** Decides several tickets in turn; each decision stands even if a later one fails. */
async function decideMany(resource: Collection, { ctx, request }: Handling): Promise<unknown> {
  const { action } = request.query
  if (action !== 'approve' && action !== 'reject') throw failureAs(400, 'error', text(texts.unknown_action))
  const { tickets } = readBody<{ tickets: string[] }>(ctx, { tickets: ticketIds as Field }, request.body)
  const rows = await findAll(ctx, resource, (query) =>
    query.where('t.id', 'in', tickets).where('t.state', '=', 'pending' as never),
  )
  const asked = await askedAbout(
    ctx,
    rows.map(({ id }) => id),
  )
  const visible = new Set(rows.map(({ id }) => id))
  // Named twice, a ticket must not pass two levels.
  for (const id of new Set(tickets)) {
    if (!visible.has(id)) continue
    if (!asked.has(id)) throw failureAs(400, 'error', text(texts.not_assignee))
    await decide(ctx, id, action, ctx.me)
  }
  return 'ok'
}

const bulkRoute = (resource: Collection): Route =>
  defineRoute({
    method: 'PUT',
    path: `${resource.url}bulk/`,
    requires: 'tickets.view_ticket',
    summary: 'Decide several tickets',
    transaction: 'none',
    fields: { PUT: { tickets: ticketIds as Field } },
    handle: (handling) => decideMany(resource, handling),
  })

/** A ticket is approved at the address of its type, with what that type needs. */
const plainApproval = defineRoute({
  method: ['PUT', 'PATCH'],
  path: `${ticket.url}:id/approve/`,
  requires: 'valid',
  summary: 'Refused: a ticket is approved at the address of its type',
  statuses: [405],
  handle: ({ request }) => {
    throw methodNotAllowed(request.method, ['OPTIONS'])
  },
})

/** Requests are opened at the address of their type. */
const plainOpening = defineRoute({
  method: 'POST',
  path: `${ticket.url}open/`,
  requires: 'tickets.view_ticket',
  summary: 'Refused: requests are opened at the address of their type',
  statuses: [405],
  describes: ticket.url,
  handle: ({ request }) => {
    throw methodNotAllowed(request.method, ['OPTIONS'])
  },
})

/** Types that only the system opens. */
const closedOpenRoutes = typedTickets
  .filter((resource) => resource !== assetTicket)
  .map((resource) =>
    defineRoute({
      method: 'POST',
      path: `${resource.url}open/`,
      requires: 'tickets.view_ticket',
      summary: 'Refused: these tickets are opened by a rule',
      describes: resource.url,
      handle: () => {
        throw badRequest(text(texts.no_flow))
      },
    }),
  )

/** What waits for a ticket needs to know of it. */
export async function statusOf(ctx: Context, id: string | undefined) {
  const row = await currentTicket(ctx, normalUuid(id) ?? '')
  if (!row) throw notFound(nameOf(ticket))
  const steps = (await stepsOf(ctx, [row.id])).get(row.id) ?? []
  const [state, status] = [row.state as keyof typeof ticketStates, row.status as keyof typeof ticketStatuses]
  return {
    id: row.id,
    status: { value: status, label: ticketStatuses[status][ctx.language] },
    state: { value: state, label: ticketStates[state][ctx.language] },
    processor: steps.findLast(({ processor_display }) => processor_display)?.processor_display ?? '',
  }
}

const superPath = '/api/v1/tickets/super-tickets/:id/status/'
const superRoutes = [
  defineRoute({
    method: 'GET',
    path: superPath,
    requires: 'tickets.view_superticket',
    summary: 'The state of any ticket, for a component that waits for it',
    handle: ({ ctx, request }) => statusOf(ctx, request.params.id),
  }),
  defineRoute({
    method: 'DELETE',
    path: superPath,
    requires: 'tickets.change_superticket',
    summary: 'Close any ticket, as a component whose user has left',
    statuses: [204],
    async handle({ ctx, request }) {
      const { id } = await statusOf(ctx, request.params.id)
      // Only a component acts for users; anybody else closes what they may close as themselves.
      await decide(ctx, id, 'close', { ...ctx.me, system: ctx.me.isServiceAccount })
      return noContent()
    },
  }),
]

const relationFields = {
  ticket: { ...uuid({ required: true, nullable: false }), type: 'field' as const },
  session: { ...uuid({ required: true, nullable: false }), type: 'field' as const },
}

/** Whether an approved ticket is the one of a session: its assignees may watch and end that session. */
const allowsSession = ({ type, state, details, organization_id }: TicketRow, session: SessionRow): boolean =>
  type === 'login_asset_confirm' &&
  state === 'approved' &&
  organization_id === session.org_id &&
  details.user === session.user_id &&
  details.asset === session.asset_id

const relations = '/api/v1/tickets/ticket-session-relation/'
const sessionRoutes = [
  importRoute({
    url: relations,
    title: 'links of tickets and sessions',
    requires: 'tickets.add_ticketsession',
    fields: relationFields as unknown as Record<string, Field>,
    columns: columnsFor('tickets', relationFields as unknown as Record<string, Field>),
  }),
  defineRoute({
    method: 'POST',
    path: relations,
    requires: 'tickets.add_ticketsession',
    summary: 'Link the session that an approval allowed',
    statuses: [201],
    fields: { POST: relationFields as unknown as Record<string, Field> },
    async handle({ ctx, request }) {
      const sent = readBody<{ ticket: string; session: string }>(ctx, relationFields, request.body)
      const linked = await currentTicket(ctx, sent.ticket)
      if (!linked) throw invalid({ ticket: [text(errors.does_not_exist, { pk: sent.ticket })] })
      const session = (await findById(ctx.acrossOrgs(), findResource('terminal.session'), sent.session)) as
        | SessionRow
        | undefined
      if (!session) throw invalid({ session: [text(errors.does_not_exist, { pk: sent.session })] })
      if (!(await reportableSessions(ctx, [session.id])).has(session.id)) throw permissionDenied()
      if (!allowsSession(linked, session)) throw invalid({ ticket: [text(texts.other_session)] })
      await linkSession(ctx, sent.ticket, sent.session)
      return created(sent)
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${ticket.url}:id/session/`,
    requires: 'tickets.view_ticket',
    summary: 'The session that this ticket allowed',
    async handle({ ctx, request }) {
      const row = await getById(ctx, ticket, normalUuid(request.params.id) ?? '')
      const link = await ctx.rawDb
        .selectFrom('tickets_ticketsession')
        .select('session_id')
        .where('ticket_id', '=', row.id)
        .executeTakeFirst()
      const session = findResource('terminal.session')
      const stored =
        link &&
        (await ctx.acrossOrganizations
          .selectFrom(session.table)
          .selectAll()
          .where('id', '=', link.session_id)
          .executeTakeFirst())
      return stored ? serializeOne(ctx.acrossOrgs(), session, session.decode(stored)) : new Reply(404)
    },
  }),
]

export const ticketRoutes: Route[] = [
  ...collections.flatMap((resource) => [route(resource, 'reject'), route(resource, 'close')]),
  ...typedTickets.filter((resource) => resource !== assetTicket).map((resource) => route(resource, 'approve')),
  plainApproval,
  plainOpening,
  ...typedTickets.map(bulkRoute),
  ...closedOpenRoutes,
  ...superRoutes,
  ...sessionRoutes,
]

import { ticketsMessages } from '@castellan/contract/messages/tickets'
import type { Context } from '../../kernel/module/context.ts'
import { on, provide } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { organizationDeleting } from '../orgs/index.ts'
import { approvalDecided, ticketSessions } from '../terminal/index.ts'
import { assetRequestRoutes, grantPermission } from './apply-asset.ts'
import { closeAbandoned } from './close-abandoned.ts'
import { commentRoutes } from './comments.ts'
import { type EndedTicket, ticketEnded } from './decide.ts'
import { directApprovalRoutes } from './direct-approval.ts'
import { ensureFlow, flowRoutes, ticketFlow } from './flow.ts'
import { requestableRoute } from './requestable.ts'
import { ticketRoutes } from './routes.ts'
import { assigneeTable, commentTable, serialTable, stepTable, ticketSessionTable } from './tables.ts'
import { ticket, typedTickets } from './ticket.ts'
import { isWaitedFor, sessionsReviewedBy } from './waiting.ts'

export { able as peopleAsked } from './assignees.ts'
export { closeAbandoned } from './close-abandoned.ts'
export { currentTicket, decide, type EndedTicket, ticketEnded } from './decide.ts'
export { pageOf } from './notices.ts'
export { type Opening, openTicket } from './open.ts'
export { assigneeNames } from './steps.ts'
export type { TicketRow } from './ticket.ts'
export { executionOf, linkSession, longestWait, outcomeOf, sessionsReviewedBy, waitingInfo } from './waiting.ts'

/** Components that wait for an approval look at it now. */
const announceDecision = async (ctx: Context, { row }: EndedTicket): Promise<void> => {
  if (isWaitedFor(row)) await ctx.publish(approvalDecided, {})
}

export const tickets = defineModule({
  app: 'tickets',
  texts: ticketsMessages,
  resources: [ticket, ...typedTickets, ticketFlow],
  tables: [stepTable, assigneeTable, commentTable, serialTable, ticketSessionTable],
  routes: [
    requestableRoute,
    ...assetRequestRoutes,
    ...ticketRoutes,
    ...commentRoutes,
    ...flowRoutes,
    ...directApprovalRoutes,
  ],
  jobs: [closeAbandoned],
  hooks: [ticketEnded],
  provides: [provide(ticketSessions, sessionsReviewedBy)],
  listens: [
    on(ticketEnded, announceDecision),
    on(ticketEnded, grantPermission),
    on(organizationDeleting, async (ctx, { id }) => {
      await ctx.acrossOrganizations.deleteFrom('tickets_flow').where('organization_id', '=', id).execute()
    }),
  ],
  seed: ensureFlow,
})

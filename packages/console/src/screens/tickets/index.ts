import { detail, form, list } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

const details = () => import('./ticket-detail.tsx')
const flows = () => import('./flows.tsx')
const flowForm = form(async () => (await flows()).form)

export const screens: readonly Screen[] = [
  screen(
    'MyTicketList',
    'myTickets',
    list(async () => (await import('./lists.tsx')).myTickets()),
  ),
  screen(
    'AssignedTicketList',
    'assignedTickets',
    list(async () => (await import('./lists.tsx')).assignedTickets()),
  ),
  screen(
    'RequestAssetPermTicketCreateUpdate',
    'assetRequest',
    form(async () => (await import('./asset-request.tsx')).form),
  ),
  screen(
    'AssetsTicketDetail',
    'ticketDetail',
    detail(async () => (await details()).assetRequest),
  ),
  screen(
    'LoginAssetTicketDetail',
    'ticketDetail',
    detail(async () => (await details()).assetSignIn),
  ),
  screen(
    'LoginTicketDetail',
    'ticketDetail',
    detail(async () => (await details()).signIn),
  ),
  screen(
    'CommandConfirmDetail',
    'ticketDetail',
    detail(async () => (await details()).command),
  ),
  screen(
    'TicketDetail',
    'ticketDetail',
    detail(async () => (await details()).anyTicket),
  ),
  screen(
    'TicketFlow',
    'ticketFlows',
    list(async () => (await flows()).list),
  ),
  screen('TicketFlowCreate', 'ticketFlowCreate', flowForm),
  screen('TicketFlowUpdate', 'ticketFlowUpdate', flowForm),
  screen(
    'FlowDetail',
    'ticketFlowDetail',
    detail(async () => (await flows()).detail),
  ),
]

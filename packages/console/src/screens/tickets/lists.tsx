import { pathOf } from '@castellan/contract/routes'
import { collectionOf, pageOf, ticketState, typeOf } from '../../domain/tickets/ticket.tsx'
import { call } from '../../kit/api/client.ts'
import type { BatchAction, ListSpec } from '../../kit/list/spec.ts'
import type { Row } from '../../kit/row.ts'
import { rawOf } from '../../kit/row.ts'
import { session } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

const url = '/api/v1/tickets/tickets/'

const shared = {
  url,
  resource: 'tickets.ticket',
  noun: 'ticket',
  columns: {
    shown: ['title', 'serial_num', 'type', 'state', 'status', 'date_created'],
    exclude: ['process_map', 'rel_snapshot'],
    fixed: ['title'],
    cells: { state: { render: ticketState, width: 130 } },
  },
  row: { nameColumn: 'title', link: pageOf },
  card: { badge: ticketState, time: 'date_created' },
  files: { import: false, export: false },
} as const

/** The tickets that the user has opened. */
export const myTickets = (): ListSpec<Row, string> => ({
  ...shared,
  id: 'MyTicketList',
  data: { query: { applicant: session().profile.id } },
  texts: { empty: 'myTicketsEmpty' },
  actions: {
    create: { label: 'assetRequestCreate', to: pathOf('RequestAssetPermTicketCreateUpdate'), visible: true },
    ...{ update: false, clone: false, remove: false },
  },
  bulk: false,
})

/** Decides the selected tickets, one call for each of their types. */
const decideAll = (decision: 'approve' | 'reject', danger: boolean): BatchAction => ({
  key: decision,
  label: t(decision === 'approve' ? 'ticketApprove' : 'ticketReject'),
  danger,
  async run({ rows, reload, clear }) {
    const byType = Map.groupBy(
      rows.filter((row) => rawOf(row.status) === 'open'),
      typeOf,
    )
    for (const [type, some] of byType)
      await call(`${collectionOf(type)}bulk/?action=${decision}`, {
        method: 'PUT',
        body: { tickets: some.map(({ id }) => id) },
      })
    toast.ok(t('ticketsDecided'))
    clear()
    reload()
  },
})

/** The tickets that wait for a decision of the user. */
export const assignedTickets = (): ListSpec<Row, string> => ({
  ...shared,
  id: 'AssignedTicketList',
  data: { query: { assignees__id: session().profile.id } },
  texts: { empty: 'assignedTicketsEmpty' },
  actions: { update: false, clone: false, remove: false },
  bulk: { actions: [decideAll('approve', false), decideAll('reject', true)] },
})

/** Collections, pages and states of tickets. */
import { pathOf, type RouteName } from '@castellan/contract/routes'
import { type Row, rawOf, wordOf } from '../../kit/row.ts'
import { Status } from '../../kit/status.tsx'

/** The collection and the page of each type. */
const types: Readonly<Record<string, { collection: string; page: RouteName }>> = {
  apply_asset: { collection: 'apply-asset-tickets', page: 'AssetsTicketDetail' },
  login_confirm: { collection: 'apply-login-tickets', page: 'LoginTicketDetail' },
  login_asset_confirm: { collection: 'apply-login-asset-tickets', page: 'LoginAssetTicketDetail' },
  command_confirm: { collection: 'apply-command-tickets', page: 'CommandConfirmDetail' },
}

export const typeOf = (row: Row): string => String(rawOf(row.type))
export const collectionOf = (type: string): string => `/api/v1/tickets/${types[type]?.collection ?? 'tickets'}/`
export const pageOf = (row: Row): string =>
  pathOf(types[typeOf(row)]?.page ?? 'TicketDetail').replace(':id', encodeURIComponent(row.id))

/** The state of a ticket in its color. */
export function ticketState(row: Row) {
  const state = rawOf(row.state)
  const tone = state === 'approved' ? 'ok' : state === 'rejected' ? 'danger' : state === 'closed' ? 'idle' : 'warning'
  return <Status is={tone}>{wordOf(row.state)}</Status>
}

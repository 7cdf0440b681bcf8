import { pathOf } from '@castellan/contract/routes'
import { call } from '../../kit/api/client.ts'
import type { ListSpec } from '../../kit/list/spec.ts'
import { can } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'

const url = '/api/v1/authentication/connection-token/'

/** What the user's connections are authorized by, until they expire. */
export const list: ListSpec<WireRow<typeof url>> = {
  id: 'ConnectionToken',
  url,
  path: pathOf('ConnectionToken'),
  resource: 'authentication.connectiontoken',
  noun: 'connectionToken',
  texts: { empty: 'connectionTokensEmpty', help: 'connectionTokensHelp' },
  row: { nameColumn: 'id', link: () => undefined },
  card: { time: 'date_expired', subtitle: (row) => `${row.asset_display} · ${row.account}` },
  columns: {
    shown: ['id', 'asset_display', 'account', 'connect_method', 'date_expired'],
    fixed: ['id'],
    // Whoever holds it can open the connection; clients of the contract still read it from the API.
    exclude: ['value'],
    cells: { id: { width: 320, mono: true } },
  },
  actions: {
    clone: false,
    row: [
      {
        key: 'expire',
        label: t('expireNow'),
        visible: (row) => !row.is_expired && can('authentication.expire_connectiontoken'),
        run: async (row, acting) => {
          await call(`${url}${row.id}/expire/`, { method: 'PATCH' })
          acting.reload()
        },
      },
    ],
  },
  bulk: false,
  files: { import: false, export: false },
}

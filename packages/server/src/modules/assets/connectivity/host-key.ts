import { computed, datetime, integer, one, text } from '../../../kernel/fields/index.ts'
import { defineResource } from '../../../kernel/resource/resource.ts'
import { decideRedirect } from '../redirects.ts'

/**
 * SSH host keys that targets have shown, per asset, port and algorithm. The first one seen is pinned; from then on
 * only a pinned key passes, until an administrator accepts another one by removing it or by `accept/`.
 */
export const hostKey = defineResource({
  app: 'assets',
  name: 'hostkey',
  path: 'host-keys',
  scope: 'org',
  requires: { list: 'assets.view_asset', retrieve: 'assets.view_asset', delete: 'assets.change_asset' },
  verbs: ['list', 'retrieve', 'delete'],
  fields: {
    asset: {
      ...one('assets.asset', { attrs: ['id', 'name', 'address'], onDelete: 'cascade', readOnly: true }),
      filter: true,
    },
    port: integer({ readOnly: true, filter: true }),
    algorithm: text({ readOnly: true, filter: true }),
    fingerprint: text({ readOnly: true, filter: true }),
    public_key: text({ readOnly: true }),
    /** A different key that the host presented, until an administrator decides about it; empty if none. */
    offered_fingerprint: text({ readOnly: true }),
    offered_algorithm: text({ readOnly: true }),
    changed: computed('boolean', { wire: (_value, _ctx, row) => row.offered_fingerprint !== '' }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  },
  columns: {
    offered_public_key: text(),
  },
  unique: [['asset_id', 'port', 'algorithm']],
  search: ['fingerprint', 'offered_fingerprint'],
  orderable: ['date_created', 'date_updated', 'port', 'algorithm'],
  defaultOrder: ['-date_updated'],
  hooks: {
    // Without a pinned key, the next machine that answers is trusted.
    beforeDelete: (ctx, rows) =>
      decideRedirect(
        ctx,
        rows.map(({ asset_id }) => asset_id),
      ),
  },
  alwaysLogged: true,
  display: (row) => `${row.algorithm} ${row.fingerprint}`,
})

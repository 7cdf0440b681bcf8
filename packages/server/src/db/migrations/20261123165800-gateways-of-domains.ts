import type { Migration } from '../migration.ts'

/** Why: the times of gateways are shown, and sessions name the gateway they lead through. */
export const migration: Migration = {
  name: '20261123165800-gateways-of-domains',
  async up({ createTable, addColumn }) {
    await createTable({
      name: 'assets_gatewaytime',
      columns: {
        gateway_id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
        milliseconds: { type: 'integer', nullable: true },
        reason: { type: 'json', nullable: true },
        date_tested: { type: 'timestamp' },
      },
      primaryKey: ['gateway_id'],
      unique: [],
      indexes: [],
    })
    await addColumn('terminal_session', 'gateway', { type: 'text', nullable: true })
  },
}

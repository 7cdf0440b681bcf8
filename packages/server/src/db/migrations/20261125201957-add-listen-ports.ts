import type { Migration } from '../migration.ts'

/** Clients of Oracle cannot name the database they want, so each database has a port of its own. */
export const migration: Migration = {
  name: '20261125201957-add-listen-ports',
  async up({ createTable }) {
    await createTable({
      name: 'terminal_listenport',
      columns: {
        port: { type: 'integer' },
        asset_id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
      },
      primaryKey: ['port'],
      unique: [['asset_id']],
      indexes: [],
    })
  },
}

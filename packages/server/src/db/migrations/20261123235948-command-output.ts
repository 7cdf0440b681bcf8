import type { Migration } from '../migration.ts'

/** Why: what hosts print is read while a job runs, and kept for its audit. */
export const migration: Migration = {
  name: '20261123235948-command-output',
  async up({ createTable }) {
    await createTable({
      name: 'ops_executionoutput',
      columns: {
        id: { type: 'serial' },
        execution_id: { type: 'uuid' },
        asset_id: { type: 'uuid' },
        stream: { type: 'text' },
        text: { type: 'text' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['execution_id', 'id'], ['execution_id', 'asset_id', 'id'], ['date_created']],
    })
  },
}

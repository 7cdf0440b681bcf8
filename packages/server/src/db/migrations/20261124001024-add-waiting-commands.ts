import type { Migration } from '../migration.ts'

/** Commands wait here for storages outside of the server, so that none is lost while one is unreachable. */
export const migration: Migration = {
  name: '20261124001024-add-waiting-commands',
  async up({ createTable }) {
    await createTable({
      name: 'terminal_waitingcommand',
      columns: {
        id: { type: 'uuid' },
        storage_id: { type: 'uuid' },
        state: { type: 'text' },
        body: { type: 'text' },
        error: { type: 'text', nullable: true },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [
        ['storage_id', 'state', 'id'],
        ['state', 'date_created'],
      ],
    })
  },
}

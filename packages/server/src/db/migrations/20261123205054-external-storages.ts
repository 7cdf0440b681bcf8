import type { Migration } from '../migration.ts'

/** Storages outside of the server: their details with sealed secrets, and which files are there or wait for them. */
export const migration: Migration = {
  name: '20261123205054-external-storages',
  async up({ createTable, addColumn }) {
    await createTable({
      name: 'terminal_storedfile',
      columns: {
        id: { type: 'uuid' },
        path: { type: 'path' },
        storage_id: { type: 'uuid' },
        state: { type: 'text' },
        size: { type: 'integer', nullable: true },
        sha256: { type: 'text', nullable: true },
        error: { type: 'text', nullable: true },
        attempts: { type: 'integer' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [['path']],
      indexes: [['storage_id', 'state', 'id'], ['date_created']],
    })
    await addColumn('terminal_commandstorage', 'meta', { type: 'json', nullable: true })
    await addColumn('terminal_replaystorage', 'meta', { type: 'json', nullable: true })
  },
}

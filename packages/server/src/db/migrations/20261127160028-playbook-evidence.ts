import type { Migration } from '../migration.ts'

/**
 * Why: a playbook writes the events that its log shows. What the worker itself knows, the files of a run and the commands it
 * carried to hosts, is kept beside them.
 */
export const migration: Migration = {
  name: '20261127160028-playbook-evidence',
  async up({ createTable }) {
    await createTable({
      name: 'ops_executionfile',
      columns: {
        execution_id: { type: 'uuid' },
        path: { type: 'path' },
        size: { type: 'integer' },
        sha256: { type: 'text' },
        content: { type: 'text' },
        is_whole: { type: 'boolean' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['execution_id', 'path'],
      unique: [],
      indexes: [['date_created']],
    })
    await createTable({
      name: 'ops_carriedcommand',
      columns: {
        id: { type: 'uuid' },
        execution_id: { type: 'uuid' },
        number: { type: 'integer' },
        asset_id: { type: 'uuid' },
        asset: { type: 'text' },
        account: { type: 'text' },
        command: { type: 'text' },
        input: { type: 'text' },
        input_size: { type: 'integer' },
        input_sha256: { type: 'text' },
        status: { type: 'integer', nullable: true },
        date_end: { type: 'timestamp', nullable: true },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['execution_id', 'number'], ['date_created']],
    })
  },
}

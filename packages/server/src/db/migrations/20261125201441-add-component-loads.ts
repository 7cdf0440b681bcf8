import type { Migration } from '../migration.ts'

/** The history that the graphs of a component show; heartbeats themselves are kept for minutes only. */
export const migration: Migration = {
  name: '20261125201441-add-component-loads',
  async up({ createTable }) {
    await createTable({
      name: 'terminal_componentload',
      columns: {
        component_id: { type: 'uuid', references: 'terminal_terminal.id', onDelete: 'cascade' },
        span: { type: 'integer' },
        at: { type: 'timestamp' },
        session_online: { type: 'integer' },
        cpu_load: { type: 'float' },
        memory_used: { type: 'float' },
        disk_used: { type: 'float' },
        measured: { type: 'integer' },
      },
      primaryKey: ['component_id', 'span', 'at'],
      unique: [],
      indexes: [['span', 'at']],
    })
  },
}

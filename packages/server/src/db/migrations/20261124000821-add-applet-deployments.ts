import type { Migration } from '../migration.ts'

/** Each set-up of a host, and each installation of applications on it, is listed with its outcome. */
export const migration: Migration = {
  name: '20261124000821-add-applet-deployments',
  async up({ createTable }) {
    await createTable({
      name: 'terminal_applethostdeployment',
      columns: {
        id: { type: 'uuid' },
        host_id: { type: 'uuid', nullable: false, references: 'assets_asset.id', onDelete: 'cascade' },
        status: { type: 'text', nullable: false },
        task: { type: 'uuid', nullable: true },
        comment: { type: 'text', nullable: false },
        date_start: { type: 'timestamp', nullable: true },
        date_finished: { type: 'timestamp', nullable: true },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['host_id'], ['task']],
    })
  },
}

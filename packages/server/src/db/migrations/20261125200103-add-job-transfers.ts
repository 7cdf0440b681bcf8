import type { Migration } from '../migration.ts'

/** Quick jobs that move files: what they move. Jobs that run commands and playbooks have none. */
export const migration: Migration = {
  name: '20261125200103-add-job-transfers',
  async up({ addColumn }) {
    await addColumn('ops_job', 'transfer', { type: 'json', nullable: true })
  },
}

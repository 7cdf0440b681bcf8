import type { Migration } from '../migration.ts'

/** Why: only the component that reported a transfer may complete it. */
export const migration: Migration = {
  name: '20261123070755-ftp-log-component',
  async up({ addColumn }) {
    await addColumn('audits_ftplog', 'terminal_id', { type: 'uuid', nullable: true })
  },
}

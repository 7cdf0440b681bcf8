import type { Migration } from '../migration.ts'

/**
 * Who may not see secrets decided about an asset, and which secrets were entrusted to that decision. What is there already
 * is trusted: nobody can tell who decided it.
 */
export const migration: Migration = {
  name: '20261127154635-mark-unconfirmed-destinations',
  async up({ createTable, addColumn }) {
    await createTable({
      name: 'assets_unconfirmed',
      columns: {
        subject_id: { type: 'uuid' },
        what: { type: 'text' },
        decision: { type: 'uuid' },
        user_id: { type: 'uuid' },
        user_name: { type: 'text' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['subject_id', 'what'],
      unique: [],
      indexes: [],
    })
    await addColumn('accounts_account', 'entrusted', { type: 'text', nullable: false }, '')
    await addColumn('accounts_changesecretautomation', 'secret_by', { type: 'uuid', nullable: true })
    await addColumn('accounts_pushaccountautomation', 'secret_by', { type: 'uuid', nullable: true })
    await addColumn('accounts_changesecretrecord', 'entrusted', { type: 'text', nullable: false }, '')
  },
}

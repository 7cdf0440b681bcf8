import type { Migration } from '../migration.ts'

/** Why: detects that a secret is sent to another destination than before. */
export const migration: Migration = {
  name: '20261123071653-secret-sent-to',
  async up({ addColumn }) {
    await addColumn('accounts_account', 'sent_to', { type: 'json', nullable: true })
  },
}

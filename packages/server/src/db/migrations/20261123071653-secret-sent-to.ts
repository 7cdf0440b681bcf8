import type { Migration } from '../migration.ts'

/** Why: a secret that is sent to another place than before is noticed. */
export const migration: Migration = {
  name: '20261123071653-secret-sent-to',
  async up({ addColumn }) {
    await addColumn('accounts_account', 'sent_to', { type: 'json', nullable: true })
  },
}

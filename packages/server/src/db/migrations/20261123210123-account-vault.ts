import type { Migration } from '../migration.ts'

/** Why: secrets of accounts may be kept in an external vault, and it must be known what it holds. */
export const migration: Migration = {
  name: '20261123210123-account-vault',
  async up({ createTable }) {
    await createTable({
      name: 'accounts_vaultentry',
      columns: {
        path: { type: 'text' },
        owner: { type: 'text' },
        owner_id: { type: 'text' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['path'],
      unique: [['owner', 'owner_id']],
      indexes: [],
    })
  },
}

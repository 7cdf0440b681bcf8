import type { Migration } from '../migration.ts'

/** Access keys store their secret encrypted, in a column of its own name. */
export const migration: Migration = {
  name: '20261121121424-access-key-secrets',
  async up({ addColumn, createIndex }) {
    await addColumn('authentication_accesskey', 'sealed_secret', { type: 'text', nullable: true })
    await createIndex('authentication_accesskey', ['user_id'], false)
  },
}

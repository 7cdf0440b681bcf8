import type { Migration } from '../migration.ts'
import { indexName } from '../schema.ts'

/**
 * Why: counting people asked for the components among them, and found those by reading through all people. This index
 * serves the pages of people as the earlier one did, and finds the few components at once.
 */
export const migration: Migration = {
  name: '20261121143528-people-before-components',
  async up({ db, createIndex }) {
    await createIndex('users_user', ['is_service_account', 'name', 'id'])
    await db.schema.dropIndex(indexName('users_user', ['name', 'id', 'is_service_account'], false)).execute()
  },
}

import type { Migration } from '../migration.ts'
import { indexName } from '../schema.ts'

/**
 * Why: counting users excluded components, which were found by reading all users. This index serves the pages of users
 * as the earlier one did, and finds the few components directly.
 */
export const migration: Migration = {
  name: '20261121143528-people-before-components',
  async up({ db, createIndex }) {
    await createIndex('users_user', ['is_service_account', 'name', 'id'])
    await db.schema.dropIndex(indexName('users_user', ['name', 'id', 'is_service_account'], false)).execute()
  },
}

import type { Migration } from '../migration.ts'
import { indexName } from '../schema.ts'

/**
 * Why: a deep page of people or of assets of one category read every row before it. These indexes end with what makes
 * the order whole and hold what the condition asks for, so stepping over rows stays inside the index.
 */
export const migration: Migration = {
  name: '20261121132200-page-order-indexes',
  async up({ db, createIndex }) {
    await createIndex('users_user', ['name', 'id', 'is_service_account'])
    await db.schema.dropIndex(indexName('users_user', ['name'], false)).execute()
    await createIndex('assets_asset', ['org_id', 'category', 'name', 'id'])
    await db.schema.dropIndex(indexName('assets_asset', ['org_id', 'category', 'name'], false)).execute()
  },
}

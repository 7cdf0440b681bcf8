import type { Migration } from '../migration.ts'
import { indexName } from '../schema.ts'

/**
 * Why: a deep page of users or of assets of one category read every row before it. These indexes end with the id, which
 * makes the order total, and contain the filtered columns, so skipping rows uses the index only.
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

import type { Migration } from '../migration.ts'
import { indexName } from '../schema.ts'

/** Pages of a million records, all of them or those of one execution, are read from an index alone. */
export const migration: Migration = {
  name: '20261125210744-index-secret-records',
  async up({ db, createIndex }) {
    await db.schema.dropIndex(indexName('accounts_changesecretrecord', ['org_id', 'date_created'], false)).execute()
    await createIndex('accounts_changesecretrecord', ['org_id', 'date_created', 'id'], false)
    await createIndex('accounts_changesecretrecord', ['org_id', 'execution_id', 'date_created', 'id'], false)
  },
}

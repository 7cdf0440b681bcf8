import type { Migration } from '../migration.ts'

/**
 * Why: events are read in the order in which their transactions commit, so that writers need not wait for each other.
 * Events are read within seconds; those of before the update have no readers any more.
 */
export const migration: Migration = {
  name: '20261123110000-events-in-commit-order',
  async up({ db, addColumn, createIndex }) {
    await db.deleteFrom('kernel_event').execute()
    await addColumn('kernel_event', 'transaction_id', { type: 'integer' }, 0)
    await createIndex('kernel_event', ['transaction_id'])
  },
}

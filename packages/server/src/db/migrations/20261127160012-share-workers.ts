import type { Migration } from '../migration.ts'

/** Slots of workers go in turn to those whose jobs wait; the number that waits for a user is bounded. */
export const migration: Migration = {
  name: '20261127160012-share-workers',
  async up({ addColumn, createIndex }) {
    await addColumn('kernel_job', 'share', { type: 'text', nullable: true })
    await createIndex('kernel_job', ['state', 'name', 'share', 'date_due'], false)
    await createIndex('kernel_job', ['share', 'state'], false)
  },
}

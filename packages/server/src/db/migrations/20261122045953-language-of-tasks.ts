import type { Migration } from '../migration.ts'

/** Why: a task's log is read by whoever started it, in their language. */
export const migration: Migration = {
  name: '20261122045953-language-of-tasks',
  async up({ addColumn }) {
    await addColumn('kernel_job', 'language', { type: 'text', nullable: true })
  },
}

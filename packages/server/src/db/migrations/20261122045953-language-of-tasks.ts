import type { Migration } from '../migration.ts'

/** Why: the log of a task is in the language of the user who started it. */
export const migration: Migration = {
  name: '20261122045953-language-of-tasks',
  async up({ addColumn }) {
    await addColumn('kernel_job', 'language', { type: 'text', nullable: true })
  },
}

import type { Migration } from '../migration.ts'

/** Rules about client addresses are asked again while jobs run, and when tokens are used. */
export const migration: Migration = {
  name: '20261127153150-keep-addresses-of-clients',
  async up({ addColumn }) {
    await addColumn('kernel_job', 'created_from', { type: 'text', nullable: true })
    await addColumn('authentication_connectiontoken', 'asked_from', { type: 'text', nullable: false }, '')
  },
}

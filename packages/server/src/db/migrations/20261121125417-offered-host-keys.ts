import type { Migration } from '../migration.ts'

/** A key of another algorithm is another key: what was offered keeps its own. */
export const migration: Migration = {
  name: '20261121125417-offered-host-keys',
  async up({ addColumn }) {
    await addColumn('assets_hostkey', 'offered_algorithm', { type: 'text', nullable: false }, '')
  },
}

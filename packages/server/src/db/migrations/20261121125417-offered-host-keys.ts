import type { Migration } from '../migration.ts'

/** Host keys are stored per algorithm, so that an offered key of another algorithm does not replace the known one. */
export const migration: Migration = {
  name: '20261121125417-offered-host-keys',
  async up({ addColumn }) {
    await addColumn('assets_hostkey', 'offered_algorithm', { type: 'text', nullable: false }, '')
  },
}

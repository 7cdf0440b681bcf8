import type { Migration } from '../migration.ts'

/** Uploads in parts are continued after a failure, so what a storage calls them is remembered. */
export const migration: Migration = {
  name: '20261125200013-add-upload-state',
  async up({ addColumn }) {
    await addColumn('terminal_storedfile', 'upload', { type: 'text', nullable: true })
  },
}

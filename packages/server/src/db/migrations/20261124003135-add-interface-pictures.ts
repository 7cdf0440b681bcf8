import type { Migration } from '../migration.ts'

/** Logos and pictures that administrators upload are in the database, so that every program has them at once. */
export const migration: Migration = {
  name: '20261124003135-add-interface-pictures',
  async up({ createTable }) {
    await createTable({
      name: 'settings_picture',
      columns: {
        name: { type: 'text' },
        type: { type: 'text' },
        content: { type: 'text' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['name'],
      unique: [],
      indexes: [],
    })
  },
}

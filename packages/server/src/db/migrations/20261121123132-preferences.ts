import type { Migration } from '../migration.ts'

/** Preferences of users. */
export const migration: Migration = {
  name: '20261121123132-preferences',
  async up({ createTable }) {
    await createTable({
      name: 'users_preference',
      columns: {
        user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
        name: { type: 'text' },
        value: { type: 'text' },
        encrypted: { type: 'boolean' },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['user_id', 'name'],
      unique: [],
      indexes: [],
    })
  },
}

import type { Migration } from '../migration.ts'

/** The list of users in the directory is searched and paged, and reading the directory takes too long for each page. */
export const migration: Migration = {
  name: '20261123211403-add-directory-users',
  async up({ createTable }) {
    await createTable({
      name: 'authentication_directoryuser',
      columns: {
        username: { type: 'text' },
        name: { type: 'text' },
        email: { type: 'text' },
        groups: { type: 'json' },
        is_active: { type: 'boolean' },
      },
      primaryKey: ['username'],
      unique: [],
      indexes: [],
    })
  },
}

import type { Migration } from '../migration.ts'

/** Messages are in the language in which their reader uses the console. */
export const migration: Migration = {
  name: '20261124104500-remember-languages',
  async up({ createTable }) {
    await createTable({
      name: 'notifications_userlanguage',
      columns: {
        user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
        language: { type: 'text' },
      },
      primaryKey: ['user_id'],
      unique: [],
      indexes: [],
    })
  },
}

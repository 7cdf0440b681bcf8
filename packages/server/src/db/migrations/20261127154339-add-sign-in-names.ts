import type { Migration } from '../migration.ts'

/**
 * Why: nothing said when two sign-in names are the same, so that another case, width or script made another user, and got
 * attempts of its own. Each name and address, in what all its spellings have in common, belongs to one user. Filled at
 * the next start: users of earlier versions whose names are the same keep them.
 */
export const migration: Migration = {
  name: '20261127154339-add-sign-in-names',
  async up({ createTable }) {
    await createTable({
      name: 'users_signinname',
      columns: {
        key: { type: 'text' },
        user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
        kind: { type: 'text' },
      },
      primaryKey: ['key'],
      unique: [],
      indexes: [['user_id']],
    })
  },
}

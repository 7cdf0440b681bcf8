import type { Migration } from '../migration.ts'

/** Why: users sign in with passwords that work once and for minutes; only their hash is stored. */
export const migration: Migration = {
  name: '20261124000716-temporary-passwords',
  async up({ createTable }) {
    await createTable({
      name: 'authentication_temptoken',
      columns: {
        id: { type: 'uuid' },
        username: { type: 'text', nullable: false },
        verified: { type: 'boolean', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        date_verified: { type: 'timestamp', nullable: true },
        date_expired: { type: 'timestamp', nullable: false },
        user_id: { type: 'uuid', nullable: false, references: 'users_user.id', onDelete: 'cascade' },
        secret_hash: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['user_id', 'secret_hash'], ['date_expired']],
    })
  },
}

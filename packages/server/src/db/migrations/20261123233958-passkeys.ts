import type { Migration } from '../migration.ts'

/** Why: users sign in and confirm with keys of their own devices, of which the server stores the public half. */
export const migration: Migration = {
  name: '20261123233958-passkeys',
  async up({ createTable }) {
    await createTable({
      name: 'authentication_passkey',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        platform: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        date_last_used: { type: 'timestamp', nullable: true },
        date_created: { type: 'timestamp', nullable: false },
        user_id: { type: 'uuid', nullable: false, references: 'users_user.id', onDelete: 'cascade' },
        credential_id: { type: 'text', nullable: false },
        public_key: { type: 'text', nullable: false },
        counter: { type: 'integer', nullable: false },
        transports: { type: 'text', nullable: false },
        updated_by: { type: 'text', nullable: true },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [['credential_id']],
      indexes: [['user_id']],
    })
  },
}

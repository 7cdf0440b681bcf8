import type { Migration } from '../migration.ts'

/** In-product messages, and the notification backends of each user. */
export const migration: Migration = {
  name: '20261121121117-notifications',
  async up({ createTable }) {
    await createTable({
      name: 'notifications_sitemessage',
      columns: {
        id: { type: 'uuid' },
        has_read: { type: 'boolean', nullable: false },
        read_at: { type: 'timestamp', nullable: true },
        date_created: { type: 'timestamp', nullable: false },
        user_id: { type: 'uuid', nullable: false, references: 'users_user.id', onDelete: 'cascade' },
        content_id: { type: 'uuid', nullable: false },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['user_id', 'has_read'], ['user_id', 'date_created'], ['content_id']],
    })
    await createTable({
      name: 'notifications_messagecontent',
      columns: {
        id: { type: 'uuid' },
        subject: { type: 'text' },
        message: { type: 'text' },
        sender_id: { type: 'uuid', nullable: true, references: 'users_user.id', onDelete: 'set null' },
        date_created: { type: 'timestamp' },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [],
    })
    await createTable({
      name: 'notifications_usermsgsubscription',
      columns: {
        user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
        receive_backends: { type: 'json' },
      },
      primaryKey: ['user_id'],
      unique: [],
      indexes: [],
    })
  },
}

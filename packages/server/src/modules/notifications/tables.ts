import type { TableShape } from '../../db/schema.ts'

/** Content of messages; one row for any number of receivers. */
export const contentTable: TableShape = {
  name: 'notifications_messagecontent',
  columns: {
    id: { type: 'uuid' },
    subject: { type: 'text' },
    /** HTML. */
    message: { type: 'text' },
    sender_id: { type: 'uuid', nullable: true, references: 'users_user.id', onDelete: 'set null' },
    date_created: { type: 'timestamp' },
    date_updated: { type: 'timestamp' },
  },
  primaryKey: ['id'],
  unique: [],
  indexes: [['sender_id']],
}

/** The notification backends of each user. */
export const userSubscriptionTable: TableShape = {
  name: 'notifications_usermsgsubscription',
  columns: {
    user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
    receive_backends: { type: 'json' },
  },
  primaryKey: ['user_id'],
  unique: [],
  indexes: [],
}

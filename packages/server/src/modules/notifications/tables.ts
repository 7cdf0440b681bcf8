import type { TableShape } from '../../db/schema.ts'

/** What was said; one row however many people it went to. */
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

/** By which ways somebody wants to be told. */
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

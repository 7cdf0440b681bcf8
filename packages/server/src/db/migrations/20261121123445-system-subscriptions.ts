import type { Migration } from '../migration.ts'

/** Subscriptions to system messages. */
export const migration: Migration = {
  name: '20261121123445-system-subscriptions',
  async up({ createTable }) {
    await createTable({
      name: 'notifications_systemmsgsubscription',
      columns: {
        message_type: { type: 'text' },
        users: { type: 'json' },
        groups: { type: 'json' },
        receive_backends: { type: 'json' },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['message_type'],
      unique: [],
      indexes: [],
    })
  },
}

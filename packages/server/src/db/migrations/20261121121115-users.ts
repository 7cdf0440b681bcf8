import type { Migration } from '../migration.ts'

/** Password history, to prevent reuse. */
export const migration: Migration = {
  name: '20261121121115-users',
  async up({ createTable, createIndex }) {
    await createTable({
      name: 'users_passwordhistory',
      columns: {
        id: { type: 'serial' },
        user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
        password_hash: { type: 'text' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['user_id', 'id']],
    })
    await createIndex('users_user', ['wecom_id'], true)
    await createIndex('users_user', ['dingtalk_id'], true)
    await createIndex('users_user', ['feishu_id'], true)
  },
}

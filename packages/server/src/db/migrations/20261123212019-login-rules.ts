import type { Migration } from '../migration.ts'

/** Rules about sign-ins. */
export const migration: Migration = {
  name: '20261123212019-login-rules',
  async up({ createTable }) {
    await createTable({
      name: 'acls_loginacl',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        priority: { type: 'integer', nullable: false },
        action: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        users: { type: 'json', nullable: false },
        rules: { type: 'json', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['name']],
      indexes: [],
      search: ['name'],
    })
    await createTable({
      name: 'acls_loginacl_reviewers',
      columns: {
        id: { type: 'serial' },
        loginacl_id: { references: 'acls_loginacl.id', type: 'uuid', onDelete: 'cascade' },
        user_id: { references: 'users_user.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['loginacl_id', 'user_id']],
      indexes: [['user_id']],
    })
  },
}

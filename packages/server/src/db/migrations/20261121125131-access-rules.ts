import type { Migration } from '../migration.ts'

/** Access rules for commands and logins, and the command groups they use. */
export const migration: Migration = {
  name: '20261121125131-access-rules',
  async up({ createTable }) {
    await createTable({
      name: 'acls_commandgroup',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        type: { type: 'text', nullable: false },
        content: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: false },
        ignore_case: { type: 'boolean', nullable: false },
        org_id: { type: 'uuid' },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
        date_created: { type: 'timestamp' },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [['org_id', 'name']],
      indexes: [],
    })
    await createTable({
      name: 'acls_commandfilteracl',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        priority: { type: 'integer', nullable: false },
        action: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        users: { type: 'json', nullable: false },
        assets: { type: 'json', nullable: false },
        accounts: { type: 'json', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['org_id', 'name']],
      indexes: [],
    })
    await createTable({
      name: 'acls_commandfilteracl_reviewers',
      columns: {
        id: { type: 'serial' },
        commandfilteracl_id: { references: 'acls_commandfilteracl.id', type: 'uuid', onDelete: 'cascade' },
        user_id: { references: 'users_user.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['commandfilteracl_id', 'user_id']],
      indexes: [['user_id']],
    })
    await createTable({
      name: 'acls_commandfilteracl_groups',
      columns: {
        id: { type: 'serial' },
        commandfilteracl_id: { references: 'acls_commandfilteracl.id', type: 'uuid', onDelete: 'cascade' },
        commandgroup_id: { references: 'acls_commandgroup.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['commandfilteracl_id', 'commandgroup_id']],
      indexes: [['commandgroup_id']],
    })
    await createTable({
      name: 'acls_loginassetacl',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        priority: { type: 'integer', nullable: false },
        action: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        users: { type: 'json', nullable: false },
        assets: { type: 'json', nullable: false },
        accounts: { type: 'json', nullable: false },
        rules: { type: 'json', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['org_id', 'name']],
      indexes: [],
    })
    await createTable({
      name: 'acls_loginassetacl_reviewers',
      columns: {
        id: { type: 'serial' },
        loginassetacl_id: { references: 'acls_loginassetacl.id', type: 'uuid', onDelete: 'cascade' },
        user_id: { references: 'users_user.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['loginassetacl_id', 'user_id']],
      indexes: [['user_id']],
    })
    await createTable({
      name: 'acls_connectmethodacl',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        priority: { type: 'integer', nullable: false },
        action: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        users: { type: 'json', nullable: false },
        connect_methods: { type: 'json', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['name']],
      indexes: [],
    })
    await createTable({
      name: 'acls_connectmethodacl_reviewers',
      columns: {
        id: { type: 'serial' },
        connectmethodacl_id: { references: 'acls_connectmethodacl.id', type: 'uuid', onDelete: 'cascade' },
        user_id: { references: 'users_user.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['connectmethodacl_id', 'user_id']],
      indexes: [['user_id']],
    })
  },
}

import type { Migration } from '../migration.ts'

/** Why: accounts are backed up by plans, to users and to storages that are reached by SFTP. */
export const migration: Migration = {
  name: '20261123204115-account-backup',
  async up({ createTable }) {
    await createTable({
      name: 'accounts_accountbackupautomation',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        is_periodic: { type: 'boolean', nullable: false },
        interval: { type: 'integer', nullable: true },
        crontab: { type: 'text', nullable: true },
        comment: { type: 'text', nullable: false },
        types: { type: 'json', nullable: false },
        backup_type: { type: 'text', nullable: false },
        zip_encrypt_password: { type: 'text', nullable: true },
        is_password_divided_by_email: { type: 'boolean', nullable: false },
        is_password_divided_by_obj_storage: { type: 'boolean', nullable: false },
        created_by: { type: 'text', nullable: true },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['org_id', 'name']],
      indexes: [],
      search: ['name'],
    })
    await createTable({
      name: 'accounts_accountbackupautomation_recipients_part_one',
      columns: {
        id: { type: 'serial' },
        accountbackupautomation_id: {
          references: 'accounts_accountbackupautomation.id',
          type: 'uuid',
          onDelete: 'cascade',
        },
        user_id: { references: 'users_user.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['accountbackupautomation_id', 'user_id']],
      indexes: [['user_id']],
    })
    await createTable({
      name: 'accounts_accountbackupautomation_recipients_part_two',
      columns: {
        id: { type: 'serial' },
        accountbackupautomation_id: {
          references: 'accounts_accountbackupautomation.id',
          type: 'uuid',
          onDelete: 'cascade',
        },
        user_id: { references: 'users_user.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['accountbackupautomation_id', 'user_id']],
      indexes: [['user_id']],
    })
    await createTable({
      name: 'accounts_accountbackupautomation_obj_recipients_part_one',
      columns: {
        id: { type: 'serial' },
        accountbackupautomation_id: {
          references: 'accounts_accountbackupautomation.id',
          type: 'uuid',
          onDelete: 'cascade',
        },
        replaystorage_id: { references: 'terminal_replaystorage.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['accountbackupautomation_id', 'replaystorage_id']],
      indexes: [['replaystorage_id']],
    })
    await createTable({
      name: 'accounts_accountbackupautomation_obj_recipients_part_two',
      columns: {
        id: { type: 'serial' },
        accountbackupautomation_id: {
          references: 'accounts_accountbackupautomation.id',
          type: 'uuid',
          onDelete: 'cascade',
        },
        replaystorage_id: { references: 'terminal_replaystorage.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['accountbackupautomation_id', 'replaystorage_id']],
      indexes: [['replaystorage_id']],
    })
    await createTable({
      name: 'accounts_accountbackupexecution',
      columns: {
        id: { type: 'uuid' },
        date_start: { type: 'timestamp', nullable: true },
        snapshot: { type: 'json', nullable: false },
        trigger: { type: 'text', nullable: false },
        reason: { type: 'text', nullable: false },
        is_success: { type: 'boolean', nullable: false },
        plan_id: {
          type: 'uuid',
          nullable: true,
          references: 'accounts_accountbackupautomation.id',
          onDelete: 'set null',
        },
        date_finished: { type: 'timestamp', nullable: true },
        code: { type: 'text', nullable: true },
        org_id: { type: 'uuid' },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
        date_created: { type: 'timestamp' },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['org_id', 'date_created'], ['plan_id']],
    })
  },
}

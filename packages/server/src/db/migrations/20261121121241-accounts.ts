import type { Migration } from '../migration.ts'

/** Accounts on assets. */
export const migration: Migration = {
  name: '20261121121241-accounts',
  async up({ createTable }) {
    await createTable({
      name: 'accounts_account',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: true },
        username: { type: 'text', nullable: false },
        secret_type: { type: 'text', nullable: false },
        secret: { type: 'text', nullable: true },
        created_by: { type: 'text', nullable: true },
        comment: { type: 'text', nullable: false },
        su_from_id: { type: 'uuid', nullable: true, references: 'accounts_account.id', onDelete: 'set null' },
        asset_id: { type: 'uuid', nullable: false, references: 'assets_asset.id', onDelete: 'cascade' },
        version: { type: 'integer', nullable: false },
        source: { type: 'text', nullable: true },
        source_id: { type: 'text', nullable: true },
        connectivity: { type: 'text', nullable: false },
        privileged: { type: 'boolean', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        date_verified: { type: 'timestamp', nullable: true },
        fingerprint: { type: 'text', nullable: false },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [
        ['username', 'asset_id', 'secret_type'],
        ['name', 'asset_id'],
      ],
      indexes: [['asset_id'], ['org_id', 'date_updated'], ['org_id', 'username'], ['source_id']],
    })
    await createTable({
      name: 'accounts_accounttemplate',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        username: { type: 'text', nullable: false },
        secret_type: { type: 'text', nullable: false },
        secret: { type: 'text', nullable: true },
        secret_strategy: { type: 'text', nullable: false },
        password_rules: { type: 'json', nullable: false },
        su_from_id: { type: 'uuid', nullable: true, references: 'accounts_accounttemplate.id', onDelete: 'set null' },
        push_params: { type: 'json', nullable: false },
        created_by: { type: 'text', nullable: true },
        comment: { type: 'text', nullable: false },
        privileged: { type: 'boolean', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        auto_push: { type: 'boolean', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        fingerprint: { type: 'text', nullable: false },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['org_id', 'name']],
      indexes: [],
    })
    await createTable({
      name: 'accounts_accounttemplate_platforms',
      columns: {
        id: { type: 'serial' },
        accounttemplate_id: { references: 'accounts_accounttemplate.id', type: 'uuid', onDelete: 'cascade' },
        platform_id: { references: 'assets_platform.id', type: 'integer', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['accounttemplate_id', 'platform_id']],
      indexes: [['platform_id']],
    })
    await createTable({
      name: 'accounts_virtualaccount',
      columns: {
        id: { type: 'uuid' },
        alias: { type: 'text', nullable: false },
        secret_from_login: { type: 'boolean', nullable: true },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        org_id: { type: 'uuid' },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['alias', 'org_id']],
      indexes: [],
    })
    await createTable({
      name: 'accounts_accounthistory',
      columns: {
        id: { type: 'serial' },
        account_id: { type: 'uuid' },
        secret: { type: 'text', nullable: true },
        secret_type: { type: 'text' },
        version: { type: 'integer' },
        history_date: { type: 'timestamp' },
        history_user_id: { type: 'uuid', nullable: true },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['account_id', 'id']],
    })
  },
}

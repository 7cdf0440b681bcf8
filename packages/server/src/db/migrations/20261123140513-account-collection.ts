import type { Migration } from '../migration.ts'

/** Why: the accounts of assets are collected by plans, with their executions and what they found. */
export const migration: Migration = {
  name: '20261123140513-account-collection',
  async up({ createTable }) {
    await createTable({
      name: 'accounts_gatheredaccount',
      columns: {
        id: { type: 'uuid' },
        asset_id: { type: 'uuid', nullable: false, references: 'assets_asset.id', onDelete: 'cascade' },
        username: { type: 'text', nullable: false },
        address_last_login: { type: 'text', nullable: false },
        present: { type: 'boolean', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        date_last_login: { type: 'timestamp', nullable: true },
        org_id: { type: 'uuid' },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [['username', 'asset_id']],
      indexes: [['asset_id'], ['org_id', 'date_updated']],
      search: ['username'],
    })
    await createTable({
      name: 'accounts_gatheraccountsautomation',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        is_periodic: { type: 'boolean', nullable: false },
        interval: { type: 'integer', nullable: true },
        crontab: { type: 'text', nullable: true },
        accounts: { type: 'json', nullable: false },
        type: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        created_by: { type: 'text', nullable: true },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        is_sync_account: { type: 'boolean', nullable: false },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['org_id', 'name']],
      indexes: [],
      search: ['name'],
    })
    await createTable({
      name: 'accounts_gatheraccountsautomation_nodes',
      columns: {
        id: { type: 'serial' },
        gatheraccountsautomation_id: {
          references: 'accounts_gatheraccountsautomation.id',
          type: 'uuid',
          onDelete: 'cascade',
        },
        node_id: { references: 'assets_node.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['gatheraccountsautomation_id', 'node_id']],
      indexes: [['node_id']],
    })
    await createTable({
      name: 'accounts_gatheraccountsautomation_assets',
      columns: {
        id: { type: 'serial' },
        gatheraccountsautomation_id: {
          references: 'accounts_gatheraccountsautomation.id',
          type: 'uuid',
          onDelete: 'cascade',
        },
        asset_id: { references: 'assets_asset.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['gatheraccountsautomation_id', 'asset_id']],
      indexes: [['asset_id']],
    })
    await createTable({
      name: 'accounts_gatheraccountsautomation_recipients',
      columns: {
        id: { type: 'serial' },
        gatheraccountsautomation_id: {
          references: 'accounts_gatheraccountsautomation.id',
          type: 'uuid',
          onDelete: 'cascade',
        },
        user_id: { references: 'users_user.id', type: 'uuid', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['gatheraccountsautomation_id', 'user_id']],
      indexes: [['user_id']],
    })
    await createTable({
      name: 'accounts_gatheraccountsexecution',
      columns: {
        id: { type: 'uuid' },
        automation_id: {
          type: 'uuid',
          nullable: true,
          references: 'accounts_gatheraccountsautomation.id',
          onDelete: 'set null',
        },
        trigger: { type: 'text', nullable: false },
        date_start: { type: 'timestamp', nullable: true },
        date_finished: { type: 'timestamp', nullable: true },
        snapshot: { type: 'json', nullable: false },
        status: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        reason: { type: 'text', nullable: true },
        counts: { type: 'json', nullable: true },
        date_reported: { type: 'timestamp', nullable: true },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
        date_created: { type: 'timestamp' },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['org_id', 'date_created'], ['automation_id']],
    })
  },
}

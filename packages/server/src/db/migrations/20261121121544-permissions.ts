import type { Migration } from '../migration.ts'

/** Permissions and their links to users, groups, assets and nodes. */
export const migration: Migration = {
  name: '20261121121544-permissions',
  async up({ createTable }) {
    await createTable({
      name: 'perms_assetpermission',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        accounts: { type: 'json', nullable: false },
        protocols: { type: 'json', nullable: false },
        actions: { type: 'integer' },
        created_by: { type: 'text', nullable: true },
        comment: { type: 'text', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        from_ticket: { type: 'boolean', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_start: { type: 'timestamp', nullable: false },
        date_expired: { type: 'timestamp', nullable: false },
        org_id: { type: 'uuid' },
        updated_by: { type: 'text', nullable: true },
        date_updated: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [['org_id', 'name']],
      indexes: [['date_expired']],
    })
    await createTable({
      name: 'perms_assetpermission_users',
      columns: {
        id: { type: 'serial' },
        assetpermission_id: {
          type: 'uuid',
          nullable: false,
          references: 'perms_assetpermission.id',
          onDelete: 'cascade',
        },
        user_id: { type: 'uuid', nullable: false, references: 'users_user.id', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['assetpermission_id', 'user_id']],
      indexes: [['user_id']],
    })
    await createTable({
      name: 'perms_assetpermission_user_groups',
      columns: {
        id: { type: 'serial' },
        assetpermission_id: {
          type: 'uuid',
          nullable: false,
          references: 'perms_assetpermission.id',
          onDelete: 'cascade',
        },
        usergroup_id: { type: 'uuid', nullable: false, references: 'users_usergroup.id', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['assetpermission_id', 'usergroup_id']],
      indexes: [['usergroup_id']],
    })
    await createTable({
      name: 'perms_assetpermission_assets',
      columns: {
        id: { type: 'serial' },
        assetpermission_id: {
          type: 'uuid',
          nullable: false,
          references: 'perms_assetpermission.id',
          onDelete: 'cascade',
        },
        asset_id: { type: 'uuid', nullable: false, references: 'assets_asset.id', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['assetpermission_id', 'asset_id']],
      indexes: [['asset_id']],
    })
    await createTable({
      name: 'perms_assetpermission_nodes',
      columns: {
        id: { type: 'serial' },
        assetpermission_id: {
          type: 'uuid',
          nullable: false,
          references: 'perms_assetpermission.id',
          onDelete: 'cascade',
        },
        node_id: { type: 'uuid', nullable: false, references: 'assets_node.id', onDelete: 'cascade' },
      },
      primaryKey: ['id'],
      unique: [['assetpermission_id', 'node_id']],
      indexes: [['node_id']],
    })
  },
}

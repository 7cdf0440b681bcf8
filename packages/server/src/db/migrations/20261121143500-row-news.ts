import type { Migration } from '../migration.ts'

/**
 * Why: access decisions use an in-memory copy of nodes and placements. Triggers record their changes, so that the copy
 * of every process is always current.
 */
export const migration: Migration = {
  name: '20261121143500-row-news',
  async up({ createTable, watchRows }) {
    await createTable({
      name: 'kernel_row_news',
      columns: {
        id: { type: 'serial' },
        topic: { type: 'text' },
        row_id: { type: 'text' },
        transaction_id: { type: 'integer' },
        date_created: { type: 'timestamp' },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['transaction_id']],
    })
    await watchRows({ table: 'assets_node', topic: 'node', key: 'id', columns: ['key', 'value', 'parent_key'] })
    await watchRows({
      table: 'assets_asset',
      topic: 'asset',
      key: 'id',
      columns: ['name', 'address', 'comment', 'category', 'type', 'is_active', 'org_id'],
    })
    await watchRows({ table: 'assets_asset_nodes', topic: 'asset', key: 'asset_id', columns: ['asset_id', 'node_id'] })
    await watchRows({ table: 'assets_protocol', topic: 'asset', key: 'asset_id', columns: ['asset_id', 'name'] })
    await watchRows({
      table: 'perms_assetpermission_assets',
      topic: 'permission',
      key: 'assetpermission_id',
      columns: ['assetpermission_id', 'asset_id'],
    })
    await watchRows({
      table: 'perms_assetpermission_nodes',
      topic: 'permission',
      key: 'assetpermission_id',
      columns: ['assetpermission_id', 'node_id'],
    })
  },
}

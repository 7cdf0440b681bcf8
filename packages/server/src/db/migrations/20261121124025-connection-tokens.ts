import type { Migration } from '../migration.ts'

/** Connection tokens: short-lived, single-use grants to connect to an account. */
export const migration: Migration = {
  name: '20261121124025-connection-tokens',
  async up({ createTable }) {
    await createTable({
      name: 'authentication_connectiontoken',
      columns: {
        id: { type: 'uuid' },
        value: { type: 'text', nullable: true },
        user_id: { type: 'uuid', nullable: false, references: 'users_user.id', onDelete: 'cascade' },
        asset_id: { type: 'uuid', nullable: true, references: 'assets_asset.id', onDelete: 'cascade' },
        account: { type: 'text', nullable: false },
        input_username: { type: 'text', nullable: false },
        input_secret: { type: 'text', nullable: true },
        connect_method: { type: 'text', nullable: false },
        connect_options: { type: 'json', nullable: false },
        protocol: { type: 'text', nullable: false },
        actions: { type: 'integer' },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
        user_display: { type: 'text', nullable: false },
        asset_display: { type: 'text', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        is_reusable: { type: 'boolean', nullable: false },
        date_expired: { type: 'timestamp', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        asset_org_id: { type: 'uuid', nullable: true },
      },
      primaryKey: ['id'],
      unique: [],
      indexes: [['user_id', 'date_expired'], ['date_expired'], ['asset_id']],
    })
  },
}

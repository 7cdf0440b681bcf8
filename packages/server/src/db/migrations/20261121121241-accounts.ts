import type { Migration } from '../migrate.ts'

/** Accounts are what people sign in with on assets. */
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
        params: { type: 'json', nullable: true },
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
  },
}

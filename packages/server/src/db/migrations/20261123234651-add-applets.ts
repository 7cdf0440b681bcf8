import type { Migration } from '../migration.ts'

/** Remote applications, the hosts on which they run, and the accounts that are lent to users there. */
export const migration: Migration = {
  name: '20261123234651-add-applets',
  async up({ createTable }) {
    await createTable({
      name: 'terminal_applet',
      columns: {
        id: { type: 'uuid' },
        name: { type: 'text', nullable: false },
        display_name: { type: 'text', nullable: false },
        version: { type: 'text', nullable: false },
        author: { type: 'text', nullable: false },
        type: { type: 'text', nullable: false },
        edition: { type: 'text', nullable: false },
        is_active: { type: 'boolean', nullable: false },
        can_concurrent: { type: 'boolean', nullable: false },
        protocols: { type: 'json', nullable: false },
        tags: { type: 'json', nullable: false },
        comment: { type: 'text', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        builtin: { type: 'boolean', nullable: false },
        package: { type: 'text', nullable: false },
        icon_data: { type: 'text', nullable: false },
        readme_text: { type: 'text', nullable: false },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['name']],
      indexes: [],
      search: ['name', 'display_name', 'author'],
    })
    await createTable({
      name: 'terminal_appletpublication',
      columns: {
        id: { type: 'uuid' },
        applet_id: { type: 'uuid', nullable: false, references: 'terminal_applet.id', onDelete: 'cascade' },
        host_id: { type: 'uuid', nullable: false, references: 'assets_asset.id', onDelete: 'cascade' },
        status: { type: 'text', nullable: false },
        comment: { type: 'text', nullable: false },
        date_created: { type: 'timestamp', nullable: false },
        date_updated: { type: 'timestamp', nullable: false },
        created_by: { type: 'text', nullable: true },
        updated_by: { type: 'text', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['applet_id', 'host_id']],
      indexes: [['host_id']],
    })
    await createTable({
      name: 'terminal_applethost',
      columns: {
        id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
        deploy_options: { type: 'json' },
        auto_create_accounts: { type: 'boolean' },
        accounts_create_amount: { type: 'integer' },
        using_same_account: { type: 'boolean' },
        terminal_id: { type: 'uuid', nullable: true, references: 'terminal_terminal.id', onDelete: 'set null' },
        date_synced: { type: 'timestamp', nullable: true },
        registration: { type: 'text', nullable: true },
        date_registration: { type: 'timestamp', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['terminal_id']],
      indexes: [['registration']],
    })
    await createTable({
      name: 'terminal_applethostusage',
      columns: {
        user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
        host_id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
        account_id: { type: 'uuid', nullable: true, references: 'accounts_account.id', onDelete: 'set null' },
      },
      primaryKey: ['user_id'],
      unique: [],
      indexes: [['host_id'], ['account_id']],
    })
    await createTable({
      name: 'terminal_appletaccountlock',
      columns: {
        account_id: { type: 'uuid', references: 'accounts_account.id', onDelete: 'cascade' },
        host_id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
        applet_id: { type: 'uuid', references: 'terminal_applet.id', onDelete: 'cascade' },
        user_id: { type: 'uuid' },
        holder_id: { type: 'uuid' },
        uses: { type: 'integer' },
        date_expired: { type: 'timestamp' },
      },
      primaryKey: ['account_id'],
      unique: [],
      indexes: [['host_id'], ['applet_id'], ['date_expired']],
    })
  },
}

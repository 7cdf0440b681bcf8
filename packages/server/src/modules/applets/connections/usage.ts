import type { TableShape } from '../../../db/schema.ts'
import type { Context } from '../../../kernel/module/context.ts'

/** The host, and the account on it, that a user was given last: sessions of one user are together. */
export const usageTable = {
  name: 'terminal_applethostusage',
  columns: {
    user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
    host_id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
    account_id: { type: 'uuid', nullable: true, references: 'accounts_account.id', onDelete: 'set null' },
  },
  primaryKey: ['user_id'],
  unique: [],
  indexes: [['host_id'], ['account_id']],
} as const satisfies TableShape

/** A new host is to have its share of the users. */
export const forgetHosts = (ctx: Context) => ctx.rawDb.deleteFrom(usageTable.name).execute()

/** Accounts that are in use. */
export const lockTable = {
  name: 'terminal_appletaccountlock',
  columns: {
    account_id: { type: 'uuid', references: 'accounts_account.id', onDelete: 'cascade' },
    host_id: { type: 'uuid', references: 'assets_asset.id', onDelete: 'cascade' },
    applet_id: { type: 'uuid', references: 'terminal_applet.id', onDelete: 'cascade' },
    user_id: { type: 'uuid' },
    /** The component that was given it, and may release it. */
    holder_id: { type: 'uuid' },
    /** Sessions that share it, for applications and hosts that allow several. */
    uses: { type: 'integer' },
    date_expired: { type: 'timestamp' },
  },
  primaryKey: ['account_id'],
  unique: [],
  indexes: [['host_id'], ['applet_id'], ['date_expired']],
} as const satisfies TableShape

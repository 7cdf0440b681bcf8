import type { TableShape } from '../../db/schema.ts'

/**
 * Browser sessions and API sign-in jars. The key is stored as a hash, so a copy of the database cannot be used to sign
 * in.
 */
export const sessionTable: TableShape = {
  name: 'authentication_session',
  columns: {
    key: { type: 'text' },
    user_id: { type: 'uuid', nullable: true, references: 'users_user.id', onDelete: 'cascade' },
    data: { type: 'json' },
    date_created: { type: 'timestamp' },
    date_updated: { type: 'timestamp' },
    date_expired: { type: 'timestamp' },
  },
  primaryKey: ['key'],
  unique: [],
  indexes: [['user_id'], ['date_expired']],
}

/** Bearer tokens, one per user and address. */
export const bearerTable: TableShape = {
  name: 'authentication_bearertoken',
  columns: {
    token_hash: { type: 'text' },
    /** Sealed rather than hashed, because signing in again returns the same token. */
    token: { type: 'text' },
    user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
    ip: { type: 'text' },
    date_expired: { type: 'timestamp' },
  },
  primaryKey: ['token_hash'],
  unique: [['user_id', 'ip']],
  indexes: [['date_expired']],
}

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

/**
 * Sign-ins by providers. A row outlives the browser session that the sign-in opened, unless the user signs out:
 * bearer tokens, access keys and SSH keys of the user are asked for by its tokens.
 */
export const providerSessionTable: TableShape = {
  name: 'authentication_providersession',
  columns: {
    id: { type: 'uuid' },
    user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
    /** Name of the backend, and of the provider as users have it as their source. */
    backend: { type: 'text' },
    provider: { type: 'text' },
    /** Sealed: tokens of a provider are credentials. */
    at_provider: { type: 'text' },
    /** Hashes of the names under which the provider may end it. */
    names: { type: 'json' },
    /** When the provider is to be asked again. */
    date_renewal: { type: 'timestamp', nullable: true },
    /** Until when the provider can be asked at all. */
    date_askable: { type: 'timestamp', nullable: true },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['id'],
  unique: [],
  indexes: [['user_id'], ['date_created']],
}

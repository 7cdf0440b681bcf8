import type { Migration } from '../migration.ts'

/** Why: deleting a row looks up the rows that reference it, which read whole tables of accounts. */
export const migration: Migration = {
  name: '20261122113600-links-followed-back',
  async up({ createIndex }) {
    await createIndex('accounts_account', ['su_from_id'])
    await createIndex('accounts_accounttemplate', ['su_from_id'])
    await createIndex('notifications_messagecontent', ['sender_id'])
    await createIndex('terminal_endpointrule', ['endpoint_id'])
  },
}

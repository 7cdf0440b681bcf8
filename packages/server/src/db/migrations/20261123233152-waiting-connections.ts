import type { Migration } from '../migration.ts'

/** A connection token that waits for the approval of a ticket names it, so that the decision finds the token. */
export const migration: Migration = {
  name: '20261123233152-waiting-connections',
  async up({ addColumn, createIndex }) {
    await addColumn('authentication_connectiontoken', 'from_ticket_id', { type: 'uuid', nullable: true })
    await createIndex('authentication_connectiontoken', ['from_ticket_id'], false)
  },
}

import type { Migration } from '../migration.ts'

/** Why: on PostgreSQL all writers of a log waited for each other at the row of its present day. */
export const migration: Migration = {
  name: '20261123175000-daily-counts-in-slots',
  async up({ db, createTable }) {
    await createTable({
      name: 'kernel_daily_count',
      columns: {
        name: { type: 'text' },
        org_id: { type: 'uuid' },
        day: { type: 'integer' },
        slot: { type: 'integer' },
        amount: { type: 'integer' },
      },
      primaryKey: ['name', 'org_id', 'day', 'slot'],
      unique: [],
      indexes: [],
    })
    await db
      .insertInto('kernel_daily_count')
      .columns(['name', 'org_id', 'day', 'slot', 'amount'])
      .expression((eb) =>
        eb.selectFrom('kernel_tally').select((of) => ['name', 'org_id', 'day', of.lit(0).as('slot'), 'amount']),
      )
      .execute()
    await db.schema.dropTable('kernel_tally').execute()
  },
}

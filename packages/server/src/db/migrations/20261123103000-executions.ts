import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Why: jobs change real systems. Their attempts are bounded, they work item by item and resume, they are queued by
 * schedules that rows own, and they do not work on the same target at once.
 */
export const migration: Migration = {
  name: '20261123103000-executions',
  async up({ db, addColumn, createIndex, createTable }) {
    // Nullable: a server of the version before may still queue jobs while this one starts.
    await addColumn('kernel_job', 'schedule_id', { type: 'uuid', nullable: true })
    await addColumn('kernel_job', 'error_code', { type: 'text', nullable: true })
    for (const column of ['attempts_returned', 'items_total', 'items_done', 'items_failed'])
      await addColumn('kernel_job', column, { type: 'integer', nullable: true })
    // Attempts were not bounded until now: what waits or runs has all of its retries left.
    await db
      .updateTable('kernel_job')
      .set({ attempts_returned: sql`attempts` })
      .where('state', '=', 'PENDING')
      .execute()
    await db
      .updateTable('kernel_job')
      .set({ attempts_returned: sql`attempts - 1` })
      .where('state', '=', 'RUNNING')
      .execute()
    await db.schema.dropIndex('ix_kernel_job_state_date_due').execute()
    await createIndex('kernel_job', ['state', 'name', 'date_due'])
    await createIndex('kernel_job', ['state', 'date_lease'])
    await createIndex('kernel_job', ['unique_key'])
    await createTable({
      name: 'kernel_job_item',
      columns: {
        id: { type: 'uuid' },
        job_id: { type: 'uuid' },
        position: { type: 'integer' },
        target_type: { type: 'text' },
        target_id: { type: 'text' },
        target_label: { type: 'text' },
        payload: { type: 'json', nullable: true },
        state: { type: 'text' },
        attempts: { type: 'integer' },
        checkpoint: { type: 'json', nullable: true },
        error_code: { type: 'text', nullable: true },
        error: { type: 'text', nullable: true },
        date_start: { type: 'timestamp', nullable: true },
        date_finished: { type: 'timestamp', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['job_id', 'position']],
      indexes: [['job_id', 'state', 'position']],
    })
    await createTable({
      name: 'kernel_job_key',
      columns: {
        key: { type: 'path' },
        unit_id: { type: 'uuid' },
        job_id: { type: 'uuid' },
        held: { type: 'boolean' },
        date_created: { type: 'timestamp' },
        date_asked: { type: 'timestamp' },
      },
      primaryKey: ['key', 'unit_id'],
      unique: [],
      indexes: [['job_id', 'unit_id']],
    })
    await createTable({
      name: 'kernel_schedule',
      columns: {
        id: { type: 'uuid' },
        owner_type: { type: 'text' },
        owner_id: { type: 'text' },
        org_id: { type: 'uuid', nullable: true },
        job_name: { type: 'text' },
        payload: { type: 'json' },
        crontab: { type: 'text', nullable: true },
        interval_seconds: { type: 'integer', nullable: true },
        zone: { type: 'text' },
        enabled: { type: 'boolean' },
        created_by: { type: 'text', nullable: true },
        language: { type: 'text', nullable: true },
        date_created: { type: 'timestamp' },
        date_last: { type: 'timestamp', nullable: true },
        date_next: { type: 'timestamp', nullable: true },
      },
      primaryKey: ['id'],
      unique: [['owner_type', 'owner_id']],
      indexes: [['date_next']],
    })
  },
}

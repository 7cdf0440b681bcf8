import type { Language } from '@castellan/contract/messages'
import type { TableRow, TableShape } from '../../db/schema.ts'

/** An execution: one queued, running or finished job. */
export const jobTable = {
  name: 'kernel_job',
  columns: {
    id: { type: 'uuid' },
    name: { type: 'text' },
    payload: { type: 'json' },
    org_id: { type: 'uuid', nullable: true },
    unique_key: { type: 'text', nullable: true },
    created_by: { type: 'text', nullable: true },
    // The address of the client who started it; null for scheduled runs and those of the system.
    created_from: { type: 'text', nullable: true },
    language: { type: 'text', nullable: true },
    schedule_id: { type: 'uuid', nullable: true },
    // Whose share of the workers it takes (shares.ts).
    share: { type: 'text', nullable: true },
    state: { type: 'text' },
    // Counts claims; with `worker` it identifies one attempt (fence.ts).
    attempts: { type: 'integer' },
    // Claims that ended by the stop of a worker: they do not use up the retries.
    attempts_returned: { type: 'integer', nullable: true },
    result: { type: 'json', nullable: true },
    error_code: { type: 'text', nullable: true },
    worker: { type: 'text', nullable: true },
    cancel_requested: { type: 'boolean' },
    // null until the items are planned.
    items_total: { type: 'integer', nullable: true },
    items_done: { type: 'integer', nullable: true },
    items_failed: { type: 'integer', nullable: true },
    date_created: { type: 'timestamp' },
    date_due: { type: 'timestamp' },
    date_start: { type: 'timestamp', nullable: true },
    date_finished: { type: 'timestamp', nullable: true },
    date_lease: { type: 'timestamp', nullable: true },
  },
  primaryKey: ['id'],
  unique: [],
  indexes: [
    ['state', 'name', 'date_due'],
    ['state', 'name', 'share', 'date_due'],
    ['share', 'state'],
    ['state', 'date_lease'],
    ['unique_key'],
    ['date_created'],
    ['date_finished'],
  ],
} as const satisfies TableShape

/** Consecutive parts of the log of an execution. */
export const jobLogTable = {
  name: 'kernel_job_log',
  columns: {
    id: { type: 'serial' },
    job_id: { type: 'uuid' },
    text: { type: 'text' },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['id'],
  unique: [],
  indexes: [['job_id', 'id']],
} as const satisfies TableShape

/** What an execution does to one target. */
export const jobItemTable = {
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
} as const satisfies TableShape

/** Concurrency keys: who holds them, and who waits for them. */
export const jobKeyTable = {
  name: 'kernel_job_key',
  columns: {
    key: { type: 'path' },
    // The job or the item that holds or wants the key.
    unit_id: { type: 'uuid' },
    job_id: { type: 'uuid' },
    held: { type: 'boolean' },
    date_created: { type: 'timestamp' },
    // A waiting unit that did not ask for this long does not keep others back any more.
    date_asked: { type: 'timestamp' },
  },
  primaryKey: ['key', 'unit_id'],
  unique: [],
  indexes: [['job_id', 'unit_id']],
} as const satisfies TableShape

/** When jobs are queued by time, each schedule owned by a row. */
export const scheduleTable = {
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
    // null while it is not enabled.
    date_next: { type: 'timestamp', nullable: true },
  },
  primaryKey: ['id'],
  unique: [['owner_type', 'owner_id']],
  indexes: [['date_next']],
} as const satisfies TableShape

export type JobRow = Omit<TableRow<typeof jobTable>, 'language'> & { language: Language | null }
export type JobItemRow = TableRow<typeof jobItemTable>
export type JobKeyRow = TableRow<typeof jobKeyTable>
export type ScheduleRow = Omit<TableRow<typeof scheduleTable>, 'language'> & { language: Language | null }

export const jobTables: readonly TableShape[] = [jobTable, jobLogTable, jobItemTable, jobKeyTable, scheduleTable]

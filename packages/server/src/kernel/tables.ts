import type { TableShape } from '../db/schema.ts'
import { tallyTable } from './tally.ts'

/** Tables of the kernel itself. */
export const kernelTables: readonly TableShape[] = [
  tallyTable,
  {
    name: 'kernel_memory',
    columns: { key: { type: 'text' }, value: { type: 'text' }, date_expired: { type: 'timestamp' } },
    primaryKey: ['key'],
    unique: [],
    indexes: [['date_expired']],
  },
  {
    name: 'kernel_event',
    columns: {
      id: { type: 'serial' },
      name: { type: 'text' },
      payload: { type: 'text' },
      date_created: { type: 'timestamp' },
    },
    primaryKey: ['id'],
    unique: [],
    indexes: [['date_created']],
  },
  {
    name: 'kernel_row_news',
    columns: {
      id: { type: 'serial' },
      topic: { type: 'text' },
      row_id: { type: 'text' },
      transaction_id: { type: 'integer' },
      date_created: { type: 'timestamp' },
    },
    primaryKey: ['id'],
    unique: [],
    indexes: [['transaction_id']],
  },
  {
    name: 'kernel_data_key',
    columns: { id: { type: 'text' }, sealed: { type: 'text' }, date_created: { type: 'timestamp' } },
    primaryKey: ['id'],
    unique: [],
    indexes: [],
  },
  {
    name: 'kernel_job',
    columns: {
      id: { type: 'uuid' },
      name: { type: 'text' },
      payload: { type: 'json' },
      org_id: { type: 'uuid', nullable: true },
      unique_key: { type: 'text', nullable: true },
      created_by: { type: 'text', nullable: true },
      state: { type: 'text' },
      attempts: { type: 'integer' },
      result: { type: 'json', nullable: true },
      worker: { type: 'text', nullable: true },
      cancel_requested: { type: 'boolean' },
      date_created: { type: 'timestamp' },
      date_due: { type: 'timestamp' },
      date_start: { type: 'timestamp', nullable: true },
      date_finished: { type: 'timestamp', nullable: true },
      date_lease: { type: 'timestamp', nullable: true },
    },
    primaryKey: ['id'],
    unique: [],
    indexes: [['state', 'date_due'], ['date_created'], ['date_finished']],
  },
  {
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
  },
  {
    name: 'settings_setting',
    columns: {
      name: { type: 'text' },
      value: { type: 'text' },
      encrypted: { type: 'boolean' },
      date_updated: { type: 'timestamp' },
    },
    primaryKey: ['name'],
    unique: [],
    indexes: [],
  },
]

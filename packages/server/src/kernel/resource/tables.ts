import type { TableShape } from '../../db/schema.ts'
import { jobTables } from '../jobs/tables.ts'
import { dailyCountTable } from '../lists/daily-counts.ts'

/** Tables of the kernel itself. */
export const kernelTables: readonly TableShape[] = [
  dailyCountTable,
  {
    name: 'kernel_memory',
    columns: { key: { type: 'path' }, value: { type: 'text' }, date_expired: { type: 'timestamp' } },
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
      transaction_id: { type: 'integer' },
      date_created: { type: 'timestamp' },
    },
    primaryKey: ['id'],
    unique: [],
    indexes: [['transaction_id'], ['date_created']],
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
  ...jobTables,
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

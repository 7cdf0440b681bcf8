import type { TableShape } from '../../../db/schema.ts'

/** Users of the directory as they were last read, for the list of the import. */
export const directoryUserTable: TableShape = {
  name: 'authentication_directoryuser',
  columns: {
    username: { type: 'text' },
    name: { type: 'text' },
    email: { type: 'text' },
    groups: { type: 'json' },
    is_active: { type: 'boolean' },
  },
  primaryKey: ['username'],
  unique: [],
  indexes: [],
}

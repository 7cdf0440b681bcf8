import type { TableRow, TableShape } from '../../../db/schema.ts'

/** A command on its way to a storage outside of the server. */
export const waitingCommandTable = {
  name: 'terminal_waitingcommand',
  columns: {
    /** The command's id. */
    id: { type: 'uuid' },
    storage_id: { type: 'uuid' },
    /** `waiting`; `stored`: the storage has it. The row stays for a day, so that a batch sent again is recognized. */
    state: { type: 'text' },
    /** The command as JSON while it waits. */
    body: { type: 'text' },
    /** Text of the last failure, for administrators. */
    error: { type: 'text', nullable: true },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['id'],
  unique: [],
  indexes: [
    ['storage_id', 'state', 'id'],
    ['state', 'date_created'],
  ],
} as const satisfies TableShape

export type WaitingCommand = TableRow<typeof waitingCommandTable>

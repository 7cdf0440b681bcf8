/** What a run of a playbook leaves besides what it says of itself. Nobody can change it; it goes with old executions. */
import type { TableShape } from '../../../db/schema.ts'

/** The files with which a playbook ran. */
export const executionFileTable = {
  name: 'ops_executionfile',
  columns: {
    execution_id: { type: 'uuid' },
    path: { type: 'path' },
    /** Bytes. */
    size: { type: 'integer' },
    sha256: { type: 'text' },
    /** Its beginning, if it is text. */
    content: { type: 'text' },
    /** Whether that is all of it. */
    is_whole: { type: 'boolean' },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['execution_id', 'path'],
  unique: [],
  indexes: [['date_created']],
} as const satisfies TableShape

/** The commands that the worker carried to hosts for a playbook. */
export const carriedCommandTable = {
  name: 'ops_carriedcommand',
  columns: {
    id: { type: 'uuid' },
    execution_id: { type: 'uuid' },
    /** Their order in the execution. */
    number: { type: 'integer' },
    asset_id: { type: 'uuid' },
    asset: { type: 'text' },
    account: { type: 'text' },
    command: { type: 'text' },
    /** The beginning of its standard input, long encoded parts left out. */
    input: { type: 'text' },
    /** Bytes, and the SHA-256, of all of it. */
    input_size: { type: 'integer' },
    input_sha256: { type: 'text' },
    /** Exit status; null when it has none, or not yet. */
    status: { type: 'integer', nullable: true },
    /** When it ended; null while it runs. */
    date_end: { type: 'timestamp', nullable: true },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['id'],
  unique: [],
  indexes: [['execution_id', 'number'], ['date_created']],
} as const satisfies TableShape

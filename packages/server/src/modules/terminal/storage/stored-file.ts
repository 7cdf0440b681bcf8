import type { TableRow, TableShape } from '../../../db/schema.ts'

/** A file outside of the data folder, or on its way there. A file without a row is in the data folder. */
export const storedFileTable = {
  name: 'terminal_storedfile',
  columns: {
    /** Sorts by the time of its creation. */
    id: { type: 'uuid' },
    /** Path below the media folder, such as `replay/2026-11-23/<session>.cast.gz`. */
    path: { type: 'path' },
    storage_id: { type: 'uuid' },
    /** `waiting`: the data folder has it; `stored`: the storage has it, verified. */
    state: { type: 'text' },
    size: { type: 'integer', nullable: true },
    sha256: { type: 'text', nullable: true },
    /** The text of the last failure, for administrators. */
    error: { type: 'text', nullable: true },
    attempts: { type: 'integer' },
    /** What the storage noted of an unfinished upload, so that the next attempt continues it. */
    upload: { type: 'text', nullable: true },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['id'],
  unique: [['path']],
  indexes: [['storage_id', 'state', 'id'], ['date_created']],
} as const satisfies TableShape

export type StoredFile = TableRow<typeof storedFileTable>

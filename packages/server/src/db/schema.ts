import type { ColumnDataType } from 'kysely'
import type { DialectName } from './database.ts'

/** What a column may hold; the two databases' own names for it stand below and nowhere else. */
export type ColumnType = 'text' | 'integer' | 'float' | 'boolean' | 'timestamp' | 'json' | 'uuid' | 'serial'

const names: Record<DialectName, Record<ColumnType, ColumnDataType>> = {
  // Timestamps are unix milliseconds on both: one arithmetic, one order, no time zone to lose.
  sqlite: {
    text: 'text',
    uuid: 'text',
    json: 'text',
    integer: 'integer',
    float: 'real',
    boolean: 'integer',
    timestamp: 'integer',
    serial: 'integer',
  },
  postgres: {
    text: 'text',
    uuid: 'text',
    json: 'text',
    integer: 'bigint',
    float: 'double precision',
    boolean: 'boolean',
    timestamp: 'bigint',
    serial: 'bigserial' as ColumnDataType,
  },
}

export const columnTypeName = (dialect: DialectName, type: ColumnType): ColumnDataType => names[dialect][type]

export interface ColumnShape {
  type: ColumnType
  nullable?: boolean
  /** `table.column` this one refers to. */
  references?: string
  onDelete?: 'cascade' | 'set null' | 'restrict'
}

/** A table as a resource declares it and as a migration makes it. */
export interface TableShape {
  name: string
  columns: Record<string, ColumnShape>
  primaryKey: readonly string[]
  unique: readonly (readonly string[])[]
  indexes: readonly (readonly string[])[]
}

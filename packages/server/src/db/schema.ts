import { type ColumnDataType, type Expression, type RawBuilder, sql } from 'kysely'
import type { DialectName } from './database.ts'

/**
 * Our column types; the databases' own types are listed below and nowhere else. `path`: text compared byte by byte on
 * both databases, so that everything below a path is one range of an index. `uuid` too: comparing ids by locale takes
 * PostgreSQL many times as long, and every index and reference compares them.
 */
export type ColumnType = 'text' | 'path' | 'integer' | 'float' | 'boolean' | 'timestamp' | 'json' | 'uuid' | 'serial'

const bytewise = sql`text collate "C"`

const names: Record<DialectName, Record<ColumnType, ColumnDataType | Expression<unknown>>> = {
  // Timestamps are unix milliseconds on both databases: same arithmetic, same order, no time zone.
  sqlite: {
    text: 'text',
    path: 'text',
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
    path: bytewise,
    uuid: bytewise,
    json: 'text',
    integer: 'bigint',
    float: 'double precision',
    boolean: 'boolean',
    timestamp: 'bigint',
    serial: 'bigserial' as ColumnDataType,
  },
}

export const columnTypeName = (dialect: DialectName, type: ColumnType) => names[dialect][type]

/** PostgreSQL's type for a value of a column, without collation or sequence. */
export const valueType = (type: ColumnType): RawBuilder<unknown> =>
  names.postgres[type] === bytewise
    ? sql`text`
    : type === 'serial'
      ? sql`bigint`
      : sql.raw(String(names.postgres[type]))

export interface ColumnShape {
  type: ColumnType
  nullable?: boolean
  /** The referenced `table.column`. */
  references?: string
  onDelete?: 'cascade' | 'set null' | 'restrict'
}

/** A table as declared by a resource and as created by a migration. */
export interface TableShape {
  name: string
  columns: Record<string, ColumnShape>
  primaryKey: readonly string[]
  unique: readonly (readonly string[])[]
  indexes: readonly (readonly string[])[]
  /** Columns covered by a substring index (`search-index.ts`). */
  search?: readonly string[]
}

interface RawValues {
  text: string
  path: string
  uuid: string
  json: string
  integer: number
  float: number
  timestamp: number
  serial: number
  /** SQLite answers numbers. */
  boolean: boolean | 0 | 1
}

/** A row as the database answers it, of a table whose shape is declared `as const`. */
export type TableRow<T extends TableShape> = {
  [K in keyof T['columns']]: T['columns'][K] extends { nullable: true }
    ? RawValues[T['columns'][K]['type']] | null
    : RawValues[T['columns'][K]['type']]
}

/** The name of an index, from its table and columns, within PostgreSQL's 63 characters. */
export function indexName(table: string, columns: readonly string[], unique: boolean): string {
  const name = `${unique ? 'ux' : 'ix'}_${table}_${columns.join('_')}`
  if (name.length <= 63) return name
  let hash = 0
  for (const character of name) hash = (hash * 31 + character.charCodeAt(0)) >>> 0
  return `${name.slice(0, 54)}_${hash.toString(36)}`
}

import type { Watch } from './change-feed.ts'
import type { Db, DialectName } from './database.ts'
import type { ColumnShape, TableShape } from './schema.ts'

/** What a migration may do. Column types are ours; the dialect's own stay in `schema.ts`. */
export interface MigrationTools {
  readonly db: Db
  readonly dialect: DialectName
  createTable(shape: TableShape): Promise<void>
  addColumn(table: string, column: string, shape: ColumnShape, fill?: unknown): Promise<void>
  dropColumn(table: string, column: string): Promise<void>
  createIndex(table: string, columns: readonly string[], unique?: boolean): Promise<void>
  /** A substring index, which every resource has that searches through texts of its own table. */
  createSearchIndex(table: string, columns: readonly string[]): Promise<void>
  /** Notes which rows of a table change, for copies of them in memory. */
  watchRows(watch: Watch): Promise<void>
}

export interface Migration {
  /** UTC stamp and slug; the file has the same name. Sorts after every earlier one. */
  readonly name: string
  up(tools: MigrationTools): Promise<void>
}

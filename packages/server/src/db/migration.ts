import type { Watch } from './change-feed.ts'
import type { Db, DialectName } from './database.ts'
import type { ColumnShape, TableShape } from './schema.ts'

/** The operations a migration may use. Column types are ours; those of the databases are in `schema.ts`. */
export interface MigrationTools {
  readonly db: Db
  readonly dialect: DialectName
  createTable(shape: TableShape): Promise<void>
  addColumn(table: string, column: string, shape: ColumnShape, fill?: unknown): Promise<void>
  dropColumn(table: string, column: string): Promise<void>
  createIndex(table: string, columns: readonly string[], unique?: boolean): Promise<void>
  /** Creates a substring index, as every resource has that searches text columns of its own table. */
  createSearchIndex(table: string, columns: readonly string[]): Promise<void>
  /** Records changed rows of a table, for in-memory copies. */
  watchRows(watch: Watch): Promise<void>
}

export interface Migration {
  /** UTC timestamp and slug, also the name of the file. Sorts after every earlier one. */
  readonly name: string
  up(tools: MigrationTools): Promise<void>
}

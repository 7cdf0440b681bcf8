/** What identifies a row: its rowid on SQLite, its id on PostgreSQL. */
export type RowKey = number | string

/** How often tables changed; the numbers only grow. */
export interface Revision {
  /** Changes of all tables of a statement. */
  all: number
  /** Changes of all of them except this one. */
  others(table: string): number
  /** Changes of the rows of one table. On SQLite inserts do not count: new rows have the highest rowids. */
  edits(table: string): number
  /** SQLite: the highest rowid of the table that was asked about, at the same moment; otherwise 0. */
  highest: number
}

/** Rows of a table that were edited. */
export interface Edited {
  keys: ReadonlySet<RowKey>
  deleted: ReadonlySet<RowKey>
}

/** Runs a query once per name. */
export type Once = <T>(name: string, ask: () => Promise<T>) => Promise<T>

/** Reports which rows of which tables changed. */
export interface Changes {
  /** The revisions of tables, read after the call at the earliest. `table`: the one whose highest row is wanted. */
  revision(tables: readonly string[], table?: string): Promise<Revision>
  /** The revisions of tables, read once per unit of work. */
  revisionOnce(tables: readonly string[], once: Once): Promise<Revision>
  /**
   * The keys of rows edited since a revision of their table, and possibly of some edited later; undefined when these are
   * too many to be known. `deleted`: those of them that were deleted; SQLite gives their rowids to other rows.
   */
  editedSince(table: string, since: number, until: number): Promise<Edited | undefined>
}

import { type CompiledQuery, sql } from 'kysely'
import type { Database, Db, DialectName, ListQuery } from '../database.ts'
import type { Changes, Once, Revision, RowKey } from './changes.ts'
import { Numbering } from './row-numbers.ts'
import { changesOf, StatementTables } from './watched-tables.ts'

/** Longer statements, such as those with thousands of ids, are not cached. Characters. */
const longestKey = 4000

/** Something that was derived from tables at a revision. */
export interface Kept<T> {
  revision: number
  value: T
}

/** The revision of a table at which something was derived from a list of its rows. */
export interface Since {
  /** All tables the list reads. */
  revision: number
  /** All of them except the table of its rows. */
  others: number
  edits: number
  /** SQLite: new rows have higher rowids. */
  upTo: number
}

/** The cache key of a statement, and the revision of its tables. */
export interface Known {
  key: string
  revision: Revision
}

/**
 * The revision for a list of a table's rows. These are read later, and a row may have changed meanwhile: it is among the
 * changed ones of the next time again.
 */
export const sinceOf = (table: string, revision: Revision): Since => ({
  revision: revision.all,
  others: revision.others(table),
  edits: revision.edits(table),
  upTo: revision.highest,
})

/** Whether a changed row can only add or remove itself: true if the statement names its table once, quoted or not. */
export const readsOnce = (statement: string, table: string): boolean =>
  statement.match(/\w+/g)?.filter((word) => word === table).length === 1

/** Moves the entry to the end, so that the least recently used one is evicted first. */
export function keepLatest<T>(kept: Map<string, T>, key: string, entry: T, most: number): void {
  kept.delete(key)
  kept.set(key, entry)
  if (kept.size > most) kept.delete(kept.keys().next().value ?? '')
}

/** Rows that changed since something was derived; more of them than this are not looked at one by one. */
const mostNewer = 2000

/**
 * A longer list takes too long to order completely, and its pages are found from its nearer end: a million rowids take a
 * quarter of a second, once; ids have to be kept as well.
 */
const longestOrder: Readonly<Record<DialectName, number>> = { sqlite: 1_500_000, postgres: 400_000 }

/** What the caches of lists share: keys of statements, revisions of their tables, and the rows that changed since. */
export class Tracking {
  readonly #database: Database
  readonly #tables: StatementTables
  readonly #changes: Changes
  readonly numbering: Numbering
  /** Maximum length of a list whose complete order may be read. Rows. */
  readonly longestOrder: number

  constructor(database: Database) {
    this.#database = database
    this.longestOrder = longestOrder[database.dialect]
    this.#tables = new StatementTables(database.reader, database.dialect)
    this.#changes = changesOf(database.reader, database.dialect)
    this.numbering = new Numbering(database.dialect)
  }

  /**
   * The cache key of a query; undefined when it cannot be cached. `table`: the one whose rows it lists. With `once`,
   * changes are looked for once per unit of work, so that its own later changes may be missed.
   */
  async known(
    rawDb: Db,
    query: CompiledQuery,
    { table, once }: { table?: string; once?: Once } = {},
  ): Promise<Known | undefined> {
    // A transaction sees rows that may be rolled back.
    if (rawDb !== this.#database.reader) return undefined
    const key = `${query.sql} ${JSON.stringify(query.parameters)}`
    const tables = key.length > longestKey ? undefined : await this.#tables.of(query.sql)
    if (!tables) return undefined
    const revision = once ? this.#changes.revisionOnce(tables, once) : this.#changes.revision(tables, table)
    return { key, revision: await revision }
  }

  /**
   * The rows of a table that were changed or added between two revisions, and possibly some that were changed later;
   * undefined when they are too many or cannot be told from others.
   */
  async changed(table: string, from: Since, to: Since): Promise<ReadonlySet<RowKey> | undefined> {
    const edited = await this.#changes.editedSince(table, from.edits, to.edits)
    // Once the last row is gone, SQLite gives rowids again that are not above it.
    if (!edited || edited.deleted.has(from.upTo)) return undefined
    if (to.upTo === from.upTo) return edited.keys
    const { rows } = await sql<{ rowid: number }>`select rowid from ${sql.table(table)}
      where rowid > ${from.upTo} limit ${mostNewer + 1}`.execute(this.#database.reader)
    return rows.length > mostNewer ? undefined : new Set([...edited.keys, ...rows.map(({ rowid }) => rowid)])
  }

  /** The keys of a list's rows, in its order. */
  async keys(query: ListQuery): Promise<RowKey[]> {
    const rows = await this.#keyed(query).execute()
    return rows.map(({ row_key }) => row_key as RowKey)
  }

  /** The keys of all rows of a long list, in its order: SQLite hands over one text five times faster than the rows. */
  async orderedKeys(query: ListQuery): Promise<RowKey[]> {
    if (this.#database.dialect !== 'sqlite') return this.keys(query)
    // Without a limit, SQLite may leave the order of an inner query out.
    const keyed = this.#keyed(query).limit(this.longestOrder)
    const row = await this.#database.reader
      .selectFrom(keyed.as('keyed'))
      .select(sql<string>`json_group_array(row_key)`.as('row_keys'))
      .executeTakeFirst()
    return JSON.parse(String(row?.row_keys ?? '[]')) as number[]
  }

  /** The keys of a list's rows, in no order: as one text, because a hundred thousand rows cost more than reading them. */
  async allKeys(query: ListQuery): Promise<RowKey[]> {
    const all = query.clearSelect().clearOrderBy()
    if (this.#database.dialect === 'sqlite') {
      const row = await all.select(sql<string>`json_group_array(t.rowid)`.as('row_keys')).executeTakeFirst()
      return JSON.parse(String(row?.row_keys ?? '[]')) as number[]
    }
    const row = await all.select(sql<string>`json_agg(t.id)`.as('row_keys')).executeTakeFirst()
    return (row?.row_keys ?? []) as RowKey[]
  }

  #keyed(query: ListQuery): ListQuery {
    const key = this.#database.dialect === 'sqlite' ? sql<RowKey>`t.rowid` : sql<RowKey>`t.id`
    return query.clearSelect().select(key.as('row_key'))
  }

  /** The rows with these keys, in the order of the keys; rows that have been deleted are left out. */
  async rows(table: string, keys: readonly RowKey[]) {
    if (keys.length === 0) return []
    const key = this.#database.dialect === 'sqlite' ? sql<RowKey>`t.rowid` : sql<RowKey>`t.id`
    const rows = await this.#database.reader
      .selectFrom(`${table} as t`)
      .selectAll('t')
      .select(key.as('row_key'))
      .where(key, 'in', [...keys])
      .execute()
    const byKey = new Map(rows.map(({ row_key, ...row }) => [row_key as RowKey, row]))
    return keys.flatMap((one) => byKey.get(one) ?? [])
  }
}

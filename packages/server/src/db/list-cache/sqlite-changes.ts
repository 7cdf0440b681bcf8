import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { Changes, Edited, Revision, RowKey } from './changes.ts'

/**
 * Holds for each watched table how often rows were updated or deleted, and in a second row (`madeIn`) how often rows
 * were inserted.
 */
export const revisionTable = 'kernel_revision'

/** The rows last updated or deleted, of each table. */
export const editTable = 'kernel_edit'

/** Edits kept for each table; after more than this, all is read again. */
const mostEdits = 256

const madeIn = (table: string) => `+${table}`

/** Triggers that count, and note the rowids of edited rows. */
export async function watchOnSqlite(db: Db, names: readonly string[]): Promise<void> {
  await db.schema
    .createTable(revisionTable)
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .execute()
  await sql`create table if not exists ${sql.table(editTable)} (name text not null, revision integer not null,
    row_key integer not null, deleted integer not null, primary key (name, revision)) without rowid`.execute(db)
  const revisions = sql.table(revisionTable)
  for (const name of names) {
    await sql`insert into ${revisions} values (${name}, 0), (${madeIn(name)}, 0) on conflict do nothing`.execute(db)
    const count = (counter: string) =>
      sql`update ${revisions} set revision = revision + 1 where name = ${sql.lit(counter)};`
    const present = sql`(select revision from ${revisions} where name = ${sql.lit(name)})`
    // Without conflicts: actions of foreign keys would not resolve them.
    const note = (deleted: 0 | 1) => sql`insert into ${sql.table(editTable)} (name, revision, row_key, deleted)
      values (${sql.lit(name)}, ${present}, old.rowid, ${sql.lit(deleted)});
      delete from ${sql.table(editTable)}
      where name = ${sql.lit(name)} and revision <= ${present} - ${sql.lit(mostEdits)};`
    // Earlier versions counted inserts under the table's own name, and did not note rows.
    for (const old of ['insert', 'update', 'delete'])
      await sql`drop trigger if exists ${sql.ref(`revision_${name}_${old}`)}`.execute(db)
    for (const [trigger, event, steps] of [
      ['made', 'insert', count(madeIn(name))],
      ['updated', 'update', sql`${count(name)} ${note(0)}`],
      ['deleted', 'delete', sql`${count(name)} ${note(1)}`],
    ] as const)
      await sql`create trigger if not exists ${sql.ref(`revision_${name}_${trigger}`)}
        after ${sql.raw(event)} on ${sql.table(name)} begin ${steps} end`.execute(db)
  }
}

/** Reads what the triggers wrote; every process sees the changes of all. */
export class SqliteChanges implements Changes {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  static async watched(db: Db): Promise<Set<string>> {
    return new Set((await db.selectFrom(revisionTable).select('name').execute()).map(({ name }) => String(name)))
  }

  async revision(tables: readonly string[], table?: string): Promise<Revision> {
    const highest = table ? sql`(select max(rowid) from ${sql.table(table)})` : sql`0`
    // One statement, so that both are of the same moment.
    const { rows } = await sql<{ name: string; revision: number; highest: number | null }>`select name, revision,
      ${highest} as highest from ${sql.table(revisionTable)}
      where name in (${sql.join([...tables, ...tables.map(madeIn)])})`.execute(this.#db)
    const counts = new Map(rows.map(({ name, revision }) => [name, Number(revision)]))
    const of = (name: string) => counts.get(name) ?? 0
    const all = [...counts.values()].reduce((total, count) => total + count, 0)
    return { all, others: (table) => all - of(table) - of(madeIn(table)), edits: of, highest: rows[0]?.highest ?? 0 }
  }

  revisionOnce(tables: readonly string[]): Promise<Revision> {
    return this.revision(tables)
  }

  async editedSince(table: string, since: number, until: number): Promise<Edited | undefined> {
    if (until === since) return { keys: new Set(), deleted: new Set() }
    if (until - since > mostEdits) return undefined
    const rows = await this.#db
      .selectFrom(editTable)
      .select(['row_key', 'deleted', 'revision'])
      .where('name', '=', table)
      .where('revision', '>', since)
      .execute()
    // Some may have been deleted since the revision was read.
    const known = rows.filter(({ revision }) => Number(revision) <= until).length
    if (known !== until - since) return undefined
    const keys = (some: typeof rows) => new Set<RowKey>(some.map((row) => Number(row.row_key)))
    return { keys: keys(rows), deleted: keys(rows.filter(({ deleted }) => deleted)) }
  }
}

import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Holds for each table how often a row of it was changed or deleted, and in a row of its own (`madeIn`) how often one was
 * made. Only on SQLite.
 */
export const revisionTable = 'kernel_revision'

const madeIn = (table: string) => `+${table}`

/** Tables whose changes nobody asks for: they change all day, and no list is made of them. */
const unwatched = /^(kernel|sqlite|search)_/

/**
 * Lets SQLite count the changes of every table, in the transaction that makes them, whoever makes them.
 * Runs after the migrations, so that a new table is watched without being named anywhere. Not for PostgreSQL, where
 * writers of one table would wait for each other at its counter.
 */
export async function watchTables(db: Db): Promise<void> {
  await db.schema
    .createTable(revisionTable)
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .execute()
  const tables = await db.selectFrom('sqlite_master').select('name').where('type', '=', 'table').execute()
  for (const name of tables.map((table) => String(table.name)).filter((table) => !unwatched.test(table))) {
    await sql`insert into ${sql.table(revisionTable)} values (${name}, 0), (${madeIn(name)}, 0)
      on conflict do nothing`.execute(db)
    // It counted under the table's own name before making was told from changing.
    await sql`drop trigger if exists ${sql.ref(`revision_${name}_insert`)}`.execute(db)
    for (const [trigger, event, counter] of [
      ['made', 'insert', madeIn(name)],
      ['update', 'update', name],
      ['delete', 'delete', name],
    ] as const)
      await sql`create trigger if not exists ${sql.ref(`revision_${name}_${trigger}`)} after ${sql.raw(event)} on ${sql.table(name)}
        begin update ${sql.table(revisionTable)} set revision = revision + 1 where name = ${sql.lit(counter)}; end`.execute(
        db,
      )
  }
}

/** Numbers that only grow. */
export interface Revision {
  /** Grows with every change. */
  all: number
  /** Grows with every change but a new row of this table. */
  exceptMadeIn(table: string): number
}

/** Tells whether anything changed since it was last asked, for the tables a statement reads. Only on SQLite. */
export class Revisions {
  readonly #reader: Db
  #known: Promise<Map<string, boolean>> | undefined
  readonly #tables = new Map<string, readonly string[] | undefined>()

  constructor(reader: Db) {
    this.#reader = reader
  }

  /** Every table of the database, and whether it is watched. */
  async #all(): Promise<Map<string, boolean>> {
    const tables = await this.#reader.selectFrom('sqlite_master').select('name').where('type', '=', 'table').execute()
    const watched = new Set(
      (await this.#reader.selectFrom(revisionTable).select('name').execute()).map((row) => row.name),
    )
    // A substring index follows its table.
    return new Map(
      tables
        .map((table) => String(table.name))
        .filter((name) => !name.startsWith('search_'))
        .map((name) => [name, watched.has(name)]),
    )
  }

  /** The tables a statement names; undefined when one of them is not watched. */
  async #tablesOf(statement: string): Promise<readonly string[] | undefined> {
    if (this.#tables.has(statement)) return this.#tables.get(statement)
    this.#known ??= this.#all().catch((error) => {
      this.#known = undefined
      throw error
    })
    const all = await this.#known
    const named = [...new Set(statement.match(/\w+/g) ?? [])].filter((word) => all.has(word))
    const tables = named.every((name) => all.get(name)) ? named : undefined
    if (this.#tables.size >= 1000) this.#tables.clear()
    this.#tables.set(statement, tables)
    return tables
  }

  /** What has happened to the tables a statement reads; undefined when nobody counts it. */
  async of(statement: string): Promise<Revision | undefined> {
    const tables = await this.#tablesOf(statement)
    if (!tables || tables.length === 0) return undefined
    const rows = await this.#reader
      .selectFrom(revisionTable)
      .selectAll()
      .where('name', 'in', [...tables, ...tables.map(madeIn)])
      .execute()
    const counts = new Map(rows.map(({ name, revision }) => [name, Number(revision)]))
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
    return { all, exceptMadeIn: (table) => all - (counts.get(madeIn(table)) ?? 0) }
  }
}

import { sql } from 'kysely'
import type { Db, DialectName } from './database.ts'

/**
 * Holds for each watched table how often rows were updated or deleted, and in a second row (`madeIn`) how often rows
 * were inserted.
 */
export const revisionTable = 'kernel_revision'

const madeIn = (table: string) => `+${table}`

/** Tables that are not watched: they change constantly, and no list reads them. */
const unwatched = /^(kernel|sqlite|search)_/

/**
 * Tables watched on PostgreSQL: short ones that rarely change and that nearly every request reads. On a busy table the
 * counter row would make writers wait for each other.
 */
const watchedOnPostgres = ['assets_platform', 'assets_platformprotocol', 'orgs_organization']

/**
 * Creates triggers that count the changes of tables in the transaction that makes them. Runs after the migrations, so
 * that on SQLite a new table is watched without being listed anywhere.
 */
export async function watchTables(db: Db, dialect: DialectName): Promise<void> {
  await db.schema
    .createTable(revisionTable)
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .execute()
  await (dialect === 'sqlite' ? watchOnSqlite(db) : watchOnPostgres(db))
}

/** Statement-level triggers. */
async function watchOnPostgres(db: Db): Promise<void> {
  for (const name of watchedOnPostgres) {
    await sql`insert into ${sql.table(revisionTable)} values (${name}, 0) on conflict do nothing`.execute(db)
    const count = sql.ref(`revision_${name}`)
    await sql`create or replace function ${count}() returns trigger language plpgsql as $$ begin
      update ${sql.table(revisionTable)} set revision = revision + 1 where name = ${sql.lit(name)};
      return null;
      end $$`.execute(db)
    await sql`create or replace trigger ${count} after insert or update or delete or truncate on ${sql.table(name)}
      for each statement execute function ${count}()`.execute(db)
  }
}

async function watchOnSqlite(db: Db): Promise<void> {
  const tables = await db.selectFrom('sqlite_master').select('name').where('type', '=', 'table').execute()
  for (const name of tables.map((table) => String(table.name)).filter((table) => !unwatched.test(table))) {
    await sql`insert into ${sql.table(revisionTable)} values (${name}, 0), (${madeIn(name)}, 0)
      on conflict do nothing`.execute(db)
    // Earlier versions counted inserts under the table's own name.
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

/** Runs a query once per name. */
export type Once = <T>(name: string, ask: () => Promise<T>) => Promise<T>

/** Revision numbers, which only grow. */
export interface Revision {
  /** Grows with every change. */
  all: number
  /** Grows with every change except inserts into this table. */
  exceptMadeIn(table: string): number
}

/** Reports whether the tables a statement reads have changed. */
export class Revisions {
  readonly #reader: Db
  readonly #dialect: DialectName
  #known: Promise<Map<string, boolean>> | undefined
  readonly #tables = new Map<string, readonly string[] | undefined>()

  constructor(reader: Db, dialect: DialectName) {
    this.#reader = reader
    this.#dialect = dialect
  }

  /** Every table of the database, and whether it is watched. */
  async #all(): Promise<Map<string, boolean>> {
    const tables =
      this.#dialect === 'sqlite'
        ? await this.#reader.selectFrom('sqlite_master').select('name').where('type', '=', 'table').execute()
        : await this.#reader
            .selectFrom('pg_tables')
            .select('tablename as name')
            .where(sql<boolean>`schemaname = current_schema()`)
            .execute()
    const watched = new Set(
      (await this.#reader.selectFrom(revisionTable).select('name').execute()).map((row) => row.name),
    )
    // The tables of a substring index change with their table.
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

  /**
   * The revision of the tables a statement reads; undefined when one is not watched. On PostgreSQL, where every query
   * is a round trip, `once` shares queries within a unit of work.
   */
  async of(statement: string, once?: Once): Promise<Revision | undefined> {
    const tables = await this.#tablesOf(statement)
    if (!tables || tables.length === 0) return undefined
    const names = [...tables, ...tables.map(madeIn)]
    const all = this.#reader.selectFrom(revisionTable).selectAll()
    const rows =
      once && this.#dialect === 'postgres'
        ? (await once('kernel.revisions', () => all.execute())).filter(({ name }) => names.includes(name))
        : await all.where('name', 'in', names).execute()
    const counts = new Map(rows.map(({ name, revision }) => [name, Number(revision)]))
    const sum = [...counts.values()].reduce((total, count) => total + count, 0)
    return { all: sum, exceptMadeIn: (table) => sum - (counts.get(madeIn(table)) ?? 0) }
  }
}

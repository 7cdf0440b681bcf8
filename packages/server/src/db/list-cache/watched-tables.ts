import { sql } from 'kysely'
import type { Db, DialectName } from '../database.ts'
import type { Changes } from './changes.ts'
import { PostgresChanges, watchOnPostgres } from './postgres-changes.ts'
import { SqliteChanges, watchOnSqlite } from './sqlite-changes.ts'

/** Tables that are never watched: they change constantly, and no list reads them. */
const unwatched = /^(kernel|sqlite|search)_/

/** The tables of the current schema. */
async function tableNames(db: Db, dialect: DialectName): Promise<string[]> {
  const rows =
    dialect === 'sqlite'
      ? await db.selectFrom('sqlite_master').select('name').where('type', '=', 'table').execute()
      : await db
          .selectFrom('pg_tables')
          .select('tablename as name')
          .where(sql<boolean>`schemaname = current_schema()`)
          .execute()
  return rows.map(({ name }) => String(name))
}

/**
 * Creates the triggers that report changes, in the transaction that makes the changes. Runs after the migrations, so
 * that a new table is watched without being listed anywhere.
 * @param logs tables to which rows are only added, at a high rate, and whose lists need no caching on PostgreSQL
 */
export async function watchTables(db: Db, dialect: DialectName, logs: ReadonlySet<string>): Promise<void> {
  const names = (await tableNames(db, dialect)).filter((name) => !unwatched.test(name))
  if (dialect === 'sqlite') await watchOnSqlite(db, names)
  else
    await watchOnPostgres(
      db,
      names.filter((name) => !logs.has(name)),
    )
}

/** Finds the tables that statements read, and whether all of them are watched. */
export class StatementTables {
  readonly #db: Db
  readonly #dialect: DialectName
  #known: Promise<Map<string, boolean>> | undefined
  readonly #tables = new Map<string, readonly string[] | undefined>()

  constructor(db: Db, dialect: DialectName) {
    this.#db = db
    this.#dialect = dialect
  }

  /** Every table of the database, and whether it is watched. */
  async #all(): Promise<Map<string, boolean>> {
    const watched = await (this.#dialect === 'sqlite' ? SqliteChanges : PostgresChanges).watched(this.#db)
    const names = await tableNames(this.#db, this.#dialect)
    // The tables of a substring index change with their table.
    return new Map(names.filter((name) => !name.startsWith('search_')).map((name) => [name, watched.has(name)]))
  }

  /** The tables a statement names; undefined when one of them is not watched, or when it names none. */
  async of(statement: string): Promise<readonly string[] | undefined> {
    if (this.#tables.has(statement)) return this.#tables.get(statement)
    this.#known ??= this.#all().catch((error) => {
      this.#known = undefined
      throw error
    })
    const all = await this.#known
    const named = [...new Set(statement.match(/\w+/g) ?? [])].filter((word) => all.has(word))
    const tables = named.length > 0 && named.every((name) => all.get(name)) ? named : undefined
    if (this.#tables.size >= 1000) this.#tables.clear()
    this.#tables.set(statement, tables)
    return tables
  }
}

export const changesOf = (db: Db, dialect: DialectName): Changes =>
  dialect === 'sqlite' ? new SqliteChanges(db) : new PostgresChanges(db)

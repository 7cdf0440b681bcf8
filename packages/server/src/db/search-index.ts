import { sql } from 'kysely'
import type { Db, DialectName } from './database.ts'

/** Name of the substring index over columns of a table, within PostgreSQL's 63 characters. */
export const searchIndexName = (table: string) => `search_${table}`

/** Shadow tables that FTS5 creates for an index of ours. */
export const searchIndexParts = (table: string): string[] =>
  ['', '_data', '_idx', '_config'].map((part) => `${searchIndexName(table)}${part}`)

/**
 * Whether this database supports substring indexes: SQLite always, PostgreSQL when `pg_trgm` is installed or can be.
 * Without an index a search reads the table, as it always does for one or two characters.
 */
export async function canSearchByIndex(db: Db, dialect: DialectName): Promise<boolean> {
  if (dialect === 'sqlite') return true
  const found = await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(db)
  return found.rows.length > 0
}

/** Installs `pg_trgm`. An error must not abort the transaction of the migration. */
async function makeExtension(db: Db): Promise<boolean> {
  await sql`savepoint before_extension`.execute(db)
  try {
    await sql`create extension if not exists pg_trgm`.execute(db)
    await sql`release savepoint before_extension`.execute(db)
    return true
  } catch {
    await sql`rollback to savepoint before_extension`.execute(db)
    return false
  }
}

/** Creates the index and fills it from the existing rows. False: this PostgreSQL does not support it. */
export async function createSearchIndex(
  db: Db,
  dialect: DialectName,
  table: string,
  columns: readonly string[],
): Promise<boolean> {
  if (dialect === 'sqlite') {
    await createFullText(db, table, columns)
    return true
  }
  if (!(await makeExtension(db))) return false
  // Over lower-case texts, as searches compare them: over the columns themselves the planner would also use the index
  // for equality, a hundred times slower than the right index.
  const keys = sql.join(columns.map((column) => sql`lower(${sql.ref(column)}) gin_trgm_ops`))
  await sql`create index ${sql.ref(searchIndexName(table))} on ${sql.table(table)} using gin (${keys})`.execute(db)
  return true
}

/**
 * FTS5 stores the rowids for every trigram; the texts remain in the table only. Positions are not stored (`detail =
 * none`), which makes the index a sixth of the size: the condition on the columns themselves removes false matches.
 * Rowids of our tables only change by VACUUM, which the product never runs; after a manual one, `insert into
 * search_<table>(search_<table>) values ('rebuild')` repairs the index.
 */
async function createFullText(db: Db, table: string, columns: readonly string[]): Promise<void> {
  const index = searchIndexName(table)
  const name = sql.ref(index)
  const own = sql.join(columns.map((column) => sql.ref(column)))
  const of = (row: 'old' | 'new') => sql.join(columns.map((column) => sql.ref(`${row}.${column}`)))
  const add = sql`insert into ${name} (rowid, ${own}) values (new.rowid, ${of('new')});`
  const remove = sql`insert into ${name} (${name}, rowid, ${own}) values ('delete', old.rowid, ${of('old')});`
  const changed = sql.join(
    columns.map((column) => sql`${sql.ref(`old.${column}`)} is not ${sql.ref(`new.${column}`)}`),
    sql` or `,
  )
  const on = sql.table(table)
  const trigger = (event: string) => sql.ref(`${index}_${event}`)
  await sql`create virtual table ${name} using fts5(${own}, content = ${sql.lit(table)}, tokenize = 'trigram', detail = none, columnsize = 0)`.execute(
    db,
  )
  await sql`insert into ${name} (${name}) values ('rebuild')`.execute(db)
  await sql`create trigger ${trigger('insert')} after insert on ${on} begin ${add} end`.execute(db)
  await sql`create trigger ${trigger('delete')} after delete on ${on} begin ${remove} end`.execute(db)
  await sql`create trigger ${trigger('update')} after update of ${own} on ${on} when ${changed} begin ${remove} ${add} end`.execute(
    db,
  )
}

/** More rows than this are not passed from one statement to the next, but looked up again. */
const mostCarried = 3000
/** A page among more candidates than this is found faster by reading the table in order up to the end of the page. */
const mostCandidates = 30_000
/** Trigrams looked up for very long terms; more would hardly narrow the result. */
const mostParts = 40

/** The trigrams of the terms that are long enough; FTS5 folds their case as it did that of the texts. */
function partsOf(terms: readonly string[]): string[] {
  const parts = new Set<string>()
  for (const term of terms) {
    const characters = [...term]
    if (characters.includes('\0')) continue
    for (let at = 0; at + 3 <= characters.length; at++) parts.add(characters.slice(at, at + 3).join(''))
  }
  return [...parts].slice(0, mostParts)
}

/** A superset of the rows that contain all terms of a search, with few false matches. */
export interface Candidates {
  /** The FTS5 query. */
  match: string
  /** The rowids; undefined when there are many. */
  rowids: number[] | undefined
  /** Whether there are so many that a page is found faster by reading the table in order. */
  common: boolean
}

/** How long a search counts as common before it is checked again. Milliseconds. */
const commonFor = 10 * 60_000
const mostCommon = 1000

/** Searches with very many candidates. They only affect the query plan, so the entries may be slightly out of date. */
export class CommonSearches {
  readonly #until = new Map<string, number>()

  has(table: string, match: string): boolean {
    return (this.#until.get(`${table} ${match}`) ?? 0) > Date.now()
  }

  add(table: string, match: string): void {
    if (this.#until.size >= mostCommon) this.#until.clear()
    this.#until.set(`${table} ${match}`, Date.now() + commonFor)
  }
}

/** Looks up a search in the index; undefined when all terms are too short for it. */
export async function searchCandidates(
  db: Db,
  table: string,
  terms: readonly string[],
  seen: CommonSearches,
): Promise<Candidates | undefined> {
  const parts = partsOf(terms)
  if (parts.length === 0) return undefined
  const match = parts.map((part) => `"${part.replaceAll('"', '""')}"`).join(' AND ')
  if (seen.has(table, match)) return { match, rowids: undefined, common: true }
  const name = sql.ref(searchIndexName(table))
  const { rows } = await sql<{ rowid: number }>`select rowid from ${name} where ${name} match ${match}
    limit ${mostCandidates + 1}`.execute(db)
  const common = rows.length > mostCandidates
  if (common) seen.add(table, match)
  return { match, rowids: rows.length > mostCarried ? undefined : rows.map(({ rowid }) => rowid), common }
}

/**
 * The candidates of a search among the rows of a table, on SQLite. Its planner overestimates an index on the
 * organization; a cross join preserves the written order, so that the rows are fetched before other conditions are
 * evaluated.
 */
export function amongCandidates(db: Db, table: string, { match, rowids }: Candidates) {
  if (rowids) return amongRowids(db, table, rowids)
  const index = searchIndexName(table)
  return db
    .selectFrom(sql<{ rowid: number }>`${sql.table(index)}`.as('found'))
    .crossJoin(`${table} as t`)
    .where(sql<boolean>`${sql.ref(`found.${index}`)} match ${match}`)
    .where(sql<boolean>`t.rowid = found.rowid`)
}

/** Rows of a table by their rowids, on SQLite. */
export function amongRowids(db: Db, table: string, rowids: readonly number[]) {
  return db
    .selectFrom(sql<{ value: number }>`json_each(${JSON.stringify(rowids)})`.as('found'))
    .crossJoin(`${table} as t`)
    .where(sql<boolean>`t.rowid = found.value`)
}

/** The rows of a table with a higher rowid, on SQLite, without reading the others. */
export function amongNewer(db: Db, table: string, rowid: number) {
  return db
    .selectFrom(sql<{ rowid: number }>`(select rowid from ${sql.table(table)} where rowid > ${rowid})`.as('found'))
    .crossJoin(`${table} as t`)
    .where(sql<boolean>`t.rowid = found.rowid`)
}

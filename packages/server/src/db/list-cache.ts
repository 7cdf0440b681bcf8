import { type CompiledQuery, type SelectQueryBuilder, sql } from 'kysely'
import type { AnyRow, Database, Db } from './database.ts'
import { type Once, type Revision, Revisions } from './revisions.ts'
import { CommonSearches } from './search-index.ts'

/** A list query under construction; its table is `t`. */
type ListQuery = SelectQueryBuilder<{ t: AnyRow } & Record<string, AnyRow>, 't', AnyRow>

/** Maximum number of cached results. */
const mostAnswers = 2000
/** Maximum number of row positions cached, four bytes each. */
const mostPlaces = 2_000_000
/** A longer list takes too long to order completely; its pages are found from its nearer end. */
const longestOrder = 400_000
/** Longer statements, such as those with thousands of ids, are not cached. Characters. */
const longestKey = 4000

interface Kept<T> {
  revision: number
  value: T
}

/** A count, and the set of rows it covers. */
interface Counted extends Kept<number> {
  /** The revision, ignoring inserts into the counted table. */
  edits: number
  /** The highest rowid counted; new rows have higher ones. */
  upTo: number
}

/** A list to be counted, without order and page. */
export interface Countable {
  /** The table of the list's rows; `t` in the statements. */
  table: string
  fullQuery: ListQuery
  /** The same rows by the query that is counted fastest. */
  counted(): Promise<ListQuery>
  /** Those of the same rows with a higher rowid. */
  newer(rowid: number): Promise<ListQuery>
}

/** The cache key of a statement, and the revision of its tables. */
interface Known {
  key: string
  revision: number
  revisions: Revision
}

/** A request or another unit of work whose queries belong together. */
interface Asking {
  readonly unscoped: Db
  once: Once
}

interface Compilable {
  compile(): CompiledQuery
}

const answersOf = async (db: Db, query: Compilable): Promise<AnyRow[]> =>
  (await db.executeQuery<AnyRow>(query.compile() as CompiledQuery<AnyRow>)).rows

export const counting = (query: ListQuery) =>
  query
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll().as('n'))

const numberIn = (rows: readonly AnyRow[], column: string): number => Number(rows[0]?.[column] ?? 0)

/** Whether an insert can only add its own row to the result of a statement: true if it reads the table once. */
const readsOnce = (statement: string, table: string): boolean => statement.split(`"${table}"`).length === 2

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const parts = value instanceof Map ? value.values() : Object.values(value)
  for (const part of parts) frozen(part)
  return Object.freeze(value)
}

/** Moves the entry to the end, so that the least recently used one is evicted first. */
function keep<T extends Kept<unknown>>(kept: Map<string, T>, key: string, entry: T): void {
  kept.delete(key)
  kept.set(key, entry)
  if (kept.size > mostAnswers) kept.delete(kept.keys().next().value ?? '')
}

/**
 * Caches the counts and row orders of long lists with the revision of every table the list reads. An entry is invalid
 * as soon as one of these tables changed, so nothing is ever stale and no module has to invalidate anything. On
 * PostgreSQL only values derived from short tables are cached.
 */
export class ListCache {
  readonly #database: Database
  readonly #revisions: Revisions
  /** Searches whose pages are found faster by reading the table in order. */
  readonly commonSearches = new CommonSearches()
  readonly #counts = new Map<string, Counted>()
  readonly #numbers = new Map<string, Kept<number>>()
  readonly #derived = new Map<string, Kept<unknown>>()
  /** Undefined positions: the list was requested once; they are computed at the second request. */
  readonly #orders = new Map<string, Kept<Uint32Array | undefined>>()

  constructor(database: Database) {
    this.#database = database
    this.#revisions = new Revisions(database.reader, database.dialect)
  }

  /** The cache key of a query; undefined when it cannot be cached. */
  async #keyOf(db: Db, query: CompiledQuery): Promise<Known | undefined> {
    return this.#database.dialect === 'sqlite' ? this.#knownBy(db, query) : undefined
  }

  async #knownBy(db: Db, query: CompiledQuery, once?: Once): Promise<Known | undefined> {
    // A transaction sees rows that may be rolled back.
    if (db !== this.#database.reader) return undefined
    const key = `${query.sql} ${JSON.stringify(query.parameters)}`
    const revisions = key.length > longestKey ? undefined : await this.#revisions.of(query.sql, once)
    return revisions && { key, revision: revisions.all, revisions }
  }

  /** The number a statement returns as `n`. */
  async number(db: Db, query: Compilable): Promise<number> {
    const known = await this.#keyOf(db, query.compile())
    const kept = known && this.#numbers.get(known.key)
    if (kept && kept.revision === known.revision) return kept.value
    const value = numberIn(await answersOf(db, query), 'n')
    if (known) keep(this.#numbers, known.key, { revision: known.revision, value })
    return value
  }

  /** The number of rows of a list. If rows were only inserted since the last count, only those are counted. */
  async count(db: Db, list: Countable): Promise<number> {
    const whole = counting(list.fullQuery).compile()
    const known = await this.#keyOf(db, whole)
    if (!known) return numberIn(await answersOf(db, counting(await list.counted())), 'n')
    const { key, revision } = known
    const kept = this.#counts.get(key)
    if (kept?.revision === revision) return kept.value
    const edits = known.revisions.exceptMadeIn(list.table)
    const highest = sql<AnyRow>`select max(rowid) as rowid from ${sql.table(list.table)}`
    // Read first and used as an upper bound, so that rows inserted meanwhile are not counted twice.
    const upTo = numberIn((await highest.execute(db)).rows, 'rowid')
    const grown = kept?.edits === edits && readsOnce(whole.sql, list.table)
    const rows = grown ? await list.newer(kept.upTo) : await list.counted()
    // The unary plus keeps SQLite from using the bound for its query plan.
    const added = numberIn(await answersOf(db, counting(rows.where(sql<boolean>`+t.rowid <= ${upTo}`))), 'n')
    const value = grown ? kept.value + added : added
    keep(this.#counts, key, { revision, edits, upTo, value })
    return value
  }

  /**
   * A value derived from the rows of a short table that nearly every request needs. Requests share it, so it is frozen.
   */
  async derived<T>(asking: Asking, query: Compilable, derive: (rows: AnyRow[]) => T): Promise<T> {
    const { unscoped: db } = asking
    const known = await this.#knownBy(db, query.compile(), (name, ask) => asking.once(name, ask))
    const kept = known && this.#derived.get(known.key)
    if (kept && kept.revision === known.revision) return kept.value as T
    const value = frozen(derive(await answersOf(db, query)))
    if (known) this.#derived.set(known.key, { revision: known.revision, value })
    return value
  }

  /**
   * The rows of a page of an ordered list, by their cached positions; undefined when these are unknown. `table`: the
   * table of the list's rows.
   */
  async page(
    db: Db,
    table: string,
    orderedQuery: ListQuery,
    page: { limit: number; offset: number; count: number },
    indexedQuery = async () => orderedQuery,
  ): Promise<AnyRow[] | undefined> {
    if (page.count > longestOrder) return undefined
    const placing = (query: ListQuery) => query.clearSelect().select(sql<number>`t.rowid`.as('rowid'))
    const places = await this.#places(db, placing(orderedQuery), async () => placing(await indexedQuery()))
    if (!places) return undefined
    const wanted = [...places.subarray(page.offset, page.offset + page.limit)]
    if (wanted.length === 0) return []
    const rows = await db
      .selectFrom(`${table} as t`)
      .selectAll('t')
      .select(sql<number>`t.rowid`.as('place'))
      .where(sql<number>`t.rowid`, 'in', wanted)
      .execute()
    const byPlace = new Map(rows.map(({ place, ...row }) => [place, row]))
    return wanted.flatMap((place) => byPlace.get(place) ?? [])
  }

  async #places(db: Db, query: Compilable, indexedQuery: () => Promise<Compilable>): Promise<Uint32Array | undefined> {
    const known = await this.#keyOf(db, query.compile())
    if (!known) return undefined
    const kept = this.#orders.get(known.key)
    if (kept?.value && kept.revision === known.revision) {
      keep(this.#orders, known.key, kept)
      return kept.value
    }
    const again = kept?.revision === known.revision
    if (!again) {
      this.#keepOrder(known.key, { revision: known.revision, value: undefined })
      return undefined
    }
    const rows = await answersOf(db, await indexedQuery())
    if (rows.some(({ rowid }) => rowid > 0xffff_ffff)) return undefined
    const value = Uint32Array.from(rows, ({ rowid }) => rowid)
    this.#keepOrder(known.key, { revision: known.revision, value })
    return value
  }

  #keepOrder(key: string, entry: Kept<Uint32Array | undefined>): void {
    keep(this.#orders, key, entry)
    let places = 0
    for (const { value } of this.#orders.values()) places += value?.length ?? 0
    for (const [oldest, { value }] of this.#orders) {
      if (places <= mostPlaces && this.#orders.size <= mostAnswers) return
      places -= value?.length ?? 0
      this.#orders.delete(oldest)
    }
  }
}

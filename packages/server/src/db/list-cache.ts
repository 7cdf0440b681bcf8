import { type CompiledQuery, type SelectQueryBuilder, sql } from 'kysely'
import type { AnyRow, Database, Db } from './database.ts'
import { type Once, type Revision, Revisions } from './revisions.ts'
import { CommonSearches } from './search-index.ts'

/** A list in the making; its table is `t`. */
type ListQuery = SelectQueryBuilder<{ t: AnyRow } & Record<string, AnyRow>, 't', AnyRow>

/** Answers that are kept. */
const mostAnswers = 2000
/** Rows of orders that are kept, four bytes each. */
const mostPlaces = 2_000_000
/** A list longer than this takes too long to line up; its pages are found from its nearer end. */
const longestOrder = 400_000
/** Longer statements, such as those with thousands of ids, are not worth a key. Characters. */
const longestKey = 4000

interface Kept<T> {
  revision: number
  value: T
}

/** A count, and the rows that were there. */
interface Counted extends Kept<number> {
  /** The revision without new rows of the counted table. */
  edits: number
  /** The highest rowid among those counted; new rows have higher ones. */
  upTo: number
}

/** A list to be counted, without order and page. */
export interface Countable {
  /** The table the list's rows stand in; `t` in the statements. */
  table: string
  fullQuery: ListQuery
  /** The same rows in the way in which they are counted soonest. */
  counted(): Promise<ListQuery>
  /** Those of the same rows that were made after the one with this rowid. */
  newer(rowid: number): Promise<ListQuery>
}

/** What a statement's answer is kept under, and the revision it was asked at. */
interface Known {
  key: string
  revision: number
  revisions: Revision
}

/** A request, or whatever else asks several questions that belong together. */
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

/** Whether a new row of the table can only add itself to what a statement answers: it reads the table in one place. */
const readsOnce = (statement: string, table: string): boolean => statement.split(`"${table}"`).length === 2

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const parts = value instanceof Map ? value.values() : Object.values(value)
  for (const part of parts) frozen(part)
  return Object.freeze(value)
}

/** Keeps the newest at the end, so that the first one is the one that goes. */
function keep<T extends Kept<unknown>>(kept: Map<string, T>, key: string, entry: T): void {
  kept.delete(key)
  kept.set(key, entry)
  if (kept.size > mostAnswers) kept.delete(kept.keys().next().value ?? '')
}

/**
 * What long lists cost the database, they cost once: how many rows a list has, and which one stands where, is kept with
 * the revision of every table the list reads, and is worth nothing as soon as one of them changed. So nothing here is
 * ever out of date, and nobody has to say what makes it so. On PostgreSQL only what is derived of short tables is kept.
 */
export class ListCache {
  readonly #database: Database
  readonly #revisions: Revisions
  /** Searches whose pages are found by reading the table in order. */
  readonly commonSearches = new CommonSearches()
  readonly #counts = new Map<string, Counted>()
  readonly #numbers = new Map<string, Kept<number>>()
  readonly #derived = new Map<string, Kept<unknown>>()
  /** Without places: the list was asked for once, and they are worth finding when it is asked for again. */
  readonly #orders = new Map<string, Kept<Uint32Array | undefined>>()

  constructor(database: Database) {
    this.#database = database
    this.#revisions = new Revisions(database.reader, database.dialect)
  }

  /** How a list is kept; undefined when it cannot be. */
  async #keyOf(db: Db, query: CompiledQuery): Promise<Known | undefined> {
    return this.#database.dialect === 'sqlite' ? this.#knownBy(db, query) : undefined
  }

  async #knownBy(db: Db, query: CompiledQuery, once?: Once): Promise<Known | undefined> {
    // A transaction sees what may never be.
    if (db !== this.#database.reader) return undefined
    const key = `${query.sql} ${JSON.stringify(query.parameters)}`
    const revisions = key.length > longestKey ? undefined : await this.#revisions.of(query.sql, once)
    return revisions && { key, revision: revisions.all, revisions }
  }

  /** The number a statement answers as `n`. */
  async number(db: Db, query: Compilable): Promise<number> {
    const known = await this.#keyOf(db, query.compile())
    const kept = known && this.#numbers.get(known.key)
    if (kept && kept.revision === known.revision) return kept.value
    const value = numberIn(await answersOf(db, query), 'n')
    if (known) keep(this.#numbers, known.key, { revision: known.revision, value })
    return value
  }

  /** How many rows a list has. Where rows were only added since it was last counted, only those are looked at. */
  async count(db: Db, list: Countable): Promise<number> {
    const whole = counting(list.fullQuery).compile()
    const known = await this.#keyOf(db, whole)
    if (!known) return numberIn(await answersOf(db, counting(await list.counted())), 'n')
    const { key, revision } = known
    const kept = this.#counts.get(key)
    if (kept?.revision === revision) return kept.value
    const edits = known.revisions.exceptMadeIn(list.table)
    const highest = sql<AnyRow>`select max(rowid) as rowid from ${sql.table(list.table)}`
    // Asked first, and a bound for the count: what is made meanwhile is not counted twice.
    const upTo = numberIn((await highest.execute(db)).rows, 'rowid')
    const grown = kept?.edits === edits && readsOnce(whole.sql, list.table)
    const rows = grown ? await list.newer(kept.upTo) : await list.counted()
    // The plus keeps SQLite from taking the bound for the way to find the rows.
    const added = numberIn(await answersOf(db, counting(rows.where(sql<boolean>`+t.rowid <= ${upTo}`))), 'n')
    const value = grown ? kept.value + added : added
    keep(this.#counts, key, { revision, edits, upTo, value })
    return value
  }

  /**
   * What is made of the rows of a short table that nearly every request asks for. It may be shared by requests, so it is
   * frozen.
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
   * The rows of a page of an ordered list, by their places; undefined when the places are not known.
   * `table`: the one the list's rows stand in.
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

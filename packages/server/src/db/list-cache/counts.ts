import { sql } from 'kysely'
import type { Db, ListQuery, StoredRow } from '../database.ts'
import type { RowKey } from './changes.ts'
import { keepLatest, readsOnce, type Since, sinceOf, type Tracking } from './kept.ts'
import type { RowNumbers } from './row-numbers.ts'
import { RowSet } from './row-set.ts'

/** Maximum number of cached counts. */
const mostCounts = 2000
/** Of longer lists the set of rows is not kept: these are logs, to which rows are only added. */
const longestSet = 400_000
/** Memory for sets of rows, bytes. */
const mostBytes = 16 * 2 ** 20

/** A list to be counted, without order and page. */
export interface Countable {
  /** The table of the list's rows; `t` in the statements. */
  table: string
  fullQuery: ListQuery
  /** The same rows by the query that is counted fastest. */
  counted(): Promise<ListQuery>
  /** Those of the same rows with a higher rowid (SQLite). */
  newer(rowid: number): Promise<ListQuery>
  /** Those of the same rows with one of these keys. */
  among(keys: readonly RowKey[]): Promise<ListQuery>
}

interface Counted extends Since {
  count: number
  /** The rows that were counted; undefined until one of them was edited. */
  rows?: RowSet | undefined
  numbers?: RowNumbers
}

export const counting = (query: ListQuery) =>
  query
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll().as('n'))

const numberOf = (rows: readonly StoredRow[]): number => Number(rows[0]?.n ?? 0)

/**
 * Caches how many rows lists have. When rows of a list's table were changed, only these are looked at again, which is
 * why the set of its rows is kept; when rows were only inserted (SQLite), those are counted.
 */
export class Counts {
  readonly #tracking: Tracking
  readonly #kept = new Map<string, Counted>()

  constructor(tracking: Tracking) {
    this.#tracking = tracking
  }

  async of(db: Db, list: Countable): Promise<number> {
    const whole = counting(list.fullQuery).compile()
    const known = await this.#tracking.known(db, whole, list)
    if (!known) return numberOf(await counting(await list.counted()).execute())
    const kept = this.#kept.get(known.key)
    if (kept?.revision === known.revision.all) return kept.count
    const since = sinceOf(list.table, known.revision)
    const follows = kept?.others === since.others && readsOnce(whole.sql, list.table)
    const next = follows ? await this.#following(list, kept, since) : await this.#counted(list, since)
    this.#keep(known.key, next)
    return next.count
  }

  async #counted(list: Countable, since: Since): Promise<Counted> {
    return { ...since, count: await this.#upTo(await list.counted(), since.upTo) }
  }

  /** Rows inserted meanwhile are left to the next count. */
  async #upTo(query: ListQuery, upTo: number): Promise<number> {
    // The unary plus keeps SQLite from using the bound for its query plan.
    return numberOf(await counting(upTo > 0 ? query.where(sql<boolean>`+t.rowid <= ${upTo}`) : query).execute())
  }

  async #following(list: Countable, kept: Counted, since: Since): Promise<Counted> {
    if (!kept.rows && kept.edits === since.edits)
      return { ...since, count: kept.count + (await this.#upTo(await list.newer(kept.upTo), since.upTo)) }
    const numbers = this.#tracking.numbering.of(list.table)
    const changed = await this.#tracking.changed(list.table, kept, since)
    // After many changes the set of rows would have to be read each time.
    if (!changed || kept.count > longestSet) return this.#counted(list, since)
    if (kept.rows && kept.numbers === numbers) {
      const present = changed.size > 0 ? await this.#tracking.keys(await list.among([...changed])) : []
      const rows = kept.rows.with([...changed].map(numbers.numberOf), present.map(numbers.numberOf))
      return { ...since, count: rows.size, rows, numbers }
    }
    const rows = RowSet.of((await this.#tracking.allKeys(await list.counted())).map(numbers.numberOf))
    return { ...since, count: rows.size, rows, numbers }
  }

  #keep(key: string, next: Counted): void {
    keepLatest(this.#kept, key, next, mostCounts)
    let bytes = 0
    for (const { rows } of this.#kept.values()) bytes += rows?.bytes ?? 0
    for (const [oldest, { rows }] of this.#kept) {
      if (bytes <= mostBytes) return
      if (!rows) continue
      bytes -= rows.bytes
      this.#kept.delete(oldest)
    }
  }
}

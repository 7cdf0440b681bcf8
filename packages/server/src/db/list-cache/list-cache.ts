import type { CompiledQuery } from 'kysely'
import type { Database, Db, StoredRow } from '../database.ts'
import { CommonSearches } from '../search-index.ts'
import type { Once } from './changes.ts'
import { type Countable, Counts } from './counts.ts'
import { type Kept, keepLatest, Tracking } from './kept.ts'
import { type Orderable, Orders } from './orders.ts'

/** Maximum number of cached numbers. */
const mostNumbers = 2000

/** A request or another unit of work whose queries belong together. */
interface Asking {
  readonly rawDb: Db
  once: Once
}

interface Compilable<R> {
  compile(): CompiledQuery<R>
}

const answersOf = async <R>(db: Db, query: Compilable<R>): Promise<R[]> =>
  (await db.executeQuery<R>(query.compile())).rows

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const parts = value instanceof Map ? value.values() : Object.values(value)
  for (const part of parts) frozen(part)
  return Object.freeze(value)
}

/**
 * Caches what lists are made of: how many rows they have, in which order, and values derived from short tables. Triggers
 * report every change, so nothing is ever stale and no module has to invalidate anything; after the change of a few
 * rows only these are looked at again.
 */
export class ListCache {
  readonly #tracking: Tracking
  readonly #counts: Counts
  readonly #orders: Orders
  /** Searches whose pages are found faster by reading the table in order. */
  readonly commonSearches = new CommonSearches()
  readonly #numbers = new Map<string, Kept<number>>()
  readonly #derived = new Map<string, Kept<unknown>>()

  constructor(database: Database) {
    this.#tracking = new Tracking(database)
    this.#counts = new Counts(this.#tracking)
    this.#orders = new Orders(this.#tracking)
  }

  /** The number a statement returns as `n`. */
  async number(db: Db, query: Compilable<StoredRow>): Promise<number> {
    const known = await this.#tracking.known(db, query.compile())
    const kept = known && this.#numbers.get(known.key)
    if (kept && kept.revision === known.revision.all) return kept.value
    const value = Number((await answersOf(db, query))[0]?.n ?? 0)
    if (known) keepLatest(this.#numbers, known.key, { revision: known.revision.all, value }, mostNumbers)
    return value
  }

  /** The number of rows of a list. */
  count(db: Db, list: Countable): Promise<number> {
    return this.#counts.of(db, list)
  }

  /**
   * A value derived from the rows of a short table that nearly every request needs. Requests share it, so it is frozen.
   */
  async derived<T, R>(asking: Asking, query: Compilable<R>, derive: (rows: R[]) => T): Promise<T> {
    const once: Once = (name, ask) => asking.once(name, ask)
    const known = await this.#tracking.known(asking.rawDb, query.compile(), { once })
    const kept = known && this.#derived.get(known.key)
    if (kept && kept.revision === known.revision.all) return kept.value as T
    const value = frozen(derive(await answersOf(asking.rawDb, query)))
    if (known) this.#derived.set(known.key, { revision: known.revision.all, value })
    return value
  }

  /** The rows of a page of an ordered list, by cached positions; undefined when these are unknown. */
  page(
    db: Db,
    list: Orderable,
    page: { limit: number; offset: number; count: number },
  ): Promise<StoredRow[] | undefined> {
    return this.#orders.page(db, list, page)
  }
}

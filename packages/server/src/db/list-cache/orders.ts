import type { CompiledQuery } from 'kysely'
import type { Db, ListQuery, StoredRow } from '../database.ts'
import type { RowKey } from './changes.ts'
import { keepLatest, readsOnce, type Since, sinceOf, type Tracking } from './kept.ts'
import { placed } from './placed.ts'
import type { RowNumbers } from './row-numbers.ts'

/** Maximum number of cached orders. */
const mostOrders = 2000
/** Maximum number of row positions cached, four bytes each. */
const mostPlaces = 4_000_000
/** More changed rows than this are not placed one by one. */
const mostPlaced = 40

/** A list in an order. */
export interface Orderable {
  /** The table of the list's rows; `t` in the statements. */
  table: string
  orderedQuery: ListQuery
  /** The same rows in the same order, as of now, by the query that finds them fastest. */
  indexedQuery?(): Promise<ListQuery>
  /** Those of the same rows with one of these keys, in the same order. */
  among?(keys: readonly RowKey[]): Promise<ListQuery>
}

interface Ordered extends Since {
  /** The numbers of the rows. Undefined: the list was requested once; they are found at the second request. */
  places?: Uint32Array | undefined
  numbers?: RowNumbers
}

/**
 * Caches the order of the rows of long lists, so that any page is found by its positions. Rows that changed are taken out
 * and put in where they belong now.
 */
export class Orders {
  readonly #tracking: Tracking
  readonly #kept = new Map<string, Ordered>()

  constructor(tracking: Tracking) {
    this.#tracking = tracking
  }

  /** The rows of a page; undefined when the order is not known. */
  async page(
    db: Db,
    list: Orderable,
    { limit, offset, count }: { limit: number; offset: number; count: number },
  ): Promise<StoredRow[] | undefined> {
    if (count > this.#tracking.longestOrder) return undefined
    const known = await this.#order(db, list)
    if (!known) return undefined
    const keys = [...known.places.subarray(offset, offset + limit)].map(known.numbers.keyOf)
    return this.#tracking.rows(list.table, keys)
  }

  async #order(db: Db, list: Orderable): Promise<{ places: Uint32Array; numbers: RowNumbers } | undefined> {
    const whole = list.orderedQuery.clearSelect().select('t.id').compile() as CompiledQuery
    const known = await this.#tracking.known(db, whole, list)
    if (!known) return undefined
    const kept = this.#kept.get(known.key)
    const isCurrent = kept?.revision === known.revision.all
    if (isCurrent && kept.places && kept.numbers) {
      keepLatest(this.#kept, known.key, kept, mostOrders)
      return { places: kept.places, numbers: kept.numbers }
    }
    const since = sinceOf(list.table, known.revision)
    const numbers = this.#tracking.numbering.of(list.table)
    const follows = kept && (isCurrent || (kept.others === since.others && readsOnce(whole.sql, list.table)))
    const changed = follows && list.among ? await this.#tracking.changed(list.table, kept, since) : undefined
    const few = isCurrent || (changed && changed.size <= mostPlaced)
    const places = follows && few ? await this.#following(list, kept, changed, numbers) : undefined
    this.#keep(known.key, { ...since, places, numbers })
    return places && { places, numbers }
  }

  async #following(
    list: Orderable,
    kept: Ordered,
    changed: ReadonlySet<RowKey> | undefined,
    numbers: RowNumbers,
  ): Promise<Uint32Array | undefined> {
    const { among } = list
    if (kept.places && kept.numbers === numbers && changed && among) {
      const ordering = async (some: readonly number[]) =>
        (await this.#tracking.keys(await among(some.map(numbers.keyOf)))).map(numbers.numberOf)
      return placed(kept.places, new Set([...changed].map(numbers.numberOf)), ordering)
    }
    const keys = await this.#tracking.orderedKeys((await list.indexedQuery?.()) ?? list.orderedQuery)
    const all = keys.map(numbers.numberOf)
    return all.some((number) => number > 0xffff_ffff) ? undefined : Uint32Array.from(all)
  }

  #keep(key: string, entry: Ordered): void {
    keepLatest(this.#kept, key, entry, mostOrders)
    let total = 0
    for (const { places } of this.#kept.values()) total += places?.length ?? 0
    for (const [oldest, { places }] of this.#kept) {
      if (total <= mostPlaces) return
      total -= places?.length ?? 0
      this.#kept.delete(oldest)
    }
  }
}

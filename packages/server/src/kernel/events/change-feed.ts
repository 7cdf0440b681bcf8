import { changeFeedTable, type RowChange } from '../../db/change-feed.ts'
import { coalesced } from '../../db/coalesced.ts'
import { type CommitPosition, commitPosition, committedSince } from '../../db/commit-order.ts'
import type { Database } from '../../db/database.ts'
import { type ClockPair, clockDrift, readClocks } from './clock-drift.ts'

/** How long change records are retained. Milliseconds. */
const keepFor = 3_600_000
/** A cache that was not read for this long reloads completely. Milliseconds. */
const tooLong = keepFor / 2
/** NTP slews the clock by less than this. A larger step back counts as a clock that was set. Milliseconds. */
const putRight = 1000

/**
 * Whether change records may have been deleted since a timestamp. Retention uses the wall clock: set ahead, it expires
 * records at once; set back, it hides how long the cache was not read.
 */
const mayBeForgotten = (since: ClockPair) =>
  Date.now() - since.wall >= tooLong || performance.now() - since.steady >= tooLong || clockDrift(since) < -putRight

/** Rows held in this process's memory that must match the database whenever they are read. */
export interface CacheSource {
  /** Loads all rows. */
  load(): Promise<void>
  /** Reloads the changed rows: ids by topic. May be called with topics this source does not use. */
  follow(changed: ReadonlyMap<string, ReadonlySet<string>>): Promise<void>
}

/**
 * Keeps a copy true. Every program of an installation has its own; what one commits the others find noted by the
 * database itself (`db/change-feed.ts`), so a copy is never older than the moment its `current` was called.
 */
export class ReplicatedCache<C extends CacheSource> {
  readonly #database: Database
  readonly #make: () => C
  #copy: C | undefined
  #position: CommitPosition | undefined
  #looked: ClockPair | undefined

  /** The copy with everything that was committed before this call. */
  readonly current = coalesced(() => this.#look())

  constructor(database: Database, make: () => C) {
    this.#database = database
    this.#make = make
  }

  async #look(): Promise<C> {
    const { reader, dialect } = this.#database
    const now = readClocks()
    const known = this.#copy
    if (known && this.#position && this.#looked && !mayBeForgotten(this.#looked)) {
      const { rows: changes, position } = await committedSince<RowChange>(
        reader,
        dialect,
        changeFeedTable,
        this.#position,
      )
      if (changes.length > 0) {
        // A cache that failed to apply changes is inconsistent: the next reader reloads it.
        this.#copy = undefined
        await known.follow(byTopic(changes))
        this.#copy = known
      }
      this.#position = position
      this.#looked = now
      return known
    }
    this.#copy = undefined
    const position = await commitPosition(reader, dialect, changeFeedTable)
    const fresh = this.#make()
    await fresh.load()
    this.#copy = fresh
    this.#position = position
    this.#looked = now
    return fresh
  }
}

function byTopic(notes: readonly { topic: string; row_id: string }[]): Map<string, Set<string>> {
  const topics = new Map<string, Set<string>>()
  for (const { topic, row_id } of notes) {
    const ids = topics.get(topic)
    if (ids) ids.add(row_id)
    else topics.set(topic, new Set([row_id]))
  }
  return topics
}

/** Deletes change records that no cache can ask for any more. */
export async function sweepChangeFeed(database: Database): Promise<void> {
  await database.writer
    .deleteFrom(changeFeedTable)
    .where('date_created', '<', Date.now() - keepFor)
    .execute()
}

import { changeFeedTable, changesSince, type FeedPosition, feedPosition } from '../db/change-feed.ts'
import type { Database } from '../db/database.ts'
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
 * Keeps an in-memory copy consistent with the database. Every process of an installation has its own; the database
 * records the changes of each commit (`db/change-feed.ts`), so the copy includes everything that was committed before
 * `current` was called.
 */
export class ReplicatedCache<C extends CacheSource> {
  readonly #database: Database
  readonly #make: () => C
  #copy: C | undefined
  #position: FeedPosition | undefined
  #looked: ClockPair | undefined
  #running: Promise<C> | undefined
  #next: Promise<C> | undefined

  constructor(database: Database, make: () => C) {
    this.#database = database
    this.#make = make
  }

  /** Returns the copy, including everything that was committed before this call. */
  current(): Promise<C> {
    if (!this.#running) {
      this.#running = this.#look().finally(() => {
        this.#running = undefined
      })
      return this.#running
    }
    // The refresh in progress may have started before the caller's commit, so all waiting callers share the next one.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return this.current()
      })
    return this.#next
  }

  async #look(): Promise<C> {
    const { reader, dialect } = this.#database
    const now = readClocks()
    const known = this.#copy
    if (known && this.#position && this.#looked && !mayBeForgotten(this.#looked)) {
      const { notes, position } = await changesSince(reader, dialect, this.#position)
      if (notes.length > 0) {
        // After a failed refresh the copy is partly updated: the next caller reloads it completely.
        this.#copy = undefined
        await known.follow(byTopic(notes))
        this.#copy = known
      }
      this.#position = position
      this.#looked = now
      return known
    }
    this.#copy = undefined
    const position = await feedPosition(reader, dialect)
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

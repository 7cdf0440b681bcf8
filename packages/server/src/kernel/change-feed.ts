import { changeFeedTable, type RowChange } from '../db/change-feed.ts'
import { coalesced } from '../db/coalesced.ts'
import { type CommitPosition, commitPosition, committedSince } from '../db/commit-order.ts'
import type { Database } from '../db/database.ts'
import { type ClockPair, clockDrift, readClocks } from './clock-drift.ts'

/** How long it stays known which rows changed. Milliseconds. */
const keepFor = 3_600_000
/** Who has not looked for this long begins anew. Milliseconds. */
const tooLong = keepFor / 2
/** Clocks are put right by less than this without being set. Milliseconds. */
const putRight = 1000

/**
 * Whether news may have been forgotten since a moment. They are forgotten by the wall's clock: set ahead, it makes them
 * old at once, and set back, it hides how long nobody has looked.
 */
const mayBeForgotten = (since: ClockPair) =>
  Date.now() - since.wall >= tooLong || performance.now() - since.steady >= tooLong || clockDrift(since) < -putRight

/** A copy of rows in this program's memory, which is to be what the database says whenever it is asked. */
export interface CacheSource {
  /** Reads everything. */
  load(): Promise<void>
  /** Reads what changed: ids by topic. Called with topics nobody asked for too. */
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
        // A copy that could not follow is half new: it is read anew by whoever asks next.
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

/** Forgets changes that nobody asks for any more. */
export async function sweepChangeFeed(database: Database): Promise<void> {
  await database.writer
    .deleteFrom(changeFeedTable)
    .where('date_created', '<', Date.now() - keepFor)
    .execute()
}

import { coalesced } from '../../db/coalesced.ts'
import { type CommitPosition, commitPosition, committedSince, transactionId } from '../../db/commit-order.ts'
import type { Database, Db } from '../../db/database.ts'

/** How long events are retained for processes that were unavailable. Milliseconds. */
const keepFor = 3_600_000

const table = 'kernel_event'

/** An event with the shape of its payload; declared once by the module that sends it. */
export interface EventKind<T> {
  readonly name: string
  readonly __payload?: T
}

export const defineEvent = <T>(name: string): EventKind<T> => ({ name })

interface EventRow {
  id: number
  name: string
  payload: string
}

type Listener = (payload: unknown) => void | Promise<void>

/**
 * Events between the processes of an installation. An event is a row written by the transaction that caused it: events
 * of a rolled-back transaction are never delivered, and those of a committed one always are.
 */
export class Events {
  readonly #database: Database
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #onError: (error: unknown) => void
  #position: CommitPosition | undefined
  #stop: (() => void) | undefined
  /** Handles of the database with which events were published. */
  readonly #publishing = new WeakSet<Db>()
  readonly #readOnce = coalesced(() => this.#read())

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  /** Publishes with the transaction of `db`; every process receives the event once the commit is durable. */
  async send<T>(db: Db, kind: EventKind<T>, payload: T): Promise<void> {
    const { dialect } = this.#database
    const row = {
      name: kind.name,
      payload: JSON.stringify(payload),
      transaction_id: transactionId(dialect),
      date_created: Date.now(),
    }
    await this.#database.withNext(db, db.insertInto(table).values(row))
    this.#publishing.add(db)
    this.#database.announce(db)
  }

  /** Registers a listener. Returns a function that removes it. */
  on<T>(kind: EventKind<T>, listener: (payload: T) => void | Promise<void>): () => void {
    const known = this.#listeners.get(kind.name) ?? new Set()
    known.add(listener as Listener)
    this.#listeners.set(kind.name, known)
    return () => known.delete(listener as Listener)
  }

  async start(): Promise<void> {
    const { reader, dialect } = this.#database
    this.#position = await commitPosition(reader, dialect, table)
    this.#stop = this.#database.onCommit(() => this.poke())
  }

  /** Whether the transaction of `db` published events: once it has ended, our own listeners need not wait for them. */
  publishedBy(db: Db): boolean {
    return this.#publishing.has(db)
  }

  /**
   * Delivers what has been committed until now, and waits for the listeners: work that another process caused must not
   * begin with what this one knew before. @throws when the database does not answer
   */
  async delivered(): Promise<void> {
    await this.#readOnce()
  }

  /** Reads new events now. */
  poke(): void {
    void this.#readOnce().catch(this.#onError)
  }

  async #read(): Promise<void> {
    if (!this.#position) return
    const { reader, dialect } = this.#database
    const { rows, position } = await committedSince<EventRow>(reader, dialect, table, this.#position)
    // Before the listeners run: each receives an event once, even if it throws.
    this.#position = position
    for (const row of rows)
      for (const listener of this.#listeners.get(row.name) ?? []) {
        try {
          await listener(JSON.parse(row.payload))
        } catch (error) {
          this.#onError(error)
        }
      }
  }

  async sweep(): Promise<void> {
    await this.#database.writer
      .deleteFrom(table)
      .where('date_created', '<', Date.now() - keepFor)
      .execute()
  }

  stop(): void {
    this.#stop?.()
  }
}

import { announceInOrder, type Database, type Db } from '../db/database.ts'

/** How long events are retained for processes that were unavailable. Milliseconds. */
const keepFor = 3_600_000

/** An event and the type of its payload; declared once by the module that sends it. */
export interface EventKind<T> {
  readonly name: string
  readonly __payload?: T
}

export const defineEvent = <T>(name: string): EventKind<T> => ({ name })

type Listener = (payload: unknown) => void | Promise<void>

/**
 * Events between the processes of an installation. An event is a row written by the transaction that caused it: events
 * of a rolled-back transaction are never delivered, and those of a committed one always are.
 */
export class Events {
  readonly #database: Database
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #onError: (error: unknown) => void
  #seen = 0
  #stop: (() => void) | undefined
  #reading: Promise<void> | undefined
  #again = false

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  /** Publishes with the transaction of `db`; every process receives the event once the commit is durable. */
  async send<T>(db: Db, kind: EventKind<T>, payload: T): Promise<void> {
    await announceInOrder(db, this.#database.dialect)
    await db
      .insertInto('kernel_event')
      .values({ name: kind.name, payload: JSON.stringify(payload), date_created: Date.now() })
      .execute()
  }

  /** Registers a listener. Returns a function that removes it. */
  on<T>(kind: EventKind<T>, listener: (payload: T) => void | Promise<void>): () => void {
    const known = this.#listeners.get(kind.name) ?? new Set()
    known.add(listener as Listener)
    this.#listeners.set(kind.name, known)
    return () => known.delete(listener as Listener)
  }

  async start(): Promise<void> {
    const newest = await this.#database.reader
      .selectFrom('kernel_event')
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirst()
    this.#seen = Number(newest?.id ?? 0)
    this.#stop = this.#database.onCommit(() => this.poke())
  }

  /**
   * Checks for new events at once; called after our own commits, so that local listeners need not wait for the next
   * poll.
   */
  poke(): void {
    if (this.#reading) {
      this.#again = true
      return
    }
    this.#reading = this.#read()
      .catch(this.#onError)
      .finally(() => {
        this.#reading = undefined
        if (this.#again) {
          this.#again = false
          this.poke()
        }
      })
  }

  async #read(): Promise<void> {
    const rows = await this.#database.reader
      .selectFrom('kernel_event')
      .selectAll()
      .where('id', '>', this.#seen)
      .orderBy('id')
      .limit(1000)
      .execute()
    for (const row of rows) {
      this.#seen = Math.max(this.#seen, Number(row.id))
      for (const listener of this.#listeners.get(row.name) ?? []) {
        try {
          await listener(JSON.parse(row.payload))
        } catch (error) {
          this.#onError(error)
        }
      }
    }
    if (rows.length === 1000) this.#again = true
  }

  async sweep(): Promise<void> {
    await this.#database.writer
      .deleteFrom('kernel_event')
      .where('date_created', '<', Date.now() - keepFor)
      .execute()
  }

  stop(): void {
    this.#stop?.()
  }
}

import { announceInOrder, type Database, type Db } from '../db/database.ts'

/** How long an event stays readable for programs that were away. Milliseconds. */
const keepFor = 3_600_000

/** An event with the shape of its payload; declared once by the module that sends it. */
export interface EventKind<T> {
  readonly name: string
  readonly __payload?: T
}

export const defineEvent = <T>(name: string): EventKind<T> => ({ name })

type Listener = (payload: unknown) => void | Promise<void>

/**
 * News between the programs of an installation. An event is a row written by the transaction that caused it:
 * nothing is announced that did not commit, and nothing that committed goes unannounced.
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

  /** Announces with the transaction `db` belongs to; every program hears it once the commit is durable. */
  async send<T>(db: Db, kind: EventKind<T>, payload: T): Promise<void> {
    await announceInOrder(db, this.#database.dialect)
    await db
      .insertInto('kernel_event')
      .values({ name: kind.name, payload: JSON.stringify(payload), date_created: Date.now() })
      .execute()
  }

  /** Returns the way to stop listening. */
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

  /** Looks for news now; called after our own commits too, so that our own listeners need not wait. */
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

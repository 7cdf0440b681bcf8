import type { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { IdleCheckpoint } from './idle-checkpoint.ts'
import { SharedCommit } from './shared-commit.ts'
import { patiently, SqliteStatements } from './sqlite-statements.ts'

/** The transaction that code runs in, while it lasts. */
export type Inside = AsyncLocalStorage<{ ended: boolean }>

export interface SqliteOptions {
  /** The connection only reads, each statement on its own, so callers need not queue. */
  shared?: boolean
  /** Detects a caller that requests the connection while holding it. */
  inside?: Inside
  /** The database file, for the connection that writes. */
  file?: string
  /**
   * Transactions for which others wait are committed together with them. A caller then waits for those behind it, too:
   * not for a program that answers requests.
   */
  sharesCommits?: boolean
}

/** The connection, as long as its caller has it. */
class Turn implements DatabaseConnection {
  readonly #statements: SqliteStatements
  /** Called before a statement outside of transactions. */
  readonly #alone: () => void
  readonly #release: () => void
  inTransaction = false
  /** Another caller has the connection by now. */
  isPassed = false
  /** The last error of a statement. */
  failure: unknown

  constructor(statements: SqliteStatements, alone: () => void, release: () => void) {
    this.#statements = statements
    this.#alone = alone
    this.#release = release
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.inTransaction) {
      this.#alone()
      return patiently(() => this.#statements.run(query))
    }
    try {
      return this.#statements.run(query)
    } catch (error) {
      this.failure = error
      throw error
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    if (!this.inTransaction) this.#alone()
    yield* this.#statements.stream<R>(query)
  }

  pass(): void {
    this.isPassed = true
    this.#release()
  }
}

/** One connection used by one transaction at a time; other callers queue. */
export class SqliteDriver implements Driver {
  readonly #raw: DatabaseSync
  readonly #options: SqliteOptions
  readonly #statements: SqliteStatements
  readonly #commit: SharedCommit
  readonly #checkpoint: IdleCheckpoint | undefined
  readonly #everybody: Turn
  #queue: Promise<unknown> = Promise.resolve()
  /** Number of callers in the queue. */
  #waiting = 0

  constructor(raw: DatabaseSync, options: SqliteOptions) {
    this.#raw = raw
    this.#options = options
    this.#statements = new SqliteStatements(raw)
    this.#commit = new SharedCommit(raw)
    this.#checkpoint = options.file === undefined ? undefined : new IdleCheckpoint(raw, options.file)
    this.#everybody = new Turn(
      this.#statements,
      () => undefined,
      () => undefined,
    )
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#options.shared) return this.#everybody
    // The statement would wait for the end of a transaction that waits for it: a deadlock that blocks all other callers
    // too.
    if (this.#options.inside?.getStore()?.ended === false)
      throw new Error('Within a transaction only its own connection writes: use the context of the transaction.')
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#queue
    this.#queue = promise
    this.#waiting++
    await before
    this.#waiting--
    return new Turn(this.#statements, () => this.#commitWaiting(), resolve)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const turn = connection as Turn
    if (this.#options.shared || turn.isPassed) return
    // Its own transaction was rolled back, and nobody follows who would commit the others.
    if (this.#waiting === 0) this.#commitWaiting()
    turn.pass()
    if (!this.#commit.isOpen) this.#checkpoint?.released()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#commit.begin()
    ;(connection as Turn).inTransaction = true
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const turn = connection as Turn
    const isFollowed = this.#options.sharesCommits && this.#waiting > 0
    await this.#commit.commit(isFollowed ? () => turn.pass() : undefined)
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const turn = connection as Turn
    // Otherwise the commit that it shared has failed.
    if (!turn.isPassed) this.#commit.rollback(turn.failure)
  }

  async destroy(): Promise<void> {
    this.#checkpoint?.stop()
    this.#raw.close()
  }

  #commitWaiting(): void {
    try {
      this.#commit.close()
    } catch {
      // Those whose commit it was have the error.
    }
  }
}

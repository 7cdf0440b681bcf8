import type { DatabaseSync } from 'node:sqlite'
import { patiently } from './sqlite-statements.ts'

/** Most transactions with one commit, and how long the first of them may wait for it. Milliseconds. */
const most = 16
const longest = 50

/**
 * One commit for several transactions of a program, one after the other: each page that they change is written once,
 * and the disk is waited for once. A transaction that joins others is a savepoint, so that a failure undoes nothing but
 * itself. None is reported as committed before the commit of all.
 */
export class SharedCommit {
  readonly #raw: DatabaseSync
  /** The transactions that have ended and wait for the commit; with any, the present one is a savepoint. */
  #open: { since: number; ended: PromiseWithResolvers<void>[] } | undefined

  constructor(raw: DatabaseSync) {
    this.#raw = raw
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** Begins a transaction, which joins those that wait. */
  async begin(): Promise<void> {
    if (this.#open) {
      this.#raw.exec('savepoint joined')
      return
    }
    await patiently(() => this.#raw.exec('begin immediate'))
    this.#open = { since: performance.now(), ended: [] }
  }

  /**
   * Ends the present transaction; resolves once it is durable.
   * @param pass lets the next caller go on, who may join; undefined where none waits
   */
  async commit(pass: (() => void) | undefined): Promise<void> {
    const open = this.#open
    if (!open) return
    if (open.ended.length > 0) this.#raw.exec('release joined')
    if (!pass || open.ended.length + 1 >= most || performance.now() - open.since >= longest) {
      this.close()
      return
    }
    const mine = Promise.withResolvers<void>()
    open.ended.push(mine)
    pass()
    await mine.promise
  }

  /**
   * Undoes the present transaction; those that wait stay.
   * @param cause of an error after which SQLite itself has undone all of them, such as a full disk
   */
  rollback(cause: unknown): void {
    const open = this.#open
    if (!open) return
    if (open.ended.length > 0 && this.#raw.isTransaction) {
      this.#raw.exec('rollback to joined')
      this.#raw.exec('release joined')
      return
    }
    this.#open = undefined
    if (this.#raw.isTransaction) this.#raw.exec('rollback')
    for (const { reject } of open.ended) reject(cause)
  }

  /** Commits those that wait. @throws the error of the commit, which all of them get */
  close(): void {
    const open = this.#open
    if (!open) return
    this.#open = undefined
    try {
      this.#raw.exec('commit')
    } catch (error) {
      if (this.#raw.isTransaction) this.#raw.exec('rollback')
      for (const { reject } of open.ended) reject(error)
      throw error
    }
    for (const { resolve } of open.ended) resolve()
  }
}

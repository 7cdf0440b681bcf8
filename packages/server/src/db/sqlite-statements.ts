import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'

/** Prepared statements per connection: the generic lists repeat a few hundred shapes. */
const statementCacheSize = 500
/** How long a writer waits for another process's transaction before it fails. Milliseconds. */
const lockPatience = 30_000

function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode
  return code !== undefined && ((code & 0xff) === 5 || (code & 0xff) === 6)
}

/** Retries a statement while another process holds the lock, without blocking the event loop. */
export async function patiently<T>(run: () => T): Promise<T> {
  const giveUp = performance.now() + lockPatience
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUp) throw error
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

type SqliteValue = null | number | bigint | string | Uint8Array

/** SQLite has no boolean, and node:sqlite rejects `undefined`: both are converted only here. */
function bindable(value: unknown): SqliteValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return (value ?? null) as SqliteValue
}

interface Prepared {
  statement: StatementSync
  answersRows: boolean
}

/** The statements of a connection, prepared once. */
export class SqliteStatements {
  readonly #raw: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(raw: DatabaseSync) {
    this.#raw = raw
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, answersRows } = this.#prepare(sql)
    const values = parameters.map(bindable)
    if (answersRows) return { rows: statement.all(...values) as R[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  *stream<R>({ sql, parameters }: CompiledQuery): IterableIterator<QueryResult<R>> {
    // Of its own: others may execute the prepared one meanwhile.
    for (const row of this.#raw.prepare(sql).iterate(...parameters.map(bindable))) yield { rows: [row as R] }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#raw.prepare(sql)
    const prepared = { statement, answersRows: statement.columns().length > 0 }
    if (this.#prepared.size >= statementCacheSize) {
      const oldest = this.#prepared.keys().next().value
      if (oldest !== undefined) this.#prepared.delete(oldest)
    }
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

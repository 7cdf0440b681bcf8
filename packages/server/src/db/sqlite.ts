import type { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { compilePattern, type Pattern } from '@castellan/contract/patterns'
import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type OperationNode,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  type QueryResult,
  ReferenceNode,
  type SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
  type WhereNode,
} from 'kysely'
import { inAddressGroup } from './addresses.ts'
import { IdleCheckpoint, keptLog } from './idle-checkpoint.ts'

/** Prepared statements per connection: the generic lists repeat a few hundred shapes. */
const statementCacheSize = 500
/** How long a writer waits for another process's transaction before it fails. Milliseconds. */
const lockPatience = 30_000

/**
 * Pages that a connection keeps besides the mapped file: what was written and is not in it yet. KiB. A worker writes
 * little at a time.
 */
const cacheSize = { api: 16_000, worker: 4000 }

export function openSqliteFile(file: string, options: { readOnly?: boolean; isWorker?: boolean } = {}): DatabaseSync {
  const raw = new DatabaseSync(file, { readOnly: options.readOnly ?? false, enableForeignKeyConstraints: true })
  if (!options.readOnly) raw.exec('pragma journal_mode = wal')
  // Waiting inside SQLite would block the event loop; the driver waits asynchronously. Readers never wait in WAL mode.
  raw.exec(`pragma synchronous = full; pragma busy_timeout = ${options.readOnly ? 2000 : 20}; pragma temp_store = memory;
    pragma wal_autocheckpoint = 8000; pragma journal_size_limit = ${keptLog};
    pragma cache_size = -${options.isWorker ? cacheSize.worker : cacheSize.api}; pragma mmap_size = 268435456`)
  addPredicates(raw)
  return raw
}

/** Operators of attribute rules that SQL lacks: `re_matches(text, json)` and `ip_matches(text, json)`. */
function addPredicates(raw: DatabaseSync): void {
  const patterns = new Map<unknown, Pattern | undefined>()
  const pattern = (source: unknown) => {
    if (!patterns.has(source)) {
      if (patterns.size > 100) patterns.clear()
      patterns.set(source, compilePattern(String(JSON.parse(String(source)))))
    }
    return patterns.get(source)
  }
  raw.function('re_matches', { deterministic: true }, (text, source) =>
    pattern(source)?.find(String(text ?? '')) === undefined ? 0 : 1,
  )
  raw.function('ip_matches', { deterministic: true }, (text, group) => {
    const list = [JSON.parse(String(group))].flat().map(String)
    return inAddressGroup(String(text ?? ''), list) ? 1 : 0
  })
}

function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode
  return code !== undefined && ((code & 0xff) === 5 || (code & 0xff) === 6)
}

/** Retries a statement while another process holds the lock, without blocking the event loop. */
async function patiently<T>(run: () => T): Promise<T> {
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

class SqliteConnection implements DatabaseConnection {
  readonly #raw: DatabaseSync
  readonly #statements = new Map<string, Prepared>()
  #inTransaction = false

  constructor(raw: DatabaseSync) {
    this.#raw = raw
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#raw.prepare(sql)
    const prepared = { statement, answersRows: statement.columns().length > 0 }
    if (this.#statements.size >= statementCacheSize) {
      const oldest = this.#statements.keys().next().value
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    this.#statements.set(sql, prepared)
    return prepared
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const run = () => this.#run<R>(query)
    return this.#inTransaction ? run() : patiently(run)
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    const { statement, answersRows } = this.#prepare(query.sql)
    const parameters = query.parameters.map(bindable)
    if (answersRows) return { rows: statement.all(...parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const statement = this.#raw.prepare(query.sql)
    for (const row of statement.iterate(...query.parameters.map(bindable))) yield { rows: [row as R] }
  }

  async begin(): Promise<void> {
    await patiently(() => this.#raw.exec('begin immediate'))
    this.#inTransaction = true
  }

  end(how: 'commit' | 'rollback'): void {
    this.#inTransaction = false
    // When SQLite has already rolled back (full disk), the first error counts.
    if (how === 'commit' || this.#raw.isTransaction) this.#raw.exec(how)
  }
}

/** A list up to this length is bound value by value, which SQLite plans best. */
const mostNamed = 1000

const columnOf = (node: OperationNode): string | undefined =>
  ReferenceNode.is(node) && ColumnNode.is(node.column) ? node.column.column.name : undefined

/** Whether only rows whose value in some column is one of a few given ones satisfy a condition. */
function namesFew(node: OperationNode, isNaming: (column: string) => boolean): boolean {
  if (AndNode.is(node)) return namesFew(node.left, isNaming) || namesFew(node.right, isNaming)
  if (ParensNode.is(node)) return namesFew(node.node, isNaming)
  if (!BinaryOperationNode.is(node) || !isNaming(columnOf(node.leftOperand) ?? '')) return false
  const name = OperatorNode.is(node.operator) ? node.operator.operator : undefined
  // The ids that a subquery answers may be most of the table, of which an index of the organization has the order.
  return (
    (name === '=' && ValueNode.is(node.rightOperand)) || (name === 'in' && PrimitiveValueListNode.is(node.rightOperand))
  )
}

const isRelation = (column: string) => column.endsWith('_id') && column !== 'org_id'

/**
 * A longer list is bound as one JSON text: a statement takes at most 32,766 values, and each length would be a
 * statement of its own.
 */
class ListCompiler extends SqliteQueryCompiler {
  /** The statement being compiled answers only some of the rows that satisfy its condition. */
  #isPage = false
  /** The condition being compiled names its rows by ids, their own or related ones. */
  #namesFew = false

  protected override visitSelectQuery(node: SelectQueryNode): void {
    const outer = this.#isPage
    this.#isPage = node.limit !== undefined
    super.visitSelectQuery(node)
    this.#isPage = outer
  }

  protected override visitWhere(node: WhereNode): void {
    const outer = this.#namesFew
    // The rows of a relation may be many: a page of them is better read in the order of an index of the organization.
    this.#namesFew = namesFew(node.where, (column) => column === 'id' || (!this.#isPage && isRelation(column)))
    super.visitWhere(node)
    this.#namesFew = outer
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator } = node
    const isOrganization = OperatorNode.is(operator) && operator.operator === '=' && columnOf(leftOperand) === 'org_id'
    if (!this.#namesFew || !isOrganization) {
      this.#visitComparison(node)
      return
    }
    // SQLite expects ten rows in an organization, and would read all of it instead of the named rows.
    this.append('likelihood(')
    this.#visitComparison(node)
    this.append(', 0.9)')
  }

  #visitComparison(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const name = OperatorNode.is(operator) ? operator.operator : undefined
    const values = PrimitiveValueListNode.is(rightOperand) ? rightOperand.values : []
    const isLong = (name === 'in' || name === 'not in') && values.length > mostNamed
    if (!isLong || !values.every((value) => typeof value === 'string' || typeof value === 'number')) {
      super.visitBinaryOperation(node)
      return
    }
    this.visitNode(leftOperand)
    this.append(` ${name} (select value from json_each(`)
    this.appendValue(JSON.stringify(values))
    this.append('))')
  }
}

/** The transaction that code runs in, while it lasts. */
export type Inside = AsyncLocalStorage<{ ended: boolean }>

/** One connection used by one transaction at a time; other callers queue. */
class SqliteDriver implements Driver {
  readonly #raw: DatabaseSync
  readonly #shared: boolean
  readonly #inside: Inside | undefined
  readonly #connection: SqliteConnection
  readonly #checkpoint: IdleCheckpoint | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #release: (() => void) | undefined

  constructor(raw: DatabaseSync, { shared = false, inside, file }: SqliteOptions) {
    this.#raw = raw
    this.#shared = shared
    this.#inside = inside
    this.#connection = new SqliteConnection(raw)
    this.#checkpoint = file === undefined ? undefined : new IdleCheckpoint(raw, file)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#shared) return this.#connection
    // The statement would wait for the end of a transaction that waits for it: a deadlock that blocks all other callers
    // too.
    if (this.#inside?.getStore()?.ended === false)
      throw new Error('Within a transaction only its own connection writes: use the context of the transaction.')
    const turn = this.#queue
    let release: () => void = () => {}
    this.#queue = new Promise<void>((resolve) => {
      release = resolve
    })
    await turn
    this.#release = release
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    const release = this.#release
    this.#release = undefined
    release?.()
    this.#checkpoint?.released()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SqliteConnection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    ;(connection as SqliteConnection).end('commit')
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    ;(connection as SqliteConnection).end('rollback')
  }

  async destroy(): Promise<void> {
    this.#checkpoint?.stop()
    this.#raw.close()
  }
}

interface SqliteOptions {
  /** The connection only reads, each statement on its own, so callers need not queue. */
  shared?: boolean
  /** Detects a caller that requests the connection while holding it. */
  inside?: Inside
  /** The database file, for the connection that writes. */
  file?: string
}

/** Kysely on the SQLite that is built into Node.js. */
export function sqliteDialect(raw: DatabaseSync, options: SqliteOptions = {}): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(raw, options),
    createIntrospector: (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db),
    createQueryCompiler: () => new ListCompiler(),
  }
}

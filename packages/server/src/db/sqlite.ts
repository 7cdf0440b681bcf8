import { DatabaseSync } from 'node:sqlite'
import { compileRowPattern, type Pattern } from '@castellan/contract/patterns'
import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type DatabaseIntrospector,
  type Dialect,
  type Kysely,
  type OperationNode,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  ReferenceNode,
  type SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
  type WhereNode,
} from 'kysely'
import { inAddressGroup } from './addresses.ts'
import { keptLog } from './idle-checkpoint.ts'
import { SqliteDriver, type SqliteOptions } from './sqlite-driver.ts'

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
      patterns.set(source, compileRowPattern(String(JSON.parse(String(source)))))
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

/** Kysely on the SQLite that is built into Node.js. */
export function sqliteDialect(raw: DatabaseSync, options: SqliteOptions = {}): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(raw, options),
    createIntrospector: (db: Kysely<unknown>): DatabaseIntrospector => new SqliteIntrospector(db),
    createQueryCompiler: () => new ListCompiler(),
  }
}

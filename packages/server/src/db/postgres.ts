import {
  type BinaryOperationNode,
  type Dialect,
  OperatorNode,
  PostgresDialect,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  SelectQueryNode,
} from 'kysely'
import pg from 'pg'
import { DatabaseUnavailableError } from './errors.ts'
import { Liveness, socketOf } from './liveness.ts'
import { TableStatistics } from './statistics.ts'

const mostConnections = 20
/** How long an idle connection remains open; opening one costs more than many requests. Milliseconds. */
const idleFor = 300_000
/** How long a request waits for a connection, new or pooled, before it fails. Milliseconds. */
const connectingFor = 10_000
/** How long a probe waits for an answer before the database counts as dead. Milliseconds. */
const probingFor = 5000
/** Executions after which a statement is prepared; statements that run once are not worth it. */
const repetitions = 3
/** Prepared statements per connection: the generic lists repeat a few hundred shapes. */
const mostPrepared = 300
/** Maximum number of counted statements. Long lists of ids make many different statements. */
const mostCounted = 5000
/** With more values than this, executing a statement dominates over parsing and planning it. */
const mostValues = 200
/** A list up to this length is looked up value by value, whatever the values are. */
const mostLookedUp = 50
/** The best plan of a search depends on its term, so PostgreSQL must plan it each time; not that of one among known rows. */
const isSearch = / like /
const isAmongKnown = /"t"\."id" = any\(/

/** Names of repeated statements, the same on every connection. */
class Repeated {
  readonly #counted = new Map<string, number>()
  readonly #named = new Map<string, string>()

  /** The name under which a statement is prepared; undefined while it is too rare or too long. */
  nameOf(text: string, values: readonly unknown[]): string | undefined {
    const known = this.#named.get(text)
    if (known || this.#named.size >= mostPrepared || values.length > mostValues) return known
    if (isSearch.test(text) && !isAmongKnown.test(text)) return undefined
    const times = (this.#counted.get(text) ?? 0) + 1
    if (times < repetitions) {
      if (this.#counted.size >= mostCounted) this.#counted.clear()
      this.#counted.set(text, times)
      return undefined
    }
    this.#counted.delete(text)
    const name = `castellan_${this.#named.size + 1}`
    this.#named.set(text, name)
    return name
  }
}

/** "cached plan must not change result type": another server's migration changed a table of a prepared statement. */
const outdatedPlan = (error: unknown): boolean =>
  (error as { code?: string }).code === '0A000' && /cached plan/.test((error as Error).message)

type Ask = (...given: unknown[]) => Promise<pg.QueryResult>

/** Last parameter of a statement that waits for the next one; see `Database.withNext`. Never sent. */
export const waitsForNext = Symbol('waits for the next statement')

/** As PostgreSQL answers a statement that returns and changes nothing. */
const nothing = (command: string) => ({ command, rowCount: null, oid: 0, fields: [], rows: [] }) as pg.QueryResult

interface Waiting {
  text: string
  values: unknown[]
}

/** PostgreSQL's own errors are passed on; anything else is a failure of the connection. */
function ofConnection(error: unknown): never {
  throw error instanceof pg.DatabaseError ? error : new DatabaseUnavailableError(error)
}

/**
 * A client that prepares repeated statements, because parsing and planning costs PostgreSQL more than executing most of
 * ours, and that reports how many rows were inserted. Statements that nobody waits for go out in one packet with the next
 * one: each packet costs the server more than writing what is in it.
 */
function preparingClient(repeated: Repeated, statistics: TableStatistics, liveness: Liveness): typeof pg.Client {
  return class PreparingClient extends pg.Client {
    // After a migration by another server all statements are prepared again under the names of the next generation.
    #generation = 1
    #waiting: Waiting[] = []

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      // A connection that breaks while in use rejects its queries; without a listener the event would end the process.
      this.on('error', () => undefined)
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; ours is asked by the query builder only
    override query(...given: any[]): any {
      const [text, values, callback] = given
      if (typeof text !== 'string' || !Array.isArray(values) || callback) return super.query(...(given as [never]))
      if (values.at(-1) === waitsForNext) return this.#later(text, values.slice(0, -1))
      return text === 'begin' ? this.#later(text, values) : this.#withWaiting(text, values)
    }

    async #later(text: string, values: unknown[]): Promise<pg.QueryResult> {
      this.#waiting.push({ text, values })
      return nothing(text)
    }

    /** The first error counts: it is the cause of those after it. */
    async #withWaiting(text: string, values: unknown[]): Promise<pg.QueryResult> {
      const waiting = this.#waiting
      if (waiting.length === 0) return this.#ask(text, values)
      this.#waiting = []
      const neverBegan = waiting[0]?.text === 'begin'
      if (text === 'rollback') return neverBegan ? nothing(text) : this.#ask(text, values)
      if (text === 'commit' && neverBegan && waiting.length === 1) return nothing(text)
      const stream = socketOf(this)
      stream.cork()
      const answers = [...waiting, { text, values }].map((each) => this.#ask(each.text, each.values))
      stream.uncork()
      const results = (await Promise.allSettled(answers)).map((answer) => {
        if (answer.status === 'rejected') throw answer.reason
        return answer.value
      })
      return results.at(-1) ?? nothing(text)
    }

    async #ask(text: string, values: unknown[]): Promise<pg.QueryResult> {
      const ask: Ask = (...words) => liveness.watch(this, (super.query as Ask)(...words)).catch(ofConnection)
      const result = await this.#prepared(ask, text, values)
      statistics.note(text, result.rowCount ?? 0)
      return result
    }

    async #prepared(ask: Ask, text: string, values: unknown[]): Promise<pg.QueryResult> {
      const name = repeated.nameOf(text, values)
      if (!name) return ask(text, values)
      return ask({ name: `${name}_${this.#generation}`, text, values }).catch((error: unknown) => {
        if (!outdatedPlan(error)) throw error
        this.#generation++
        // A failed transaction accepts no more statements, and the caller must get the first error.
        return ask(text, values).catch(() => Promise.reject(error))
      })
    }
  } as typeof pg.Client
}

/** The array type for such values; undefined when it cannot be inferred: bigints arrive as texts, too. */
function arrayType(values: readonly unknown[]): string | undefined {
  if (values.every((value) => typeof value === 'string'))
    return values.some((value) => !/^\d+$/.test(value)) ? 'text[]' : undefined
  if (values.every((value) => Number.isSafeInteger(value))) return 'bigint[]'
  return undefined
}

/**
 * Sends a list of values as one array, so that the statement is the same for every length and can be prepared. A short
 * list goes into a subquery of its own, which hides its length from PostgreSQL: otherwise the planner makes a new plan
 * for each list, which costs more than the statement.
 * The results of several subqueries are collected first and then looked up: as a set of rows PostgreSQL would evaluate
 * it again for every row, expecting one or two where there may be hundreds.
 */
class ArrayCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const name = OperatorNode.is(operator) ? operator.operator : undefined
    if (name === 'in' && SelectQueryNode.is(rightOperand) && rightOperand.setOperations) {
      this.visitNode(leftOperand)
      this.append(' = any(array')
      this.visitNode(rightOperand)
      this.append(')')
      return
    }
    if (!PrimitiveValueListNode.is(rightOperand) || (name !== 'in' && name !== 'not in')) {
      super.visitBinaryOperation(node)
      return
    }
    this.visitNode(leftOperand)
    const { values } = rightOperand
    const type = name === 'in' && values.length <= mostLookedUp ? arrayType(values) : undefined
    this.append(name === 'in' ? ' = any(' : ' <> all(')
    if (type) this.append('(select ')
    this.appendValue([...values])
    this.append(type ? `::${type})::${type})` : ')')
  }
}

class ArrayDialect extends PostgresDialect {
  override createQueryCompiler(): ArrayCompiler {
    return new ArrayCompiler()
  }
}

/** Checks that PostgreSQL answers a new connection. */
async function probe(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probingFor,
    query_timeout: probingFor,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
  } catch (error) {
    // Any answer, even an error, shows that it is alive.
    if (!(error instanceof pg.DatabaseError)) throw error
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** Interval of polling by a listener, because LISTEN misses notifications while disconnected. Milliseconds. */
const lookInterval = 5000

function listenOn(url: string, channel: string, listener: () => void): () => void {
  let client: pg.Client | undefined
  const listen = () => {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: connectingFor })
    client = fresh
    // The next poll reconnects.
    const lost = () => {
      if (client === fresh) client = undefined
      void fresh.end().catch(() => {})
    }
    fresh.on('notification', listener).on('error', lost).on('end', lost)
    void fresh
      .connect()
      .then(() => fresh.query(`listen ${channel}`))
      .catch(lost)
  }
  listen()
  const timer = setInterval(() => {
    if (!client) listen()
    listener()
  }, lookInterval)
  timer.unref()
  return () => {
    clearInterval(timer)
    void client?.end().catch(() => {})
  }
}

/** Kysely on a pool of connections to the PostgreSQL at `url`, and a function to listen on a channel. */
export function openPostgres(url: string): {
  dialect: Dialect
  close(): void
  listen(channel: string, listener: () => void): () => void
} {
  // Counts and timestamps are bigint columns; all our values fit a double exactly.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  const statistics = new TableStatistics({
    rowsKnown: async (table) => {
      const { rows } = await pool.query('select reltuples from pg_class where oid = to_regclass($1)', [table])
      return Number(rows[0]?.reltuples ?? -1)
    },
    analyze: (table) => pool.query(`analyze ${pg.escapeIdentifier(table)}`),
  })
  const liveness = new Liveness(() => probe(url))
  const pool: pg.Pool = new pg.Pool({
    connectionString: url,
    max: mostConnections,
    idleTimeoutMillis: idleFor,
    connectionTimeoutMillis: connectingFor,
    keepAlive: true,
    // Statements are sent before those in front of them are answered.
    pipeline: true,
    Client: preparingClient(new Repeated(), statistics, liveness),
  })
  pool.on('error', () => {
    // The database closed an idle connection; the pool opens another one when needed.
  })
  return {
    dialect: new ArrayDialect({
      pool: { connect: () => pool.connect().catch(ofConnection), end: () => pool.end() },
    }),
    close: () => {
      statistics.stop()
      liveness.stop()
    },
    listen: (channel, listener) => listenOn(url, channel, listener),
  }
}

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
import { Liveness } from './liveness.ts'
import { TableStatistics } from './statistics.ts'

const mostConnections = 20
/** A connection that nobody wants is kept, as opening one costs more than many requests. Milliseconds. */
const idleFor = 300_000
/** How long a request waits for a connection, a new one or one that others use, until it is told so. Milliseconds. */
const connectingFor = 10_000
/** How long somebody new waits for an answer before the database is taken for dead. Milliseconds. */
const probingFor = 5000
/** How often a text is run before it is worth keeping prepared: what is asked once is not asked again. */
const repetitions = 3
/** Prepared statements kept per connection: the generic lists repeat a few hundred shapes all day. */
const mostPrepared = 300
/** Texts that are counted. What a caller's long list of ids makes of a statement is a shape of its own. */
const mostCounted = 5000
/** A statement with more values than this is dearer to run than to read and plan. */
const mostValues = 200
/** A list up to this long is looked up value by value, whatever the values are. */
const mostLookedUp = 50
/** How a search is best run depends on how much it finds: PostgreSQL has to see the word each time. */
const isSearch = / like /

/** Names for the statements that come again and again, the same on every connection. */
class Repeated {
  readonly #counted = new Map<string, number>()
  readonly #named = new Map<string, string>()

  /** The name a statement is kept prepared under; undefined while it is too rare or too long for that. */
  nameOf(text: string, values: readonly unknown[]): string | undefined {
    const known = this.#named.get(text)
    if (known || this.#named.size >= mostPrepared || values.length > mostValues) return known
    if (isSearch.test(text)) return undefined
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

/** "cached plan must not change result type": another server's migration changed a table under a prepared statement. */
const outdatedPlan = (error: unknown): boolean =>
  (error as { code?: string }).code === '0A000' && /cached plan/.test((error as Error).message)

type Ask = (...given: unknown[]) => Promise<pg.QueryResult>

/** What PostgreSQL itself answered stays as it is; anything else happened to the connection. */
function ofConnection(error: unknown): never {
  throw error instanceof pg.DatabaseError ? error : new DatabaseUnavailableError(error)
}

/**
 * A client that keeps prepared what is asked again and again, as reading and planning a statement costs PostgreSQL more
 * than running most of ours, and that tells how many rows are stored.
 */
function preparingClient(repeated: Repeated, statistics: TableStatistics, liveness: Liveness): typeof pg.Client {
  return class PreparingClient extends pg.Client {
    // After a migration by another server everything is prepared once more, under names of the next generation.
    #generation = 1

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      // A connection that breaks while it is in use tells its queries; told to nobody else, it would end the program.
      this.on('error', () => undefined)
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; ours is asked by the query builder only
    override query(...given: any[]): any {
      const [text, values, callback] = given
      const ask: Ask = (...words) => liveness.watch(this, (super.query as Ask)(...words)).catch(ofConnection)
      if (typeof text !== 'string' || !Array.isArray(values) || callback) return super.query(...(given as [never]))
      return this.#prepared(ask, text, values).then((result) => {
        statistics.note(text, result.rowCount ?? 0)
        return result
      })
    }

    async #prepared(ask: Ask, text: string, values: unknown[]): Promise<pg.QueryResult> {
      const name = repeated.nameOf(text, values)
      if (!name) return ask(text, values)
      return ask({ name: `${name}_${this.#generation}`, text, values }).catch((error: unknown) => {
        if (!outdatedPlan(error)) throw error
        this.#generation++
        // Inside a transaction nothing more is answered, and the caller has to hear of the first error.
        return ask(text, values).catch(() => Promise.reject(error))
      })
    }
  } as typeof pg.Client
}

/** The type of an array of such values; undefined where they do not tell it: numbers of rows come as texts, too. */
function arrayType(values: readonly unknown[]): string | undefined {
  if (values.every((value) => typeof value === 'string'))
    return values.some((value) => !/^\d+$/.test(value)) ? 'text[]' : undefined
  if (values.every((value) => Number.isSafeInteger(value))) return 'bigint[]'
  return undefined
}

/**
 * A list of values travels as one array: however long it is, the statement is the same, and is kept prepared as one.
 * A short one stands in a question of its own, so that PostgreSQL does not see how short: of what it sees it makes a plan
 * for that very list each time, which costs more than the statement.
 *
 * What several statements give together is collected first and then looked up: as a set of rows PostgreSQL reads it
 * again for every row it expects one or two of, and there may be hundreds.
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

/** Whether PostgreSQL answers a connection that is new. */
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
    // One that has an answer, be it a refusal, lives.
    if (!(error instanceof pg.DatabaseError)) throw error
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** How often a listener looks by itself, as LISTEN misses what happens while it is cut off. Milliseconds. */
const lookInterval = 5000

function listenOn(url: string, channel: string, listener: () => void): () => void {
  let client: pg.Client | undefined
  const listen = () => {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: connectingFor })
    client = fresh
    // Where the connection breaks, the next look makes another one.
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

/** Kysely on a pool of connections to the PostgreSQL at `url`, and the way to hear what is announced on a channel. */
export function openPostgres(url: string): {
  dialect: Dialect
  close(): void
  listen(channel: string, listener: () => void): () => void
} {
  // Counts and timestamps are bigint columns; all of ours fit a double exactly.
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
    Client: preparingClient(new Repeated(), statistics, liveness),
  })
  pool.on('error', () => {
    // An idle connection was cut by the database; the pool opens another one when it is wanted.
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

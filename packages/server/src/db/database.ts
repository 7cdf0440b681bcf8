import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Compilable, Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { coalesced } from './coalesced.ts'
import { openSqliteFile, sqliteDialect } from './sqlite.ts'
import type { Inside } from './sqlite-driver.ts'

// Tables are declared by resources, and a test compares them with the migrations. The generic code that builds nearly
// every query knows them by name only, so the query builder has no column types.
// biome-ignore lint/suspicious/noExplicitAny: generic code meets columns by name only, and no type knows them all
export type AnyRow = Record<string, any>
export type Tables = Record<string, AnyRow>
/** Values by the name of their column. */
export type StoredRow = Record<string, unknown>
/** A list query under construction; its table is `t`. */
export type ListQuery = SelectQueryBuilder<Tables & { t: AnyRow }, 't', AnyRow>
export type Db = Kysely<Tables>
export type DialectName = 'sqlite' | 'postgres'

export interface Database {
  readonly dialect: DialectName
  /** For read-only statements outside a transaction. */
  readonly reader: Db
  /** For migrations and for statements that write; transactions are opened on it. */
  readonly writer: Db
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Executes a statement whose result nobody needs. Inside a transaction on PostgreSQL it is sent together with the
   * next one, at the latest the commit, which fails with its error.
   */
  withNext(db: Db, statement: Compilable): Promise<void>
  /** Makes other processes call back once the transaction that `db` belongs to has committed. */
  announce(db: Db): void
  /** Calls back soon after any process committed something that it announced. Returns a function that stops. */
  onCommit(listener: () => void): () => void
  close(): Promise<void>
}

/** The PostgreSQL channel on which a server notifies the others of a commit. */
const commitChannel = 'castellan_commit'

/** Interval of checks for commits of other processes on SQLite. Milliseconds. */
const commitPollInterval = 150

/** Without a listener the query builder does not measure statements. */
const telling = (onStatement?: () => void) => (onStatement ? { log: onStatement } : {})

function sqliteDatabase({ dataDir, isWorker = false, onStatement }: Opening): Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'castellan.db')
  const rawWriter = openSqliteFile(file, { isWorker })
  const rawReader = openSqliteFile(file, { isWorker, readOnly: true })
  const inside: Inside = new AsyncLocalStorage()
  const writer = new Kysely<Tables>({
    dialect: sqliteDialect(rawWriter, { inside, file, sharesCommits: isWorker }),
    ...telling(onStatement),
  })
  const reader = new Kysely<Tables>({ dialect: sqliteDialect(rawReader, { shared: true }), ...telling(onStatement) })
  return {
    dialect: 'sqlite',
    reader,
    writer,
    transaction: (work) =>
      writer.transaction().execute(async (db) => {
        const mine = { ended: false }
        try {
          return await inside.run(mine, () => work(db))
        } finally {
          mine.ended = true
        }
      }),
    withNext: async (db, statement) => {
      await db.executeQuery(statement)
    },
    announce: () => undefined,
    onCommit: (listener) => watchDataVersion(rawReader, listener),
    close: async () => {
      // Kysely closes only what was used. The writer is last: closing it empties the write-ahead log.
      await reader.destroy()
      if (rawReader.isOpen) rawReader.close()
      await writer.destroy()
      if (rawWriter.isOpen) rawWriter.close()
    },
  }
}

/** `pragma data_version` changes when another connection committed, and is cheaper than a query. */
function watchDataVersion(raw: DatabaseSync, listener: () => void): () => void {
  const look = raw.prepare('pragma data_version')
  let seen = look.get()?.data_version
  const timer = setInterval(() => {
    try {
      const now = look.get()?.data_version
      if (now === seen) return
      seen = now
    } catch {
      // The next look finds what was committed. On a full disk, a reader may not even see the write-ahead log.
      return
    }
    listener()
  }, commitPollInterval)
  timer.unref()
  return () => clearInterval(timer)
}

async function postgresDatabase(url: string, onStatement?: () => void): Promise<Database> {
  // Loaded on demand: installations without PostgreSQL need not load its client.
  const { openPostgres, waitsForNext } = await import('./postgres.ts')
  const postgres = openPostgres(url)
  const db = new Kysely<Tables>({ dialect: postgres.dialect, ...telling(onStatement) })
  const announcing = new WeakSet<Db>()
  // After the commit, and once for all that commit meanwhile: NOTIFY inside of transactions makes commits wait for each
  // other. A process that dies in between is made up for by the interval at which listeners read by themselves.
  const notify = coalesced(() => sql`select pg_notify(${commitChannel}, '')`.execute(db))
  const announce = () => void notify().catch(() => undefined)
  return {
    dialect: 'postgres',
    reader: db,
    writer: db,
    async transaction(work) {
      let announced = false
      const result = await db.transaction().execute(async (inside) => {
        const done = await work(inside)
        announced = announcing.has(inside)
        return done
      })
      if (announced) announce()
      return result
    },
    async withNext(inside, statement) {
      const compiled = statement.compile()
      const parameters = inside.isTransaction ? [...compiled.parameters, waitsForNext] : compiled.parameters
      await inside.executeQuery({ ...compiled, parameters })
    },
    announce(inside) {
      if (inside.isTransaction) announcing.add(inside)
      else announce()
    },
    onCommit: (listener) => postgres.listen(commitChannel, listener),
    close: () => {
      postgres.close()
      return db.destroy()
    },
  }
}

export interface Opening {
  url?: string | undefined
  dataDir: string
  /** Opens it for a program that only works on jobs. */
  isWorker?: boolean
  /** Called for every executed statement. */
  onStatement?: (() => void) | undefined
}

/** PostgreSQL when `url` is given, else the embedded SQLite in the data folder. */
export async function openDatabase(options: Opening): Promise<Database> {
  const { url, onStatement } = options
  return url ? postgresDatabase(url, onStatement) : sqliteDatabase(options)
}

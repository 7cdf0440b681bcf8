import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryFolder } from '@castellan/testing/memory-folder'
import pg from 'pg'
import pino from 'pino'
import { openServices } from '../application.ts'
import { readConfig } from '../config.ts'
import { systemContext } from '../kernel/module/context.ts'
import { seedHostKey } from '../modules/terminal/components/config.ts'

export type DatabaseKind = 'sqlite' | 'postgresql'
export const databaseOfThisRun = (): DatabaseKind =>
  process.env.CASTELLAN_TEST_DATABASE === 'postgresql' ? 'postgresql' : 'sqlite'

/** A database on the PostgreSQL server of this run. */
export interface PostgresDatabase {
  url: string
  drop(): Promise<void>
}

async function createPostgres(template?: string): Promise<PostgresDatabase & { name: string }> {
  const server = process.env.CASTELLAN_TEST_POSTGRES_URL
  if (!server)
    throw new Error('CASTELLAN_TEST_POSTGRES_URL names no PostgreSQL server; run the project server-postgresql.')
  const name = `castellan_${randomBytes(6).toString('hex')}`
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await run(`create database ${name}${template ? ` template ${template}` : ''}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => run(`drop database ${name} with (force)`) }
}

/** A new, empty database. */
export const emptyPostgres = (): Promise<PostgresDatabase> => createPostgres()

const databaseFile = 'castellan.db'
const keyFile = 'master.key'

/**
 * Brings a new database to the state in which every installation begins: the tables of all migrations, and the RSA key
 * of its SSH front end, which takes longer to make than everything else. Nothing else is seeded, so ids differ.
 */
async function prepare(dataDir: string, databaseUrl?: string): Promise<void> {
  const env = { CASTELLAN_DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
  const services = await openServices(readConfig(env), pino({ level: 'silent' }))
  await systemContext(services).transaction(seedHostKey)
  await services.database.close()
}

/** Prepared once by each process that tests, and copied: what a first start makes is not made again for each file. */
interface Template {
  masterKey: Buffer
  /** The file of SQLite. */
  file?: Buffer
  /** The database on PostgreSQL. */
  database?: string
}

const templates = new Map<DatabaseKind, Promise<Template>>()

async function makeTemplate(kind: DatabaseKind): Promise<Template> {
  const folder = mkdtempSync(join(memoryFolder(), 'castellan-template-'))
  const postgres = kind === 'postgresql' ? await createPostgres() : undefined
  await prepare(folder, postgres?.url)
  const masterKey = readFileSync(join(folder, keyFile))
  const made = postgres ? { database: postgres.name } : { file: readFileSync(join(folder, databaseFile)) }
  rmSync(folder, { recursive: true })
  return { masterKey, ...made }
}

/**
 * Gives a new data folder a prepared database and the master key that belongs to it.
 * @returns the database on PostgreSQL; undefined for SQLite, where it is a file in the folder
 */
export async function copyPreparedDatabase(kind: DatabaseKind, dataDir: string): Promise<PostgresDatabase | undefined> {
  let template = templates.get(kind)
  if (!template) {
    template = makeTemplate(kind)
    templates.set(kind, template)
  }
  const { masterKey, file, database } = await template
  writeFileSync(join(dataDir, keyFile), masterKey, { mode: 0o600 })
  if (file) writeFileSync(join(dataDir, databaseFile), file)
  return database ? createPostgres(database) : undefined
}

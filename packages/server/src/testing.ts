import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultOrgId, rootOrgId } from '@castellan/contract/ids'
import { TrustedProxies } from '@castellan/ingress/proxies'
import { type Client, clientWith } from '@castellan/testing/client'
import pg from 'pg'
import pino from 'pino'
import { type Application, startApplication } from './application.ts'
import { type Context, systemContext } from './kernel/context.ts'
import { insertRow } from './kernel/repository.ts'
import { issueBearer } from './modules/authentication/bearer.ts'
import { organization } from './modules/orgs/index.ts'
import { replaceRoles } from './modules/rbac/index.ts'
import { user } from './modules/users/index.ts'

/** The server in this process, on a random port, with a data folder and a database of its own. */
export interface TestServer extends AsyncDisposable {
  url: string
  application: Application
  dataDir: string
  adminPassword: string
  bootstrapToken: string
  /** The first administrator, in the Default organization. */
  admin: Client
  /** A context of the system, for preparing and looking; statements stand alone. */
  context(orgId?: string): Context
  /** Somebody signed in. */
  as(userId: string, orgId?: string): Promise<Client>
  /** A person with exactly these roles: system ones, and those in an organization. */
  person(name: string, roles: { system?: readonly string[]; org?: readonly string[]; orgId?: string }): Promise<string>
  organization(name: string): Promise<string>
  close(): Promise<void>
}

export type DatabaseKind = 'sqlite' | 'postgresql'
export const databaseOfThisRun = (): DatabaseKind =>
  process.env.CASTELLAN_TEST_DATABASE === 'postgresql' ? 'postgresql' : 'sqlite'

/** A new, empty database on the PostgreSQL server of this run, and the way to drop it. */
export async function emptyPostgres(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.CASTELLAN_TEST_POSTGRES_URL
  if (!server)
    throw new Error('CASTELLAN_TEST_POSTGRES_URL names no PostgreSQL server; run the project server-postgresql.')
  const name = `castellan_${randomBytes(6).toString('hex')}`
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await run(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) }
}

/** Starts the server for a test. The kind of database is that of the Vitest project unless it is given. */
export async function startServer(
  options: {
    database?: DatabaseKind
    /** A first password of the server's own making, as on a real first start. */
    generatedPassword?: true
    /** Start again on what an earlier start left; it is kept at the end. */
    dataDir?: string
    /** Runs jobs too: the worker's part is in the same process. */
    worker?: true
    /** Start another one on the same data and database; both run, and the first is closed last. */
    beside?: TestServer
  } = {},
): Promise<TestServer> {
  const { beside } = options
  const keptDir = options.dataDir ?? beside?.dataDir
  const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), 'castellan-server-'))
  const wantsPostgres = !beside && (options.database ?? databaseOfThisRun()) === 'postgresql'
  const postgres = wantsPostgres ? await emptyPostgres() : undefined
  // Pages need a built console to put their facts into; what it looks like plays no part here.
  const consoleDir = join(dataDir, 'console')
  mkdirSync(consoleDir, { recursive: true })
  for (const page of ['index', 'signin', 'terminal'])
    writeFileSync(join(consoleDir, `${page}.html`), '<!doctype html><html><head></head><body></body></html>')
  const adminPassword = `Adm1n-${randomBytes(9).toString('base64url')}`
  const bootstrapToken = randomBytes(24).toString('base64url')
  const application = await startApplication(
    {
      role: options.worker ? 'all' : 'api',
      dataDir,
      httpHost: '127.0.0.1',
      httpPort: 0,
      httpSocket: undefined,
      sshPort: 0,
      databaseUrl: postgres?.url ?? beside?.application.services.config.databaseUrl,
      adminPassword: options.generatedPassword ? undefined : adminPassword,
      bootstrapToken,
      gatewayPort: 9,
      trustedProxies: new TrustedProxies([]),
      tls: undefined,
      consoleDir,
      sourceUrl: 'https://git.example.org/castellan',
      countsStatements: true,
    },
    pino({ level: process.env.CASTELLAN_LOG_LEVEL ?? 'silent' }),
  )
  const { services, url } = application
  const context = (orgId: string = rootOrgId) => systemContext(services, orgId)
  const as = async (userId: string, orgId: string = defaultOrgId) => {
    const { token } = await context().transaction((ctx) => issueBearer(ctx, userId))
    return clientWith({ url, token, organization: orgId })
  }
  const admin = await services.database.reader
    .selectFrom('users_user')
    .select('id')
    .where('username', '=', 'admin')
    .executeTakeFirstOrThrow()
  const close = async () => {
    await application.close()
    await postgres?.drop()
    if (!keptDir) rmSync(dataDir, { recursive: true, force: true })
  }
  return {
    url,
    application,
    dataDir,
    adminPassword,
    bootstrapToken,
    admin: await as(admin.id),
    context,
    as,
    person: (name, { system = [], org = [], orgId = defaultOrgId }) =>
      context().transaction(async (ctx) => {
        const username = `${name}-${randomBytes(4).toString('hex')}`
        const row = await insertRow(ctx, user, { name, username, email: `${username}@example.com` })
        await replaceRoles(ctx, [row.id], null, system)
        await replaceRoles(ctx, [row.id], orgId, org)
        return row.id
      }),
    organization: (name) =>
      context().transaction(async (ctx) => {
        const row = await insertRow(ctx, organization, { name, comment: '' })
        return row.id
      }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

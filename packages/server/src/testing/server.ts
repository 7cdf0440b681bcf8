import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultOrgId, rootOrgId } from '@castellan/contract/ids'
import { pagePlaceholder } from '@castellan/contract/signin-page'
import { TrustedProxies } from '@castellan/ingress/proxies'
import { type Client, clientWith, confirmed } from '@castellan/testing/client'
import { memoryFolder } from '@castellan/testing/memory-folder'
import pino from 'pino'
import { type Application, startApplication } from '../application.ts'
import type { JobRun } from '../kernel/jobs/kinds.ts'
import { type Context, systemContext } from '../kernel/module/context.ts'
import { insertRow } from '../kernel/resource/repository.ts'
import { issueBearer } from '../modules/authentication/bearer.ts'
import { organization } from '../modules/orgs/index.ts'
import { replaceRoles } from '../modules/rbac/index.ts'
import { user } from '../modules/users/index.ts'
import {
  copyPreparedDatabase,
  type DatabaseKind,
  databaseOfThisRun,
  emptyPostgres,
  type PostgresDatabase,
} from './databases.ts'

export { settingCatalogue } from '../kernel/settings/setting-groups.ts'
export type { DatabaseKind } from './databases.ts'

/** A run without a worker, for tests that look at the effects of a kind of job at once. */
export const directRun = (): JobRun => ({
  id: randomUUID(),
  attempt: 1,
  signal: new AbortController().signal,
  log: async () => {},
  planItems: () => Promise.reject(new Error('Items need a worker: queue the job.')),
  eachItem: () => Promise.reject(new Error('Items need a worker: queue the job.')),
})

/** The server in this process, on a random port, with its own data folder and database. */
export interface TestServer extends AsyncDisposable {
  url: string
  application: Application
  dataDir: string
  adminPassword: string
  bootstrapToken: string
  /** The first administrator, in the Default organization. */
  admin: Client
  /** A system context for preparing and checking; statements commit separately. */
  context(orgId?: string): Context
  /** Stores settings of a category, as an administrator who has confirmed. */
  changeSettings<Answer = unknown>(category: string, values: object): Promise<Answer>
  /** A client signed in as a user. */
  as(userId: string, orgId?: string): Promise<Client>
  /** Creates a user with exactly these roles: system ones, and those in an organization. */
  person(name: string, roles: { system?: readonly string[]; org?: readonly string[]; orgId?: string }): Promise<string>
  organization(name: string): Promise<string>
  /** Whether callers are asked to confirm their identity; they are unless a test says otherwise. */
  confirmations(areAsked: boolean): Promise<void>
  close(): Promise<void>
}

/** The database of a server that is started; undefined where it is a file in the data folder, or another server's. */
async function databaseFor(
  kind: DatabaseKind,
  dataDir: string,
  options: { dataDir?: string; beside?: TestServer },
): Promise<PostgresDatabase | undefined> {
  if (options.beside) return undefined
  // In a data folder that the test names it begins with nothing, as a real first start does.
  if (options.dataDir) return kind === 'postgresql' ? emptyPostgres() : undefined
  return copyPreparedDatabase(kind, dataDir)
}

/** Starts the server for a test. The kind of database is that of the Vitest project unless given. */
export async function startServer(
  options: {
    database?: DatabaseKind
    /** Let the server generate the first password, as on a real first start. */
    generatedPassword?: true
    /** Start on the data of an earlier start; it is not deleted at the end. */
    dataDir?: string
    /** Also runs jobs: the worker is in the same process. */
    worker?: true
    /** The city database, and addresses of proxies whose word for a client's address is taken. */
    cityDatabase?: string
    proxies?: string
    /** How long targets may take to sign in by SSH, in milliseconds. */
    targetReadyTimeout?: number
    /** Start a second server on the same data and database; both run, and the first is closed last. */
    beside?: TestServer
  } = {},
): Promise<TestServer> {
  const { beside } = options
  const keptDir = options.dataDir ?? beside?.dataDir
  const dataDir = keptDir ?? mkdtempSync(join(memoryFolder(), 'castellan-server-'))
  const kind = options.database ?? databaseOfThisRun()
  const postgres = await databaseFor(kind, dataDir, options)
  // Pages need a built console to put their facts into; what it looks like plays no part here.
  const consoleDir = join(dataDir, 'console')
  mkdirSync(consoleDir, { recursive: true })
  for (const page of ['index', 'signin', 'terminal'])
    writeFileSync(
      join(consoleDir, `${page}.html`),
      `<!doctype html><html><head></head><body>${pagePlaceholder}</body></html>`,
    )
  const adminPassword = `Adm1n-${randomBytes(9).toString('base64url')}`
  const bootstrapToken = randomBytes(24).toString('base64url')
  const remove = async () => {
    await postgres?.drop()
    if (!keptDir) rmSync(dataDir, { recursive: true, force: true })
  }
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
      trustedProxies: TrustedProxies.named(options.proxies),
      tls: undefined,
      consoleDir,
      sourceUrl: 'https://git.example.org/castellan',
      cityDatabase: options.cityDatabase,
      // Thousands of sign-ins would cost the tests more than what they test.
      passwordCost: options.generatedPassword ? undefined : { memory: 64, passes: 1 },
      targetReadyTimeout: options.targetReadyTimeout,
      countsStatements: true,
    },
    pino({ level: process.env.CASTELLAN_LOG_LEVEL ?? 'silent' }),
  ).catch(async (reason: unknown) => {
    // Tests also start what must not start.
    await remove()
    throw reason
  })
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
    await remove()
  }
  const adminClient = await as(admin.id)
  return {
    url,
    application,
    dataDir,
    adminPassword,
    bootstrapToken,
    admin: adminClient,
    context,
    async changeSettings(category, values) {
      const sure = await confirmed(adminClient, adminPassword)
      return sure.request('PATCH', `/api/v1/settings/setting/?category=${category}`, values)
    },
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
    async confirmations(areAsked) {
      const { settings, events } = application.services
      const values = { SECURITY_VIEW_AUTH_NEED_MFA: areAsked }
      await context().transaction(({ rawDb }) => settings.store(rawDb, events, values))
      await settings.load()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

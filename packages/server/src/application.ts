import { mkdirSync } from 'node:fs'
import type { IncomingMessage, Server } from 'node:http'
import { acceptFromIngress } from '@castellan/ingress/accept'
import { parseCookie as parseCookies } from 'cookie'
import type { FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { ListCache } from './db/list-cache/list-cache.ts'
import { migrate } from './db/migrate.ts'
import { countStatement } from './db/statements.ts'
import { documentation } from './documentation.ts'
import { apiRoots } from './kernel/api-docs/api-roots.ts'
import { Events } from './kernel/events/events.ts'
import { TtlStore } from './kernel/events/ttl-store.ts'
import { clientAddress } from './kernel/http/client-address.ts'
import { serveConsole } from './kernel/http/console-files.ts'
import { gatewayTunnel, proxyToGateway } from './kernel/http/gateway-tunnel.ts'
import { partsOf } from './kernel/http/request.ts'
import type { Route } from './kernel/http/route.ts'
import { httpServer, identified } from './kernel/http/server.ts'
import { serveSockets } from './kernel/http/sockets.ts'
import { JobQueue } from './kernel/jobs/queue.ts'
import { JobWorker } from './kernel/jobs/worker.ts'
import { type Services, systemContext } from './kernel/module/context.ts'
import type { Module } from './kernel/module/module.ts'
import { useTexts } from './kernel/module/texts.ts'
import { allResources, type Resource } from './kernel/resource/resource.ts'
import { resourceRoutes } from './kernel/resource/resource-routes.ts'
import { Passwords } from './kernel/security/passwords.ts'
import { masterKey, openVault } from './kernel/security/secrets.ts'
import { settingCatalogue } from './kernel/settings/setting-groups.ts'
import { Settings } from './kernel/settings/settings.ts'
import { identity, modules, permissionsOf, placeOf } from './modules.ts'

export interface Application {
  readonly services: Services
  readonly http: FastifyInstance | undefined
  /** Every registered route, for the permission matrix and the API documentation. */
  readonly routes: readonly Route[]
  /** `http://host:port` once the server listens. */
  readonly url: string
  close(): Promise<void>
}

function logger(): Logger {
  // On a full disk, log lines are buffered in memory (bytes) until there is space again; a log error never ends the
  // process.
  const out = pino.destination({ dest: 1, sync: true, maxLength: 1024 * 1024 })
  out.on('error', () => undefined)
  const redact = [
    'password',
    '*.password',
    'secret',
    '*.secret',
    '*.*.secret',
    'headers.authorization',
    'headers.cookie',
  ]
  return pino({ level: process.env.CASTELLAN_LOG_LEVEL ?? 'info', redact }, out)
}

const onErrorOf = (log: Logger) => (error: unknown) => log.error({ err: error }, 'background work failed')

/** Opens the services that every process of the server needs. Migrates the database first. */
export async function openServices(config: Config, log: Logger): Promise<Services> {
  for (const module of modules) if (module.texts) useTexts(module.app, module.texts)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const database: Database = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    isWorker: config.role === 'worker',
    ...(config.countsStatements ? { onStatement: countStatement } : {}),
  })
  await migrate(database, undefined, {
    warn: (sentence) => log.warn(sentence),
    logs: allResources().flatMap(({ dailyCounts, table }) => (dailyCounts ? [table] : [])),
  })
  const vault = await openVault(database, masterKey(config.dataDir))
  const events = new Events(database, onErrorOf(log))
  const settings = new Settings(database, vault)
  settings.declare(settingCatalogue.settings)
  await settings.load()
  return {
    database,
    vault,
    passwords: new Passwords(config.passwordCost),
    settings,
    events,
    jobs: new JobQueue(database.dialect, events),
    kv: new TtlStore(database.reader, database.writer),
    lists: new ListCache(database),
    dataDir: config.dataDir,
    permissionsOf,
    placeOf,
    config,
    log,
  }
}

/** All routes: the standard ones of resources, and those that modules declare. */
export function allRoutes(): Route[] {
  const resources = modules.flatMap((module) => module.resources ?? [])
  const where = ({ isAvailable }: Module, routes: readonly Route[]) =>
    isAvailable ? routes.map((route) => ({ ...route, isAvailable })) : routes
  return [
    ...apiRoots(resources),
    ...modules.flatMap((module) => where(module, (module.resources ?? []).flatMap(resourceRoutes))),
    ...modules.flatMap((module) => where(module, module.routes ?? [])),
  ]
}

/** The resource of each URL. */
export function resourcesByPath(): Map<string, Resource> {
  const paths = new Map<string, Resource>()
  // Another declaration of the same rows does not describe their URL.
  const keep = (path: string, resource: Resource) => {
    if (!paths.has(path)) paths.set(path, resource)
  }
  for (const resource of allResources()) {
    for (const url of [resource.url, ...(resource.aliases ?? [])]) {
      keep(url, resource)
      keep(`${url}:id/`, resource)
    }
    if (resource.suggestions) keep(`${resource.url}suggestions/`, resource)
  }
  return paths
}

async function listen(
  services: Services,
  config: Config,
  log: Logger,
  routes: readonly Route[],
): Promise<{ http: FastifyInstance; url: string; stop: () => void }> {
  const http = await httpServer({
    services,
    identity,
    routes,
    resources: resourcesByPath(),
    log,
    trustedProxies: config.trustedProxies,
    tls: config.tls,
  })
  const addressOf = (request: IncomingMessage) => clientAddress(config.trustedProxies, request)
  proxyToGateway(http, config.gatewayPort, addressOf)
  serveConsole(http, config.consoleDir)
  await http.ready()
  const server = http.server as Server
  const stop = serveSockets(
    server,
    modules.flatMap((module) => module.sockets ?? []),
    [gatewayTunnel(config.gatewayPort, addressOf)],
    (request) => identified(services, identity, upgradeParts(request), addressOf(request)),
  )
  const url = await http.listen({ host: config.httpHost, port: config.httpPort })
  const door = config.httpSocket ? await acceptFromIngress(config.httpSocket, server) : undefined
  return {
    http,
    url,
    stop: () => {
      door?.close()
      stop()
    },
  }
}

/** When sockets were opened: their access is checked again as of then. */
const openedAt = new WeakMap<IncomingMessage, number>()

/** The upgrade request of a socket as the identity port expects it. */
function upgradeParts(request: IncomingMessage) {
  const received = openedAt.get(request) ?? Date.now()
  openedAt.set(request, received)
  const url = new URL(request.url ?? '/', 'http://localhost')
  const parts = partsOf({
    method: 'GET',
    headers: request.headers,
    query: Object.fromEntries(url.searchParams),
    params: {},
    cookies: parseCookies(request.headers.cookie ?? ''),
    url: request.url ?? '/',
    protocol: 'http',
    host: request.headers.host ?? 'localhost',
  } as never)
  return { ...parts, received }
}

/** Starts the parts of the configured role. */
export async function startApplication(config: Config, log: Logger = logger()): Promise<Application> {
  const services = await openServices(config, log)
  await systemContext(services).transaction(async (ctx) => {
    for (const module of modules) await module.seed?.(ctx)
  })
  services.settings.follow(services.events)
  await services.events.start()
  for (const module of modules) await module.start?.(services, config.role)
  const declared = allRoutes()
  const routes = [...declared, ...documentation(declared, resourcesByPath())]
  const serving = config.role === 'worker' ? undefined : await listen(services, config, log, routes)
  const worker = config.role === 'api' ? undefined : new JobWorker(services, onErrorOf(log))
  await worker?.start()
  return {
    services,
    http: serving?.http,
    routes,
    url: serving?.url ?? '',
    async close() {
      await worker?.stop()
      serving?.stop()
      await serving?.http.close()
      services.events.stop()
      await services.database.close()
    },
  }
}

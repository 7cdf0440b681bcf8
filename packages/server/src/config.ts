import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isLoopback, TrustedProxies } from '@castellan/ingress/proxies'
import type { PasswordCost } from './kernel/security/passwords.ts'

export type Role = 'api' | 'worker' | 'all'

/** Configuration from the environment; every variable is optional (docs/configure.md). */
export interface Config {
  role: Role
  dataDir: string
  httpHost: string
  httpPort: number
  /** The socket on which the ingress passes connections, if there is one. */
  httpSocket: string | undefined
  sshPort: number
  databaseUrl: string | undefined
  adminPassword: string | undefined
  bootstrapToken: string | undefined
  gatewayPort: number
  trustedProxies: TrustedProxies
  tls: { cert: Buffer; key: Buffer } | undefined
  consoleDir: string
  /** Where the source of the running version is published, if anywhere. */
  sourceUrl: string | undefined
  /** A file that tells the cities of addresses, if there is one. */
  cityDatabase: string | undefined
  /** What hashing a password costs; the environment cannot lower it. */
  passwordCost?: PasswordCost | undefined
  /** How long a target may take to sign in by SSH, in milliseconds; the environment cannot change it. */
  targetReadyTimeout?: number | undefined
  /** Adds the number of statements to each request's log, for developers. */
  countsStatements: boolean
}

function port(name: string, fallback: number, env: NodeJS.ProcessEnv): number {
  const text = env[name]
  if (!text) return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new Error(`${name} must be a port number from 0 to 65535, not "${text}".`)
  return value
}

function databaseUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)) return text
  throw new Error('DATABASE_URL must have the form postgres://user:password@host:5432/database.')
}

function consoleDir(text: string | undefined): string {
  if (!text) return join(import.meta.dirname, '../../console/dist')
  if (existsSync(join(text, 'index.html'))) return text
  throw new Error(`CASTELLAN_CONSOLE_DIR names ${text}, which is not a built console: it has no index.html.`)
}

function sourceUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text
  throw new Error(`CASTELLAN_SOURCE_URL must be a URL that begins with https://, not "${text}".`)
}

/** The end of a file in the MaxMind DB format holds this before its metadata. Bytes of the end that are looked at. */
const cityMark = { text: Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), within: 128 * 1024 }

/** Only looked at: the whole is read when it is needed, and by the programs that need it. */
function cityDatabase(path: string | undefined): string | undefined {
  if (!path) return undefined
  if (!existsSync(path)) throw new Error(`CASTELLAN_CITY_DATABASE names ${path}, which does not exist.`)
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const end = Buffer.alloc(Math.min(size, cityMark.within))
    readSync(file, end, 0, end.length, size - end.length)
    if (end.includes(cityMark.text)) return path
    throw new Error(`CASTELLAN_CITY_DATABASE names ${path}, which is not in the MaxMind DB format.`)
  } finally {
    closeSync(file)
  }
}

/** Reads the environment; throws an error that says what to change. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const role = (env.CASTELLAN_ROLE ?? 'all') as Role
  if (!['api', 'worker', 'all'].includes(role))
    throw new Error(`CASTELLAN_ROLE must be api, worker or all, not "${role}".`)
  const httpHost = env.CASTELLAN_HTTP_HOST || '127.0.0.1'
  const trustedProxies = TrustedProxies.named(env.CASTELLAN_TRUSTED_PROXIES)
  const { CASTELLAN_TLS_CERT: cert, CASTELLAN_TLS_KEY: key } = env
  if (Boolean(cert) !== Boolean(key)) throw new Error('Set both CASTELLAN_TLS_CERT and CASTELLAN_TLS_KEY, or neither.')
  if (!isLoopback(httpHost) && !cert && trustedProxies.isEmpty)
    throw new Error(
      `CASTELLAN_HTTP_HOST=${httpHost} would send passwords in the clear: set CASTELLAN_TLS_CERT and CASTELLAN_TLS_KEY, or name the proxies that do TLS in CASTELLAN_TRUSTED_PROXIES.`,
    )
  return {
    role,
    dataDir: resolve(env.CASTELLAN_DATA_DIR || '.castellan'),
    httpHost,
    httpPort: port('CASTELLAN_HTTP_PORT', 8080, env),
    httpSocket: env.CASTELLAN_HTTP_SOCKET || undefined,
    sshPort: port('CASTELLAN_SSH_PORT', 2222, env),
    databaseUrl: databaseUrl(env.DATABASE_URL),
    adminPassword: env.CASTELLAN_ADMIN_PASSWORD || undefined,
    bootstrapToken: env.BOOTSTRAP_TOKEN || undefined,
    gatewayPort: port('CASTELLAN_GATEWAY_HTTP_PORT', 5000, env),
    trustedProxies,
    tls: cert && key ? { cert: readFileSync(cert), key: readFileSync(key) } : undefined,
    consoleDir: consoleDir(env.CASTELLAN_CONSOLE_DIR),
    sourceUrl: sourceUrl(env.CASTELLAN_SOURCE_URL),
    cityDatabase: cityDatabase(env.CASTELLAN_CITY_DATABASE),
    countsStatements: env.CASTELLAN_LOG_LEVEL === 'debug',
  }
}

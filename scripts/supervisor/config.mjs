// Reads and checks the environment before anything is started.
import { randomBytes } from 'node:crypto'
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { isLoopback, TrustedProxies } from '@castellan/ingress/proxies'
import { Stop } from '../stop.mjs'
import { dataDirOf } from './data-dir.mjs'

/**
 * @typedef {object} Config
 * @property {string} dataDir absolute
 * @property {number} servers programs that answer requests
 * @property {string} httpHost
 * @property {number} httpPort
 * @property {number} sshPort
 * @property {{ cert: Buffer, key: Buffer } | undefined} tls
 * @property {string} sshHost
 * @property {((address: string) => boolean) | undefined} admits who may be served in the clear; everybody who can reach it when not set
 */

/** @param {NodeJS.ProcessEnv} env @param {string} name @param {number} otherwise */
function port(env, name, otherwise) {
  const text = env[name]
  if (text === undefined || text === '') return otherwise
  const value = Number(text)
  if (Number.isInteger(value) && value > 0 && value < 65536) return value
  throw new Stop(`${name} is "${text}", which is not a port.`, 'Give a number from 1 to 65535.')
}

/**
 * Each server, and the worker, opens up to 20 connections and one to listen. PostgreSQL as installed admits 97; a fourth
 * server could need 105.
 */
const mostServers = 3

/** @param {NodeJS.ProcessEnv} env */
function servers(env) {
  const text = env.CASTELLAN_SERVERS || '1'
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > mostServers)
    throw new Stop(`CASTELLAN_SERVERS is "${text}".`, `Give a number from 1 to ${mostServers}.`)
  if (text !== '1' && !env.DATABASE_URL)
    throw new Stop(
      `CASTELLAN_SERVERS is ${text}, but the embedded database is for one server.`,
      'Set DATABASE_URL to a PostgreSQL database, or leave out CASTELLAN_SERVERS.',
    )
  return Number(text)
}

/** @param {NodeJS.ProcessEnv} env */
function trustedProxies(env) {
  try {
    return TrustedProxies.named(env.CASTELLAN_TRUSTED_PROXIES)
  } catch (reason) {
    throw new Stop(/** @type {Error} */ (reason).message)
  }
}

/** @param {NodeJS.ProcessEnv} env @param {string} name @param {string[]} words */
function oneOf(env, name, words) {
  const text = env[name]
  if (text && !words.includes(text)) {
    throw new Stop(`${name} is "${text}", which is not allowed.`, `Give one of: ${words.join(', ')}.`)
  }
}

/** @param {string} path @param {string} name */
function readPem(path, name) {
  try {
    return readFileSync(path)
  } catch {
    throw new Stop(
      `${name} names ${path}, which cannot be read.`,
      'Give the path of a PEM file that this user may read.',
    )
  }
}

/**
 * Reads the certificate and its key, which must be valid and match.
 * @param {string} certPath
 * @param {string} keyPath
 */
function readTls(certPath, keyPath) {
  const cert = readPem(certPath, 'CASTELLAN_TLS_CERT')
  const key = readPem(keyPath, 'CASTELLAN_TLS_KEY')
  for (const [name, path, part] of /** @type {const} */ ([
    ['CASTELLAN_TLS_CERT', certPath, { cert }],
    ['CASTELLAN_TLS_KEY', keyPath, { key }],
  ])) {
    try {
      createSecureContext(part)
    } catch {
      const kind = 'cert' in part ? 'a certificate' : 'a private key without a passphrase'
      throw new Stop(
        `${name} names ${path}, which contains no ${kind.slice(2)}.`,
        `Give the path of a PEM file with ${kind}.`,
      )
    }
  }
  try {
    createSecureContext({ cert, key })
  } catch {
    throw new Stop(
      `The private key in ${keyPath} does not belong to the certificate in ${certPath}.`,
      'Give CASTELLAN_TLS_CERT and CASTELLAN_TLS_KEY of one pair; the first certificate in the file has to be that of the server.',
    )
  }
  return { cert, key }
}

/**
 * Reads the configuration. Creates nothing.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Config}
 * @throws {Stop} for an invalid value, and for a network address without TLS
 */
export function readConfig(env) {
  const httpHost = env.CASTELLAN_HTTP_HOST || '127.0.0.1'
  const cert = env.CASTELLAN_TLS_CERT && resolve(env.CASTELLAN_TLS_CERT)
  const key = env.CASTELLAN_TLS_KEY && resolve(env.CASTELLAN_TLS_KEY)
  if (Boolean(cert) !== Boolean(key)) {
    throw new Stop(
      'Only one of CASTELLAN_TLS_CERT and CASTELLAN_TLS_KEY is set.',
      'HTTPS needs both, each the path of a PEM file.',
    )
  }
  oneOf(env, 'CASTELLAN_LANGUAGE', ['en', 'zh', 'ja'])
  oneOf(env, 'CASTELLAN_LOG', ['stdout'])
  oneOf(env, 'CASTELLAN_LOG_LEVEL', ['debug', 'info', 'warn', 'error'])
  const proxies = trustedProxies(env)
  const open = !isLoopback(httpHost) && !cert
  if (open && proxies.isEmpty) {
    throw new Stop(
      `CASTELLAN_HTTP_HOST is ${httpHost}, which others can reach, but passwords would cross the network in the clear.`,
      'Set CASTELLAN_TLS_CERT and CASTELLAN_TLS_KEY to serve HTTPS, or put a proxy that does in front and name its address in CASTELLAN_TRUSTED_PROXIES.',
    )
  }
  const httpPort = port(env, 'CASTELLAN_HTTP_PORT', 8080)
  const sshPort = port(env, 'CASTELLAN_SSH_PORT', 2222)
  if (httpPort === sshPort) {
    throw new Stop(`CASTELLAN_HTTP_PORT and CASTELLAN_SSH_PORT are both ${httpPort}.`, 'Give each its own port.')
  }
  return {
    dataDir: dataDirOf(env),
    servers: servers(env),
    httpHost,
    httpPort,
    sshHost: env.CASTELLAN_SSH_HOST || httpHost,
    sshPort,
    tls: cert && key ? readTls(cert, key) : undefined,
    admits: open ? (address) => isLoopback(address) || proxies.has(address) : undefined,
  }
}

/**
 * @param {string} dataDir created when missing, for this user only
 * @throws {Stop} when it cannot be written, or contains files of another user
 */
export function prepareDataDir(dataDir) {
  const probe = join(dataDir, '.probe')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(probe, 'x')
    rmSync(probe)
    mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 })
  } catch (reason) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (reason)
    const why =
      {
        EACCES: 'this user may not write there',
        EPERM: 'this user may not write there',
        EROFS: 'the file system is read-only',
        ENOSPC: 'the disk is full',
        EDQUOT: 'the quota of this user is used up',
        ENOTDIR: 'a part of the path is a file',
        EEXIST: 'a file of that name is in the way',
      }[code ?? ''] ?? `${reason}`
    throw new Stop(
      `The data folder ${dataDir} cannot be used: ${why}.`,
      'Name another one in CASTELLAN_DATA_DIR, or repair this one.',
    )
  }
  // A folder that is a mount point may contain system files.
  for (const name of readdirSync(dataDir).filter((entry) => entry !== 'lost+found')) {
    try {
      accessSync(join(dataDir, name), constants.R_OK | constants.W_OK)
    } catch {
      throw new Stop(
        `This user may not read and write ${join(dataDir, name)}.`,
        `Give the data folder and its contents to the user who runs Castellan: chown -R USER ${dataDir}`,
      )
    }
  }
}

/**
 * The secret with which a gateway registers with the server: from the environment, or generated once and stored.
 * @param {string} dataDir
 * @param {NodeJS.ProcessEnv} env
 */
export function bootstrapToken(dataDir, env) {
  if (env.BOOTSTRAP_TOKEN) return env.BOOTSTRAP_TOKEN
  const file = join(dataDir, 'bootstrap-token')
  try {
    const kept = readFileSync(file, 'utf8').trim()
    if (kept) return kept
  } catch (reason) {
    if (/** @type {NodeJS.ErrnoException} */ (reason).code !== 'ENOENT') throw reason
  }
  const token = randomBytes(24).toString('base64url')
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  return token
}

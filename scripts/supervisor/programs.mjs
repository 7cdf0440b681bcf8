// The programs of one machine; they stop in reverse order: recordings are uploaded before a job is waited for.
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../runtime.mjs'

const settle = fileURLToPath(new URL('settle-memory.mjs', import.meta.url))

/**
 * Large responses and bulk transfers use buffers outside of V8's heap. By default V8 runs a full collection for every
 * 64 MB of them, which costs more than the transfer, so they are counted like heap memory.
 */
const manyBuffers = ['--external-memory-accounted-in-global-limit', '--external-memory-max-growing-factor=4']

/**
 * Buffers of a transfer are short-lived: a small nursery frees them in time. By default V8 sets the size at which it
 * runs a full collection by what the last one left, which between two buffers is almost nothing: once it has begun, it
 * collects ten times a second, on all processors, and a transfer costs twice as much. Megabytes.
 */
const shortLived = ['--max-semi-space-size=1', '--no-parallel-scavenge', '--initial-old-space-size=128']

/**
 * Objects of a job live as long as its connection, and a large nursery only copies them: with a small one, a run on hundreds
 * of hosts needs a quarter less memory and the same time. Code that is compiled for size saves a little more.
 */
const connectionLived = ['--max-semi-space-size=2', '--optimize-for-size']

/**
 * For glibc, which other systems ignore: one pool of memory for all threads, which gives back what is free at its end.
 * Collecting accounts from 150 hosts took about a twentieth less memory with it, in the same time.
 */
const onePool = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

/**
 * Node.js keeps a cache of compiled modules in memory as long as a program runs: 8 to 10 MB of a worker, which nobody
 * waits for when it starts. A folder that the environment names is for all programs.
 * @param {NodeJS.ProcessEnv} env
 */
const compileCache = ({ NODE_COMPILE_CACHE }) => (NODE_COMPILE_CACHE ? {} : { NODE_DISABLE_COMPILE_CACHE: '1' })

/** Variables hidden from the gateway, which never accesses the database and authenticates no user by itself. */
const serverOnly = ['DATABASE_URL', 'CASTELLAN_ADMIN_PASSWORD', 'CASTELLAN_MASTER_KEY']

/** Settings may be in the environment, too: their secrets are for the server only. */
const secretSetting = /PASSWORD|SECRET|TOKEN|KEY|_CERT_/
const ours = /^(CASTELLAN_|NODE_|BOOTSTRAP_TOKEN$)/

/** @param {string} name */
const forGatewayToo = (name) => !serverOnly.includes(name) && (ours.test(name) || !secretSetting.test(name))

/**
 * @param {import('./config.mjs').Config} config
 * @param {{ node: string, bootstrapToken: string, serverPorts: readonly number[], gatewayHttpPort: number, sockets: { servers: readonly string[], gateway: string }, env: NodeJS.ProcessEnv }} given
 * @returns {{ name: string, command: string[], env: NodeJS.ProcessEnv }[]} `server`, further ones by number, `worker`, `gateway`
 */
export function programs(config, { node, bootstrapToken, serverPorts, gatewayHttpPort, sockets, env }) {
  const { CASTELLAN_TLS_CERT: _cert, CASTELLAN_TLS_KEY: _key, ...rest } = env
  const shared = {
    ...rest,
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? join(config.dataDir, 'cache'),
    CASTELLAN_DATA_DIR: config.dataDir,
    // The ingress has the public address; the programs behind it listen on the loopback only.
    CASTELLAN_HTTP_HOST: '127.0.0.1',
    CASTELLAN_HTTP_PORT: `${serverPorts[0]}`,
    CASTELLAN_SSH_HOST: config.sshHost,
    CASTELLAN_SSH_PORT: `${config.sshPort}`,
    CASTELLAN_GATEWAY_HTTP_PORT: `${gatewayHttpPort}`,
    BOOTSTRAP_TOKEN: bootstrapToken,
    // As the user who typed it meant it: the programs run in a folder of their own.
    ...(env.CASTELLAN_CITY_DATABASE ? { CASTELLAN_CITY_DATABASE: resolve(env.CASTELLAN_CITY_DATABASE) } : {}),
  }
  const forGateway = Object.fromEntries(Object.entries(shared).filter(([name]) => forGatewayToo(name)))
  const run = (/** @type {string} */ program, /** @type {string[]} */ ...flags) => [
    node,
    ...flags,
    '--import',
    settle,
    join(root, program),
  ]
  const server = (/** @type {string[]} */ ...flags) => run('packages/server/src/main.ts', ...manyBuffers, ...flags)
  return [
    ...serverPorts.map((port, at) => ({
      name: at === 0 ? 'server' : `server-${at + 1}`,
      command: server(),
      env: {
        ...shared,
        CASTELLAN_ROLE: 'api',
        CASTELLAN_HTTP_PORT: `${port}`,
        CASTELLAN_HTTP_SOCKET: sockets.servers[at],
      },
    })),
    {
      name: 'worker',
      command: server(...connectionLived),
      env: { ...onePool, ...shared, ...compileCache(env), CASTELLAN_ROLE: 'worker' },
    },
    {
      name: 'gateway',
      command: run('packages/gateway/src/main.ts', ...manyBuffers, ...shortLived),
      env: {
        ...forGateway,
        CASTELLAN_SERVER_URL: `http://127.0.0.1:${serverPorts[0]}`,
        CASTELLAN_GATEWAY_HTTP_SOCKET: sockets.gateway,
      },
    },
  ]
}

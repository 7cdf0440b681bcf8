// The programs of one machine, in the order in which they start; they stop the other way round.
import { join } from 'node:path'
import { root } from '../runtime.mjs'

/** What the gateway must not know: it never touches the database and signs nobody in by itself. */
const serverOnly = [
  'DATABASE_URL',
  'CASTELLAN_ADMIN_PASSWORD',
  'CASTELLAN_MASTER_KEY',
  'CASTELLAN_TLS_KEY',
  'CASTELLAN_TLS_CERT',
]

/**
 * @param {import('./config.mjs').Config} config
 * @param {{ node: string, bootstrapToken: string, gatewayHttpPort: number, serverUrl: string, env: NodeJS.ProcessEnv }} given
 * @returns {{ name: 'server' | 'worker' | 'gateway', command: string[], env: NodeJS.ProcessEnv }[]}
 */
export function programs(config, { node, bootstrapToken, gatewayHttpPort, serverUrl, env }) {
  const shared = {
    ...env,
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? join(config.dataDir, 'cache'),
    CASTELLAN_DATA_DIR: config.dataDir,
    CASTELLAN_HTTP_HOST: config.httpHost,
    CASTELLAN_HTTP_PORT: `${config.httpPort}`,
    CASTELLAN_SSH_HOST: config.sshHost,
    CASTELLAN_SSH_PORT: `${config.sshPort}`,
    CASTELLAN_GATEWAY_HTTP_PORT: `${gatewayHttpPort}`,
    BOOTSTRAP_TOKEN: bootstrapToken,
  }
  const forGateway = Object.fromEntries(Object.entries(shared).filter(([name]) => !serverOnly.includes(name)))
  const server = join(root, 'packages/server/src/main.ts')
  return [
    { name: 'server', command: [node, server], env: { ...shared, CASTELLAN_ROLE: 'api' } },
    { name: 'worker', command: [node, server], env: { ...shared, CASTELLAN_ROLE: 'worker' } },
    {
      name: 'gateway',
      command: [node, join(root, 'packages/gateway/src/main.ts')],
      env: {
        ...forGateway,
        CASTELLAN_SERVER_URL: serverUrl,
        // On this machine the gateway asks by another address than the certificate names: it compares the certificate itself.
        ...(config.tls ? { CASTELLAN_SERVER_CERT: config.tls.cert } : {}),
      },
    },
  ]
}

import { isIPv4 } from 'node:net'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Permitted destinations of forwards: none, the target itself (its loopback, its own address, its Unix sockets), or
 * anything the target can reach, which is more than any permission grants.
 */
export type ForwardingReach = 'off' | 'target' | 'anywhere'

/** Settings of the gateway's environment; everything else comes from the server's component configuration. */
export interface GatewaySettings {
  serverUrl: string
  /** `<data>/gateway`: access key, unfinished recordings, queues. */
  stateDir: string
  sshHost: string
  sshPort: number
  httpHost: string
  httpPort: number
  /** The socket on which the ingress passes browser connections, if there is one. */
  door: string | undefined
  name: string
  bootstrapToken: string | undefined
  /** Permitted destinations of port forwards over SSH (`ssh -L`, remote editors), where a permission allows them. */
  portForwarding: ForwardingReach
}

function port(text: string | undefined, fallback: number): number {
  const value = Number(text ?? fallback)
  if (!Number.isInteger(value) || value < 0 || value > 65535) throw new Error(`Not a port: ${text}`)
  return value
}

function reach(text = ''): ForwardingReach {
  const word = text.toLowerCase()
  if (['', 'target'].includes(word)) return 'target'
  if (['anywhere', '1', 'true', 'yes', 'on'].includes(word)) return 'anywhere'
  if (['0', 'false', 'no', 'off'].includes(word)) return 'off'
  throw new Error(`CASTELLAN_SSH_PORT_FORWARDING must be off, target or anywhere, not "${text}".`)
}

/** The server connects here without TLS, so only a loopback address is accepted. */
function loopback(host = '127.0.0.1'): string {
  if (host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))) return host
  throw new Error(`CASTELLAN_GATEWAY_HTTP_HOST must be a loopback address, not "${host}".`)
}

/** Reads the settings from the environment. Throws on an invalid value. */
export function readSettings(env: NodeJS.ProcessEnv): GatewaySettings {
  return {
    serverUrl: (env.CASTELLAN_SERVER_URL ?? 'http://127.0.0.1:8080').replace(/\/+$/, ''),
    stateDir: join(resolve(env.CASTELLAN_DATA_DIR ?? 'data'), 'gateway'),
    sshHost: env.CASTELLAN_SSH_HOST ?? '127.0.0.1',
    sshPort: port(env.CASTELLAN_SSH_PORT, 2222),
    httpHost: loopback(env.CASTELLAN_GATEWAY_HTTP_HOST || undefined),
    httpPort: port(env.CASTELLAN_GATEWAY_HTTP_PORT, 5000),
    door: env.CASTELLAN_GATEWAY_HTTP_SOCKET || undefined,
    name: env.CASTELLAN_COMPONENT_NAME ?? `[KoKo]-${hostname()}`,
    bootstrapToken: env.BOOTSTRAP_TOKEN,
    portForwarding: reach(env.CASTELLAN_SSH_PORT_FORWARDING),
  }
}

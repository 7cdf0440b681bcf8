import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { SystemTarget } from '../account-system.ts'
import type { TargetSocket } from './target-socket.ts'

/** TLS settings of an asset as Node.js and most client libraries take them; empty texts are not set. */
export function tlsOptions({ tls }: SystemTarget) {
  const { ca, certificate, key, acceptInvalid } = tls
  return {
    ...(ca ? { ca } : {}),
    ...(certificate ? { cert: certificate } : {}),
    ...(key ? { key } : {}),
    rejectUnauthorized: !acceptInvalid,
  }
}

/** The name to ask a server for; none for an address, which TLS does not allow there. */
export const serverName = (host: string): string | undefined => (isIP(host) === 0 ? host : undefined)

/** TLS from the first byte on; resolves when the certificate was accepted. */
export function secured(socket: TargetSocket, target: SystemTarget): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const name = serverName(target.host)
  const tls = connect({ ...tlsOptions(target), socket, host: target.host, ...(name ? { servername: name } : {}) })
  tls.once('secureConnect', () => resolve(tls))
  tls.once('error', reject)
  tls.once('close', () =>
    reject(socket.errored ?? new Error('the server closed the connection during the TLS handshake')),
  )
  tls.on('error', () => undefined)
  return promise
}

import type { IncomingMessage } from 'node:http'
import type { TrustedProxies } from '@castellan/ingress/proxies'

/** The address of the client of a request or of a socket, behind the configured proxies. */
export const clientAddress = (proxies: TrustedProxies, { socket, headers }: IncomingMessage): string =>
  proxies.clientOf(socket.remoteAddress ?? '', String(headers['x-forwarded-for'] ?? ''))

/** Several hosts: programs on the way may have followed another one than we do (RFC 9112 §3.2). */
export const namesSeveralHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1

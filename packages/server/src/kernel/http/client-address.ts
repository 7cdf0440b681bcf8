import type { IncomingMessage } from 'node:http'
import type { TrustedProxies } from '@castellan/ingress/proxies'

/** The address of the client of a request or of a socket, behind the configured proxies. */
export const clientAddress = (proxies: TrustedProxies, { socket, headers }: IncomingMessage): string =>
  proxies.clientOf(socket.remoteAddress ?? '', String(headers['x-forwarded-for'] ?? ''))

/**
 * Whether a request names one host, and nothing else in its place. Programs on the way may have followed another one of
 * several (RFC 9112 §3.2), and addresses of this installation are made from it.
 * @param host as the proxies say, where they are trusted
 */
export function isForOneHost({ rawHeaders }: IncomingMessage, host: string): boolean {
  const several = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1
  // Clients of HTTP/1.0 name none.
  return !several && (host === '' || (/^[^/?#@\\\s]+$/.test(host) && URL.canParse(`http://${host}`)))
}

import { constants } from 'node:crypto'
import type { TlsOptions } from 'node:tls'

/** How HTTPS is spoken, by the ingress and by a server that stands alone: nothing before TLS 1.2, no renegotiation. */
export const tlsOptions: TlsOptions = {
  minVersion: 'TLSv1.2',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ALPNProtocols: ['http/1.1'],
}

/** For half a year a browser that was here by HTTPS asks for nothing in the clear any more (RFC 6797). */
export const httpsOnly = 'max-age=15552000'

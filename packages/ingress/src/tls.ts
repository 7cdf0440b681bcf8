import { constants } from 'node:crypto'
import type { TlsOptions } from 'node:tls'

/** TLS options of the ingress and of a standalone server: TLS 1.2 or later, no renegotiation. */
export const tlsOptions: TlsOptions = {
  minVersion: 'TLSv1.2',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ALPNProtocols: ['http/1.1'],
}

/** HSTS for half a year: browsers that used HTTPS no longer send plain requests (RFC 6797). */
export const httpsOnly = 'max-age=15552000'

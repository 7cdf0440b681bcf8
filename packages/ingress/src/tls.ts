import { constants } from 'node:crypto'
import type { TlsOptions } from 'node:tls'

/** Of TLS 1.2 only those with a key of each connection's own and authenticated encryption; all of TLS 1.3 are so. */
const ciphers = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
]

/**
 * TLS options of the ingress and of a standalone server: TLS 1.2 or later with forward secrecy, no renegotiation.
 */
export const tlsOptions: TlsOptions = {
  minVersion: 'TLSv1.2',
  ciphers: ciphers.join(':'),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ALPNProtocols: ['http/1.1'],
}

/** HSTS for half a year: browsers that used HTTPS no longer send plain requests (RFC 6797). */
export const httpsOnly = 'max-age=15552000'

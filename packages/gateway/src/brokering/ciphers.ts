import { createCipheriv } from 'node:crypto'
import { ciphers, hostKeyAlgorithms } from '@castellan/connectors/ssh'
import type { Algorithms } from 'ssh2'
import type { AccessKey } from '../server-client/signature.ts'

/**
 * Algorithms offered to users' clients: none with SHA-1. A key exchange against quantum computers is none of the library's.
 */
export const serverAlgorithms: Algorithms = {
  cipher: ciphers,
  serverHostKey: [...hostKeyAlgorithms],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
}

/**
 * The signature by which the server trusts the client address we report: AES-256-ECB of the unix time, NUL-padded to
 * one block, keyed with the access key's secret.
 */
export function serviceMark(key: AccessKey, now: number): string {
  const secret = Buffer.alloc(32)
  secret.write(key.secret.replaceAll('-', '').slice(0, 32))
  const text = Buffer.alloc(16)
  text.write(String(Math.floor(now / 1000)))
  const cipher = createCipheriv('aes-256-ecb', secret, null).setAutoPadding(false)
  return `Sign ${key.id}:${Buffer.concat([cipher.update(text), cipher.final()]).toString('base64')}`
}

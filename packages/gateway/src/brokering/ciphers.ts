import { createCipheriv } from 'node:crypto'
import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2'
import type { AccessKey } from '../server-client/signature.ts'

/** AES-GCM first: it is the fastest on every machine with AES instructions, on both legs of a bulk transfer. */
const ciphers: NonNullable<Algorithms['cipher']> = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
]
const hostKeyOrder: ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
]

/** What we offer people's clients. */
export const serverAlgorithms: Algorithms = { cipher: ciphers, compress: ['none'] }

/** What we offer targets: the same, and an RSA host key with SHA-1 last, for devices that have nothing else. */
export const targetAlgorithms: Algorithms = {
  cipher: ciphers,
  serverHostKey: [...hostKeyOrder, 'ssh-rsa'],
  compress: ['none'],
}

/**
 * The mark by which the server trusts the address we report for a person:
 * AES-256-ECB of the unix time, NUL-padded to one block, keyed with the access key's secret.
 */
export function serviceMark(key: AccessKey, now: number): string {
  const secret = Buffer.alloc(32)
  secret.write(key.secret.replaceAll('-', '').slice(0, 32))
  const text = Buffer.alloc(16)
  text.write(String(Math.floor(now / 1000)))
  const cipher = createCipheriv('aes-256-ecb', secret, null).setAutoPadding(false)
  return `Sign ${key.id}:${Buffer.concat([cipher.update(text), cipher.final()]).toString('base64')}`
}

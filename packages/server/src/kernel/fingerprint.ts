import { createHash } from 'node:crypto'

/**
 * A key's fingerprint in OpenSSH's format: `SHA256:` and the unpadded base64 digest of the key blob (RFC 4253 §6.6).
 */
export const fingerprintOf = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`

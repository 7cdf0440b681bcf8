import { createHash } from 'node:crypto'

/** A host key as a target shows it during the key exchange. */
export interface ShownHostKey {
  /** SSH name, e.g. `ssh-ed25519`; empty when the blob is no key. */
  algorithm: string
  /** As OpenSSH shows it: `SHA256:` and the unpadded base64 digest of the blob. */
  fingerprint: string
  /** The key blob in base64, as in a known_hosts line. */
  public_key: string
}

/** Decides whether a host key is trusted. A rejection ends the connection before a credential is sent. */
export type HostKeyVerifier = (shown: ShownHostKey) => Promise<void>

export const fingerprintOf = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`

/** The algorithm's name at the start of a key blob (RFC 4253 §6.6); empty if the blob is invalid. */
export function keyAlgorithm(blob: Buffer): string {
  if (blob.length < 4) return ''
  const length = blob.readUInt32BE(0)
  return length > 0 && length <= 64 && blob.length >= 4 + length ? blob.toString('latin1', 4, 4 + length) : ''
}

export const shownHostKey = (blob: Buffer): ShownHostKey => ({
  algorithm: keyAlgorithm(blob),
  fingerprint: fingerprintOf(blob),
  public_key: blob.toString('base64'),
})

import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'

/** SHA-256 of the key blob, ignoring comment and options; empty when the text is not an OpenSSH public key. */
export function keyFingerprint(text: string): string {
  const parsed = ssh2.utils.parseKey(text.trim())
  if (parsed instanceof Error) return ''
  const key = Array.isArray(parsed) ? parsed[0] : parsed
  return key ? createHash('sha256').update(key.getPublicSSH()).digest('hex') : ''
}

import { createHash } from 'node:crypto'
import ssh2 from 'ssh2'

export interface PublicKeyFacts {
  comment: string
  /** `MD5:aa:bb:…` (RFC 4716 §4). */
  md5: string
}

/** Facts about an OpenSSH public key; undefined for any other text. */
export function publicKeyFacts(text: string | null | undefined): PublicKeyFacts | undefined {
  const line = text?.trim()
  if (!line || line.includes('PRIVATE KEY')) return undefined
  const parsed = ssh2.utils.parseKey(line)
  if (parsed instanceof Error) return undefined
  const key = Array.isArray(parsed) ? parsed[0] : parsed
  if (!key) return undefined
  const digest = createHash('md5').update(key.getPublicSSH()).digest('hex')
  return { comment: key.comment ?? '', md5: `MD5:${digest.match(/../g)?.join(':') ?? ''}` }
}

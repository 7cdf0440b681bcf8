import { createHash, createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import ssh2 from 'ssh2'
import { isCheapKey } from '../../kernel/untrusted/key-cost.ts'

/** An SSH private key in stored form: OpenSSH's format, without a passphrase. */
export interface PrivateKey {
  /** OpenSSH PEM (`-----BEGIN OPENSSH PRIVATE KEY-----`). */
  pem: string
  /** `MD5:aa:bb:…` of the public half. */
  fingerprint: string
}

/**
 * Reads an RSA, ECDSA or Ed25519 private key in OpenSSH, PKCS#1, SEC1 or PKCS#8 form, encrypted or not. Undefined when
 * it is not a key, is of another kind, or the passphrase is wrong.
 */
export function readPrivateKey(text: string, passphrase: string | undefined): PrivateKey | undefined {
  const source = text.trim().replaceAll('\r\n', '\n')
  const key = keyObject(`${source}\n`, passphrase)
  const parts = key && encodable(key)
  if (!parts) return undefined
  const blob = sshString(...parts.publicParts)
  const md5 = createHash('md5').update(blob).digest('hex').match(/../g)?.join(':')
  return { pem: openSshPem(blob, parts), fingerprint: `MD5:${md5}` }
}

function keyObject(text: string, passphrase: string | undefined): KeyObject | undefined {
  if (!isCheapKey(text)) return undefined
  try {
    if (text.includes('BEGIN OPENSSH PRIVATE KEY') || text.startsWith('PuTTY-User-Key-File')) {
      const parsed = ssh2.utils.parseKey(text, passphrase)
      const key = Array.isArray(parsed) ? parsed[0] : parsed
      if (!key || key instanceof Error || !key.isPrivateKey()) return undefined
      return createPrivateKey(key.getPrivatePEM())
    }
    return createPrivateKey({ key: text, ...(passphrase ? { passphrase } : {}) })
  } catch {
    return undefined
  }
}

type Jwk = Partial<Record<'kty' | 'crv' | 'n' | 'e' | 'd' | 'p' | 'q' | 'qi' | 'x' | 'y', string>>

interface Encodable {
  type: string
  publicParts: Buffer[]
  privateParts: Buffer[]
}

const curves: Readonly<Record<string, string>> = { 'P-256': 'nistp256', 'P-384': 'nistp384', 'P-521': 'nistp521' }
const decoded = (value: string | undefined) => Buffer.from(value ?? '', 'base64url')

function encodable(key: KeyObject): Encodable | undefined {
  if (!['rsa', 'ec', 'ed25519'].includes(key.asymmetricKeyType ?? '')) return undefined
  const jwk = key.export({ format: 'jwk' }) as Jwk
  if (jwk.kty === 'RSA') return rsa(jwk)
  if (jwk.kty === 'EC') return ecdsa(jwk)
  const type = Buffer.from('ssh-ed25519')
  const [seed, point] = [decoded(jwk.d), decoded(jwk.x)]
  return { type: 'ssh-ed25519', publicParts: [type, point], privateParts: [type, point, Buffer.concat([seed, point])] }
}

function rsa(jwk: Jwk): Encodable {
  const type = Buffer.from('ssh-rsa')
  const [n, e, d, iqmp, p, q] = [jwk.n, jwk.e, jwk.d, jwk.qi, jwk.p, jwk.q].map((part) => positive(decoded(part)))
  return {
    type: 'ssh-rsa',
    publicParts: [type, e, n] as Buffer[],
    privateParts: [type, n, e, d, iqmp, p, q] as Buffer[],
  }
}

function ecdsa(jwk: Jwk): Encodable | undefined {
  const curve = curves[jwk.crv ?? '']
  if (!curve) return undefined
  const type = Buffer.from(`ecdsa-sha2-${curve}`)
  const point = Buffer.concat([Buffer.from([4]), decoded(jwk.x), decoded(jwk.y)])
  const publicParts = [type, Buffer.from(curve), point]
  return { type: type.toString(), publicParts, privateParts: [...publicParts, positive(decoded(jwk.d))] }
}

/** An mpint (RFC 4251 §5): no leading zeros, except one when the first bit is set. */
function positive(bytes: Buffer): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const cut = bytes.subarray(start)
  return (cut[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), cut]) : cut
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const sshString = (...parts: readonly Buffer[]) => Buffer.concat(parts.flatMap((part) => [uint32(part.length), part]))

/** Encodes the private format of OpenSSH's PROTOCOL.key, without encryption. */
function openSshPem(blob: Buffer, { privateParts }: Encodable): string {
  const check = randomBytes(4)
  let section = Buffer.concat([check, check, sshString(...privateParts, Buffer.alloc(0))])
  const padding = (8 - (section.length % 8)) % 8
  section = Buffer.concat([section, Buffer.from(Array.from({ length: padding }, (_none, index) => index + 1))])
  const none = Buffer.from('none')
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    sshString(none, none, Buffer.alloc(0)),
    uint32(1),
    sshString(blob, section),
  ])
  const lines = body.toString('base64').match(/.{1,70}/g) ?? []
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`
}

import { createHash, randomBytes } from 'node:crypto'
import { md4, rc4 } from './ciphers.ts'
import { hmacMd5 } from './sealing.ts'

/** The three messages of NTLM version 2 (MS-NLMP 2.2.1). Older versions are not spoken. */

const signature = Buffer.from('NTLMSSP\0', 'latin1')
const flag = {
  unicode: 0x1,
  requestTarget: 0x4,
  sign: 0x10,
  seal: 0x20,
  ntlm: 0x200,
  alwaysSign: 0x8000,
  extendedSecurity: 0x80000,
  targetInfo: 0x800000,
  version: 0x2000000,
  bits128: 0x20000000,
  keyExchange: 0x40000000,
} as const
const offered = Object.values(flag).reduce((all, one) => all + one, 0)
/** Without these, messages would not be secret or not be bound to the session. */
const demanded = flag.unicode + flag.seal + flag.extendedSecurity + flag.targetInfo + flag.bits128 + flag.keyExchange

const version = Buffer.from([10, 0, 0, 0, 0, 0, 0, 15])
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

export const negotiateMessage = (): Buffer =>
  Buffer.concat([signature, uint32(1), uint32(offered), Buffer.alloc(16), version])

/** Kinds of the pairs in the target's information (MS-NLMP 2.2.2.1). */
const pair = { end: 0, flags: 6, timestamp: 7, channelBindings: 10 } as const

export interface Challenge {
  raw: Buffer
  serverChallenge: Buffer
  flags: number
  pairs: ReadonlyMap<number, Buffer>
}

export class NtlmError extends Error {}

/** @throws NtlmError when it is none, or offers too little */
export function readChallenge(raw: Buffer): Challenge {
  if (raw.length < 48 || !raw.subarray(0, 8).equals(signature) || raw.readUInt32LE(8) !== 2)
    throw new NtlmError('the answer is no NTLM challenge')
  const flags = raw.readUInt32LE(20)
  if ((flags & demanded) >>> 0 !== demanded) throw new NtlmError('the target offers only outdated kinds of NTLM')
  const length = raw.readUInt16LE(40)
  const begin = raw.readUInt32LE(44)
  if (begin + length > raw.length) throw new NtlmError('the NTLM challenge is cut')
  const pairs = new Map<number, Buffer>()
  for (let at = begin; at + 4 <= begin + length; ) {
    const kind = raw.readUInt16LE(at)
    const size = raw.readUInt16LE(at + 2)
    if (kind === pair.end) break
    if (at + 4 + size > begin + length) throw new NtlmError('the NTLM challenge is cut')
    pairs.set(kind, raw.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  return { raw, flags, pairs, serverChallenge: raw.subarray(24, 32) }
}

/** Windows changes each character for itself; one that would become two stays. */
const upperCase = (text: string) =>
  [...text].map((one) => (one.toUpperCase().length === one.length ? one.toUpperCase() : one)).join('')

const utf16 = (text: string) => Buffer.from(text, 'utf16le')

/** NTOWFv2: what proves the knowledge of the password. */
export const responseKey = (username: string, domain: string, password: string): Buffer =>
  hmacMd5(md4(utf16(password)), utf16(upperCase(username) + domain))

/** `DOMAIN\user` as its two parts; other names belong to the target itself. */
export function nameParts(username: string): { domain: string; user: string } {
  const [, domain = '', user = username] = /^([^\\]+)\\(.+)$/s.exec(username) ?? []
  return { domain, user }
}

/** The certificate of the connection in the form that NTLM binds itself to (RFC 5929 §4). */
export function channelBindings(certificate: Buffer): Buffer {
  const name = Buffer.concat([Buffer.from('tls-server-end-point:'), createHash('sha256').update(certificate).digest()])
  return createHash('md5')
    .update(Buffer.concat([Buffer.alloc(16), uint32(name.length), name]))
    .digest()
}

export interface Authentication {
  negotiate: Buffer
  challenge: Challenge
  username: string
  password: string
  /** Of the certificate, where the connection has one. */
  bindings?: Buffer | undefined
  /** Given by tests that compare with recorded values. */
  clientChallenge?: Buffer
  sessionKey?: Buffer
}

const withPair = (kind: number, value: Buffer): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(kind)
  head.writeUInt16LE(value.length, 2)
  return Buffer.concat([head, value])
}

/** 100 ns since 1601, as Windows counts. */
function fileTime(): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE((BigInt(Date.now()) + 11_644_473_600_000n) * 10_000n)
  return bytes
}

/** The third message, with the key of the session that it begins. */
export function authenticateMessage(request: Authentication): { message: Buffer; sessionKey: Buffer } {
  const { negotiate, challenge, username, password, bindings } = request
  const { clientChallenge = randomBytes(8), sessionKey = randomBytes(16) } = request
  const { domain, user } = nameParts(username)
  const key = responseKey(user, domain, password)
  const pairs = new Map(challenge.pairs)
  const time = pairs.get(pair.timestamp)
  if (time) pairs.set(pair.flags, uint32((pairs.get(pair.flags)?.readUInt32LE(0) ?? 0) | 2))
  if (bindings) pairs.set(pair.channelBindings, bindings)
  const information = Buffer.concat([...pairs].map(([kind, value]) => withPair(kind, value)).concat(Buffer.alloc(4)))
  const blob = Buffer.concat([
    Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]),
    time ?? fileTime(),
    clientChallenge,
    Buffer.alloc(4),
    information,
    Buffer.alloc(4),
  ])
  const proof = hmacMd5(key, challenge.serverChallenge, blob)
  const lmProof = hmacMd5(key, challenge.serverChallenge, clientChallenge)
  const fields = [
    time ? Buffer.alloc(24) : Buffer.concat([lmProof, clientChallenge]),
    Buffer.concat([proof, blob]),
    utf16(domain),
    utf16(user),
    Buffer.alloc(0),
    rc4(hmacMd5(key, proof))(sessionKey),
  ]
  const headLength = 88
  let begin = headLength
  const places = fields.map((field) => {
    const place = Buffer.alloc(8)
    place.writeUInt16LE(field.length)
    place.writeUInt16LE(field.length, 2)
    place.writeUInt32LE(begin, 4)
    begin += field.length
    return place
  })
  const flags = uint32(challenge.flags & offered)
  const message = Buffer.concat([signature, uint32(3), ...places, flags, version, Buffer.alloc(16), ...fields])
  // It protects all three messages, where the target has said that it looks at it.
  if (time) hmacMd5(sessionKey, negotiate, challenge.raw, message).copy(message, 72)
  return { message, sessionKey }
}

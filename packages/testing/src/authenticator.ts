/** An authenticator in software, as the API tests use it: keys of WebAuthn (ECDSA, P-256) and what browsers send of them. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const flagPresent = 0x01
const flagVerified = 0x04
const flagAttested = 0x40

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer) => data.toString('base64url')

const head = (major: number, length: number): Buffer => {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}
const cborBytes = (data: Buffer) => Buffer.concat([head(2, data.length), data])
const cborText = (text: string) => Buffer.concat([head(3, Buffer.byteLength(text)), Buffer.from(text)])
const cborNumber = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const cborMap = (pairs: [Buffer, Buffer][]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()])

interface Options {
  challenge: string
  rp?: { id?: string }
  rpId?: string
}

/** What a test may do differently from an honest browser. */
export interface Twist {
  origin?: string
  rpId?: string
  /** The user was not verified. */
  unverified?: boolean
  /** The counter of a copy of the key. */
  counter?: number
  /** The user for whom the device says it made the key, as text; absent where it keeps no users. */
  userHandle?: string
}

/** One key of one device. */
export class SoftwareKey {
  readonly id = base64url(randomBytes(32))
  readonly #privateKey: KeyObject
  readonly #cose: Buffer
  readonly #origin: string
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#privateKey = privateKey
    this.#cose = cborMap([
      [cborNumber(1), cborNumber(2)],
      [cborNumber(3), cborNumber(-7)],
      [cborNumber(-1), cborNumber(1)],
      [cborNumber(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborNumber(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ])
  }

  #authenticatorData(rpId: string, flags: number, counter: number, attested = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested])
  }

  #clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  /** The answer to `navigator.credentials.create`. */
  create({ challenge, rp }: Options, twist: Twist = {}) {
    const credential = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([credential.length >> 8, credential.length & 255]),
      credential,
      this.#cose,
    ])
    const flags = flagPresent | flagVerified | flagAttested
    const data = this.#authenticatorData(twist.rpId ?? rp?.id ?? '', flags, this.#counter, attested)
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(data)],
    ])
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', challenge, twist.origin ?? this.#origin)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    }
  }

  /** The answer to `navigator.credentials.get`. */
  get({ challenge, rpId }: Options, twist: Twist = {}) {
    this.#counter += 1
    const flags = flagPresent | (twist.unverified ? 0 : flagVerified)
    const data = this.#authenticatorData(twist.rpId ?? rpId ?? '', flags, twist.counter ?? this.#counter)
    const client = this.#clientData('webauthn.get', challenge, twist.origin ?? this.#origin)
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#privateKey)
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        ...(twist.userHandle !== undefined && { userHandle: base64url(Buffer.from(twist.userHandle)) }),
      },
    }
  }
}

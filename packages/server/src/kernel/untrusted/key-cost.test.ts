import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readPrivateKey } from '../../modules/accounts/ssh-key.ts'
import { isCheapKey } from './key-cost.ts'

const pem = (name: string, body: Buffer) =>
  `-----BEGIN ${name}-----\n${body.toString('base64')}\n-----END ${name}-----\n`

const text = (value: Buffer | string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(value.length)
  return Buffer.concat([length, Buffer.from(value)])
}
function openSsh(rounds: number): string {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(rounds)
  const parts = ['aes256-ctr', 'bcrypt', Buffer.concat([text(Buffer.alloc(16, 1)), count])].map(text)
  const keys = [Buffer.from([0, 0, 0, 1]), text(Buffer.alloc(51)), text(Buffer.alloc(160, 7))]
  return pem('OPENSSH PRIVATE KEY', Buffer.concat([Buffer.from('openssh-key-v1\0'), ...parts, ...keys]))
}

const der = (tag: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const number = (value: number) => der(2, Buffer.from(value.toString(16).padStart(10, '0'), 'hex'))
const id = (hex: string) => der(6, Buffer.from(hex, 'hex'))
/** A key in PKCS#8 whose password is made into a key with these numbers. */
function encrypted(oid: string, ...numbers: number[]): string {
  const derivation = der(0x30, id(oid), der(0x30, der(4, Buffer.alloc(8, 1)), ...numbers.map(number)))
  const cipher = der(0x30, id('60864801650304012a'), der(4, Buffer.alloc(16, 2)))
  const algorithm = der(0x30, id('2a864886f70d01050d'), der(0x30, derivation, cipher))
  return pem('ENCRYPTED PRIVATE KEY', der(0x30, algorithm, der(4, Buffer.alloc(64, 3))))
}
const [pbkdf2, scrypt] = ['2a864886f70d01050c', '2b06010401da47040b']

describe('a private key that takes long to decrypt', () => {
  it('is refused before it is decrypted', () => {
    for (const key of [
      openSsh(2 ** 32 - 1),
      openSsh(257),
      encrypted(pbkdf2, 2 ** 31 - 1),
      encrypted(scrypt, 2 ** 14, 8, 2 ** 12),
    ]) {
      expect(isCheapKey(key)).toBe(false)
      expect(readPrivateKey(key, 'a passphrase')).toBeUndefined()
    }
  })

  it('is one that nobody makes', () => {
    const options = { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' } } as const
    const { privateKey } = generateKeyPairSync('rsa', {
      ...options,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a passphrase' },
    })
    expect(readPrivateKey(privateKey, 'a passphrase')?.fingerprint).toMatch(/^MD5:/)
    for (const key of [
      openSsh(16),
      openSsh(256),
      encrypted(pbkdf2, 600_000),
      encrypted(scrypt, 2 ** 14, 8, 1),
      'no key',
    ])
      expect(isCheapKey(key)).toBe(true)
  })
})

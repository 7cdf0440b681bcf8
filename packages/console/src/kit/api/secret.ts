/**
 * Encryption of secrets sent to the server: `rsa:aes`, where `aes` is AES-ECB (zero padding) under a random text key
 * and `rsa` that key under the session's public key, RSA PKCS #1 v1.5. WebCrypto offers neither ECB nor v1.5, so both
 * are implemented here with AES-CBC (one block at a time equals ECB) and BigInt. It protects secrets in request logs;
 * TLS protects the connection.
 */
import { readCookie } from '../../browser/cookies.ts'

const text = new TextEncoder()
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const fromBase64 = (value: string): Uint8Array => Uint8Array.from(atob(value), (char) => char.charCodeAt(0))

interface PublicKey {
  modulus: bigint
  exponent: bigint
  size: number
}

const toNumber = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

/** Reads modulus and exponent of a PEM public key (RFC 5280 SubjectPublicKeyInfo or RFC 8017 RSAPublicKey). */
function parsePublicKey(pem: string): PublicKey {
  const der = fromBase64(pem.replace(/-----[^-]+-----/g, '').replace(/\s/g, ''))
  const integers: Uint8Array[] = []
  const walk = (start: number, end: number): void => {
    let at = start
    while (at < end) {
      const tag = der[at++] ?? 0
      let length = der[at++] ?? 0
      if (length & 0x80) {
        const count = length & 0x7f
        length = 0
        for (let i = 0; i < count; i++) length = (length << 8) | (der[at++] ?? 0)
      }
      if (tag === 0x30) walk(at, at + length)
      else if (tag === 0x03) walk(at + 1, at + length)
      else if (tag === 0x02) integers.push(der.slice(at, at + length))
      at += length
    }
  }
  walk(0, der.length)
  const [modulus, exponent] = integers
  if (!modulus || !exponent) throw new Error('Not an RSA public key')
  const trimmed = modulus[0] === 0 ? modulus.slice(1) : modulus
  return { modulus: toNumber(trimmed), exponent: toNumber(exponent), size: trimmed.length }
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = base % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** RSAES-PKCS1-v1_5 encryption (RFC 8017 §7.2.1). */
function rsaEncrypt(key: PublicKey, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(key.size)
  block[1] = 2
  const padding = block.subarray(2, key.size - message.length - 1)
  crypto.getRandomValues(padding)
  // Padding must not contain zero bytes; they are replaced by new random bytes.
  for (let i = 0; i < padding.length; i++) {
    while (padding[i] === 0) crypto.getRandomValues(padding.subarray(i, i + 1))
  }
  block.set(message, key.size - message.length)
  let cipher = power(toNumber(block), key.exponent, key.modulus)
  const out = new Uint8Array(key.size)
  for (let i = key.size - 1; i >= 0; i--) {
    out[i] = Number(cipher & 0xffn)
    cipher >>= 8n
  }
  return out
}

/** AES-128-ECB with zero padding. Each block is one CBC block with a zero vector. */
async function aesEncrypt(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const padded = new Uint8Array(Math.ceil(message.length / 16) * 16)
  padded.set(message)
  const imported = await crypto.subtle.importKey('raw', key as BufferSource, 'AES-CBC', false, ['encrypt'])
  const blocks = await Promise.all(
    Array.from({ length: padded.length / 16 }, async (_, i) => {
      const block = padded.slice(i * 16, i * 16 + 16)
      const cipher = await crypto.subtle.encrypt({ name: 'AES-CBC', iv: new Uint8Array(16) }, imported, block)
      return new Uint8Array(cipher).subarray(0, 16)
    }),
  )
  const out = new Uint8Array(padded.length)
  blocks.forEach((block, i) => {
    out.set(block, i * 16)
  })
  return out
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A random text of letters and digits, uniformly distributed. */
export function randomText(length: number, letters = alphabet): string {
  const limit = 256 - (256 % letters.length)
  let out = ''
  while (out.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < limit && out.length < length) out += letters[byte % letters.length]
    }
  }
  return out
}

/**
 * Encrypts a value for a request. Empty stays empty. Without a session key or WebCrypto (plain http on a remote
 * address), the value is returned unencrypted.
 */
export async function encryptSecret(value: string): Promise<string> {
  const stored = readCookie('jms_public_key')
  if (!value || !stored || !globalThis.crypto?.subtle) return value
  const key = randomText(16)
  const cipher = await aesEncrypt(text.encode(key), text.encode(value))
  const sealed = rsaEncrypt(parsePublicKey(atob(stored)), text.encode(key))
  return `${base64(sealed)}:${base64(cipher)}`
}

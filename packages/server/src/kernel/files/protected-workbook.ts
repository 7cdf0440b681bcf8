import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { compoundFile, smallestStream } from './compound-file.ts'

/**
 * Workbooks with a password (ECMA-376 agile encryption, MS-OFFCRYPTO §2.3.4.10): AES-256-CBC under a random key, which
 * is encrypted with a key derived from the password by 100,000 rounds of SHA-512. Spreadsheet programs open them.
 */

const segmentSize = 4096
const rounds = 100_000

/** Constants of the format that separate the keys and vectors derived from one hash. */
export const purposes = {
  hmacKey: '5fb2ad010cb9e1f6',
  hmacValue: 'a0677f02b22c8433',
  verifierInput: 'fea7d2763b4b9e79',
  verifierHash: 'd7aa0f6d3061344e',
  key: '146e0be7abacd0d6',
} as const

const sha512 = (...parts: Buffer[]) => createHash('sha512').update(Buffer.concat(parts)).digest()
const bytesOf = (purpose: keyof typeof purposes) => Buffer.from(purposes[purpose], 'hex')
const vector = (salt: Buffer, what: Buffer) => sha512(salt, what).subarray(0, 16)

/** A number as the format hashes it. */
export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function encrypt(key: Buffer, iv: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(false)
  const padding = Buffer.alloc((16 - (plain.length % 16)) % 16)
  return Buffer.concat([cipher.update(plain), cipher.update(padding), cipher.final()])
}

/** A content without its password: encrypted under a random key, in a file that has no name any more. */
export interface EncryptedContent {
  /** The bytes of the workbook that opens with a password. Can be called for several passwords. */
  protectedBy(password: string): Readable
  close(): Promise<void>
}

async function* segments(content: Readable): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const piece of content) {
    rest = Buffer.concat([rest, piece as Buffer])
    let at = 0
    for (; rest.length - at >= segmentSize; at += segmentSize) yield rest.subarray(at, at + segmentSize)
    rest = rest.subarray(at)
  }
  if (rest.length > 0) yield rest
}

async function* read(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const buffer = Buffer.alloc(Math.min(256 * 1024, size - at))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) throw new Error('A temporary file has become shorter.')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function infoOf(key: Buffer, salt: Buffer, integrity: { key: Buffer; value: Buffer }, password: string): Buffer {
  const passwordSalt = randomBytes(16)
  let hash = sha512(passwordSalt, Buffer.from(password, 'utf16le'))
  for (let round = 0; round < rounds; round++) hash = sha512(number(round), hash)
  const sealed = (purpose: 'verifierInput' | 'verifierHash' | 'key', plain: Buffer) =>
    encrypt(sha512(hash, bytesOf(purpose)).subarray(0, 32), passwordSalt, plain).toString('base64')
  const verifier = randomBytes(16)
  const algorithms = (saltValue: Buffer) =>
    `saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" saltValue="${saltValue.toString('base64')}"`
  const integrityPart = (purpose: 'hmacKey' | 'hmacValue', plain: Buffer) =>
    encrypt(key, vector(salt, bytesOf(purpose)), plain).toString('base64')
  const xml = [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n',
    '<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption"',
    ' xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password">',
    `<keyData ${algorithms(salt)}/>`,
    `<dataIntegrity encryptedHmacKey="${integrityPart('hmacKey', integrity.key)}"`,
    ` encryptedHmacValue="${integrityPart('hmacValue', integrity.value)}"/>`,
    '<keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password">',
    `<p:encryptedKey spinCount="${rounds}" ${algorithms(passwordSalt)}`,
    ` encryptedVerifierHashInput="${sealed('verifierInput', verifier)}"`,
    ` encryptedVerifierHashValue="${sealed('verifierHash', sha512(verifier))}"`,
    ` encryptedKeyValue="${sealed('key', key)}"/>`,
    '</keyEncryptor></keyEncryptors></encryption>',
  ].join('')
  const versions = Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0])
  return Buffer.concat([versions, Buffer.from(xml.padEnd(smallestStream - versions.length, ' '))])
}

/**
 * Encrypts a workbook while it streams in, so that it never stands anywhere in clear. `folder`: for the temporary file,
 * which holds nothing but ciphertext and is gone when the process is.
 */
export async function encryptedContent(content: Readable, folder: string): Promise<EncryptedContent> {
  const [key, salt, hmacKey] = [randomBytes(32), randomBytes(16), randomBytes(64)]
  const path = join(folder, `${randomBytes(12).toString('hex')}.part`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    let plainSize = 0
    let size = 8
    let index = 0
    for await (const segment of segments(content)) {
      plainSize += segment.length
      const sealed = encrypt(key, vector(salt, number(index++)), segment)
      await file.write(sealed, 0, sealed.length, size)
      size += sealed.length
    }
    // Readers take the number of bytes from the beginning of the stream; what follows them is ignored.
    for (; size < smallestStream; size += 16) await file.write(randomBytes(16), 0, 16, size)
    const start = Buffer.alloc(8)
    start.writeBigUInt64LE(BigInt(plainSize))
    await file.write(start, 0, start.length, 0)
    const hmac = createHmac('sha512', hmacKey)
    for await (const piece of read(file, size)) hmac.update(piece)
    const integrity = { key: hmacKey, value: hmac.digest() }
    return {
      protectedBy(password) {
        const info = infoOf(key, salt, integrity, password)
        return Readable.from(
          compoundFile([
            { name: 'EncryptionInfo', size: info.length, content: () => Readable.from([info]) },
            { name: 'EncryptedPackage', size, content: () => read(file, size) },
          ]),
        )
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

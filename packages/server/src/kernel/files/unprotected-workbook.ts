import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { SaxesParser } from 'saxes'
import { compoundStreams } from './compound-streams.ts'
import { number, purposes } from './protected-workbook.ts'

/** Reading of workbooks with a password, as spreadsheet programs write them (ECMA-376 agile encryption). */

/** Spreadsheet programs use 100,000. A file that asks for more would only cost time. */
const mostRounds = 200_000
/** Rounds that are counted before other requests get their turn. */
const roundsAtOnce = 5_000

const hashes: Readonly<Record<string, string>> = { SHA1: 'sha1', SHA256: 'sha256', SHA384: 'sha384', SHA512: 'sha512' }

export class WrongPassword extends Error {}

type Attributes = Readonly<Record<string, string>>

/** What one of the two keys of a file is made with. */
interface Algorithms {
  hash: string
  keyBytes: number
  blockSize: number
  salt: Buffer
}

const decoded = (text = '') => Buffer.from(text, 'base64')

/** @throws Error for what no spreadsheet program writes */
function algorithmsOf(attributes: Attributes): Algorithms {
  const hash = hashes[attributes.hashAlgorithm?.replace('-', '') ?? '']
  const keyBits = Number(attributes.keyBits)
  const isKnown = attributes.cipherAlgorithm === 'AES' && attributes.cipherChaining === 'ChainingModeCBC'
  if (!hash || !isKnown || ![128, 192, 256].includes(keyBits)) throw new Error('An unknown encryption.')
  return { hash, keyBytes: keyBits / 8, blockSize: 16, salt: decoded(attributes.saltValue) }
}

/** The parts of the description that precedes the content. */
function descriptionOf(info: Buffer): Map<string, Attributes> {
  if (info.readUInt16LE(0) !== 4 || info.readUInt16LE(2) !== 4) throw new Error('An older encryption.')
  const elements = new Map<string, Attributes>()
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('XML with a document type.')
  })
  parser.on('opentag', (tag) => elements.set(tag.name.replace(/^.*:/, ''), tag.attributes as Attributes))
  parser.write(info.toString('utf8', 8).trimEnd()).close()
  return elements
}

/** A hash as a key or a vector of so many bytes. */
const fitted = (bytes: Buffer, size: number) =>
  bytes.length >= size ? bytes.subarray(0, size) : Buffer.concat([bytes, Buffer.alloc(size - bytes.length, 0x36)])

const hashOf = (hash: string, ...parts: Buffer[]) => createHash(hash).update(Buffer.concat(parts)).digest()

function decrypt(key: Buffer, iv: Buffer, sealed: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, iv).setAutoPadding(false)
  return Buffer.concat([cipher.update(sealed), cipher.final()])
}

/** @throws WrongPassword */
async function keyOf(attributes: Attributes, password: string): Promise<Buffer> {
  const { hash, keyBytes, salt } = algorithmsOf(attributes)
  const rounds = Number(attributes.spinCount)
  if (!Number.isInteger(rounds) || rounds < 0 || rounds > mostRounds) throw new Error('Too many rounds.')
  let derived = hashOf(hash, salt, Buffer.from(password, 'utf16le'))
  for (let round = 0; round < rounds; round++) {
    derived = hashOf(hash, number(round), derived)
    if (round % roundsAtOnce === 0) await setImmediate()
  }
  const opened = (purpose: 'verifierInput' | 'verifierHash' | 'key', sealed = '') =>
    decrypt(
      fitted(hashOf(hash, derived, Buffer.from(purposes[purpose], 'hex')), keyBytes),
      fitted(salt, 16),
      decoded(sealed),
    )
  const input = opened('verifierInput', attributes.encryptedVerifierHashInput)
  const wanted = hashOf(hash, input.subarray(0, Number(attributes.saltSize) || salt.length))
  const found = opened('verifierHash', attributes.encryptedVerifierHashValue).subarray(0, wanted.length)
  if (found.length !== wanted.length || !timingSafeEqual(found, wanted)) throw new WrongPassword()
  return opened('key', attributes.encryptedKeyValue).subarray(0, keyBytes)
}

/** @throws Error where the content is not the one that was encrypted */
function demandWhole(key: Buffer, { hash, salt }: Algorithms, attributes: Attributes, content: Buffer): void {
  const opened = (purpose: 'hmacKey' | 'hmacValue', sealed = '') =>
    decrypt(key, fitted(hashOf(hash, salt, Buffer.from(purposes[purpose], 'hex')), 16), decoded(sealed))
  const size = hashOf(hash).length
  const hmacKey = opened('hmacKey', attributes.encryptedHmacKey).subarray(0, size)
  const wanted = opened('hmacValue', attributes.encryptedHmacValue).subarray(0, size)
  const found = createHmac(hash, hmacKey).update(content).digest()
  if (wanted.length !== size || !timingSafeEqual(found, wanted)) throw new Error('The file was changed.')
}

/**
 * The workbook in a file with a password. Nothing is written to disk, where its secrets would remain.
 * @throws WrongPassword
 * @throws Error for anything that is not such a file
 */
export async function unprotectedWorkbook(bytes: Buffer, password: string): Promise<Buffer> {
  const names = ['EncryptionInfo', 'EncryptedPackage']
  const streams = compoundStreams(bytes, names)
  const [info, content] = names.map((name) => streams.get(name))
  if (!info || !content) throw new Error('Not a protected workbook.')
  const description = descriptionOf(info)
  const [data, integrity, keys] = ['keyData', 'dataIntegrity', 'encryptedKey'].map((name) => description.get(name))
  if (!data || !integrity || !keys) throw new Error('Not a protected workbook.')
  const key = await keyOf(keys, password)
  const algorithms = algorithmsOf(data)
  demandWhole(key, algorithms, integrity, content)
  const size = Number(content.readBigUInt64LE(0))
  if (size > content.length) throw new Error('The file is cut off.')
  const parts: Buffer[] = []
  for (let at = 8, index = 0; at < content.length && at - 8 < size; at += 4096, index++) {
    const iv = fitted(hashOf(algorithms.hash, algorithms.salt, number(index)), algorithms.blockSize)
    const sealed = content.subarray(at, at + 4096)
    parts.push(decrypt(key, iv, sealed.subarray(0, sealed.length - (sealed.length % 16))))
  }
  return Buffer.concat(parts).subarray(0, size)
}

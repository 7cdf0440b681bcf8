import { createCipheriv, createHmac, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'

const derive = promisify(pbkdf2)
const deflated = promisify(deflateRaw)

/** AES-256 in the form that WinZip made the custom (AE-2), which every common archiver opens. */
const aes = { method: 99, tag: 0x9901, version: 2, strength: 3, keyBytes: 32, saltBytes: 16, rounds: 1000 }
const deflateMethod = 8
const needsVersion = 51
/** Bit 0: encrypted. Bit 11: names are UTF-8. */
const flags = 0x0801

/** The key stream's counter counts from one, its lowest byte first, so it cannot be left to the cipher's own mode. */
function keyStream(key: Buffer, length: number): Buffer {
  const blocks = Math.ceil(length / 16)
  const counters = Buffer.alloc(blocks * 16)
  for (let block = 0; block < blocks; block++) counters.writeUInt32LE(block + 1, block * 16)
  return createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(counters)
}

function stamp(at: Date): number {
  const date = ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
  return ((date << 16) | time) >>> 0
}

/**
 * A zip archive with one file that only the password opens.
 * @param password as it is typed, by its UTF-8 bytes
 */
export async function encryptedZip(name: string, content: Buffer, password: string): Promise<Buffer> {
  const packed = await deflated(content)
  const salt = randomBytes(aes.saltBytes)
  const keys = await derive(password, salt, aes.rounds, aes.keyBytes * 2 + 2, 'sha1')
  const stream = keyStream(keys.subarray(0, aes.keyBytes), packed.length)
  const sealed = Buffer.allocUnsafe(packed.length)
  for (let at = 0; at < packed.length; at++) sealed[at] = (packed[at] ?? 0) ^ (stream[at] ?? 0)
  const proof = createHmac('sha1', keys.subarray(aes.keyBytes, aes.keyBytes * 2))
    .update(sealed)
    .digest()
    .subarray(0, 10)
  const data = Buffer.concat([salt, keys.subarray(aes.keyBytes * 2), sealed, proof])

  const title = Buffer.from(name)
  const extra = Buffer.alloc(11)
  extra.writeUInt16LE(aes.tag, 0)
  extra.writeUInt16LE(7, 2)
  extra.writeUInt16LE(aes.version, 4)
  extra.write('AE', 6, 'latin1')
  extra.writeUInt8(aes.strength, 8)
  extra.writeUInt16LE(deflateMethod, 9)

  // What the header beside the file and the one in the archive's directory have in common.
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(needsVersion, 0)
  facts.writeUInt16LE(flags, 2)
  facts.writeUInt16LE(aes.method, 4)
  facts.writeUInt32LE(stamp(new Date()), 6)
  facts.writeUInt32LE(data.length, 14)
  facts.writeUInt32LE(content.length, 18)
  facts.writeUInt16LE(title.length, 22)
  facts.writeUInt16LE(extra.length, 24)

  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, title, extra])
  const version = Buffer.alloc(2)
  version.writeUInt16LE(needsVersion)
  const entry = Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), version, facts, Buffer.alloc(14), title, extra])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length + data.length, 16)
  return Buffer.concat([local, data, entry, end])
}

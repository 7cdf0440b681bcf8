import { type CipherGCM, createCipheriv, createDecipheriv, type DecipherGCM, randomFillSync } from 'node:crypto'
import { createRequire } from 'node:module'

/**
 * AES-GCM of SSH packets (RFC 5647) for ssh2, where its compiled binding is absent, as it is without a C compiler. Small
 * packets are keystrokes and their echoes, for which users wait: they leave by one write instead of three, the cipher of
 * the next packet is prepared while nothing happens, and padding comes from a stock of random bytes. Large packets are
 * what ssh2 makes of them.
 */

/** Packets up to this size are small. Bytes. */
const small = 1024
/** People leave more time between two keys, transfers less between two packets. Milliseconds. */
const typing = 2
const lengthSize = 4
const tagSize = 16
const blockSize = 16
const leastPadding = 4

interface CipherInfo {
  keyLen: number
  ivLen: number
}

/** The fields of ssh2's instances that are used here. */
interface Encrypter {
  outSeqno: number
  _onWrite(data: Buffer): void
  _encSSLName: 'aes-128-gcm' | 'aes-256-gcm'
  _encKey: Buffer
  _encIV: Buffer
  _dead: boolean
  next?: CipherGCM | undefined
  /** Time of the last small packet. */
  lastAt?: number
  allocPacket(payloadSize: number): Buffer
  encrypt(packet: Buffer): void
}

interface Decrypter {
  inSeqno: number
  /** Undefined: continue; otherwise decryption stops, with false at the current position. */
  _onPayload(payload: Buffer): undefined | false | number
  _decipherSSLName: 'aes-128-gcm' | 'aes-256-gcm'
  _decipherKey: Buffer
  _decipherIV: Buffer
  /** Bytes of the current packet's length that have arrived. */
  _lenBytes: number
  next?: DecipherGCM | undefined
  /** Time of the last small packet. */
  lastAt?: number
  decrypt(data: Buffer, from: number, to: number): undefined | number
}

interface Ssh2Crypto {
  CIPHER_INFO: Record<string, CipherInfo>
  bindingAvailable: boolean
  createCipher(config: object): Encrypter
  createDecipher(config: object): Decrypter
}

const stock = Buffer.alloc(4096)
let used = stock.length

/** Fills the padding of a packet; no byte of the stock is used twice. */
function pad(packet: Buffer, from: number, size: number): void {
  if (used + size > stock.length) {
    randomFillSync(stock)
    used = 0
  }
  stock.copy(packet, from, used, used + size)
  used += size
}

function allocPacket(this: Encrypter, payloadSize: number): Buffer {
  const unpadded = 1 + payloadSize
  const missing = blockSize - (unpadded % blockSize)
  const padding = missing < leastPadding ? missing + blockSize : missing
  const packet = Buffer.allocUnsafe(lengthSize + unpadded + padding)
  packet.writeUInt32BE(unpadded + padding)
  packet[lengthSize] = padding
  pad(packet, lengthSize + unpadded, padding)
  return packet
}

/** The invocation counter: the last eight bytes of the nonce, by one. */
function count(nonce: Buffer): void {
  for (let at = 11; at >= 4; at--) {
    const next = ((nonce[at] as number) + 1) & 0xff
    nonce[at] = next
    if (next !== 0) return
  }
}

// A prepared cipher is bound to the nonce of the next packet: whatever is done with that packet uses it or drops it.
function prepareCipher(of: Encrypter): void {
  if (!of._dead) of.next ??= createCipheriv(of._encSSLName, of._encKey, of._encIV)
}

function prepareDecipher(of: Decrypter): void {
  if (of._lenBytes === 0) of.next ??= createDecipheriv(of._decipherSSLName, of._decipherKey, of._decipherIV)
}

/** Prepares once the events that wait have been handled; not between the packets of a transfer, which it would slow down. */
function later<Of extends { lastAt?: number }>(of: Of, prepare: (of: Of) => void): void {
  const now = performance.now()
  if (now - (of.lastAt ?? 0) > typing) setImmediate(prepare, of)
  of.lastAt = now
}

function encrypt(this: Encrypter, packet: Buffer): void {
  if (this._dead) return
  const cipher = this.next ?? createCipheriv(this._encSSLName, this._encKey, this._encIV)
  this.next = undefined
  const length = packet.subarray(0, lengthSize)
  cipher.setAAD(length)
  const body = cipher.update(packet.subarray(lengthSize))
  cipher.final()
  const tag = cipher.getAuthTag()
  count(this._encIV)
  this.outSeqno = (this.outSeqno + 1) >>> 0
  if (packet.length > small) {
    this._onWrite(length)
    this._onWrite(body)
    this._onWrite(tag)
    return
  }
  const whole = Buffer.allocUnsafe(packet.length + tagSize)
  whole.set(length)
  whole.set(body, lengthSize)
  whole.set(tag, packet.length)
  this._onWrite(whole)
  later<Encrypter>(this, prepareCipher)
}

/** @param inParts ssh2's own method, for packets that are large, arrive in parts or are invalid */
const decryptWith = (inParts: Decrypter['decrypt']): Decrypter['decrypt'] =>
  function (this: Decrypter, data, from, to) {
    let at = from
    while (at < to) {
      const size = this._lenBytes === 0 && to - at >= lengthSize ? data.readUInt32BE(at) : 0
      const end = at + lengthSize + size + tagSize
      if (size < blockSize || size % blockSize !== 0 || size > small || end > to) {
        this.next = undefined
        return inParts.call(this, data, at, to)
      }
      const decipher = this.next ?? createDecipheriv(this._decipherSSLName, this._decipherKey, this._decipherIV)
      this.next = undefined
      decipher.setAAD(data.subarray(at, at + lengthSize))
      const body = decipher.update(data.subarray(at + lengthSize, end - tagSize))
      decipher.setAuthTag(data.subarray(end - tagSize, end))
      decipher.final()
      count(this._decipherIV)
      this.inSeqno = (this.inSeqno + 1) >>> 0
      at = end
      later<Decrypter>(this, prepareDecipher)
      const answer = this._onPayload(body.subarray(1, body.length - (body[0] as number)))
      if (answer !== undefined) return answer === false ? at : answer
    }
    return undefined
  }

function install(): void {
  const crypto = createRequire(import.meta.url)('ssh2/lib/protocol/crypto.js') as Ssh2Crypto
  const info = crypto.CIPHER_INFO['aes256-gcm@openssh.com']
  if (crypto.bindingAvailable || !info) return
  const nothing = () => undefined
  const key = Buffer.alloc(info.keyLen)
  const nonce = Buffer.alloc(info.ivLen)
  const outbound = { seqno: 0, onWrite: nothing, cipherInfo: info, cipherKey: key, cipherIV: nonce }
  const inbound = { seqno: 0, onPayload: nothing, decipherInfo: info, decipherKey: key, decipherIV: nonce }
  // ssh2 has no place for ciphers of others; AES with 128 and with 256 bits are of the same class.
  Object.assign(Object.getPrototypeOf(crypto.createCipher({ outbound })), { allocPacket, encrypt })
  const decrypter = Object.getPrototypeOf(crypto.createDecipher({ inbound })) as Decrypter
  decrypter.decrypt = decryptWith(decrypter.decrypt)
}

install()

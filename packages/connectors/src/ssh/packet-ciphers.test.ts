import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import './packet-ciphers.ts'

const crypto = createRequire(import.meta.url)('ssh2/lib/protocol/crypto.js')

/** The nonce of a packet by RFC 5647, section 7.1. */
function nonceOf(first: Buffer, packet: number): Buffer {
  const nonce = Buffer.from(first)
  nonce.writeBigUInt64BE(BigInt.asUintN(64, nonce.readBigUInt64BE(4) + BigInt(packet)), 4)
  return nonce
}

/** Around the size up to which packets are treated as small, and in any order. */
const sizes = [0, 1, 7, 10, 11, 26, 27, 990, 1000, 1001, 1002, 1003, 1010, 1024, 32_768, 5, 33_000, 3, 3, 1011, 8]
const settle = () => new Promise(setImmediate)
/** As between two keys: the next cipher is prepared. */
const pause = () => new Promise((prepared) => setTimeout(prepared, 5))

describe.each(['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com'])('Packets in %s', (name) => {
  const info = crypto.CIPHER_INFO[name]
  const key = randomBytes(info.keyLen)
  // The counter overflows within the test, in each of its bytes.
  const first = Buffer.concat([randomBytes(4), Buffer.from('fffffffffffffff5', 'hex')])

  function encrypter() {
    const written: Buffer[] = []
    const outbound = {
      seqno: 0xfffffff8,
      onWrite: (part: Buffer) => written.push(Buffer.from(part)),
      cipherInfo: info,
      cipherKey: Buffer.from(key),
      cipherIV: Buffer.from(first),
    }
    const cipher = crypto.createCipher({ outbound })
    const send = (payload: Buffer) => {
      const packet = cipher.allocPacket(payload.length)
      packet.set(payload, 5)
      cipher.encrypt(packet)
    }
    return { cipher, written, send }
  }

  function decrypter() {
    const payloads: Buffer[] = []
    const inbound = {
      seqno: 0xfffffff8,
      onPayload: (payload: Buffer) => void payloads.push(Buffer.from(payload)),
      decipherInfo: info,
      decipherKey: Buffer.from(key),
      decipherIV: Buffer.from(first),
    }
    const decipher = crypto.createDecipher({ inbound })
    return { decipher, payloads, take: (data: Buffer) => decipher.decrypt(data, 0, data.length) }
  }

  /** As another implementation sends a packet. */
  function packetOf(payload: Buffer, at: number): Buffer {
    const padding = 16 - ((1 + payload.length) % 16) + 16
    const length = Buffer.alloc(4)
    length.writeUInt32BE(1 + payload.length + padding)
    const cipher = createCipheriv(info.sslName, key, nonceOf(first, at)) as ReturnType<typeof createCipheriv> & {
      setAAD(data: Buffer): void
      getAuthTag(): Buffer
    }
    cipher.setAAD(length)
    const body = cipher.update(Buffer.concat([Buffer.from([padding]), payload, randomBytes(padding)]))
    cipher.final()
    return Buffer.concat([length, body, cipher.getAuthTag()])
  }

  it.each(['at once', 'with pauses'])(
    'are read by another implementation, each with its own nonce, sent %s',
    async (how) => {
      const { cipher, written, send } = encrypter()
      const payloads = sizes.map((size) => randomBytes(size))
      for (const payload of payloads) {
        send(payload)
        if (how === 'with pauses') await pause()
      }
      let rest = Buffer.concat(written)
      const paddings: Buffer[] = []
      for (const [at, payload] of payloads.entries()) {
        const size = rest.readUInt32BE()
        expect((size - 16) % 16).toBe(0)
        const decipher = createDecipheriv(info.sslName, key, nonceOf(first, at)) as ReturnType<
          typeof createDecipheriv
        > & {
          setAAD(data: Buffer): void
          setAuthTag(tag: Buffer): void
        }
        decipher.setAAD(rest.subarray(0, 4))
        const body = decipher.update(rest.subarray(4, 4 + size))
        decipher.setAuthTag(rest.subarray(4 + size, 20 + size))
        decipher.final()
        const padding = body[0] as number
        expect(padding).toBeGreaterThanOrEqual(4)
        expect(body.subarray(1, size - padding)).toEqual(payload)
        paddings.push(body.subarray(size - padding))
        rest = rest.subarray(20 + size)
      }
      expect(rest).toHaveLength(0)
      expect(cipher.outSeqno).toBe((0xfffffff8 + sizes.length) >>> 0)
      expect(new Set(paddings.map((padding) => padding.toString('hex'))).size).toBe(sizes.length)
    },
  )

  it('leave by one write when they are small', () => {
    const { written, send } = encrypter()
    send(Buffer.from('l'))
    send(Buffer.from('s'))
    expect(written).toHaveLength(2)
  })

  it('are sent no more once the cipher was replaced', async () => {
    const { cipher, written, send } = encrypter()
    send(Buffer.from('l'))
    cipher.free()
    send(Buffer.from('s'))
    await settle()
    expect(written).toHaveLength(1)
  })

  it.each([1, 3, 4, 5, 19, 20, 100, 1040, 5000, Number.MAX_SAFE_INTEGER])(
    'are understood in parts of %s bytes',
    async (part) => {
      const payloads = sizes.map((size) => randomBytes(size))
      const sent = Buffer.concat(payloads.map(packetOf))
      const { decipher, payloads: understood, take } = decrypter()
      for (let at = 0; at < sent.length; at += part) {
        take(sent.subarray(at, at + part))
        if (at % 7 === 0) await settle()
      }
      expect(understood).toEqual(payloads)
      expect(decipher.inSeqno).toBe((0xfffffff8 + sizes.length) >>> 0)
    },
  )

  it.each([0, 2, 30])('are understood one by one with pauses, after %s bytes too', async (begun) => {
    const payloads = sizes.map((size) => randomBytes(size))
    const { payloads: understood, take } = decrypter()
    for (const packet of payloads.map(packetOf)) {
      take(packet.subarray(0, begun))
      await pause()
      take(packet.subarray(begun))
      await pause()
    }
    expect(understood).toEqual(payloads)
  })

  it('are refused when any byte was changed, one is repeated or one is missing', async () => {
    const good = packetOf(Buffer.from('uptime'), 0)
    const attacks = Array.from(good, (byte, at) => Buffer.from(good).fill(byte ^ 0x10, at, at + 1))
    for (const sent of [...attacks, Buffer.concat([good, good]), packetOf(Buffer.from('uptime'), 1)]) {
      const { payloads, take } = decrypter()
      // A longer length, with more to come, is refused once its tag has arrived.
      const rest = Buffer.alloc(0x100000 + 100)
      expect(() => take(Buffer.concat([sent, rest]))).toThrow(/authenticate|Bad packet length/)
      expect(payloads.length).toBeLessThanOrEqual(sent.length > good.length ? 1 : 0)
    }
  })

  it('stop where the receiver asks for it', () => {
    const sent = Buffer.concat(['a', 'b'].map((payload, at) => packetOf(Buffer.from(payload), at)))
    const { decipher } = decrypter()
    decipher._onPayload = () => false
    const end = decipher.decrypt(sent, 0, sent.length)
    expect(end).toBe(sent.length / 2)
    expect(decipher.decrypt(sent, end, sent.length)).toBe(sent.length)
    decipher._onPayload = () => 7
    expect(decipher.decrypt(packetOf(Buffer.from('c'), 2), 0, sent.length / 2)).toBe(7)
  })
})

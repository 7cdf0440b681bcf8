import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { rc4 } from './ciphers.ts'

const md5 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
export const hmacMd5 = (key: Buffer, ...parts: Buffer[]): Buffer => {
  const hmac = createHmac('md5', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

type Direction = 'client-to-server' | 'server-to-client'

/** One direction of a session's sealed messages (MS-NLMP 3.4, extended session security with 128 bits). */
function sealingOf(sessionKey: Buffer, direction: Direction) {
  const signingKey = md5(sessionKey, `session key to ${direction} signing key magic constant\0`)
  const cipher = rc4(md5(sessionKey, `session key to ${direction} sealing key magic constant\0`))
  let sequence = 0
  const signatureOf = (message: Buffer): Buffer => {
    const number = Buffer.alloc(4)
    number.writeUInt32LE(sequence++)
    const checksum = cipher(hmacMd5(signingKey, number, message).subarray(0, 8))
    return Buffer.concat([Buffer.from([1, 0, 0, 0]), checksum, number])
  }
  return { cipher, signatureOf }
}

export interface SealedMessage {
  signature: Buffer
  sealed: Buffer
}

/** The secrecy of messages after both sides have proved that they know the password. */
export class NtlmSealing {
  readonly #sending: ReturnType<typeof sealingOf>
  readonly #receiving: ReturnType<typeof sealingOf>

  constructor(sessionKey: Buffer, side: 'client' | 'server' = 'client') {
    const [here, there]: [Direction, Direction] =
      side === 'client' ? ['client-to-server', 'server-to-client'] : ['server-to-client', 'client-to-server']
    this.#sending = sealingOf(sessionKey, here)
    this.#receiving = sealingOf(sessionKey, there)
  }

  seal(message: Buffer): SealedMessage {
    const sealed = this.#sending.cipher(message)
    return { sealed, signature: this.#sending.signatureOf(message) }
  }

  /** The message; undefined when it was not sealed by the other side of this session, or not in this order. */
  open({ signature, sealed }: SealedMessage): Buffer | undefined {
    const message = this.#receiving.cipher(sealed)
    const expected = this.#receiving.signatureOf(message)
    return signature.length === expected.length && timingSafeEqual(signature, expected) ? message : undefined
  }
}

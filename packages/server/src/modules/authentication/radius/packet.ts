import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Packets of RADIUS (RFC 2865) as a client sends and accepts them. Both directions carry a Message-Authenticator
 * (RFC 3579): without it, whoever stands between could turn a rejection into an acceptance by a collision of MD5.
 */

export const codes = { accessRequest: 1, accessAccept: 2, accessReject: 3, accessChallenge: 11 } as const
const attributes = { userName: 1, userPassword: 2, state: 24, nasIdentifier: 32 }
const messageAuthenticator = 80
const headerLength = 20
const mostLength = 4096
const mostPassword = 128
const mostValue = 253

const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()

export interface Question {
  readonly id: number
  /** 16 random bytes. */
  readonly authenticator: Buffer
  readonly secret: Buffer
  readonly username: string
  readonly password: string
  /** Of the challenge that this answers. */
  readonly state?: Buffer
}

export interface Answer {
  readonly code: number
  readonly state: Buffer | undefined
}

function attribute(type: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, value.length + 2]), value])
}

/** RFC 2865, 5.2: blocks of 16 bytes, each masked by the digest of the secret and the block before. */
function hiddenPassword({ password, secret, authenticator }: Question): Buffer {
  const plain = Buffer.from(password)
  const padded = Buffer.alloc(Math.max(16, Math.ceil(plain.length / 16) * 16))
  plain.copy(padded)
  let before = authenticator
  for (let at = 0; at < padded.length; at += 16) {
    const mask = md5(secret, before)
    for (let index = 0; index < 16; index += 1) padded[at + index] = (padded[at + index] ?? 0) ^ (mask[index] ?? 0)
    before = padded.subarray(at, at + 16)
  }
  return padded
}

/** Whether a name and a password fit into a packet, and mean there what was typed. */
export const fits = (username: string, password: string): boolean =>
  username !== '' &&
  password !== '' &&
  !`${username}${password}`.includes('\0') &&
  Buffer.byteLength(username) <= mostValue &&
  Buffer.byteLength(password) <= mostPassword

function signed(packet: Buffer, at: number, authenticator: Buffer, secret: Buffer): Buffer {
  const unsigned = Buffer.from(packet)
  authenticator.copy(unsigned, 4)
  unsigned.fill(0, at, at + 16)
  return createHmac('md5', secret).update(unsigned).digest()
}

/** An Access-Request. */
export function request(question: Question): Buffer {
  const body = Buffer.concat([
    // First, as RFC 3579 and its successor recommend.
    attribute(messageAuthenticator, Buffer.alloc(16)),
    attribute(attributes.userName, Buffer.from(question.username)),
    attribute(attributes.userPassword, hiddenPassword(question)),
    attribute(attributes.nasIdentifier, Buffer.from('castellan')),
    ...(question.state ? [attribute(attributes.state, question.state)] : []),
  ])
  const header = Buffer.from([codes.accessRequest, question.id, 0, 0])
  header.writeUInt16BE(headerLength + body.length, 2)
  const packet = Buffer.concat([header, question.authenticator, body])
  const at = headerLength + 2
  signed(packet, at, question.authenticator, question.secret).copy(packet, at)
  return packet
}

/** The attributes of a packet, each with the position of its value; undefined for a malformed one. */
function attributesIn(packet: Buffer): { type: number; at: number; value: Buffer }[] | undefined {
  const found = []
  for (let at = headerLength; at < packet.length; ) {
    const [type, length] = [packet[at] ?? 0, packet[at + 1] ?? 0]
    if (length < 2 || at + length > packet.length) return undefined
    found.push({ type, at: at + 2, value: packet.subarray(at + 2, at + length) })
    at += length
  }
  return found
}

/** The server's answer to a question; undefined for everything that is not one, which must not end the waiting. */
export function answerIn(received: Buffer, { id, authenticator, secret }: Question): Answer | undefined {
  if (received.length < headerLength || received.length > mostLength) return undefined
  const length = received.readUInt16BE(2)
  if (length < headerLength || length > received.length || received[1] !== id) return undefined
  const packet = received.subarray(0, length)
  const header = packet.subarray(0, 4)
  const own = md5(header, authenticator, packet.subarray(headerLength), secret)
  if (!timingSafeEqual(own, packet.subarray(4, headerLength))) return undefined
  const all = attributesIn(packet)
  const proofs = all?.filter(({ type }) => type === messageAuthenticator) ?? []
  const [proof] = proofs
  if (!all || proofs.length !== 1 || proof?.value.length !== 16) return undefined
  if (!timingSafeEqual(signed(packet, proof.at, authenticator, secret), proof.value)) return undefined
  return { code: packet[0] ?? 0, state: all.find(({ type }) => type === attributes.state)?.value }
}

/** China Mobile Peer to Peer 2.0: one short message over a connection of its own. */
import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { guardedLookup, isForbiddenAddress } from '../../../kernel/security/outgoing-addresses.ts'

const commands = { connect: 1, terminate: 2, submit: 4 } as const
/** The answer to a command. */
const answerTo = (command: number) => (command | 0x80000000) >>> 0
const version = 0x20
/** Text in UCS-2, big endian. */
const ucs2 = 8
/** What one message holds in UCS-2. */
const mostCharacters = 70
/** Milliseconds. */
const patience = 15_000
/** Bytes; the longest answer of this version has 30. */
const longestPacket = 4096

/** A field of fixed length, padded with zeros. */
function fixed(text: string, length: number): Buffer {
  const field = Buffer.alloc(length)
  field.write(text, 'ascii')
  return field
}

function bigEndian(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

function packet(command: number, sequence: number, body: Buffer): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt32BE(12 + body.length, 0)
  header.writeUInt32BE(command, 4)
  header.writeUInt32BE(sequence, 8)
  return Buffer.concat([header, body])
}

/** Month, day, hour, minute and second, as the number of the connection request. */
const stamp = (at: Date): string =>
  [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join('')

/** Proves the shared secret: MD5 of the source, nine zero bytes, the secret and the time. */
export function authenticator(source: string, secret: string, time: string): Buffer {
  const parts = [Buffer.from(source, 'ascii'), Buffer.alloc(9), Buffer.from(secret), Buffer.from(time, 'ascii')]
  return createHash('md5').update(Buffer.concat(parts)).digest()
}

function connectBody(source: string, secret: string, at: Date): Buffer {
  const time = stamp(at)
  const end = Buffer.alloc(5)
  end.writeUInt8(version, 0)
  end.writeUInt32BE(Number(time), 1)
  return Buffer.concat([fixed(source, 6), authenticator(source, secret, time), end])
}

export interface ShortMessage {
  readonly host: string
  readonly port: number
  readonly source: string
  readonly secret: string
  readonly serviceId: string
  /** The number that the message comes from. */
  readonly sourceNumber: string
  /** Digits without a plus sign. */
  readonly phone: string
  readonly text: string
}

function submitBody({ source, serviceId, sourceNumber, phone, text }: ShortMessage): Buffer {
  const content = bigEndian(text)
  return Buffer.concat([
    Buffer.alloc(8),
    // One part of one; no delivery report; normal priority.
    Buffer.from([1, 1, 0, 1]),
    fixed(serviceId, 10),
    // The sender pays.
    Buffer.from([2]),
    fixed('', 21),
    Buffer.from([0, 0, ucs2]),
    fixed(source, 6),
    fixed('01', 2),
    fixed('000000', 6),
    fixed('', 17 + 17),
    fixed(sourceNumber, 21),
    Buffer.from([1]),
    fixed(phone, 21),
    Buffer.from([content.length]),
    content,
    Buffer.alloc(8),
  ])
}

/** The next packet of a connection. Rejects when it ends, answers nonsense, or nothing in time. */
function readPacket(socket: Socket): Promise<{ command: number; body: Buffer }> {
  return new Promise((settle, fail) => {
    let known = Buffer.alloc(0)
    const over = (error?: Error) => {
      socket.off('data', read).off('error', over).off('close', closed)
      if (error) fail(error)
    }
    const closed = () => over(new Error('The gateway closed the connection.'))
    const read = (part: Buffer) => {
      known = Buffer.concat([known, part])
      if (known.length < 12) return
      const length = known.readUInt32BE(0)
      if (length < 12 || length > longestPacket) return over(new Error('The gateway does not speak CMPP.'))
      if (known.length < length) return
      over()
      settle({ command: known.readUInt32BE(4), body: known.subarray(12, length) })
    }
    socket.on('data', read).on('error', over).on('close', closed)
  })
}

async function asked(socket: Socket, command: number, sequence: number, body: Buffer): Promise<Buffer> {
  const answer = readPacket(socket)
  socket.write(packet(command, sequence, body))
  const { command: said, body: result } = await answer
  if (said !== answerTo(command)) throw new Error('The gateway does not speak CMPP.')
  return result
}

/** Sends a message. @throws Error with a sentence when the gateway refuses it or does not answer in 15 seconds */
export async function submit(message: ShortMessage): Promise<void> {
  if (message.text.length > mostCharacters) throw new Error(`A message has at most ${mostCharacters} characters.`)
  if (isForbiddenAddress(message.host)) throw new Error(`${message.host} is not asked.`)
  const socket = connect({ host: message.host, port: message.port, lookup: guardedLookup })
  const timer = setTimeout(() => socket.destroy(new Error('The gateway does not answer.')), patience)
  // Errors between two answers; `readPacket` reports the others.
  socket.on('error', () => undefined)
  try {
    const login = await asked(socket, commands.connect, 1, connectBody(message.source, message.secret, new Date()))
    const status = login.readUInt8(0)
    if (status !== 0) throw new Error(`The gateway refused the sign-in with status ${status}.`)
    const sent = await asked(socket, commands.submit, 2, submitBody(message))
    const result = sent.readUInt8(8)
    if (result !== 0) throw new Error(`The gateway refused the message with result ${result}.`)
    socket.write(packet(commands.terminate, 3, Buffer.alloc(0)))
  } finally {
    clearTimeout(timer)
    socket.destroySoon()
  }
}

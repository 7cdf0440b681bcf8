import type { Socket } from 'node:net'
import { startPeer } from './account-target.ts'

/**
 * The protocol of SQL Server (TDS 7.4) without TLS, with sign-in and parameterized batches, for the client library to
 * talk to. No SQL Server: it runs no SQL, and recognizes the batches it expects.
 */
export interface ScriptedSqlServer extends AsyncDisposable {
  port: number
  /** Logins with their passwords. */
  logins: Map<string, string>
  /** Logins that may manage others. */
  administrators: Set<string>
  /** Names of database users. */
  users: Set<string>
  /** Every batch with its parameters. */
  batches: { text: string; parameters: Record<string, string> }[]
  /** Fails the sign-in of a login with this number and text. */
  refusal: { number: number; message: string } | undefined
  /** Sends every client to this address after its sign-in. */
  routing: { host: string; port: number } | undefined
}

const packets = { batch: 1, rpc: 3, response: 4, login: 16, prelogin: 18 }
const headerLength = 8

const ucs2 = (text: string) => Buffer.from(text, 'utf16le')
const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8])
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
/** A text with its length in characters, in one byte or in two. */
const short = (text: string) => Buffer.concat([Buffer.from([text.length]), ucs2(text)])
const long = (text: string) => Buffer.concat([u16(text.length), ucs2(text)])
const token = (kind: number, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([kind]), u16(body.length), body])
}

const done = (hasFailed = false) =>
  Buffer.concat([Buffer.from([0xfd]), u16(hasFailed ? 2 : 0), u16(0), Buffer.alloc(8)])
const failed = (number: number, message: string) =>
  Buffer.concat([
    token(0xaa, u32(number), Buffer.from([1, 16]), long(message), short('scripted'), short(''), u32(1)),
    done(true),
  ])
/** One column with the number 1, if there is a row. */
const rows = (count: number) =>
  Buffer.concat([
    Buffer.concat([Buffer.from([0x81]), u16(1), u32(0), u16(0), Buffer.from([0x38]), short('')]),
    ...Array.from({ length: count }, () => Buffer.concat([Buffer.from([0xd1]), u32(1)])),
    done(),
  ])
const loggedIn = Buffer.concat([
  token(0xad, Buffer.from([1, 0x74, 0, 0, 4]), short('scripted'), Buffer.from([15, 0, 0, 0])),
  done(),
])
const routed = ({ host, port }: { host: string; port: number }) => {
  const address = Buffer.concat([Buffer.from([0]), u16(port), long(host)])
  return Buffer.concat([
    loggedIn.subarray(0, -13),
    token(0xe3, Buffer.from([20]), u16(address.length), address, u16(0)),
    done(),
  ])
}

const prelogin = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 15, 0, 0, 0, 0, 0, 2])

/** Username and password of a LOGIN7 message. */
function loginIn(message: Buffer): { username: string; password: string } {
  const part = (at: number) =>
    message.subarray(message.readUInt16LE(at), message.readUInt16LE(at) + 2 * message.readUInt16LE(at + 2))
  const hidden = Buffer.from(part(44))
  const clear = hidden.map((byte) => {
    const mixed = byte ^ 0xa5
    return ((mixed << 4) | (mixed >> 4)) & 0xff
  })
  return { username: part(40).toString('utf16le'), password: Buffer.from(Uint8Array.from(clear)).toString('utf16le') }
}

/** The texts that a call of `sp_executesql` sends: the batch, the declarations and the parameters. */
function textsIn(message: Buffer): { name: string; value: string }[] {
  const found: { name: string; value: string }[] = []
  let at = message.readUInt32LE(0) + 2 + 2 + 2
  while (at < message.length) {
    const nameLength = 2 * message.readUInt8(at)
    const name = message.subarray(at + 1, at + 1 + nameLength).toString('utf16le')
    // Status, type, longest length, collation.
    at += 1 + nameLength + 1 + 1 + 2 + 5
    const length = message.readUInt16LE(at)
    found.push({ name, value: message.subarray(at + 2, at + 2 + length).toString('utf16le') })
    at += 2 + length
  }
  return found
}

function serve(server: ScriptedSqlServer, socket: Socket): void {
  let signedIn = ''

  function signIn(message: Buffer): Buffer {
    const { username, password } = loginIn(message)
    if (server.refusal) return failed(server.refusal.number, server.refusal.message)
    if (server.logins.get(username) !== password) return failed(18456, `Login failed for user '${username}'.`)
    signedIn = username
    return server.routing ? routed(server.routing) : loggedIn
  }

  function run(message: Buffer): Buffer {
    const [batch, , ...others] = textsIn(message)
    const parameters = Object.fromEntries(others.map(({ name, value }) => [name.slice(1), value]))
    const text = batch?.value ?? ''
    server.batches.push({ text, parameters })
    const { name = '', secret = '', old } = parameters
    const isDenied = !server.administrators.has(signedIn)
    if (text === 'SELECT 1') return rows(1)
    if (text.startsWith('SELECT')) return rows(server.logins.has(name) ? 1 : 0)
    if (text.includes('OLD_PASSWORD')) {
      if (server.logins.get(name) !== old) return failed(15151, `Cannot alter the login '${name}'.`)
    } else if (isDenied) return failed(15247, 'User does not have permission to perform this action.')
    if (secret === 'weak') return failed(15118, 'Password validation failed.')
    if (text.includes('DROP')) {
      server.logins.delete(name)
      server.users.delete(name)
    } else if (text.includes('CREATE USER')) server.users.add(name)
    else server.logins.set(name, secret)
    return done()
  }

  const answerTo = (kind: number, message: Buffer): Buffer => {
    if (kind === packets.prelogin) return prelogin
    if (kind === packets.login) return signIn(message)
    return kind === packets.rpc ? run(message) : done()
  }

  let waiting: Buffer = Buffer.alloc(0)
  let parts: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    while (waiting.length >= headerLength && waiting.length >= waiting.readUInt16BE(2)) {
      const length = waiting.readUInt16BE(2)
      const [kind = 0, status = 0] = waiting
      parts.push(waiting.subarray(headerLength, length))
      waiting = waiting.subarray(length)
      if (!(status & 1)) continue
      const reply = answerTo(kind, Buffer.concat(parts))
      parts = []
      const header = Buffer.from([packets.response, 1, 0, 0, 0, 0, 1, 0])
      header.writeUInt16BE(headerLength + reply.length, 2)
      socket.write(Buffer.concat([header, reply]))
    }
  })
}

export async function startScriptedSqlServer(): Promise<ScriptedSqlServer> {
  const peer = await startPeer((socket) => serve(server, socket))
  const server: ScriptedSqlServer = {
    port: peer.port,
    logins: new Map(),
    administrators: new Set(),
    users: new Set(),
    batches: [],
    refusal: undefined,
    routing: undefined,
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  }
  return server
}

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { saslprep } from '@mongodb-js/saslprep'
import { Binary, type Document, deserialize, serialize } from 'bson'

/**
 * MongoDB's wire protocol with sign-in by SCRAM-SHA-256 and the commands about accounts, for the driver to talk to. No
 * MongoDB: it knows accounts and nothing else. Debian does not have the real one.
 */
export interface ScriptedMongoDb extends AsyncDisposable {
  port: number
  /** `database.username` with their passwords. */
  users: Map<string, string>
  /** Accounts that may manage others. */
  administrators: Set<string>
  /** Every command that reached it, with its database. */
  commands: { name: string; database: string }[]
  /** Answers commands about accounts as a member that is not the primary. */
  isSecondary: boolean
  /** Rounds of hashing that it asks for. */
  rounds: number
}

const opQuery = 2004
const opReply = 1
const opMsg = 2013

const failed = (code: number, errmsg: string): Document => ({ ok: 0, code, errmsg })

interface Exchange {
  user: string
  first: string
  server: string
  nonce: string
  salt: Buffer
}

function stepsOf(mongo: ScriptedMongoDb) {
  let exchange: Exchange | undefined
  let signedIn: string | undefined

  function start(database: string, payload: string): Document {
    const bare = payload.replace(/^n,,/, '')
    const [, name = '', nonce = ''] = /^n=(.*),r=(.*)$/.exec(bare) ?? []
    const salt = randomBytes(16)
    const joined = `${nonce}${randomBytes(9).toString('base64')}`
    const server = `r=${joined},s=${salt.toString('base64')},i=${mongo.rounds}`
    const username = name.replaceAll('=2C', ',').replaceAll('=3D', '=')
    exchange = { user: `${database}.${username}`, first: bare, server, nonce: joined, salt }
    return { ok: 1, conversationId: 1, done: false, payload: new Binary(Buffer.from(server)) }
  }

  function finish(payload: string): Document {
    const [, unproven = '', proof = ''] = /^(c=biws,r=.*),p=(.*)$/.exec(payload) ?? []
    const password = exchange && mongo.users.get(exchange.user)
    const refused = failed(18, 'Authentication failed.')
    if (!exchange || password === undefined || unproven !== `c=biws,r=${exchange.nonce}`) return refused
    const salted = pbkdf2Sync(saslprep(password), exchange.salt, mongo.rounds, 32, 'sha256')
    const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
    const client = mac(salted, 'Client Key')
    const message = `${exchange.first},${exchange.server},${unproven}`
    const signature = mac(createHash('sha256').update(client).digest(), message)
    const expected = Buffer.from(Uint8Array.from(client).map((byte, at) => byte ^ (signature[at] ?? 0))).toString(
      'base64',
    )
    if (proof !== expected) return refused
    signedIn = exchange.user
    const verifier = mac(mac(salted, 'Server Key'), message).toString('base64')
    return { ok: 1, conversationId: 1, done: true, payload: new Binary(Buffer.from(`v=${verifier}`)) }
  }

  const usersIn = (database: string | undefined) =>
    [...mongo.users.keys()].flatMap((key) => {
      const [db = '', ...rest] = key.split('.')
      return database === undefined || db === database ? [{ user: rest.join('.'), db }] : []
    })

  function manage(name: string, database: string, command: Document): Document {
    if (!signedIn) return failed(13, `command ${name} requires authentication`)
    if (!mongo.administrators.has(signedIn)) return failed(13, `not authorized on ${database} to execute command`)
    if (mongo.isSecondary && name !== 'usersInfo') return failed(10107, 'not primary')
    const about: unknown = command[name]
    const key = `${database}.${about}`
    if (name === 'usersInfo') {
      const all = about !== null && typeof about === 'object'
      return { ok: 1, users: usersIn(all ? undefined : database).filter(({ user }) => all || user === about) }
    }
    const exists = mongo.users.has(key)
    if (name === 'createUser' && exists) return failed(51003, `User "${about}@${database}" already exists`)
    if (name !== 'createUser' && !exists) return failed(11, `User '${about}@${database}' not found`)
    if (name === 'dropUser') mongo.users.delete(key)
    else mongo.users.set(key, String(command.pwd))
    return { ok: 1 }
  }

  return (command: Document, database: string): Document => {
    const [name = ''] = Object.keys(command)
    mongo.commands.push({ name, database })
    const textOf = (payload: Binary) => Buffer.from(payload.toString('base64'), 'base64').toString('utf8')
    switch (name) {
      case 'hello':
      case 'ismaster':
      case 'isMaster':
        return {
          ok: 1,
          helloOk: true,
          ismaster: !mongo.isSecondary,
          isWritablePrimary: !mongo.isSecondary,
          secondary: mongo.isSecondary,
          ...(mongo.isSecondary ? { setName: 'set', hosts: ['10.255.255.1:27017'], me: '10.255.255.1:27017' } : {}),
          maxWireVersion: 21,
          minWireVersion: 0,
          maxBsonObjectSize: 16 * 1024 * 1024,
          maxMessageSizeBytes: 48_000_000,
          maxWriteBatchSize: 100_000,
          ...(command.saslSupportedMechs ? { saslSupportedMechs: ['SCRAM-SHA-256'] } : {}),
        }
      case 'saslStart':
        return start(database, textOf(command.payload))
      case 'saslContinue':
        return finish(textOf(command.payload))
      case 'ping':
        return signedIn ? { ok: 1 } : failed(13, 'command ping requires authentication')
      case 'endSessions':
        return { ok: 1 }
      case 'usersInfo':
      case 'createUser':
      case 'updateUser':
      case 'dropUser':
        return manage(name, database, command)
      default:
        return failed(59, `no such command: '${name}'`)
    }
  }
}

function header(length: number, to: number, code: number): Buffer {
  const bytes = Buffer.alloc(16)
  for (const [at, value] of [length + 16, 0, to, code].entries()) bytes.writeInt32LE(value, at * 4)
  return bytes
}

/** One message of the client; answers it. */
function answer(socket: Socket, steps: ReturnType<typeof stepsOf>, message: Buffer): void {
  const id = message.readInt32LE(4)
  const code = message.readInt32LE(12)
  if (code === opQuery) {
    const nameEnd = message.indexOf(0, 20)
    const reply = serialize(steps(deserialize(message.subarray(nameEnd + 9)), 'admin'))
    const about = Buffer.alloc(20)
    about.writeInt32LE(1, 16)
    socket.write(Buffer.concat([header(20 + reply.length, id, opReply), about, reply]))
  } else if (code === opMsg) {
    const command = deserialize(message.subarray(21))
    const reply = serialize(steps(command, String(command.$db)))
    socket.write(Buffer.concat([header(5 + reply.length, id, opMsg), Buffer.alloc(5), reply]))
  } else socket.destroy()
}

export async function startScriptedMongoDb(): Promise<ScriptedMongoDb> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => undefined)
    const steps = stepsOf(mongo)
    let waiting: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk])
      while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
        const length = waiting.readInt32LE(0)
        answer(socket, steps, waiting.subarray(0, length))
        waiting = waiting.subarray(length)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const mongo: ScriptedMongoDb = {
    port: (server.address() as AddressInfo).port,
    users: new Map(),
    administrators: new Set(),
    commands: [],
    isSecondary: false,
    rounds: 4096,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
  return mongo
}

import { saslprep } from '@mongodb-js/saslprep'
import { type Document, MongoClient } from 'mongodb'
import {
  type AccountSystem,
  type SecretChange,
  SystemFailure,
  type SystemFailureCode,
  type SystemLogin,
  type SystemTarget,
} from '../account-system.ts'
import {
  accountMissing,
  demandName,
  demandPassword,
  demandWhole,
  listed,
  mostAccounts,
  namedFailure,
} from '../databases/answers.ts'
import { withLoopback } from '../databases/loopback.ts'
import { answerLimit, listLimit } from '../databases/target-socket.ts'
import { limitRounds } from './rounds.ts'

/** The database that holds the accounts of a server, unless the asset names another one. */
const defaultDatabase = 'admin'

/** Error numbers of the server. */
const codes: Readonly<Record<number, SystemFailureCode>> = {
  18: 'auth_failed',
  13: 'denied',
  11: 'account_missing',
  10107: 'read_only', // not the primary
  13435: 'read_only',
  20: 'unsupported', // illegal operation
  59: 'unsupported', // unknown command
  14031: 'disk_full',
  2: 'bad_name',
}

/** The driver watches a server over one connection and works over another one. */
const connections = 3

/** How long a server may need to be found; the target's signal may end it earlier. Milliseconds. */
const selectionTimeout = 20_000

type Command = (command: Document) => Promise<Document>

const databaseOf = ({ database }: SystemTarget) => database || defaultDatabase

/** The protocol has passwords in one form of Unicode, and none with characters that it does not know. */
function demandSaslPassword(secret: string): void {
  try {
    saslprep(secret)
  } catch {
    throw new SystemFailure('secret_rejected', 'MongoDB does not allow a character of the password')
  }
}

/** A failed sign-in is told as a server that was not found; the number of the error is that of its cause. */
function numberOf(error: unknown, depth = 0): number | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined
  const { code } = error as { code?: unknown }
  return typeof code === 'number' ? code : numberOf(error.cause, depth + 1)
}

/** Signs in, hands over the database of the accounts, and signs out. @param secrets what no error may repeat */
function withMongo<T>(
  target: SystemTarget,
  login: SystemLogin,
  limit: number,
  secrets: readonly string[],
  use: (command: Command) => Promise<T>,
): Promise<T> {
  return withLoopback(target, { limit, connections, inspector: limitRounds }, async ({ port }) => {
    const database = databaseOf(target)
    let client: MongoClient | undefined
    const end = () => void client?.close(true).catch(() => undefined)
    try {
      client = new MongoClient(`mongodb://127.0.0.1:${port}/`, {
        auth: { username: login.username, password: login.secret },
        authSource: database,
        // The addresses that the server names are not asked.
        directConnection: true,
        serverMonitoringMode: 'poll',
        maxPoolSize: 1,
        retryReads: false,
        retryWrites: false,
        serverSelectionTimeoutMS: selectionTimeout,
        appName: 'castellan',
      })
      target.signal.addEventListener('abort', end, { once: true })
      const db = client.db(database)
      // The driver would ask such a server again and again.
      const { promise: lost, reject } = Promise.withResolvers<never>()
      client.on('serverHeartbeatFailed', ({ failure }) => reject(failure))
      return await Promise.race([use((command) => db.command(command)), lost])
    } catch (error) {
      const number = numberOf(error)
      throw namedFailure(error, number === undefined ? undefined : codes[number], [login.secret, ...secrets])
    } finally {
      target.signal.removeEventListener('abort', end)
      await client?.close(true).catch(() => undefined)
    }
  })
}

async function setPassword(command: Command, { username, secret, create }: SecretChange): Promise<void> {
  const { users } = await command({ usersInfo: username })
  if (Array.isArray(users) && users.length > 0) await command({ updateUser: username, pwd: secret })
  else if (create) await command({ createUser: username, pwd: secret, roles: [] })
  else throw accountMissing(username)
}

/** Accounts of MongoDB, in the database of the asset. */
export const mongodb: AccountSystem = {
  async verify(target, login) {
    demandSaslPassword(login.secret)
    await withMongo(target, login, answerLimit, [], (command) => command({ ping: 1 }))
  },

  async change(target, by, change) {
    demandName(change.username)
    demandPassword(change.secretType, change.secret)
    demandSaslPassword(change.secret)
    await withMongo(target, by, answerLimit, [change.secret], (command) => setPassword(command, change))
  },

  async list(target, by) {
    const { users } = await withMongo(target, by, listLimit, [], (command) =>
      command({ usersInfo: { forAllDBs: true } }),
    )
    if (!Array.isArray(users)) throw new SystemFailure('bad_answer', 'the server answers no list of accounts')
    const names = new Set(users.slice(0, mostAccounts + 1).map((user: Document) => String(user?.user ?? '')))
    names.delete('')
    return demandWhole([...names]).map(listed)
  },

  async remove(target, by, username) {
    demandName(username)
    await withMongo(target, by, answerLimit, [], async (command) => {
      try {
        await command({ dropUser: username })
      } catch (error) {
        if (numberOf(error) !== 11) throw error
      }
    })
  },
}

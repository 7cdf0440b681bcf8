import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
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
  type LibraryError,
  listed,
  namedFailure,
} from '../databases/answers.ts'
import { answerLimit, listLimit, withTargetSocket } from '../databases/target-socket.ts'
import { secured } from '../databases/tls.ts'

/** The account of those who sign in with a password alone. */
const defaultUser = 'default'

/** How the server's errors begin. */
const codes: readonly (readonly [RegExp, SystemFailureCode])[] = [
  [/^(?:WRONGPASS|NOAUTH)/, 'auth_failed'],
  [
    /^ERR (?:invalid password|Client sent AUTH, but no password|AUTH <password> called without any password)/i,
    'auth_failed',
  ],
  [/^(?:NOPERM|DENIED)/, 'denied'],
  [/^ERR unknown (?:command|subcommand)/i, 'unsupported'],
  [/^READONLY/, 'read_only'],
  [/^(?:MISCONF|OOM)/, 'disk_full'],
  [/Usernames can't contain spaces/i, 'bad_name'],
]

const codeOf = ({ message }: LibraryError) => codes.find(([pattern]) => pattern.test(message))?.[1]

/** Runs a command; its name and arguments are never parts of one text. */
type Call = (command: string, ...args: string[]) => Promise<unknown>

const isUnknownCommand = (error: unknown) =>
  error instanceof Error && /^ERR unknown (?:sub)?command/i.test(error.message)

/** The name of the account that a login signs in to. */
const userOf = ({ settings }: SystemTarget, username: string) =>
  // Without the setting of the protocol, only the password is sent, whatever the account is called.
  username === '' || (settings?.auth_username === false && username !== defaultUser) ? defaultUser : username

/** Signs in, hands over the session, and signs out. @param secrets what no error may repeat */
function withRedis<T>(
  target: SystemTarget,
  login: SystemLogin,
  limit: number,
  secrets: readonly string[],
  use: (call: Call) => Promise<T>,
): Promise<T> {
  return withTargetSocket(target, limit, async (socket) => {
    const stream = target.tls.enabled
      ? await secured(socket, target).catch((error: unknown) => {
          throw namedFailure(error, undefined, [])
        })
      : socket
    const redis = new Redis({
      Connector: class {
        firstError = undefined
        connecting = false
        check = () => true
        connect = async () => stream
        disconnect = () => stream.destroy()
      } as never,
      lazyConnect: true,
      enableReadyCheck: false,
      disableClientInfo: true,
      retryStrategy: null,
      maxRetriesPerRequest: 0,
      protocol: 2,
    })
    redis.on('error', () => undefined)
    const call: Call = (command, ...args) => redis.call(command, ...args)
    try {
      await redis.connect()
      const user = userOf(target, login.username)
      // With one argument, a server without a password refuses; with two, its default user accepts any password.
      if (user === defaultUser) await call('AUTH', login.secret)
      else await call('AUTH', user, login.secret)
      return await use(call)
    } catch (error) {
      throw namedFailure(error, codeOf(error as LibraryError), [login.secret, ...secrets])
    } finally {
      redis.disconnect()
    }
  })
}

/** Where a server keeps its accounts beyond its end. */
type Storage = 'aclfile' | 'config' | 'memory'

async function storageOf(call: Call): Promise<Storage> {
  const answer = await call('CONFIG', 'GET', 'aclfile')
  if (Array.isArray(answer) && typeof answer[1] === 'string' && answer[1] !== '') return 'aclfile'
  const info = String(await call('INFO', 'server'))
  return /^config_file:\S/m.test(info) ? 'config' : 'memory'
}

const save = async (call: Call, storage: Storage): Promise<void> => {
  if (storage === 'aclfile') await call('ACL', 'SAVE')
  if (storage === 'config') await call('CONFIG', 'REWRITE')
}

/** Redis writes names into its configuration without quoting them, and would not start again from such a file. */
async function demandStorable(call: Call, user: string): Promise<void> {
  const users = await call('ACL', 'USERS').catch((error: unknown) => {
    if (isUnknownCommand(error)) return []
    throw error
  })
  if (!Array.isArray(users)) throw new SystemFailure('bad_answer', 'the server answers no list of accounts')
  const quoting = [user, ...users.map(String)].find((name) => /["']/.test(name))
  if (quoting !== undefined)
    throw new SystemFailure(
      'bad_name',
      `Redis cannot store ${JSON.stringify(quoting)} in its configuration; use an aclfile`,
    )
}

/**
 * Changes accounts so that the change outlives the server. Where its file cannot be written, nothing is changed: the next
 * start would bring the old password back.
 */
async function changeStored(call: Call, user: string, change: () => Promise<unknown>): Promise<void> {
  const storage = await storageOf(call)
  if (storage === 'config') await demandStorable(call, user)
  try {
    await save(call, storage)
  } catch (error) {
    const { message } = error as Error
    if (codeOf(error as Error)) throw error
    throw new SystemFailure('read_only', `the server cannot write its file of accounts: ${message}`)
  }
  await change()
  await save(call, storage)
}

/** Only the hash of a password is sent: the server may show its commands to others. */
const hashed = (secret: string) => `#${createHash('sha256').update(secret).digest('hex')}`

async function setPassword(call: Call, user: string, { secret, create }: SecretChange): Promise<void> {
  // The setting and the default user have the same password, of which the setting is stored.
  const viaSetting = () => changeStored(call, user, () => call('CONFIG', 'SET', 'requirepass', secret))
  if (user === defaultUser) return viaSetting()
  let existing: unknown
  try {
    existing = await call('ACL', 'GETUSER', user)
  } catch (error) {
    if (isUnknownCommand(error)) throw new SystemFailure('unsupported', 'accounts with names need Redis 6 or later')
    throw error
  }
  if (existing === null && !create) throw accountMissing(user)
  const rules = existing === null ? ['reset', 'on', '+@connection'] : ['resetpass']
  await changeStored(call, user, () => call('ACL', 'SETUSER', user, ...rules, hashed(secret)))
}

function demandUser(user: string): void {
  demandName(user)
  if (/\s/.test(user)) throw new SystemFailure('bad_name', 'the name of an account of Redis has no spaces')
}

/** Accounts of Redis: its access control list, and the password of the default user. */
export const redis: AccountSystem = {
  async verify(target, login) {
    await withRedis(target, login, answerLimit, [], async (call) => {
      try {
        await call('PING')
      } catch (error) {
        // Who may run nothing has signed in all the same.
        if (codeOf(error as Error) !== 'denied') throw error
      }
    })
  },

  async change(target, by, change) {
    const user = userOf(target, change.username)
    demandUser(user)
    demandPassword(change.secretType, change.secret)
    await withRedis(target, by, answerLimit, [change.secret], (call) => setPassword(call, user, change))
  },

  async list(target, by) {
    return withRedis(target, by, listLimit, [], async (call) => {
      let lines: unknown
      try {
        lines = await call('ACL', 'LIST')
      } catch (error) {
        if (isUnknownCommand(error)) return [listed(defaultUser)]
        throw error
      }
      if (!Array.isArray(lines)) throw new SystemFailure('bad_answer', 'the server answers no list of accounts')
      // `user NAME on …`: names have no spaces.
      const names = lines.flatMap((line) => /^user (\S+) (?:.* )?on(?: |$)/.exec(String(line))?.[1] ?? [])
      return demandWhole(names).map(listed)
    })
  },

  async remove(target, by, username) {
    const user = userOf(target, username)
    demandUser(user)
    if (user === defaultUser) throw new SystemFailure('denied', 'Redis does not remove its default user')
    await withRedis(target, by, answerLimit, [], (call) => changeStored(call, '', () => call('ACL', 'DELUSER', user)))
  },
}

import { createHash } from 'node:crypto'
import { type AccountSystem, type SecretChange, SystemFailure, type SystemLogin } from '../account-system.ts'
import { accountMissing, demandName, demandPassword, demandWhole, listed, mostAccounts } from '../databases/answers.ts'
import { answerLimit, listLimit } from '../databases/target-socket.ts'
import { literal, type MysqlSession, withMysql } from './session.ts'

interface AccountRow {
  user: string
  host: string
  plugin: string
}

/** Accounts of these plugins have no password of their own: the system or a directory says who they are. */
const withoutPassword =
  /^(?:auth_socket|unix_socket|pam|authentication_(?:ldap|kerberos|fido|webauthn|pam|windows)|gssapi|mysql_no_login|auth_gssapi)/

/** From this version on, MySQL sets passwords by ALTER USER, whatever plugin an account has. */
const altersUsers = 507

const text = (value: unknown): string => (typeof value === 'string' ? value : Buffer.isBuffer(value) ? `${value}` : '')

/** Roles are accounts as well, but nobody signs in with them. */
const onlyUsers = ({ server }: MysqlSession) => (server.isMariaDb && server.version >= 1005 ? " AND is_role = 'N'" : '')

/** The accounts of a name; each host of it is one. */
async function accountsOf(session: MysqlSession, username: string): Promise<AccountRow[]> {
  const rows = await session.rows(
    `SELECT User AS user, Host AS host, plugin FROM mysql.user WHERE User = ?${onlyUsers(session)}`,
    [username],
  )
  return rows.map((row) => ({ user: text(row.user), host: text(row.host), plugin: text(row.plugin) }))
}

const named = ({ user, host }: AccountRow) => `${literal(user)}@${literal(host)}`

/** A server may accept the change of an administrator although its data follows that of another one. */
async function demandWritable(session: MysqlSession): Promise<void> {
  const [row] = await session.rows('SELECT @@GLOBAL.read_only AS read_only')
  if (Number(row?.read_only ?? 0) !== 0)
    throw new SystemFailure('read_only', 'the server is read-only; change accounts on the primary server')
}

/** Statements of MariaDB stay in its log as they are, so they carry the hash of a password where the account's plugin has it. */
const nativeHash = (secret: string): string => {
  const sha1 = (data: string | Buffer) => createHash('sha1').update(data).digest()
  return `*${sha1(sha1(secret)).toString('hex').toUpperCase()}`
}

const isNative = ({ plugin }: AccountRow) => plugin === '' || plugin === 'mysql_native_password'

/** Runs a statement with the hash of a password, or with the password itself where the server has to check it. */
async function runHashed(session: MysqlSession, hashed: string, plain: string): Promise<void> {
  try {
    await session.run(hashed)
  } catch (error) {
    if (!/strict.password.validation/i.test((error as Error).message)) throw error
    await session.run(plain)
  }
}

/** MariaDB, and MySQL before it had ALTER USER for passwords. */
const setsByHash = (session: MysqlSession) => session.server.isMariaDb || session.server.version < altersUsers

/** Gives accounts a password; each keeps its plugin. */
async function setPasswords(session: MysqlSession, accounts: readonly AccountRow[], secret: string): Promise<void> {
  if (!setsByHash(session)) {
    // The server itself leaves the password out of its logs.
    const clauses = accounts.map((one) => `${named(one)} IDENTIFIED WITH ${literal(one.plugin)} BY ${literal(secret)}`)
    return session.run(`ALTER USER ${clauses.join(', ')}`)
  }
  for (const one of accounts) {
    const plain = `SET PASSWORD FOR ${named(one)} = PASSWORD(${literal(secret)})`
    const hashed = `SET PASSWORD FOR ${named(one)} = ${literal(nativeHash(secret))}`
    if (isNative(one)) await runHashed(session, hashed, plain)
    else await session.run(plain)
  }
}

/** Sets the password of the login itself, which needs no privilege. */
const setOwnPassword = (session: MysqlSession, secret: string): Promise<void> =>
  session.run(
    setsByHash(session)
      ? `SET PASSWORD = PASSWORD(${literal(secret)})`
      : `ALTER USER USER() IDENTIFIED BY ${literal(secret)}`,
  )

async function create(session: MysqlSession, { username, secret }: SecretChange, database: string | undefined) {
  const account = named({ user: username, host: '%', plugin: '' })
  const plain = `CREATE USER ${account} IDENTIFIED BY ${literal(secret)}`
  const hashed = `CREATE USER ${account} IDENTIFIED BY PASSWORD ${literal(nativeHash(secret))}`
  if (setsByHash(session)) await runHashed(session, hashed, plain)
  else await session.run(plain)
  if (!database) return
  // In a grant, `_` and `%` stand for other characters.
  const pattern = database.replaceAll(/[\\_%]/g, '\\$&').replaceAll('`', '``')
  try {
    await session.run(`GRANT ALL PRIVILEGES ON \`${pattern}\`.* TO ${account}`)
  } catch (error) {
    // The next attempt would take the account for a complete one.
    await session.run(`DROP USER ${account}`)
    throw error
  }
}

async function setPassword(session: MysqlSession, by: SystemLogin, change: SecretChange, database?: string) {
  await demandWritable(session)
  const isOwn = by.username === change.username
  let accounts: AccountRow[]
  try {
    accounts = await accountsOf(session, change.username)
  } catch (error) {
    // Who may not read the accounts may still have one.
    if (!isOwn || !isDenied(error)) throw error
    return setOwnPassword(session, change.secret)
  }
  if (accounts.length === 0) {
    if (!change.create) throw accountMissing(change.username)
    return create(session, change, database)
  }
  const changed = accounts.filter(({ plugin }) => !withoutPassword.test(plugin))
  if (changed.length === 0)
    throw new SystemFailure('unsupported', `the account signs in by ${accounts[0]?.plugin}, without a password`)
  await setPasswords(session, changed, change.secret)
}

/** No right to read a table, or to use its database. */
const isDenied = (error: unknown) => [1142, 1044, 1143].includes(Number((error as { errno?: unknown }).errno))

/** Accounts of MySQL and MariaDB. A password is set for every host of a name, because an asset's account has one. */
export const mysql: AccountSystem = {
  async verify(target, login) {
    await withMysql(target, login, answerLimit, [], (session) => session.rows('SELECT 1'))
  },

  async change(target, by, change) {
    demandName(change.username)
    demandPassword(change.secretType, change.secret)
    await withMysql(target, by, answerLimit, [change.secret], (session) =>
      setPassword(session, by, change, target.database),
    )
  },

  async list(target, by) {
    const names = await withMysql(target, by, listLimit, [], async (session) => {
      const unlocked =
        session.server.isMariaDb || session.server.version < altersUsers ? '' : " AND account_locked = 'N'"
      const rows = await session.rows(
        `SELECT DISTINCT User AS user FROM mysql.user WHERE User <> ''${onlyUsers(session)}${unlocked} LIMIT ${mostAccounts + 1}`,
      )
      return rows.map(({ user }) => text(user))
    })
    // Names with a dot belong to the server: mysql.sys, mariadb.sys.
    return demandWhole(names)
      .filter((name) => !name.includes('.'))
      .map(listed)
  },

  async remove(target, by, username) {
    demandName(username)
    await withMysql(target, by, answerLimit, [], async (session) => {
      await demandWritable(session)
      const accounts = await accountsOf(session, username)
      if (accounts.length > 0) await session.run(`DROP USER ${accounts.map(named).join(', ')}`)
    })
  },
}

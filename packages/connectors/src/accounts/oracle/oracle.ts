import oracledb from 'oracledb'
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
import { refuseRedirect } from './redirect.ts'

/** Numbers of `ORA-` errors. */
const codes: Readonly<Record<number, SystemFailureCode>> = {
  1017: 'auth_failed',
  28000: 'auth_failed', // locked
  1045: 'auth_failed', // may not sign in
  28001: 'secret_expired',
  1031: 'denied',
  28009: 'denied', // SYS signs in as SYSDBA only
  1922: 'denied', // the account owns something
  1940: 'denied', // the account is signed in
  1918: 'account_missing',
  1935: 'bad_name',
  1920: 'bad_name', // exists, perhaps as a role
  972: 'bad_name',
  65096: 'bad_name', // common accounts begin with C##
  988: 'secret_rejected',
  28003: 'secret_rejected',
  28007: 'secret_rejected', // used before
  28219: 'secret_rejected',
  16000: 'read_only',
  16224: 'read_only',
  1653: 'disk_full',
  12514: 'unsupported', // no such service
  12505: 'unsupported',
}

/** Errors of the library itself: the service or SID is unknown, or the server needs more than this client can do. */
const unsupported = /^NJS-(?:116|138|517|518|533)\b/

function codeOf(error: unknown): SystemFailureCode | undefined {
  const message = error instanceof Error ? error.message : ''
  if (unsupported.test(message)) return 'unsupported'
  const [, number] = /\bORA-(\d{5})\b/.exec(message) ?? []
  return number === undefined ? undefined : codes[Number(number)]
}

const serviceName = /^[\p{L}\p{N}_.$#-]{1,255}$/u

/** Signs in, hands over the session, and signs out. @param secrets what no error may repeat */
function withOracle<T>(
  target: SystemTarget,
  login: SystemLogin,
  limit: number,
  secrets: readonly string[],
  use: (connection: oracledb.Connection) => Promise<T>,
): Promise<T> {
  const { database = '' } = target
  if (!serviceName.test(database))
    throw new SystemFailure('unsupported', 'the asset does not name a service of Oracle as its database')
  const isSysdba = target.settings?.sysdba === true || login.username.toUpperCase() === 'SYS'
  return withLoopback(target, { limit, connections: 1, inspector: refuseRedirect }, async ({ port }) => {
    let connection: oracledb.Connection | undefined
    try {
      connection = await oracledb.getConnection({
        user: login.username,
        password: login.secret,
        // TLS ends at the forward, which knows the certificates of the asset.
        connectString: `127.0.0.1:${port}/${database}`,
        ...(isSysdba ? { privilege: oracledb.SYSDBA } : {}),
      })
      return await use(connection)
    } catch (error) {
      throw namedFailure(error, codeOf(error), [login.secret, ...secrets])
    } finally {
      await connection?.close({ drop: true }).catch(() => undefined)
    }
  })
}

const quoted = (text: string) => `"${text}"`

/** Oracle keeps names in capitals, unless they were created in quotes. */
const nameOf = (username: string) => username.toUpperCase()

async function setPassword(connection: oracledb.Connection, by: SystemLogin, change: SecretChange): Promise<void> {
  const name = nameOf(change.username)
  if (name === nameOf(by.username)) {
    // Sent under the key of the session, in no statement, and without a right.
    await connection.changePassword(by.username, by.secret, change.secret)
    return
  }
  const { rows = [] } = await connection.execute('SELECT 1 FROM all_users WHERE username = :name', [name])
  if (rows.length > 0) await connection.execute(`ALTER USER ${quoted(name)} IDENTIFIED BY ${quoted(change.secret)}`)
  else if (change.create) {
    await connection.execute(`CREATE USER ${quoted(name)} IDENTIFIED BY ${quoted(change.secret)}`)
    try {
      await connection.execute(`GRANT CREATE SESSION TO ${quoted(name)}`)
    } catch (error) {
      // The next attempt would take the account for a complete one.
      await connection.execute(`DROP USER ${quoted(name)}`)
      throw error
    }
  } else throw accountMissing(change.username)
}

/** A name or password in quotes cannot contain one: Oracle has no way to escape it. */
function demandQuotable(text: string, code: 'bad_name' | 'secret_rejected'): void {
  if (text.includes('"')) throw new SystemFailure(code, 'Oracle does not allow double quotes here')
}

/** Users of an Oracle database. */
export const oracle: AccountSystem = {
  async verify(target, login) {
    await withOracle(target, login, answerLimit, [], (connection) => connection.execute('SELECT 1 FROM dual'))
  },

  async change(target, by, change) {
    demandName(change.username, 128)
    demandQuotable(change.username, 'bad_name')
    demandPassword(change.secretType, change.secret)
    demandQuotable(change.secret, 'secret_rejected')
    await withOracle(target, by, answerLimit, [change.secret], (connection) => setPassword(connection, by, change))
  },

  async list(target, by) {
    const rows = await withOracle(target, by, listLimit, [], async (connection) => {
      const found = await connection.execute<[string]>(
        `SELECT username FROM dba_users WHERE account_status = 'OPEN' ORDER BY username`,
        [],
        { maxRows: mostAccounts + 1, outFormat: oracledb.OUT_FORMAT_ARRAY },
      )
      return found.rows ?? []
    })
    return demandWhole(rows.map(([username]) => username)).map(listed)
  },

  async remove(target, by, username) {
    demandName(username, 128)
    demandQuotable(username, 'bad_name')
    await withOracle(target, by, answerLimit, [], async (connection) => {
      const name = nameOf(username)
      const { rows = [] } = await connection.execute('SELECT 1 FROM all_users WHERE username = :name', [name])
      // Without CASCADE: what the account owns is not ours to delete.
      if (rows.length > 0) await connection.execute(`DROP USER ${quoted(name)}`)
    })
  },
}

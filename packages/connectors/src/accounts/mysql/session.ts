import { createConnection } from 'mysql2'
import type { Connection } from 'mysql2/promise'
import type { SqlAnswer } from '../../commands/sql-answer.ts'
import { SystemFailure, type SystemFailureCode, type SystemLogin, type SystemTarget } from '../account-system.ts'
import { type LibraryError, namedFailure } from '../databases/answers.ts'
import { listLimit, withTargetSocket } from '../databases/target-socket.ts'
import { tlsOptions } from '../databases/tls.ts'

/** Errors of MySQL and MariaDB that say what is wrong with an account, a secret, or the rights of the login. */
const codes: Readonly<Record<number, SystemFailureCode>> = {
  1044: 'denied', // no access to the database
  1045: 'auth_failed',
  1142: 'denied', // no right to a table
  1227: 'denied', // a global privilege is missing
  1410: 'denied', // may not create accounts by granting
  1698: 'auth_failed', // signed in by the system user
  1862: 'secret_expired',
  1820: 'secret_expired',
  3118: 'auth_failed', // locked
  4151: 'auth_failed', // locked, MariaDB
  1133: 'account_missing',
  1396: 'account_missing',
  1470: 'bad_name', // too long
  1819: 'secret_rejected', // password policy
  3638: 'secret_rejected', // used before
  3895: 'denied', // the current password is required
  4165: 'secret_rejected', // policy cannot check it
  1836: 'read_only',
  1792: 'read_only',
  1021: 'disk_full',
  1114: 'disk_full',
  1372: 'secret_rejected', // format of the hash
  1524: 'unsupported', // the plugin of the account is not loaded
  2061: 'unsupported',
}

/** `--read-only` and other switches of the server share one number. */
const preventedByOption = 1290

function codeOf({ errno, message }: LibraryError): SystemFailureCode | undefined {
  if (errno === preventedByOption) return /read.?only/i.test(message) ? 'read_only' : 'unsupported'
  return errno === undefined ? undefined : codes[errno]
}

export interface MysqlServer {
  isMariaDb: boolean
  /** Major and minor version as one number: 10.11 is 1011. */
  version: number
}

export interface MysqlSession {
  readonly server: MysqlServer
  /** A statement whose values are sent as parameters. */
  rows(statement: string, values?: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** A statement of a user as it is, in the SQL mode of the server. */
  answers(statement: string): Promise<readonly SqlAnswer[]>
  /** A statement with quoted values, for those that take no parameters. */
  run(statement: string): Promise<void>
}

/** Quoted as `NO_BACKSLASH_ESCAPES` has it, which every session sets: the quote is the only special character. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

async function serverOf(connection: Connection): Promise<MysqlServer> {
  const [rows] = await connection.query('SELECT VERSION() AS version')
  const version = String((rows as readonly { version?: unknown }[])[0]?.version ?? '')
  // MariaDB is said to be 5.5.5 to old replicas.
  const [, major, minor] = /^(?:5\.5\.5-)?(\d{1,3})\.(\d{1,3})/.exec(version) ?? []
  if (!major) throw new SystemFailure('bad_answer', 'the server does not say its version')
  return { isMariaDb: /mariadb/i.test(version), version: Number(major) * 100 + Number(minor) }
}

/** Signs in, hands over the session, and signs out. @param secrets what no error may repeat */
export function withMysql<T>(
  target: SystemTarget,
  login: SystemLogin,
  limit: number,
  secrets: readonly string[],
  use: (session: MysqlSession) => Promise<T>,
): Promise<T> {
  const hidden = [login.secret, ...secrets]
  return withTargetSocket(target, limit, async (socket) => {
    let connection: Connection | undefined
    let handshake: LibraryError | undefined
    try {
      const client = createConnection({
        stream: () => socket,
        host: target.host,
        port: target.port,
        user: login.username,
        password: login.secret,
        charset: 'utf8mb4',
        // A server may ask the client for any file it can read.
        flags: ['-LOCAL_FILES'],
        ...(target.tls.enabled ? { ssl: { ...tlsOptions(target), verifyIdentity: true } } : {}),
      })
      // It reports some failures twice, and an error without a listener would end the program.
      client.on('error', (error: LibraryError) => {
        if (error.code === 'HANDSHAKE_SSL_ERROR') handshake = error
      })
      connection = client.promise()
      await connection.connect()
      await connection.query("SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'")
      const signedIn = connection
      const result = await use({
        server: await serverOf(signedIn),
        async rows(statement, values = []) {
          const [rows] = await signedIn.execute(statement, [...values])
          return rows as readonly Readonly<Record<string, unknown>>[]
        },
        async answers(statement) {
          await signedIn.query('SET SESSION sql_mode = @@GLOBAL.sql_mode')
          const [result, fields] = await signedIn.query({ sql: statement, rowsAsArray: true })
          if (!Array.isArray(result)) return [{ columns: [], rows: [], changed: result.affectedRows }]
          return [{ columns: (fields ?? []).map(({ name }) => name), rows: result as unknown[][] }]
        },
        async run(statement) {
          await signedIn.query(statement)
        },
      })
      await connection.end()
      return result
    } catch (error) {
      // The library says first that the connection is lost, and then why.
      if (target.tls.enabled) await new Promise((resolve) => setImmediate(resolve))
      if (handshake) throw namedFailure(handshake, undefined, hidden)
      throw namedFailure(error, codeOf(error as LibraryError), hidden)
    } finally {
      connection?.destroy()
    }
  })
}

/** Signs in, runs a statement of a user, and signs out. @throws SystemFailure */
export const mysqlAnswers = (target: SystemTarget, login: SystemLogin, sql: string): Promise<readonly SqlAnswer[]> =>
  withMysql(target, login, listLimit, [], (session) => session.answers(sql))

import type { EventEmitter } from 'node:events'
import pg from 'pg'
import type { SqlAnswer } from '../../commands/sql-answer.ts'
import type { AccountSystem, SecretChange, SystemFailureCode, SystemLogin, SystemTarget } from '../account-system.ts'
import {
  accountMissing,
  demandName,
  demandPassword,
  demandWhole,
  isCertificateRefused,
  type LibraryError,
  listed,
  mostAccounts,
  namedFailure,
} from '../databases/answers.ts'
import { answerLimit, listLimit, type TargetSocket, withTargetSocket } from '../databases/target-socket.ts'
import { serverName, tlsOptions } from '../databases/tls.ts'
import { md5Verifier, scramVerifier } from './verifier.ts'

/** Every server has it, unless an administrator removed it. */
const defaultDatabase = 'postgres'

/** Iterations of SCRAM: those of servers without the setting, and the most that the client library computes to sign in. */
const defaultIterations = 4096
const mostIterations = 100_000

/** SQLSTATE codes that say what is wrong with an account, a secret, or the rights of the login. */
const codes: Readonly<Record<string, SystemFailureCode>> = {
  '28P01': 'auth_failed',
  '28000': 'auth_failed',
  '42501': 'denied',
  '2BP01': 'denied', // something in the database belongs to the account
  '42704': 'account_missing',
  '42939': 'bad_name', // reserved
  '42602': 'bad_name',
  '22023': 'secret_rejected', // modules that check passwords
  '25006': 'read_only',
  '53100': 'disk_full',
  '3D000': 'unsupported', // the database does not exist
}

function codeOf({ code, message }: LibraryError): SystemFailureCode | undefined {
  // Its own words for a server without TLS.
  if (message === 'The server does not support SSL connections') return 'unsupported'
  return typeof code === 'string' ? codes[code] : undefined
}

const quoted = pg.escapeIdentifier

type Session = Pick<pg.Client, 'query'>

/** Signs in, hands over the session, and signs out. @param secrets what no error may repeat */
function withPostgres<T>(
  target: SystemTarget,
  login: SystemLogin,
  limit: number,
  secrets: readonly string[],
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const name = serverName(target.host)
  return withTargetSocket(target, limit, async (socket: TargetSocket) => {
    const client = new pg.Client({
      // Without `host`, the library would take one from the environment of the program.
      host: target.host,
      port: target.port,
      user: login.username,
      password: login.secret,
      database: target.database || defaultDatabase,
      options: '',
      application_name: 'castellan',
      stream: () => socket,
      ssl: target.tls.enabled ? { ...tlsOptions(target), ...(name ? { servername: name } : {}) } : false,
    })
    client.on('error', () => undefined)
    let refused: Error | undefined
    ;(client as unknown as { connection: EventEmitter }).connection.on('error', (error: Error) => {
      if (isCertificateRefused(error)) refused = error
    })
    try {
      await client.connect()
      const result = await use(client)
      await client.end()
      return result
    } catch (error) {
      // The library says that the connection is lost before its TLS says why.
      if (target.tls.enabled) await new Promise((resolve) => setImmediate(resolve))
      if (refused) throw namedFailure(refused, undefined, [])
      throw namedFailure(error, codeOf(error as LibraryError), [login.secret, ...secrets])
    }
  })
}

async function settingOf(session: Session, name: string): Promise<string | undefined> {
  const { rows } = await session.query('SELECT setting FROM pg_catalog.pg_settings WHERE name = $1', [name])
  return (rows[0] as { setting?: string } | undefined)?.setting
}

async function verifierOf(session: Session, { username, secret }: SecretChange): Promise<string> {
  if ((await settingOf(session, 'password_encryption')) !== 'scram-sha-256') return md5Verifier(secret, username)
  const iterations = Number((await settingOf(session, 'scram_iterations')) ?? defaultIterations)
  const usable =
    Number.isInteger(iterations) && iterations > 0 ? Math.min(iterations, mostIterations) : defaultIterations
  return scramVerifier(secret, usable)
}

async function setPassword(session: Session, change: SecretChange): Promise<void> {
  const { username, create } = change
  // A longer name would be cut, and could then be that of another account.
  demandName(username, Number((await settingOf(session, 'max_identifier_length')) ?? 63))
  const { rows } = await session.query('SELECT rolcanlogin FROM pg_catalog.pg_roles WHERE rolname = $1', [username])
  const role = rows[0] as { rolcanlogin?: boolean } | undefined
  if (!role && !create) throw accountMissing(username)
  const verifier = pg.escapeLiteral(await verifierOf(session, change))
  // An account may set its own password, but no attribute of itself.
  const login = role?.rolcanlogin ? '' : 'LOGIN '
  await session.query(`${role ? 'ALTER' : 'CREATE'} ROLE ${quoted(username)} WITH ${login}PASSWORD ${verifier}`)
}

/** Roles of PostgreSQL that can sign in. */
export const postgresql: AccountSystem = {
  async verify(target, login) {
    await withPostgres(target, login, answerLimit, [], (session) => session.query('SELECT 1'))
  },

  async change(target, by, change) {
    demandName(change.username)
    demandPassword(change.secretType, change.secret)
    await withPostgres(target, by, answerLimit, [change.secret], (session) => setPassword(session, change))
  },

  async list(target, by) {
    const names = await withPostgres(target, by, listLimit, [], async (session) => {
      const { rows } = await session.query(
        `SELECT rolname FROM pg_catalog.pg_roles WHERE rolcanlogin ORDER BY rolname LIMIT ${mostAccounts + 1}`,
      )
      return (rows as { rolname: string }[]).map(({ rolname }) => rolname)
    })
    return demandWhole(names).map(listed)
  },

  async remove(target, by, username) {
    demandName(username)
    await withPostgres(target, by, answerLimit, [], (session) =>
      session.query(`DROP ROLE IF EXISTS ${quoted(username)}`),
    )
  },
}

/** Signs in, runs statements of a user, and signs out. @throws SystemFailure, or the error of the database */
export const postgresAnswers = (target: SystemTarget, login: SystemLogin, sql: string): Promise<readonly SqlAnswer[]> =>
  withPostgres(target, login, listLimit, [], async (session) => {
    const result = await session.query<unknown[]>({ text: sql, rowMode: 'array' })
    // Several statements in one text have several results, which the types of the library do not say.
    return [result].flat().map(({ fields, rows, rowCount }) => ({
      columns: fields.map(({ name }) => name),
      rows,
      changed: rowCount ?? 0,
    }))
  })

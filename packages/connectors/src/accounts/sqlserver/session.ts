import type { Socket } from 'node:net'
import { Connection, Request, TYPES } from 'tedious'
import type { SqlAnswer } from '../../commands/sql-answer.ts'
import { SystemFailure, type SystemFailureCode, type SystemLogin, type SystemTarget } from '../account-system.ts'
import { type LibraryError, namedFailure } from '../databases/answers.ts'
import { answerLimit, withTargetSocket } from '../databases/target-socket.ts'
import { tlsOptions } from '../databases/tls.ts'

/** Error numbers of the server. */
const codes: Readonly<Record<number, SystemFailureCode>> = {
  18456: 'auth_failed',
  18452: 'auth_failed', // Windows accounts only
  18470: 'auth_failed', // disabled
  18486: 'auth_failed', // locked
  18487: 'secret_expired',
  18488: 'secret_expired',
  4060: 'unsupported', // the database cannot be opened
  229: 'denied',
  262: 'denied',
  300: 'denied',
  15247: 'denied',
  15151: 'denied', // it does not exist, or the login may not see it
  15113: 'denied',
  15174: 'denied', // the login owns a database
  15007: 'account_missing',
  15004: 'bad_name',
  15006: 'bad_name',
  15114: 'secret_rejected',
  15115: 'secret_rejected',
  15116: 'secret_rejected',
  15117: 'secret_rejected',
  15118: 'secret_rejected',
  15119: 'secret_rejected',
  3906: 'read_only',
  3908: 'read_only',
  1105: 'disk_full',
  9002: 'disk_full',
}

export interface SqlServerSession {
  /** A batch of a user as it is. */
  answers(batch: string): Promise<readonly SqlAnswer[]>
  /** A batch whose values are sent as parameters, with the first value of each row. */
  run(batch: string, values?: Readonly<Record<string, string>>): Promise<unknown[]>
}

interface ServerMessage {
  number: number
  message: string
}

function requestOf(
  connection: Connection,
  batch: string,
  values: Readonly<Record<string, string>>,
): Promise<unknown[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
  const found: unknown[] = []
  const request = new Request(batch, (error) => (error ? reject(error) : resolve(found)))
  for (const [name, value] of Object.entries(values)) request.addParameter(name, TYPES.NVarChar, value)
  request.on('row', (columns) => found.push((columns as readonly { value: unknown }[])[0]?.value))
  connection.execSql(request)
  return promise
}

function answersOf(connection: Connection, batch: string): Promise<readonly SqlAnswer[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly SqlAnswer[]>()
  const answers: { columns: string[]; rows: unknown[][] }[] = []
  const request = new Request(batch, (error, count) => {
    if (error) reject(error)
    else resolve(answers.length > 0 ? answers : [{ columns: [], rows: [], changed: count ?? 0 }])
  })
  request.on('columnMetadata', (columns) =>
    answers.push({ columns: (columns as readonly { colName: string }[]).map(({ colName }) => colName), rows: [] }),
  )
  request.on('row', (columns) =>
    answers.at(-1)?.rows.push((columns as readonly { value: unknown }[]).map(({ value }) => value)),
  )
  connection.execSqlBatch(request)
  return promise
}

/** Signs in, hands over the session, and signs out. @param secrets what no error may repeat */
export function withSqlServer<T>(
  target: SystemTarget,
  login: SystemLogin,
  secrets: readonly string[],
  use: (session: SqlServerSession) => Promise<T>,
): Promise<T> {
  return withTargetSocket(target, answerLimit, async (socket) => {
    const { ca, cert, key, rejectUnauthorized } = tlsOptions(target)
    let isConnected = false
    const connection = new Connection({
      server: target.host,
      authentication: { type: 'default', options: { userName: login.username, password: login.secret } },
      options: {
        port: target.port,
        ...(target.database ? { database: target.database } : {}),
        encrypt: target.tls.enabled,
        trustServerCertificate: !rejectUnauthorized,
        cryptoCredentialsDetails: { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) },
        appName: 'castellan',
        maxRetriesOnTransientErrors: 0,
        // The target's signal ends every step.
        requestTimeout: 0,
        connector: async () => {
          // A server may name another address to connect to; that is not the asset any more.
          if (isConnected) throw new SystemFailure('unsupported', 'the server leads to another address')
          isConnected = true
          return socket as unknown as Socket
        },
      },
    })
    let message: ServerMessage | undefined
    connection.on('errorMessage', (token: unknown) => {
      message ??= token as ServerMessage
    })
    connection.on('error', () => undefined)
    try {
      await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))
      return await use({
        answers(batch) {
          message = undefined
          return answersOf(connection, batch)
        },
        run(batch, values = {}) {
          message = undefined
          return requestOf(connection, batch, values)
        },
      })
    } catch (error) {
      if (error instanceof Error && error.cause instanceof SystemFailure) throw error.cause
      const code = message ? codes[message.number] : codeOfLibrary(error as LibraryError)
      throw namedFailure(error, code, [login.secret, ...secrets])
    } finally {
      connection.close()
    }
  })
}

/** The server and the asset do not agree about TLS. */
const codeOfLibrary = ({ code }: LibraryError): SystemFailureCode | undefined =>
  code === 'EENCRYPT' ? 'unsupported' : undefined

/** Signs in, runs a batch of a user, and signs out. @throws SystemFailure, or the error of the database */
export const sqlServerAnswers = (
  target: SystemTarget,
  login: SystemLogin,
  sql: string,
): Promise<readonly SqlAnswer[]> => withSqlServer(target, login, [], (session) => session.answers(sql))

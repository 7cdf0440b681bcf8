import type { SystemLogin, SystemTarget } from '../accounts/account-system.ts'
import type { CommandEnd, OutputSink } from './command.ts'
import type { SqlAnswer } from './sql-answer.ts'

export type SqlModule = 'mysql' | 'postgresql' | 'sqlserver'

const longestCell = 1024

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  const isPlain = typeof value !== 'object'
  const text = isPlain
    ? String(value)
    : value instanceof Date
      ? value.toISOString()
      : Buffer.isBuffer(value)
        ? `0x${value.toString('hex')}`
        : JSON.stringify(value)
  return text.slice(0, longestCell).replace(/[\t\r\n]+/g, ' ')
}

/** Tab-separated lines, as the clients of databases print them. */
function textOf({ columns, rows, changed }: SqlAnswer): string {
  if (columns.length === 0) return `${changed ?? 0} rows affected\n`
  return [columns, ...rows.map((row) => row.map(cellOf))]
    .map((line) => line.join('\t'))
    .join('\n')
    .concat('\n')
}

/** Libraries are loaded when a job uses them. */
const loaders: Readonly<
  Record<
    SqlModule,
    () => Promise<(target: SystemTarget, login: SystemLogin, sql: string) => Promise<readonly SqlAnswer[]>>
  >
> = {
  mysql: async () => (await import('../accounts/mysql/session.ts')).mysqlAnswers,
  postgresql: async () => (await import('../accounts/postgresql/postgresql.ts')).postgresAnswers,
  sqlserver: async () => (await import('../accounts/sqlserver/session.ts')).sqlServerAnswers,
}

/** Runs a statement of the user as it is. @throws SystemFailure, or the error of the database */
export async function runSql(
  module: SqlModule,
  target: SystemTarget,
  login: SystemLogin,
  sql: string,
  sink: OutputSink,
): Promise<CommandEnd> {
  const answers = await (await loaders[module]())(target, login, sql)
  for (const answer of answers) await sink(Buffer.from(textOf(answer)), 'out')
  return { status: 0 }
}

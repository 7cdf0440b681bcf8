import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requirePart } from './detect.ts'
import { freePort } from './ports.ts'
import { startProgram } from './program.ts'

/** A MariaDB server in a temporary folder, reachable on loopback only. */
export interface MariaDb {
  host: string
  port: number
  /** An administrator of every host. */
  username: string
  password: string
  /** Runs statements through the server's own client; returns its rows, separated by tabs. */
  sql(statements: string): string
  /** Everything it has logged, with the statements of all clients. */
  log(): string
  stop(): Promise<void>
}

const unprivileged = process.getuid?.() === 0 ? ['--user=mysql'] : []

/**
 * Starts MariaDB from the machine's own programs.
 * @param options of the server, such as `--ssl-cert=…`
 * @throws Error that says what to install, or with the server's own words when it does not start
 */
export async function startMariaDb(options: readonly string[] = []): Promise<MariaDb> {
  const server = requirePart('mariadb')
  const folder = mkdtempSync(join(tmpdir(), 'castellan-mariadb-'))
  execFileSync('chmod', ['755', folder])
  if (unprivileged.length > 0) execFileSync('chown', ['mysql', folder])
  const data = join(folder, 'data')
  const socket = join(folder, 'socket')
  const logFile = join(folder, 'statements.log')
  execFileSync(
    'mariadb-install-db',
    [
      '--no-defaults',
      ...unprivileged,
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const port = await freePort()
  const program = await startProgram(
    server,
    [
      '--no-defaults',
      ...unprivileged,
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=16M',
      '--general-log=1',
      `--general-log-file=${logFile}`,
      ...options,
    ],
    'ready for connections',
  )
  const sql = (statements: string) =>
    execFileSync(
      'mariadb',
      ['--no-defaults', '--default-character-set=utf8mb4', '-u', 'root', `--socket=${socket}`, '-N', '-B'],
      {
        input: statements,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    )
  const password = randomBytes(12).toString('hex')
  sql(`CREATE USER admin@'%' IDENTIFIED BY '${password}'; GRANT ALL PRIVILEGES ON *.* TO admin@'%' WITH GRANT OPTION;`)
  return {
    host: '127.0.0.1',
    port,
    username: 'admin',
    password,
    sql,
    log: () => execFileSync('cat', [logFile], { encoding: 'utf8' }),
    async stop() {
      await program.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

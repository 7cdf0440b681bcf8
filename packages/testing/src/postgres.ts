import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requirePart } from './detect.ts'
import { freePort } from './ports.ts'

/** PostgreSQL refuses to run as root, so root starts it as an unprivileged user. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (which: string) => Number(execFileSync('id', [which, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // This user does not exist: try the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody.')
}

/** A PostgreSQL server in a temporary folder, reachable on loopback only. */
export interface Postgres {
  /** Connection URL of a database, which need not exist yet. */
  url(database: string): string
  /** Creates an empty database and returns its URL. */
  createDatabase(): string
  /** Runs the background maintenance (VACUUM, ANALYZE, CHECKPOINT) at once, after a database was filled. */
  tidyUp(url: string): void
  /** Kills the server; `start` brings it back with its data. */
  halt(): Promise<void>
  start(): Promise<void>
  /** Suspends the server: connections stay open, and nothing is answered until it is resumed. */
  freeze(): void
  thaw(): void
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL from the machine's own programs. Nothing is synced to disk, as it is for tests,
 * unless it has to be `durable`.
 * @param under the folder that gets its folder
 * @throws Error that says what to install, or with the server's own words when it does not start
 */
export async function startPostgres(under = tmpdir(), { durable = false } = {}): Promise<Postgres> {
  const bin = requirePart('postgresql')
  const owner = unprivileged()
  const folder = mkdtempSync(join(under, 'castellan-pg-'))
  const data = join(folder, 'data')
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid)

  const words = ['-D', data, '-U', 'castellan', '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--no-sync']
  execFileSync(join(bin, 'initdb'), [...words, '--encoding', 'UTF8', '--locale', 'C.UTF-8'], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const port = await freePort()
  const settings = [
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    'max_connections=300',
    'logging_collector=off',
  ]
  const where = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', folder]
  let server: ChildProcess | undefined
  const start = async () => {
    server = spawn(join(bin, 'postgres'), [...where, ...settings.flatMap((setting) => ['-c', setting])], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await untilReady(server)
  }
  const signal = (name: NodeJS.Signals) => {
    if (!server || server.exitCode !== null) return
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', `${server.pid}`], { encoding: 'utf8' })
    // The server itself first, so that it creates no more processes.
    for (const pid of [server.pid, ...children.split('\n').map(Number)].filter(Boolean) as number[])
      try {
        process.kill(pid, name)
      } catch (error) {
        // A process of one connection may have ended since the processes were listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
  }
  const halt = async () => {
    const running = server
    if (!running || running.exitCode !== null) return
    const ended = new Promise((settle) => running.once('close', settle))
    running.kill('SIGINT')
    await ended
  }
  const endWithUs = () => {
    server?.kill('SIGQUIT')
    try {
      // Its folder may be in memory.
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Its processes still write while they end; what they write stays behind.
    }
  }
  process.once('exit', endWithUs)
  const url = (database: string) => `postgres://castellan:${password}@127.0.0.1:${port}/${database}`
  await start()

  let databases = 0
  return {
    url,
    createDatabase() {
      const name = `castellan_${process.pid}_${databases++}`
      execFileSync(join(bin, 'psql'), ['-X', '-q', url('postgres'), '-c', `CREATE DATABASE ${name}`], { stdio: 'pipe' })
      return url(name)
    },
    tidyUp(database) {
      for (const command of ['VACUUM (ANALYZE)', 'CHECKPOINT'])
        execFileSync(join(bin, 'psql'), ['-X', '-q', database, '-c', command], { stdio: 'pipe' })
    },
    halt,
    start,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async stop() {
      process.off('exit', endWithUs)
      signal('SIGCONT')
      await halt()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((settle, fail) => {
    let said = ''
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000)
      if (said.includes('ready to accept connections')) settle()
    })
    server.once('error', fail)
    server.once('exit', (code) => fail(new Error(`PostgreSQL ended with ${code}:\n${said}`)))
  })
}

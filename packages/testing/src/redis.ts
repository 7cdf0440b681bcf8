import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requirePart } from './detect.ts'
import { freePort } from './ports.ts'
import { type RunningProgram, startProgram } from './program.ts'

/** A Redis server in a temporary folder, reachable on loopback only. */
export interface RedisServer {
  host: string
  port: number
  /** Of the default user, which may do everything. */
  password: string
  /** Path of its configuration, or of its file of accounts. */
  configFile: string
  aclFile: string
  /** Its configuration as it is stored now. */
  stored(): string
  /** Runs a command as the default user, with the password that it had at the start. */
  command(...words: string[]): string
  /** Takes its folder away, so that it cannot write its configuration any more. */
  makeUnwritable(): void
  /** Ends it and starts it again from what it stored. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts Redis from the machine's own programs.
 * @param options `storage`: where it stores accounts; `lines`: of its configuration; `tls`: its port is one of TLS
 * @throws Error that says what to install, or with the server's own words when it does not start
 */
export async function startRedis({
  storage = 'config',
  lines = [],
  tls = false,
}: {
  storage?: 'config' | 'aclfile' | 'memory'
  lines?: readonly string[]
  tls?: boolean
} = {}): Promise<RedisServer> {
  const server = requirePart('redis')
  const folder = mkdtempSync(join(tmpdir(), 'castellan-redis-'))
  const password = randomBytes(12).toString('hex')
  const port = await freePort()
  const configFile = join(folder, 'redis.conf')
  const aclFile = join(folder, 'users.acl')
  writeFileSync(aclFile, `user default on >${password} ~* &* +@all\n`)
  const settings = [
    'bind 127.0.0.1',
    ...(tls ? ['port 0', `tls-port ${port}`] : [`port ${port}`]),
    `dir ${folder}`,
    'save ""',
    storage === 'aclfile' ? `aclfile ${aclFile}` : `requirepass ${password}`,
    ...lines,
  ]
  writeFileSync(configFile, `${settings.join('\n')}\n`)
  const args =
    storage === 'memory'
      ? settings.flatMap((line) => `--${line}`.split(' ').map((word) => word.replaceAll('"', '')))
      : [configFile]
  let program: RunningProgram
  const start = async () => {
    program = await startProgram(server, args, 'Ready to accept connections')
  }
  await start()
  return {
    host: '127.0.0.1',
    port,
    password,
    configFile,
    aclFile,
    stored: () => readFileSync(storage === 'aclfile' ? aclFile : configFile, 'utf8'),
    command: (...words) =>
      execFileSync('redis-cli', ['-p', `${port}`, '--no-auth-warning', '-a', password, ...words], { encoding: 'utf8' }),
    makeUnwritable: () => rmSync(folder, { recursive: true, force: true }),
    async restart() {
      await program.stop()
      await start()
    },
    async stop() {
      await program.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

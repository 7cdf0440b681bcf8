import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get as getPlain } from 'node:http'
import { get as getTls } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort } from './ports.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const supervisorProgram = join(root, 'scripts/supervisor/main.mjs')
const tie = pathToFileURL(join(root, 'scripts/supervisor/tied-to-parent.mjs')).href
const patience = 60_000
/** Last line of the supervisor's greeting. */
const lastWords = 'Ctrl-C stops everything.'

export type ProgramName = 'server' | 'worker' | 'gateway'

/** Status that the supervisor reports on its socket. */
export interface ProductStatus {
  pid: number
  url: string
  sshPort: number
  gatewayHttpPort: number
  ready: boolean
  programs: Record<ProgramName, { pid: number | undefined; restarts: number }>
}

/** The real product on free ports, as its users find it. */
export interface RunningProduct {
  url: string
  sshHost: string
  sshPort: number
  dataDir: string
  /** Password of the user `admin`, with no change required. */
  adminPassword: string
  bootstrapToken: string
  status(): Promise<ProductStatus>
  /** What a program has written to its log so far. */
  log(program: ProgramName): string
}

/** The same with its processes: server, worker and gateway under their supervisor. */
export interface Product extends RunningProduct, AsyncDisposable {
  /** Sends a signal to one program and waits until the supervisor has a new one, or only until it is gone. */
  kill(program: ProgramName, signal?: NodeJS.Signals): Promise<void>
  /** Waits until all programs serve again. */
  ready(): Promise<void>
  /** Everything the supervisor printed. */
  output(): string
  /** Stops all programs in order; the data folder stays for the next start. */
  halt(): Promise<void>
  /** Starts again on the same data folder and ports. */
  start(): Promise<void>
  /** Stops all programs and removes the data folder, unless it was given. */
  stop(): Promise<void>
}

export interface ProductOptions {
  /** Not removed if given. */
  dataDir?: string
  /** Additional environment variables, e.g. DATABASE_URL. */
  env?: NodeJS.ProcessEnv
  /** The administrator's password; null lets the product generate one, as on a first start. */
  adminPassword?: string | null
  /** Free ones by default. */
  httpPort?: number
  sshPort?: number
  /** Called with every line of the supervisor. */
  show?: (text: string) => void
}

const sleep = (ms: number) => new Promise((settle) => setTimeout(settle, ms))

/** Asks the supervisor of a data folder for its status; undefined if none is running. */
export function productStatus(dataDir: string): Promise<ProductStatus | undefined> {
  return new Promise((settle) => {
    let text = ''
    const socket = connect(join(dataDir, 'supervisor.sock'))
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    socket.on('error', () => settle(undefined))
    socket.on('end', () => settle(text ? (JSON.parse(text) as ProductStatus) : undefined))
  })
}

/**
 * Starts the product in a temporary data folder through the supervisor that `npm start` uses, and waits until it
 * serves. For browser tests, the console must have been built.
 * @throws Error with the output of supervisor and programs, if it does not start
 */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'castellan-'))
  const adminPassword = options.adminPassword ?? `Adm1n-${randomBytes(9).toString('base64url')}`
  const httpPort = options.httpPort ?? (await freePort())
  const sshPort = options.sshPort ?? (await freePort())
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    // With an empty compile cache, every start would compile everything; tests share one.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/castellan-compiled'),
    CASTELLAN_DATA_DIR: dataDir,
    CASTELLAN_HTTP_PORT: `${httpPort}`,
    CASTELLAN_SSH_PORT: `${sshPort}`,
    CASTELLAN_ADMIN_PASSWORD: adminPassword,
    ...options.env,
  }
  if (options.adminPassword === null) delete env.CASTELLAN_ADMIN_PASSWORD
  if (!options.env?.BOOTSTRAP_TOKEN) delete env.BOOTSTRAP_TOKEN
  // Vitest's own variables would make libraries detect a test.
  for (const name of Object.keys(env))
    if ((name === 'NODE_OPTIONS' || name.startsWith('VITEST')) && !options.env?.[name]) delete env[name]

  let output = ''
  let supervisor: ReturnType<typeof spawn> | undefined

  const log = (program: ProgramName) => {
    const file = join(dataDir, 'logs', `${program}.log`)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  const status = async () => {
    const found = await productStatus(dataDir)
    if (!found) throw new Error(`The supervisor does not run.\n${output}`)
    return found
  }
  const ready = async () => {
    const end = Date.now() + patience
    for (;;) {
      const now = await productStatus(dataDir)
      // Another instance may own the folder; then this one is about to report it.
      const ours = now?.pid === supervisor?.pid
      if (now?.ready && ours && Object.values(now.programs).every((program) => program.pid) && (await serves(now)))
        return
      if (supervisor?.exitCode !== null || Date.now() > end) {
        // Its last output may still be in transit.
        await sleep(100)
        throw new Error(
          `The product does not serve.\n${output}\nserver: ${log('server').slice(-3000)}\ngateway: ${log('gateway').slice(-2000)}`,
        )
      }
      await sleep(50)
    }
  }
  const start = async () => {
    const said = output.length
    // Bound to this process, so that an interrupted test run leaves nothing behind.
    supervisor = spawn(process.execPath, ['--import', tie, supervisorProgram], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [supervisor.stdout, supervisor.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
        options.show?.(text)
      })
    }
    await ready()
    while (!output.includes(lastWords, said)) await sleep(5)
  }
  const halt = async () => {
    const running = supervisor
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise((settle) => running.once('close', settle))
    running.kill('SIGTERM')
    await ended
  }
  const stop = async () => {
    await halt()
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true })
  }
  const kill = async (program: ProgramName, signal: NodeJS.Signals = 'SIGKILL') => {
    const { pid } = (await status()).programs[program]
    if (!pid) throw new Error(`${program} does not run.`)
    process.kill(pid, signal)
    while ((await status()).programs[program].pid === pid) await sleep(10)
  }

  try {
    await start()
  } catch (reason) {
    await stop()
    throw reason
  }
  return {
    url: `${env.CASTELLAN_TLS_CERT ? 'https' : 'http'}://127.0.0.1:${httpPort}`,
    sshHost: '127.0.0.1',
    sshPort,
    dataDir,
    adminPassword,
    bootstrapToken: env.BOOTSTRAP_TOKEN ?? readFileSync(join(dataDir, 'bootstrap-token'), 'utf8').trim(),
    status,
    kill,
    ready,
    log,
    output: () => output,
    halt,
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The status of the health address; self-signed certificates are accepted. */
function healthStatus(url: string): Promise<number | undefined> {
  return new Promise((settle) => {
    const get = url.startsWith('https:') ? getTls : getPlain
    const asked = get(`${url}/api/health/`, { agent: false, rejectUnauthorized: false }, (answer) => {
      answer.resume()
      settle(answer.statusCode)
    })
    asked.on('error', () => settle(undefined))
  })
}

/** Whether the health address responds with 200 and the SSH port accepts connections. */
async function serves({ url, sshPort }: ProductStatus): Promise<boolean> {
  if ((await healthStatus(url)) !== 200) return false
  return new Promise((settle) => {
    const socket = connect(sshPort, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      settle(true)
    })
    socket.once('error', () => settle(false))
  })
}

// Runs server, worker and gateway on one machine. Small on purpose: it stays in memory as long as they do.
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { root } from '../runtime.mjs'
import { run, Stop } from '../stop.mjs'
import { bootstrapToken, prepareDataDir, readConfig } from './config.mjs'
import { healthy } from './health.mjs'
import { ingressSockets, inTurn, openIngress } from './ingress.mjs'
import { claim } from './instance.mjs'
import { answers, internalPort, requireFree } from './ports.mjs'
import { keepRunning, rotate } from './program.mjs'
import { programs } from './programs.mjs'
import './settle-memory.mjs'

const patience = 120_000
const impatience = 1500
const everyHour = 3_600_000

const say = (/** @type {string} */ text) => console.log(text)
/**
 * The address at which this machine reaches a listener: the loopback for one on all addresses.
 * @param {string} host
 */
const oneAddress = (host) => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)
const sleep = (/** @type {number} */ ms) => new Promise((settle) => setTimeout(settle, ms))

await run(async () => {
  // Database, recordings and logs are for this user only, even in a folder that another user created. Programs inherit
  // the umask.
  process.umask(0o077)
  const config = readConfig(process.env)
  const { dataDir, httpHost, httpPort, sshHost, sshPort } = config
  prepareDataDir(dataDir)

  const reachable = oneAddress(httpHost)
  const origin = (/** @type {string} */ host) =>
    `${config.tls ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}:${httpPort}`
  const gatewayHttpPort = await internalPort()
  const serverPort = await internalPort()
  const serverPorts = [serverPort]
  while (serverPorts.length < config.servers) {
    const port = await internalPort()
    if (port !== gatewayHttpPort && !serverPorts.includes(port)) serverPorts.push(port)
  }
  const sockets = ingressSockets(config.servers)
  /** @type {ReturnType<typeof keepRunning>[]} */
  const running = []
  let ready = false
  await claim(dataDir, () => ({
    pid: process.pid,
    url: origin(reachable),
    sshPort,
    gatewayHttpPort,
    ready,
    programs: Object.fromEntries(running.map((program) => [program.name, program.state])),
  }))
  await requireFree('CASTELLAN_HTTP_PORT', httpPort, httpHost)
  await requireFree('CASTELLAN_SSH_PORT', sshPort, sshHost)

  const firstPassword = join(dataDir, 'first-password')
  const firstStart = !existsSync(firstPassword)
  const token = bootstrapToken(dataDir, process.env)
  const logOf = (/** @type {string} */ name) =>
    process.env.CASTELLAN_LOG === 'stdout' ? undefined : join(dataDir, 'logs', `${name}.log`)

  let stopping = false
  let asked = 0
  const stop = async () => {
    // npm forwards Ctrl-C, so that one key press arrives twice; a second press means "now".
    if (stopping && Date.now() - asked > impatience) {
      for (const program of running) program.kill()
      process.exit(1)
    }
    if (stopping) return
    stopping = true
    asked = Date.now()
    say('\nStopping …')
    for (const { name } of wanted.toReversed()) await running.find((program) => program.name === name)?.stop()
    process.exit(0)
  }
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop)

  const wanted = programs(config, {
    node: process.execPath,
    bootstrapToken: token,
    serverPorts,
    gatewayHttpPort,
    sockets,
    env: process.env,
  })
  const start = (/** @type {(typeof wanted)[number]} */ program) =>
    running.push(keepRunning({ ...program, cwd: root, log: logOf(program.name), say, isStarting: () => !ready }))

  /** @param {() => Promise<boolean>} condition @param {number} every milliseconds @param {string} what */
  const until = async (condition, every, what) => {
    const end = Date.now() + patience
    while (!stopping && !(await condition())) {
      const broken = running.find((program) => program.gaveUp)
      if (broken || Date.now() > end) {
        for (const program of running) program.kill()
        const said = (broken ?? running[0])?.lastWords(20)
        if (broken?.isUnusable) throw new Stop(said ?? 'See the output above.')
        const log = logOf(broken?.name ?? 'server')
        const lines = log ? `The end of ${log}:\n\n${said}` : 'See the output above.'
        throw new Stop(
          broken
            ? `${broken.name} does not stay up. ${lines}`
            : `${what} did not happen in ${patience / 1000} s. ${lines}`,
        )
      }
      await sleep(every)
    }
  }

  say('Starting …')
  const servers = inTurn(sockets.servers)
  await openIngress({
    host: httpHost,
    port: httpPort,
    tls: config.tls,
    admits: config.admits,
    behind: (path) => (path.startsWith('/koko/') ? [sockets.gateway] : servers()),
  })
  const isHealthy = (/** @type {number} */ port) => () => healthy(`http://127.0.0.1:${port}/api/health/`)
  const [server, ...others] = wanted
  if (server) start(server)
  // The server starts alone, because it migrates the database first.
  await until(() => answers(serverPort, '127.0.0.1'), 20, 'An answer of the server')
  await until(isHealthy(serverPort), 20, 'A healthy answer of the server')
  if (stopping) return
  others.filter(({ name }) => name !== 'worker').forEach(start)
  for (const port of serverPorts) await until(isHealthy(port), 50, 'A healthy answer of each server')
  await until(() => answers(sshPort, oneAddress(sshHost)), 50, 'An answer of the SSH port')
  if (stopping) return
  // Nobody waits for it in these seconds, and it would take the processors from those that somebody waits for.
  others.filter(({ name }) => name === 'worker').forEach(start)
  ready = true

  say(
    `\nCastellan is running.\n\n  console   ${origin(reachable)}/\n  SSH       ssh -p ${sshPort} USER@${oneAddress(sshHost)}`,
  )
  if (existsSync(firstPassword)) {
    say(`  sign in   admin, first password in ${firstPassword}`)
    if (firstStart) say(`            this time it is shown here: ${readFileSync(firstPassword, 'utf8').trim()}`)
  }
  say(`  data      ${dataDir}\n  logs      ${logOf('*') ?? 'here'}\n\nCtrl-C stops everything.`)
  const rotateAll = () => {
    for (const program of running) rotate(logOf(program.name))
  }
  setInterval(rotateAll, everyHour).unref()
})

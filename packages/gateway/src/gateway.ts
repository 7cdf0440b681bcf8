import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FastestGateway } from '@castellan/connectors/ssh'
import { Approvals } from './brokering/approvals.ts'
import type { Broker } from './brokering/broker.ts'
import { SessionRegistry } from './brokering/registry.ts'
import { TransferJournal } from './brokering/transfer-journal.ts'
import { log } from './log.ts'
import { runSftp } from './protocols/sftp/proxy.ts'
import { startSshServer } from './protocols/ssh/server.ts'
import { startHttpServer } from './protocols/terminal/http.ts'
import { RecordingArchive } from './recording/archive.ts'
import { ServerApi } from './server-client/api.ts'
import { CommandJournal } from './server-client/command-journal.ts'
import { Heartbeat } from './server-client/heartbeat.ts'
import { ServerHttp } from './server-client/http.ts'
import { Outbox } from './server-client/outbox.ts'
import { Registration } from './server-client/registration.ts'
import type { ComponentConfig } from './server-client/wire.ts'
import type { GatewaySettings } from './settings.ts'

const configEvery = 60_000
/** Interval of completing recordings that a full disk interrupted. Milliseconds. */
const recoverEvery = 15_000

export interface Gateway {
  sshPort: number
  httpPort: number
  /** Ends all sessions, stores data that the server has not received yet, and closes. */
  stop(): Promise<void>
}

/** Starts one gateway: waits for the server, completes the sessions of an earlier run, then opens its ports. */
export async function startGateway(settings: GatewaySettings): Promise<Gateway> {
  await mkdir(settings.stateDir, { recursive: true, mode: 0o700 })
  const http = new ServerHttp(settings.serverUrl)
  const api = new ServerApi(http)
  const registration = new Registration(http, settings)
  await untilDone('the server is not there yet', () => registration.establish())
  let config: ComponentConfig = await untilDone('the configuration is not there yet', () => api.config())

  const outbox = new Outbox(http, join(settings.stateDir, 'outbox'))
  const archive = new RecordingArchive(outbox, settings.stateDir)
  const commands = new CommandJournal(http, join(settings.stateDir, 'commands'))
  const transfers = new TransferJournal(outbox, settings.stateDir, () => config)
  const sessions = new SessionRegistry({ api, outbox, archive, config: () => config })
  const heartbeat = new Heartbeat(http, settings.stateDir, () => sessions.ids())
  const approvals = new Approvals(api, settings.stateDir, () => heartbeat.connected)
  const takeConfig = (next: ComponentConfig) => {
    config = next
    heartbeat.interval = next.TERMINAL_HEARTBEAT_INTERVAL
    archive.keeps = next.TERMINAL_REPLAY_STORAGE?.TYPE !== 'null'
    commands.keeps = next.TERMINAL_COMMAND_STORAGE?.TYPE !== 'null'
  }
  takeConfig(config)
  const refreshConfig = async () => takeConfig(await api.config())

  await archive.open()
  await outbox.open()
  commands.open()
  await transfers.open()
  await approvals.open()
  const recovered = await archive.recover()
  if (recovered.length > 0) log.warn({ sessions: recovered }, 'completed the sessions of an earlier run')

  const broker: Broker = {
    api,
    outbox,
    archive,
    commands,
    transfers,
    sessions,
    approvals,
    config: () => config,
    refreshConfig,
    heartbeatNow: () => void heartbeat.beat(),
    fastest: new FastestGateway(),
    portForwarding: settings.portForwarding,
  }
  heartbeat.on('task', (task) => {
    sessions.obey(task).catch((error: unknown) => log.error({ err: error }, 'a task failed'))
  })
  heartbeat.on('recheck', () => {
    approvals.lookAgain()
    sessions.checkLogins().catch((error: unknown) => log.error({ err: error }, 'checking sign-ins failed'))
  })
  heartbeat.start()
  sessions.start()
  const refresh = setInterval(() => {
    refreshConfig().catch((error: unknown) =>
      log.warn({ detail: (error as Error).message }, 'configuration not refreshed'),
    )
  }, configEvery)
  const finishing = setInterval(() => {
    archive
      .recover()
      .catch((error: unknown) => log.error({ err: error }, 'sessions of an earlier run could not be completed'))
  }, recoverEvery)
  const ssh = await startSshServer(broker, { host: settings.sshHost, port: settings.sshPort, runSftp })
  const web = await startHttpServer(broker, {
    host: settings.httpHost,
    port: settings.httpPort,
    door: settings.door,
    health: () => ({ server: heartbeat.connected, sessions: sessions.ids().length, waiting: outbox.size }),
  })
  log.info({ ssh: ssh.port, http: web.port }, 'gateway is ready')
  return {
    sshPort: ssh.port,
    httpPort: web.port,
    async stop() {
      clearInterval(refresh)
      clearInterval(finishing)
      ssh.close()
      await sessions.stop()
      heartbeat.stop()
      await commands.stop()
      web.close()
      outbox.stop()
    },
  }
}

/** Retries until it succeeds; the gateway may be started before its server. */
async function untilDone<T>(text: string, work: () => Promise<T>): Promise<T> {
  for (let delay = 250; ; delay = Math.min(delay * 2, 5000)) {
    try {
      return await work()
    } catch (error) {
      log.warn({ detail: (error as Error).message }, text)
      await new Promise((resolve) => setTimeout(resolve, delay))
    }
  }
}

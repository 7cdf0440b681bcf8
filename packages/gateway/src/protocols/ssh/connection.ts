import { languageOf, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import { assetDetail, exactlyOne, fileProtocol, findAccounts, findAssets } from '../../brokering/asset-choice.ts'
import type { Broker } from '../../brokering/broker.ts'
import type { Grant } from '../../brokering/catalog.ts'
import { isFileServer } from '../../brokering/copy-command.ts'
import { runExec } from '../../brokering/exec.ts'
import { Forwarder, type ForwardPlace } from '../../brokering/forward.ts'
import { requestGrant } from '../../brokering/grants.ts'
import { refusalOf, SessionDenied } from '../../brokering/session-denied.ts'
import { runTerminal } from '../../brokering/terminal.ts'
import type { User } from '../../brokering/user.ts'
import { log } from '../../log.ts'
import type { Arrival } from './authentication.ts'
import { chooseAndRun, silentDialog } from './choose.ts'
import type { Languages } from './languages.ts'
import { Menu } from './menu.ts'
import { TerminalFace } from './terminal-face.ts'

/**
 * Serves the sftp subsystem. `direct` returns the grant of a connection that names its target; without it the user sees
 * the tree of their assets. Passed in by gateway.ts, because protocols must not import each other.
 */
export type SftpRunner = (
  broker: Broker,
  user: User,
  channel: ssh2.ServerChannel,
  direct: (() => Promise<Grant>) | undefined,
) => Promise<void>

/** The part of ssh2's protocol that rejects a channel. */
interface RefusingProtocol {
  channelOpenFail(channel: number, reason: number, text: string): void
}

/** RFC 4254 §5.1 */
const administrativelyProhibited = 1
/** Open channels per connection: terminals, commands, files and forwards together. */
const mostChannels = 64

/** One signed-in SSH connection and its channels. */
export class Connection {
  private readonly broker: Broker
  private readonly client: ssh2.Connection
  private readonly arrival: Arrival
  private readonly user: User
  private readonly runSftp: SftpRunner
  private readonly languages: Languages
  private readonly forwarder: Forwarder
  private channels = 0

  constructor(
    broker: Broker,
    client: ssh2.Connection,
    arrival: Arrival,
    parts: { runSftp: SftpRunner; languages: Languages },
  ) {
    this.broker = broker
    this.client = client
    this.arrival = arrival
    this.runSftp = parts.runSftp
    this.languages = parts.languages
    this.user = { ...arrival.user, language: parts.languages.of(arrival.user.id) ?? arrival.user.language }
    this.forwarder = new Forwarder(broker, this.user, () => this.grant('ssh'))
  }

  open(): void {
    // One listener per channel, and a client may open many.
    this.client.setMaxListeners(0)
    this.client.on('session', (accept, reject) => {
      if (!this.enter(reject)) return
      const session = accept()
      session.once('close', () => this.leave())
      this.session(session)
    })
    this.client.on('tcpip', (accept, reject, info) => {
      if (this.enter(reject)) void this.forward(accept, reject, { host: info.destIP, port: info.destPort })
    })
    this.client.on('openssh.streamlocal', (accept, reject, info) => {
      if (this.enter(reject)) void this.forward(accept, reject, { socket: info.socketPath })
    })
    this.client.on('close', () => void this.forwarder.close())
  }

  /** Counts a channel; rejects it when the limit is reached. */
  private enter(reject: () => void): boolean {
    if (this.channels >= mostChannels) {
      this.rejectWith(say(gatewayMessages.tooManyChannels, this.user.language, { most: mostChannels }), reject)
      return false
    }
    this.channels += 1
    return true
  }

  private leave(): void {
    this.channels -= 1
  }

  /** The grant of a connection that must name exactly one target, because the user cannot be asked. */
  private async grant(protocol: 'ssh' | 'sftp', channel?: ssh2.ServerChannel): Promise<Grant> {
    if (this.arrival.grant) return this.arrival.grant
    const { name } = this.arrival
    if (name.kind !== 'direct') throw new SessionDenied('permission_denied', gatewayMessages.noAsset, { name: '' })
    const { detail, account } = await exactlyOne(this.broker, this.user, name.asset, name.account)
    const chosen = protocol === 'sftp' ? fileProtocol(detail) : name.protocol === 'sftp' ? 'ssh' : name.protocol
    if (!chosen || !detail.permed_protocols.some((entry) => entry.name === chosen)) {
      throw new SessionDenied('permission_denied', gatewayMessages.noProtocol, { name: protocol, asset: detail.name })
    }
    const connectMethod = protocol === 'sftp' ? 'sftp_client' : 'ssh_client'
    return requestGrant(
      this.broker,
      this.user,
      { asset: detail.id, account: account.alias, protocol: chosen, connectMethod },
      channel && silentDialog(channel, this.user.language),
    )
  }

  private session(session: ssh2.Session): void {
    let face: TerminalFace | undefined
    const signals: ((name: string) => void)[] = []
    session.on('pty', (accept, _reject, info) => {
      // ssh2 passes the terminal's name, which its types omit.
      const { term } = info as ssh2.PseudoTtyInfo & { term?: string }
      face = new TerminalFace({ term: term || 'xterm', cols: info.cols, rows: info.rows })
      accept?.()
    })
    session.on('window-change', (accept, _reject, info) => {
      face?.resize(info.cols, info.rows)
      accept?.()
    })
    session.on('env', (accept, _reject, info) => {
      const { key, val } = info as { key: string; val: string }
      const language = /^(?:LC_ALL|LANG)$/.test(key) ? languageOf(val) : undefined
      if (language && !this.languages.of(this.user.id)) this.user.language = language
      accept?.()
    })
    session.on('signal', (accept, _reject, info) => {
      for (const listener of signals) listener(info.name)
      accept?.()
    })
    session.on('shell', (accept) => {
      const channel = accept()
      const work = face ? this.shell(channel, face) : this.exec(channel, undefined, signals)
      this.guard(channel, work)
    })
    session.on('exec', (accept, _reject, info) => {
      const channel = accept()
      const work = face ? this.terminal(channel, face, info.command) : this.exec(channel, info.command, signals)
      this.guard(channel, work)
    })
    session.on('subsystem', (accept, reject, info) => {
      if (info.name !== 'sftp') return reject?.()
      // Accepting without a listener for `sftp` returns the raw channel.
      const channel = accept() as unknown as ssh2.ServerChannel
      const named = this.arrival.grant || this.arrival.name.kind === 'direct'
      this.guard(
        channel,
        this.runSftp(this.broker, this.user, channel, named ? () => this.grant('sftp', channel) : undefined),
      )
    })
  }

  /** Catches all errors of a channel, which must not end the process. */
  private guard(channel: ssh2.ServerChannel, work: Promise<void>): void {
    channel.on('error', (error: Error) => log.debug({ detail: error.message }, 'ssh channel'))
    channel.stderr.on('error', (error: Error) => log.debug({ detail: error.message }, 'ssh channel'))
    // A paused channel would not report that its connection has closed.
    this.client.once('close', () => channel.resume())
    work.catch((error: unknown) => {
      const text = refusalOf(error).say(this.user.language)
      if (!channel.writable) return
      channel.stderr.write(`${text}\r\n`)
      channel.exit(255)
      channel.end()
    })
  }

  private async shell(channel: ssh2.ServerChannel, face: TerminalFace): Promise<void> {
    face.attach(channel)
    if (this.arrival.grant || this.arrival.name.kind === 'direct') return this.terminal(channel, face, undefined)
    await new Menu(this.broker, this.user, face, this.languages).run()
    channel.exit(0)
    channel.end()
  }

  /** A terminal directly at its target; when a name is ambiguous, the user is asked. */
  private async terminal(channel: ssh2.ServerChannel, face: TerminalFace, command: string | undefined): Promise<void> {
    face.attach(channel)
    let code: number | undefined
    try {
      code = await this.runDirect(face, command)
    } catch (error) {
      face.line(refusalOf(error).say(this.user.language))
    }
    channel.exit(code ?? 255)
    channel.end()
  }

  private async runDirect(face: TerminalFace, command: string | undefined): Promise<number | undefined> {
    const { name, grant } = this.arrival
    if (grant) return (await runTerminal(this.broker, this.user, grant, face.asTerminal(command))).code ?? 255
    if (name.kind !== 'direct') throw new SessionDenied('permission_denied', gatewayMessages.noAsset, { name: '' })
    const assets = await findAssets(this.broker, this.user, name.asset)
    if (assets.length === 0) throw new SessionDenied('permission_denied', gatewayMessages.noAsset, { name: name.asset })
    const asset = assets.length === 1 ? assets[0] : await face.choose(assets, this.user.language)
    if (!asset) return 1
    const detail = await assetDetail(this.broker, this.user, asset.id, name.asset)
    const accounts = findAccounts(detail, name.account)
    if (accounts.length === 0) {
      throw new SessionDenied('permission_denied', gatewayMessages.noAccount, {
        name: name.account,
        asset: detail.name,
      })
    }
    const protocol = name.protocol === 'sftp' ? 'ssh' : name.protocol
    const options = { accounts, protocol, ...(command === undefined ? {} : { command }) }
    const end = await chooseAndRun(this.broker, this.user, face, detail, options)
    return end ? (end.code ?? 255) : 1
  }

  private async exec(
    channel: ssh2.ServerChannel,
    command: string | undefined,
    signals: ((name: string) => void)[],
  ): Promise<void> {
    channel.pause()
    // `sftp -s` names the program instead of the subsystem; the same rules apply.
    if (isFileServer(command ?? '')) {
      channel.resume()
      return this.runSftp(this.broker, this.user, channel, () => this.grant('sftp', channel))
    }
    const grant = await this.grant('ssh', channel)
    await runExec(this.broker, this.user, grant, { channel, command, onSignal: (listener) => signals.push(listener) })
  }

  private async forward(accept: () => ssh2.ServerChannel, reject: () => void, to: ForwardPlace): Promise<void> {
    try {
      const { stream, session } = await this.forwarder.connect(to)
      const channel = accept()
      channel.once('close', () => this.leave())
      const touch = () => session.touch()
      channel.on('data', touch)
      stream.on('data', touch)
      const start = () => channel.pipe(stream).pipe(channel)
      // A paused session passes nothing in either direction; senders wait.
      const pause = () => {
        channel.unpipe(stream).pause()
        stream.unpipe(channel).pause()
      }
      session.on('paused', pause).on('resumed', start)
      channel.once('close', () => session.off('paused', pause).off('resumed', start))
      start()
      channel.on('error', () => stream.destroy())
      stream.on('error', () => channel.destroy())
      session.onEnd(() => channel.close())
    } catch (error) {
      const refusal = refusalOf(error)
      log.info({ reason: refusal.reason, text: say(refusal.text, 'en', refusal.values) }, 'a forward was rejected')
      this.leave()
      this.rejectWith(refusal.say(this.user.language), reject)
    }
  }

  /** Rejects a channel with a text that the user's client shows; ssh2 by itself sends none. */
  private rejectWith(text: string, reject: () => void): void {
    const protocol = (this.client as unknown as { _protocol: RefusingProtocol })._protocol
    const fail = protocol.channelOpenFail
    protocol.channelOpenFail = (channel) => fail.call(protocol, channel, administrativelyProhibited, text)
    try {
      reject()
    } finally {
      protocol.channelOpenFail = fail
    }
  }
}

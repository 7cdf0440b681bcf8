import { languageOf, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import { assetDetail, exactlyOne, fileProtocol, findAccounts, findAssets } from '../../brokering/asset-choice.ts'
import type { Broker } from '../../brokering/broker.ts'
import type { Grant } from '../../brokering/catalogue.ts'
import { isFileServer } from '../../brokering/copy-command.ts'
import { runExec } from '../../brokering/exec.ts'
import { Forwarder, type ForwardPlace } from '../../brokering/forward.ts'
import { requestGrant } from '../../brokering/grants.ts'
import { refusalOf, SessionDenied } from '../../brokering/session-denied.ts'
import { runTerminal } from '../../brokering/terminal.ts'
import type { User } from '../../brokering/user.ts'
import { log } from '../../log.ts'
import type { Arrival } from './authentication.ts'
import { chooseAndRun } from './choose.ts'
import type { Languages } from './languages.ts'
import { Menu } from './menu.ts'
import { TerminalFace } from './terminal-face.ts'

/**
 * Serves the sftp subsystem. `direct` gives the grant of a connection that names its target; without it the person sees
 * the tree of their assets. Handed in by gateway.ts, because protocols do not know each other.
 */
export type SftpRunner = (
  broker: Broker,
  person: User,
  channel: ssh2.ServerChannel,
  direct: (() => Promise<Grant>) | undefined,
) => Promise<void>

/** The part of ssh2's protocol that says no to a channel. */
interface RefusingProtocol {
  channelOpenFail(channel: number, reason: number, text: string): void
}

/** RFC 4254 §5.1 */
const administrativelyProhibited = 1
/** Channels open at once on one connection: terminals, commands, files and forwards together. */
const mostChannels = 64

/** One signed-in SSH connection and the channels on it. */
export class Connection {
  private readonly broker: Broker
  private readonly client: ssh2.Connection
  private readonly arrival: Arrival
  private readonly person: User
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
    this.person = { ...arrival.person, language: parts.languages.of(arrival.person.id) ?? arrival.person.language }
    this.forwarder = new Forwarder(broker, this.person, () => this.grant('ssh'))
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

  /** Takes a place for a channel; with none left the channel is rejected. */
  private enter(reject: () => void): boolean {
    if (this.channels >= mostChannels) {
      this.rejectWith(say(gatewayMessages.tooManyChannels, this.person.language, { most: mostChannels }), reject)
      return false
    }
    this.channels += 1
    return true
  }

  private leave(): void {
    this.channels -= 1
  }

  /** The grant of a connection that names exactly one target, where nobody can be asked. */
  private async grant(protocol: 'ssh' | 'sftp'): Promise<Grant> {
    if (this.arrival.grant) return this.arrival.grant
    const { name } = this.arrival
    if (name.kind !== 'direct') throw new SessionDenied('permission_denied', gatewayMessages.noAsset, { name: '' })
    const { detail, account } = await exactlyOne(this.broker, this.person, name.asset, name.account)
    const chosen = protocol === 'sftp' ? fileProtocol(detail) : name.protocol === 'sftp' ? 'ssh' : name.protocol
    if (!chosen || !detail.permed_protocols.some((entry) => entry.name === chosen)) {
      throw new SessionDenied('permission_denied', gatewayMessages.noProtocol, { name: protocol, asset: detail.name })
    }
    return requestGrant(this.broker, this.person, {
      asset: detail.id,
      account: account.alias,
      protocol: chosen,
      connectMethod: protocol === 'sftp' ? 'sftp_client' : 'ssh_client',
    })
  }

  private session(session: ssh2.Session): void {
    let face: TerminalFace | undefined
    const signals: ((name: string) => void)[] = []
    session.on('pty', (accept, _reject, info) => {
      // ssh2 hands over the terminal's name, which its types leave out.
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
      if (language && !this.languages.of(this.person.id)) this.person.language = language
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
      // Accepting without a listener for `sftp` gives the plain channel.
      const channel = accept() as unknown as ssh2.ServerChannel
      const named = this.arrival.grant || this.arrival.name.kind === 'direct'
      this.guard(channel, this.runSftp(this.broker, this.person, channel, named ? () => this.grant('sftp') : undefined))
    })
  }

  /** Nothing a channel does may take the process down. */
  private guard(channel: ssh2.ServerChannel, work: Promise<void>): void {
    channel.on('error', (error: Error) => log.debug({ detail: error.message }, 'ssh channel'))
    channel.stderr.on('error', (error: Error) => log.debug({ detail: error.message }, 'ssh channel'))
    // A paused channel would never tell that its connection is gone.
    this.client.once('close', () => channel.resume())
    work.catch((error: unknown) => {
      const text = refusalOf(error).say(this.person.language)
      if (!channel.writable) return
      channel.stderr.write(`${text}\r\n`)
      channel.exit(255)
      channel.end()
    })
  }

  private async shell(channel: ssh2.ServerChannel, face: TerminalFace): Promise<void> {
    face.attach(channel)
    if (this.arrival.grant || this.arrival.name.kind === 'direct') return this.terminal(channel, face, undefined)
    await new Menu(this.broker, this.person, face, this.languages).run()
    channel.exit(0)
    channel.end()
  }

  /** A terminal straight at its target; where a name means several, the person is asked. */
  private async terminal(channel: ssh2.ServerChannel, face: TerminalFace, command: string | undefined): Promise<void> {
    face.attach(channel)
    let code: number | undefined
    try {
      code = await this.runDirect(face, command)
    } catch (error) {
      face.line(refusalOf(error).say(this.person.language))
    }
    channel.exit(code ?? 255)
    channel.end()
  }

  private async runDirect(face: TerminalFace, command: string | undefined): Promise<number | undefined> {
    const { name, grant } = this.arrival
    if (grant) return (await runTerminal(this.broker, this.person, grant, face.asTerminal(command))).code ?? 255
    if (name.kind !== 'direct') throw new SessionDenied('permission_denied', gatewayMessages.noAsset, { name: '' })
    const assets = await findAssets(this.broker, this.person, name.asset)
    if (assets.length === 0) throw new SessionDenied('permission_denied', gatewayMessages.noAsset, { name: name.asset })
    const asset = assets.length === 1 ? assets[0] : await face.choose(assets, this.person.language)
    if (!asset) return 1
    const detail = await assetDetail(this.broker, this.person, asset.id, name.asset)
    const accounts = findAccounts(detail, name.account)
    if (accounts.length === 0) {
      throw new SessionDenied('permission_denied', gatewayMessages.noAccount, {
        name: name.account,
        asset: detail.name,
      })
    }
    const protocol = name.protocol === 'sftp' ? 'ssh' : name.protocol
    const options = { accounts, protocol, ...(command === undefined ? {} : { command }) }
    const end = await chooseAndRun(this.broker, this.person, face, detail, options)
    return end ? (end.code ?? 255) : 1
  }

  private async exec(
    channel: ssh2.ServerChannel,
    command: string | undefined,
    signals: ((name: string) => void)[],
  ): Promise<void> {
    channel.pause()
    // `sftp -s` names the program where others name the subsystem; its files go by the same rules.
    if (isFileServer(command ?? '')) {
      channel.resume()
      return this.runSftp(this.broker, this.person, channel, () => this.grant('sftp'))
    }
    const grant = await this.grant('ssh')
    await runExec(this.broker, this.person, grant, { channel, command, onSignal: (listener) => signals.push(listener) })
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
      // A paused session lets nothing through in either direction; what comes meanwhile waits at its sender.
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
      log.info({ reason: refusal.reason, text: say(refusal.text, 'en', refusal.values) }, 'a forward was refused')
      this.leave()
      this.rejectWith(refusal.say(this.person.language), reject)
    }
  }

  /** Rejects a channel with words that the person's client shows; ssh2 by itself sends none. */
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

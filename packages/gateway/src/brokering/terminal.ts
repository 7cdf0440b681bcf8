import type { Duplex } from 'node:stream'
import { say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { SerializeAddon } from '@xterm/addon-serialize'
import type ssh2 from 'ssh2'
import type { Recorder } from '../recording/recorder.ts'
import { CommandReader } from '../rules/command-reader.ts'
import type { Grant } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { type Transcoder, transcoderOf } from './charset.ts'
import { CommandControl } from './command-control.ts'
import { Session } from './session.ts'
import { notRecorded, refusalOf, requireConnect, SessionDenied } from './session-denied.ts'
import { SessionSharing, type SharedInput } from './session-sharing.ts'
import { Viewers } from './session-view.ts'
import { switchedFrom, switchUser } from './switch-user.ts'
import { openChannel, openTarget, type Target } from './target.ts'
import { Typists } from './typists.ts'
import type { User } from './user.ts'
import { UserDialog } from './user-dialog.ts'

/** A user's terminal on any transport. The bridge reads and writes `stream` and leaves it open at the end. */
export interface ClientTerminal {
  stream: Duplex
  term: string
  cols: number
  rows: number
  /** Command to run instead of a login shell (`ssh -t host command`). */
  command?: string
  /** Subscribes to resizes; the result unsubscribes. */
  onResize(listener: (cols: number, rows: number) => void): () => void
  /** Called when the session starts, in addition to the texts in the terminal. */
  onSession?(session: Session): void
}

export interface TerminalEnd {
  /** Exit status of the remote shell, if it ended by itself. */
  code?: number | undefined
  refusal?: SessionDenied | undefined
}

/** Delay between the end of a channel and that of its connection. Milliseconds. */
const lostAfter = 100
const typedAheadLimit = 64 * 1024
/** Faster resizes come from a window being dragged: only the last one is sent. Milliseconds. */
const resizeEvery = 50

/** What a user is told whose line cannot be read. */
const unreadNotice = { unseen: gatewayMessages.commandUnseen, recalled: gatewayMessages.commandRecalled }

const red = (text: string) => `\u001b[31m${text}\u001b[0m`
const yellow = (text: string) => `\u001b[33m${text}\u001b[0m`
const asLines = (text: string) => text.replaceAll('\n', '\r\n')

/**
 * Runs one interactive session from grant to end: session row, recording, target, rules, bridge. Resolves when it is
 * over and stored; the user has seen the reason.
 */
export async function runTerminal(
  broker: Broker,
  user: User,
  grant: Grant,
  terminal: ClientTerminal,
): Promise<TerminalEnd> {
  const show = (text: string) => void terminal.stream.write(text)
  let session: Session
  try {
    requireConnect(grant)
    session = await Session.open(broker, user, grant, terminal.command === undefined ? 'normal' : 'command')
  } catch (error) {
    const refusal = refusalOf(error)
    show(`${red(asLines(refusal.say(user.language)))}\r\n`)
    return { refusal }
  }
  const bridge = new TerminalBridge(broker, session, terminal)
  return bridge.run()
}

/** Connects one user, one target, the recorder, the command reader and the watchers. */
class TerminalBridge {
  private readonly broker: Broker
  private readonly session: Session
  private readonly terminal: ClientTerminal
  private readonly control: CommandControl
  private readonly viewers = new Viewers()
  private readonly dialog: UserDialog
  private readonly transcoder: Transcoder | undefined
  private recorder: Recorder | undefined
  private target: Target | undefined
  private channel: ssh2.ClientChannel | undefined
  private reader: CommandReader | undefined
  private size: { cols: number; rows: number }
  private wanted: { cols: number; rows: number }
  private resizing: NodeJS.Timeout | undefined
  private ended: TerminalEnd = {}
  /** The program at the target has exited, with any status. */
  private hasExited = false
  private saidLocked = false
  private readonly typists: Typists
  private readonly typedAhead: Buffer[] = []
  /** Output that left for the user, and that neither the recorder nor the reader has seen yet. */
  private readonly shown: Buffer[] = []
  private readonly undo: (() => void)[] = []

  constructor(broker: Broker, session: Session, terminal: ClientTerminal) {
    this.broker = broker
    this.session = session
    this.terminal = terminal
    this.size = { cols: terminal.cols, rows: terminal.rows }
    this.wanted = this.size
    this.control = new CommandControl(broker, session)
    this.dialog = new UserDialog(session.user.language, (text) => this.showInside(text))
    this.transcoder = transcoderOf(session.grant)
    this.typists = new Typists(
      session.user,
      (user, data) => this.read(user, data),
      () => terminal.stream.resume(),
    )
  }

  async run(): Promise<TerminalEnd> {
    const over = new Promise<void>((resolve) => this.session.onEnd((refusal) => this.close(refusal).finally(resolve)))
    try {
      await this.openRecorder()
      this.listenToUser()
      await this.openShell()
    } catch (error) {
      void this.session.end(refusalOf(error))
    }
    await over
    await this.session.end()
    return this.ended
  }

  private async openRecorder(): Promise<void> {
    const header = {
      width: this.size.cols,
      height: this.size.rows,
      title: `${this.session.userDisplay} → ${this.session.assetDisplay}`,
      term: this.terminal.term,
      started: this.session.now,
    }
    try {
      this.recorder = await this.broker.archive.record(this.session.id, header)
    } catch (error) {
      throw notRecorded(error)
    }
    this.session.recorded = true
    this.recorder.onFailure = (error) => void this.session.end(notRecorded(error))
  }

  private async openShell(): Promise<void> {
    const { grant, user } = this.session
    const values = { asset: this.session.assetDisplay, account: grant.account.username }
    this.toUser(Buffer.from(`${say(gatewayMessages.connecting, user.language, values)}\r\n`))
    const target = await openTarget(this.broker, grant)
    this.target = target
    if (this.session.isEnded) return target.end()
    if (this.terminal.command !== undefined && !(await this.mayRun(this.terminal.command))) return
    const channel = await this.openChannel(target)
    const greeting = switchedFrom(grant) ? await switchUser(channel, grant) : undefined
    if (this.session.isEnded) return
    this.channel = channel
    this.reader = this.makeReader(channel)
    this.session.view = this.makeView(this.reader)
    if (this.session.type === 'normal') new SessionSharing(this.broker, this.session, this.sharedInput(this.reader))
    void this.session.connected(target.gateway)
    this.terminal.onSession?.(this.session)
    if (greeting) this.fromTarget(greeting)
    this.bridgeTarget(channel, target)
    channel.setWindow(this.size.rows, this.size.cols, 0, 0)
    for (const data of this.typedAhead.splice(0)) this.take(data)
    if (this.terminal.stream.readableEnded) this.endInput()
  }

  private openChannel(target: Target): Promise<ssh2.ClientChannel> {
    const { command, term } = this.terminal
    const pty = { term, cols: this.size.cols, rows: this.size.rows }
    const asset = this.session.assetDisplay
    return openChannel<ssh2.ClientChannel>(asset, (done) => {
      const opened = (error: Error | undefined, stream: ssh2.ClientChannel) => {
        // Must be registered now: the status of a quick command arrives in the same packet as the channel confirmation.
        stream?.on('exit', (code: number | null) => {
          this.hasExited = true
          if (typeof code === 'number') this.ended.code = code
        })
        done(error && shellFailed(this.session, error), stream)
      }
      // The user's side is UTF-8 whatever the host's default; hosts that reject environment variables use their own.
      const env = this.transcoder ? {} : { LC_CTYPE: 'C.UTF-8' }
      if (command === undefined) target.client.shell(pty, { env }, opened)
      else target.client.exec(command, { pty, env }, opened)
    })
  }

  /** Decides on a command given instead of a shell; if rejected, it is logged and the session ends. */
  private async mayRun(command: string): Promise<boolean> {
    const hooks = { warn: (text: string) => this.showInside(`${yellow(text)}\r\n`), asker: this.dialog }
    const decision = await this.control.decide({ text: command, readings: [command] }, hooks)
    const output = decision.run ? '' : decision.notice
    this.control.record({ text: command, output, risk: decision.risk, timestamp: Date.now() })
    if (decision.run) return true
    this.showInside(`${red(decision.notice)}\r\n`)
    this.ended.code = 126
    void this.session.end()
    return false
  }

  private makeReader(channel: ssh2.ClientChannel): CommandReader {
    const { transcoder } = this
    const { stream } = this.terminal
    channel.on('drain', () => stream.resume())
    return new CommandReader(this.size, {
      guarded: this.control.isGuarded,
      toTarget: (data) => {
        // If logging a command failed and ended the session, its Enter must not reach the target.
        if (this.session.isEnded) return
        if (!channel.write(transcoder ? transcoder.toTarget(data) : data)) stream.pause()
      },
      decide: (command) =>
        this.control.decide(command, { warn: (text) => this.showInside(`\r\n${yellow(text)}`), asker: this.dialog }),
      notice: (text) => this.showInside(`\r\n${red(text)}`),
      unseenNotice: (why) => say(unreadNotice[why], this.session.user.language),
      differing: (typed, shown) => this.control.differing(typed, shown),
      unread: (typed) => say(gatewayMessages.commandUnread, this.session.user.language, { typed }).trim(),
      programNote: () => say(gatewayMessages.programHasScreen, this.session.user.language),
      begun: (command) => this.control.begin(command),
      completed: (command) => this.control.record(command),
      drained: () => {
        stream.resume()
        this.typists.flush()
      },
    })
  }

  private makeView(reader: CommandReader) {
    const addon = new SerializeAddon()
    // The addon's types name the browser's Terminal; according to its documentation it works on the headless one.
    reader.screen.emulator.loadAddon(addon as never)
    return {
      size: () => this.size,
      picture: () => {
        reader.screen.flush()
        return addon.serialize({ scrollback: 0 })
      },
      watch: (viewer: Parameters<Viewers['add']>[0]) => this.viewers.add(viewer),
    }
  }

  private take(data: Buffer): void {
    if (!this.typists.take(this.session.user, data)) this.terminal.stream.pause()
  }

  /** Passes input to the reader; false asks for a pause. */
  private read(user: User, data: Buffer): boolean {
    // What waited while the session was paused is not executed afterwards.
    if (this.session.lockedBy !== undefined) return true
    this.follow()
    this.control.typedBy(user)
    return this.reader?.input(data) ?? true
  }

  /** How the users who joined type, under the same conditions as the owner. */
  private sharedInput(reader: CommandReader): SharedInput {
    this.typists.reader = reader
    return {
      type: (user, data) => {
        this.session.touch()
        if (this.session.isEnded || this.session.lockedBy !== undefined) return
        if (this.dialog.isOpen) this.dialog.input(data)
        else this.typists.take(user, data)
      },
      obey: (user, rules) => {
        const stop = this.control.obey(rules)
        if (this.control.isGuarded) reader.guard()
        return () => {
          this.typists.forget(user)
          void reader.idle().then(stop)
        }
      },
    }
  }

  /** Buffers input typed, or piped into `ssh -tt`, before the target is connected. */
  private keepTypedAhead(data: Buffer): void {
    const size = this.typedAhead.reduce((sum, part) => sum + part.length, 0)
    if (size + data.length <= typedAheadLimit) this.typedAhead.push(data)
  }

  /** Passes the end of input to the target after all input: the target may still send output. */
  private endInput(): void {
    void this.reader?.idle().then(() => this.channel?.end())
  }

  private listenToUser(): void {
    const { stream } = this.terminal
    const onData = (data: Buffer) => {
      this.session.touch()
      if (this.session.lockedBy !== undefined) {
        if (!this.saidLocked) this.sayPaused(this.session.lockedBy)
        return
      }
      if (this.dialog.isOpen) this.dialog.input(data)
      else if (this.reader) this.take(data)
      else this.keepTypedAhead(data)
    }
    const onGone = () => void this.session.end()
    const onInputEnd = () => this.endInput()
    const stopResize = this.terminal.onResize((cols, rows) => this.resize(cols, rows))
    stream.on('data', onData).on('close', onGone).on('end', onInputEnd)
    // A front end that read lines before has paused it.
    stream.resume()
    this.session.on('paused', (by) => this.sayPaused(by))
    this.session.on('resumed', (by) => {
      this.saidLocked = false
      const text = say(gatewayMessages.resumed, this.session.user.language, { name: by })
      this.showInside(`\r\n${yellow(text)}\r\n`)
    })
    this.undo.push(stopResize, () => {
      stream.removeListener('data', onData).removeListener('close', onGone).removeListener('end', onInputEnd)
      stream.pause()
    })
  }

  private bridgeTarget(channel: ssh2.ClientChannel, target: Target): void {
    const { stream } = this.terminal
    let stopped = false
    // The recorder sees output after the user, so that it may fall behind when the user's side has already stopped.
    const goOn = () => {
      if (!stopped || stream.writableNeedDrain) return
      if (this.recorder?.isBehind) {
        void this.recorder.drained().then(goOn)
        return
      }
      stopped = false
      channel.resume()
    }
    channel.on('data', (data: Buffer) => {
      this.fromTarget(data)
      if (!stream.writableNeedDrain && !this.recorder?.isBehind) return
      stopped = true
      channel.pause()
      goOn()
    })
    channel.stderr.on('data', (data: Buffer) => this.fromTarget(data))
    // When a target dies, the end of its connection is reported shortly after that of its channels.
    channel.on('close', () => setTimeout(() => void this.session.end(), this.hasExited ? 0 : lostAfter))
    // Writes to a stream that has already ended are ignored.
    channel.on('error', () => undefined)
    channel.stderr.on('error', () => undefined)
    const lost = new SessionDenied('none', gatewayMessages.targetLost, { asset: this.session.assetDisplay })
    target.client.on('close', () => {
      void this.session.end(this.hasExited ? undefined : (target.gatewayLost() ?? lost))
    })
    stream.on('drain', goOn)
    this.undo.push(() => stream.removeListener('drain', goOn))
    channel.resume()
  }

  /** Output of the target leaves for the user first: writes of a tick are sent at its end, and the rest follows then. */
  private fromTarget(data: Buffer): void {
    const text = this.transcoder?.fromTarget(data) ?? data
    this.show(text)
    if (this.shown.push(text) === 1) process.nextTick(() => this.follow())
  }

  /** Passes on what was shown, by urgency: recorder, watchers, command reader. */
  private follow(): void {
    for (let data = this.shown.shift(); data; data = this.shown.shift()) {
      this.keep(data)
      this.reader?.output(data)
    }
  }

  private show(data: Buffer): void {
    if (!this.terminal.stream.writableEnded && !this.terminal.stream.destroyed) this.terminal.stream.write(data)
  }

  private keep(data: Buffer): void {
    this.recorder?.output(data)
    this.viewers.output(data)
  }

  private toUser(data: Buffer): void {
    this.follow()
    this.show(data)
    this.keep(data)
  }

  /** Shows our own text in the terminal, also to the reader, so that its screen remains correct. */
  private showInside(text: string): void {
    const data = Buffer.from(text)
    this.toUser(data)
    this.reader?.output(data)
  }

  private sayPaused(by: string): void {
    this.saidLocked = true
    const text = say(gatewayMessages.paused, this.session.user.language, { name: by })
    this.showInside(`\r\n${yellow(text)}\r\n`)
  }

  private resize(cols: number, rows: number): void {
    this.wanted = { cols, rows }
    if (!this.resizing) this.takeSize()
  }

  private takeSize(): void {
    const { cols, rows } = this.wanted
    this.resizing = undefined
    if (cols === this.size.cols && rows === this.size.rows) return
    this.resizing = setTimeout(() => this.takeSize(), resizeEvery)
    this.follow()
    this.size = { cols, rows }
    this.reader?.resize(cols, rows)
    this.recorder?.resize(cols, rows)
    this.viewers.resize(cols, rows)
    this.channel?.setWindow(rows, cols, 0, 0)
  }

  private async close(refusal: SessionDenied | undefined): Promise<void> {
    for (const step of this.undo.splice(0)) step()
    clearTimeout(this.resizing)
    this.ended.refusal = refusal
    this.follow()
    if (refusal) {
      // A full-screen program may be active: its modes are reset first, so that the text is visible. Without one, the
      // reset would move the cursor to the position saved by the last program, and overwrite text there.
      this.reader?.screen.flush()
      const back = this.reader?.screen.hasAlternateBuffer ? '\u001b[?1049l' : ''
      const text = red(asLines(refusal.say(this.session.user.language)))
      this.toUser(Buffer.from(`${back}\u001b[?25h\u001b[0m\r\n${text}\r\n`))
    }
    this.reader?.close()
    this.viewers.ended()
    this.channel?.close()
    this.target?.end()
    await this.recorder?.close()
  }
}

function shellFailed(session: Session, cause: Error): SessionDenied {
  return new SessionDenied(
    'connect_failed',
    gatewayMessages.connectFailed,
    { asset: session.assetDisplay, reason: cause.message },
    { cause },
  )
}

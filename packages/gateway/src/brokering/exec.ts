import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import type { Recorder } from '../recording/recorder.ts'
import { plainText } from '../rules/output-capture.ts'
import { allows, type Grant } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { CommandControl, type ReviewAsker } from './command-control.ts'
import { type CopyCommand, copyCommandOf } from './copy-command.ts'
import { readsCommands } from './exec-command.ts'
import { LineGate } from './line-gate.ts'
import { carryScp, placeOf, ScpCopy } from './scp-copy.ts'
import { Session } from './session.ts'
import { notRecorded, refusalOf, requireConnect, SessionDenied } from './session-denied.ts'
import { switchedFrom } from './switch-user.ts'
import { openChannel, openTarget } from './target.ts'
import type { User } from './user.ts'

/** A command (or a shell without one) run without a terminal: three streams and an exit status. */
export interface ClientExec {
  channel: ssh2.ServerChannel
  command: string | undefined
  onSignal(listener: (name: string) => void): void
}

/** Recorded output of one command; the rest is dropped. Bytes. */
const recordedBytes = 2 * 1024 * 1024

/**
 * Runs `ssh host command`: decides on the command, runs and records it, and passes its streams and exit status
 * separately.
 */
export async function runExec(broker: Broker, user: User, grant: Grant, exec: ClientExec): Promise<void> {
  const { channel, command } = exec
  const leave = (code: number, text?: string) => {
    if (text) channel.stderr.write(`${text}\n`)
    channel.exit(code)
    channel.end()
  }
  let session: Session
  try {
    refuseUnfit(grant, command)
    session = await Session.open(broker, user, grant, 'command')
  } catch (error) {
    return leave(255, refusalOf(error).say(user.language))
  }
  const run = new Execution(broker, session, exec)
  const { code, text } = await run.toEnd()
  leave(code, text)
}

/** Rejects operations that need a terminal (switching users) and copies that the permission does not allow. */
function refuseUnfit(grant: Grant, command: string | undefined): void {
  requireConnect(grant)
  if (switchedFrom(grant)) {
    throw new SessionDenied('permission_denied', gatewayMessages.switchUserFailed, { account: grant.account.username })
  }
  const copy = copyCommandOf(command ?? '')
  if (copy && !allows(grant, copy.kind)) {
    throw new SessionDenied('permission_denied', gatewayMessages.permissionDenied)
  }
}

const noop = () => undefined

class Execution {
  private readonly broker: Broker
  private readonly session: Session
  private readonly exec: ClientExec
  private readonly control: CommandControl
  private readonly command: string
  /** File copies use a binary protocol; their bytes are not recorded as output. */
  private readonly copy: CopyCommand | undefined
  /** The input is a script: each line is a command, decided on and logged like a typed one. */
  private readonly readsCommands: boolean
  private output: Buffer[] = []
  private kept = 0
  private recordedSize = 0
  private recorder: Recorder | undefined
  /** Exit status of the target; 255 when it reported none. */
  private status = 255
  private refusal: SessionDenied | undefined
  private isLineRefused = false

  constructor(broker: Broker, session: Session, exec: ClientExec) {
    this.broker = broker
    this.session = session
    this.exec = exec
    this.command = exec.command ?? ''
    const copy = copyCommandOf(this.command)
    this.copy = copy?.isAlone ? copy : undefined
    this.readsCommands = !this.copy && readsCommands(exec.command)
    this.control = new CommandControl(broker, session)
  }

  async toEnd(): Promise<{ code: number; text?: string | undefined }> {
    const { channel } = this.exec
    const { language } = this.session.user
    const timestamp = Date.now()
    channel.on('close', () => void this.session.end())
    let risk = 0
    if (this.command !== '') {
      const decision = await this.control.decide({ text: this.command, readings: [this.command] }, this.hooks())
      risk = decision.risk
      if (!decision.run) {
        this.control.record({ text: this.command, output: decision.notice, risk, timestamp })
        await this.session.end()
        return { code: 126, text: decision.notice }
      }
    }
    this.session.onEnd((refusal) => {
      this.refusal = refusal
      const output = this.copy ? '' : plainText(Buffer.concat(this.output), '')
      if (this.command !== '') this.control.record({ text: this.command, output, risk, timestamp })
    })
    let code = 255
    try {
      code = await this.run()
      this.noteRsync(code === 0)
      await this.session.end()
    } catch (error) {
      await this.session.end(refusalOf(error))
    }
    if (this.isLineRefused) return { code: 126 }
    // The target may report success although its input was cut off.
    return this.refusal ? { code: code || 255, text: this.refusal.say(language) } : { code }
  }

  /** Texts for the user. Nobody can be asked without a terminal: an approval is requested, and awaited, at once. */
  private hooks(): { warn(text: string): void; asker: ReviewAsker } {
    const show = (text: string) => void this.exec.channel.stderr.write(`${text}\n`)
    const wait = { cancelled: new Promise<void>((resolve) => this.session.onEnd(() => resolve())), show, close: noop }
    return { warn: show, asker: { request: async () => wait } }
  }

  private async run(): Promise<number> {
    const recorder = await this.openRecorder()
    recorder.output(Buffer.from(this.command === '' ? '' : `$ ${this.command}\r\n`))
    const target = await openTarget(this.broker, this.session.grant)
    this.session.onEnd(() => target.end())
    target.client.on('close', () => void this.session.end(target.gatewayLost()))
    if (this.session.isEnded) return 255
    const scp = await this.followScp(target.client)
    const remote = await openChannel<ssh2.ClientChannel>(this.session.assetDisplay, (done) => {
      const opened = (error: Error | undefined, stream: ssh2.ClientChannel) => {
        // Must be registered now: the status of a quick command arrives in the same packet as the channel confirmation.
        stream?.on('exit', (status: number | null) => {
          this.status = status ?? 255
        })
        done(error, stream)
      }
      if (this.exec.command === undefined) target.client.shell(false, opened)
      else target.client.exec(this.exec.command, opened)
    })
    // Not awaited: the command may be over before that.
    void this.session.connected(target.gateway)
    return this.bridge(remote, scp)
  }

  private async followScp(client: ssh2.Client): Promise<ScpCopy | undefined> {
    if (this.copy?.program !== 'scp') return undefined
    const { broker, session } = this
    const place = await placeOf(client, this.copy)
    const scp = new ScpCopy(this.copy, place, (kind, path) => broker.transfers.begin(session, kind, path))
    session.onEnd(() => scp.end())
    return scp
  }

  /** rsync sends differences that only its two ends can assemble: the log contains the request only. */
  private noteRsync(isSuccess: boolean): void {
    if (this.copy?.program !== 'rsync') return
    const { kind, paths } = this.copy
    for (const path of paths)
      void this.broker.transfers.note(this.session, kind, path, isSuccess && !this.session.isEnded)
  }

  private async openRecorder(): Promise<Recorder> {
    const { session } = this
    try {
      const title = `${session.userDisplay} → ${session.assetDisplay}`
      const recorder = await this.broker.archive.record(session.id, {
        width: 120,
        height: 40,
        title,
        term: 'xterm',
        started: session.now,
      })
      session.recorded = true
      recorder.onFailure = (error) => void session.end(notRecorded(error))
      session.onEnd(() => recorder.close())
      this.recorder = recorder
      return recorder
    } catch (error) {
      throw notRecorded(error)
    }
  }

  /** Pipes the streams with back-pressure in each direction; resolves with the exit status when the target is done. */
  private bridge(remote: ssh2.ClientChannel, scp: ScpCopy | undefined): Promise<number> {
    const { channel } = this.exec
    const { session } = this
    // Writes to a stream that has already ended are ignored.
    remote.on('error', () => undefined)
    remote.stderr.on('error', () => undefined)
    if (scp) carryScp(scp, channel, remote, session)
    else this.carry(remote)
    remote.stderr.on('data', (data: Buffer) => {
      this.show(data)
      if (!channel.stderr.write(data)) remote.stderr.pause()
    })
    channel.stderr.on('drain', () => remote.stderr.resume())
    this.exec.onSignal((name) => remote.signal(name))
    session.onEnd(() => remote.close())
    channel.resume()
    return new Promise((resolve) => remote.on('close', () => resolve(this.status)))
  }

  private carry(remote: ssh2.ClientChannel): void {
    const { channel } = this.exec
    const { session } = this
    const gate = this.readsCommands && this.control.isGuarded ? this.makeGate(remote) : undefined
    const reader = this.readsCommands && !gate ? this.makeReader() : undefined
    const take = (data: Buffer) => {
      reader?.input(data)
      if (gate) gate.input(data)
      else if (!remote.write(data)) channel.pause()
    }
    channel.on('data', (data: Buffer) => {
      session.touch()
      if (session.lockedBy === undefined) return take(data)
      // Input waits while an auditor has paused the session: a late file is better than one with a gap.
      channel.pause()
      session.once('resumed', () => {
        take(data)
        channel.resume()
      })
    })
    remote.on('drain', () => channel.resume())
    // Ends the stream after its last chunk was accepted, even if that chunk is still held.
    const finish = () => {
      reader?.end()
      if (gate) gate.end()
      else remote.end()
    }
    channel.on('end', () => (session.lockedBy === undefined ? finish() : session.once('resumed', finish)))
    remote.on('data', (data: Buffer) => {
      this.show(data)
      if (!channel.write(data)) remote.pause()
    })
    channel.on('drain', () => remote.resume())
  }

  /** With rules, the lines of a script pass one by one. */
  private makeGate(remote: ssh2.ClientChannel): LineGate {
    const { channel } = this.exec
    return new LineGate({
      pass: (data) => {
        if (!remote.write(data)) channel.pause()
      },
      end: () => remote.end(),
      decide: (line) => this.control.decide(line, this.hooks()),
      decided: (line, decision) => {
        this.keepLine(line.text, decision.risk, decision.run ? '' : decision.notice)
        if (decision.run) return
        this.isLineRefused = true
        channel.stderr.write(`${decision.notice}\n`)
      },
    })
  }

  /** Without rules nothing is held; the lines are read in parallel. */
  private makeReader(): LineGate {
    return new LineGate({
      pass: () => undefined,
      end: () => undefined,
      decide: () => ({ run: true, risk: 0 }),
      decided: (line) => this.keepLine(line.text, 0, ''),
    })
  }

  private keepLine(text: string, risk: number, output: string): void {
    this.control.record({ text, output, risk, timestamp: Date.now() })
    this.recorder?.output(Buffer.from(`> ${text}\r\n`))
    this.recordedSize = 0
  }

  private show(data: Buffer): void {
    this.session.touch()
    if (this.kept < 4096) {
      this.output.push(Buffer.from(data.subarray(0, 4096 - this.kept)))
      this.kept += data.length
    }
    if (this.copy || this.recordedSize > recordedBytes) return
    this.recordedSize += data.length
    this.recorder?.output(Buffer.from(data.toString('latin1').replace(/(?<!\r)\n/g, '\r\n'), 'latin1'))
    if (this.recordedSize > recordedBytes) this.recorder?.output(Buffer.from('\r\n…\r\n'))
  }
}

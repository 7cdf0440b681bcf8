import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import type { Recorder } from '../recording/recorder.ts'
import { plainText } from '../rules/output-capture.ts'
import type { Grant } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { CommandControl } from './command-control.ts'
import { copiesBeyond, isCopy, readsCommands } from './exec-command.ts'
import { LineGate } from './line-gate.ts'
import type { Person } from './person.ts'
import { Refusal, refusalOf } from './refusal.ts'
import { Session } from './session.ts'
import { switchesUser } from './switch-user.ts'
import { openTarget } from './target.ts'
import { requireConnect } from './terminal.ts'

/** A command (or a shell without one) run without a terminal: three streams and an exit status. */
export interface PersonExec {
  channel: ssh2.ServerChannel
  command: string | undefined
  onSignal(listener: (name: string) => void): void
}

/** Of what one command shows, the beginning is recorded. */
const recordedBytes = 2 * 1024 * 1024

/** Runs `ssh host command`: one command decided on, run and recorded, its streams and exit status passed on apart. */
export async function runExec(broker: Broker, person: Person, grant: Grant, exec: PersonExec): Promise<void> {
  const { channel, command } = exec
  const leave = (code: number, text?: string) => {
    if (text) channel.stderr.write(`${text}\n`)
    channel.exit(code)
    channel.end()
  }
  let session: Session
  try {
    refuseUnfit(grant, command)
    session = await Session.open(broker, person, grant, 'command')
  } catch (error) {
    return leave(255, refusalOf(error).say(person.language))
  }
  const run = new Execution(broker, session, exec)
  const { code, text } = await run.toEnd()
  leave(code, text)
}

/** What cannot be done without a terminal: switching users, and copies the permission does not allow. */
function refuseUnfit(grant: Grant, command: string | undefined): void {
  requireConnect(grant)
  if (switchesUser(grant)) {
    throw new Refusal('permission_denied', gatewayMessages.switchUserFailed, { account: grant.account.username })
  }
  if (command !== undefined && copiesBeyond(grant, command)) {
    throw new Refusal('permission_denied', gatewayMessages.permissionDenied)
  }
}

class Execution {
  private readonly broker: Broker
  private readonly session: Session
  private readonly exec: PersonExec
  private readonly control: CommandControl
  private readonly command: string
  private readonly isCopy: boolean
  /** Its input is a script: each line is a command, recorded and logged like one that is typed. */
  private readonly readsCommands: boolean
  private output: Buffer[] = []
  private kept = 0
  private recordedSize = 0
  private recorder: Recorder | undefined
  private refusal: Refusal | undefined
  private gateNotice: string | undefined

  constructor(broker: Broker, session: Session, exec: PersonExec) {
    this.broker = broker
    this.session = session
    this.exec = exec
    this.command = exec.command ?? ''
    this.isCopy = isCopy(this.command)
    this.readsCommands = readsCommands(exec.command)
    this.control = new CommandControl(broker, session)
  }

  async toEnd(): Promise<{ code: number; text?: string | undefined }> {
    const { channel } = this.exec
    const { language } = this.session.person
    const timestamp = Date.now()
    const warn = (text: string) => void channel.stderr.write(`${text}\n`)
    let risk = 0
    if (this.command !== '') {
      const decision = await this.control.decide({ text: this.command, readings: [this.command] }, { warn })
      risk = decision.risk
      if (!decision.run) {
        this.control.record({ text: this.command, output: decision.notice, risk, timestamp })
        await this.session.end()
        return { code: 126, text: decision.notice }
      }
    }
    this.session.onEnd((refusal) => {
      this.refusal = refusal
      const output = this.isCopy ? '' : plainText(Buffer.concat(this.output), '')
      if (this.command !== '') this.control.record({ text: this.command, output, risk, timestamp })
    })
    channel.on('close', () => void this.session.end())
    let code = 255
    try {
      code = await this.run()
      await this.session.end()
    } catch (error) {
      await this.session.end(refusalOf(error))
    }
    return { code: this.gateNotice ? 126 : code, text: this.gateNotice ?? this.refusal?.say(language) }
  }

  private async run(): Promise<number> {
    const recorder = await this.openRecorder()
    recorder.output(Buffer.from(this.command === '' ? '' : `$ ${this.command}\r\n`))
    const target = await openTarget(this.broker.api, this.session.grant)
    this.session.onEnd(() => target.end())
    if (this.session.isEnded) return 255
    const remote = await new Promise<ssh2.ClientChannel>((resolve, reject) => {
      const opened = (error: Error | undefined, stream: ssh2.ClientChannel) => (error ? reject(error) : resolve(stream))
      if (this.exec.command === undefined) target.client.shell(false, opened)
      else target.client.exec(this.exec.command, opened)
    })
    // Not waited for: the command may be over before that.
    void this.session.connected()
    return this.bridge(remote)
  }

  private async openRecorder(): Promise<Recorder> {
    const { session } = this
    const failed = (cause: unknown) => new Refusal('recording_failed', gatewayMessages.recordingFailed, {}, { cause })
    try {
      const title = `${session.userDisplay} → ${session.assetDisplay}`
      const recorder = await this.broker.archive.record(session.id, { width: 120, height: 40, title, term: 'xterm' })
      session.recorded = true
      recorder.onFailure = (error) => void session.end(failed(error))
      session.onEnd(() => recorder.close())
      this.recorder = recorder
      return recorder
    } catch (error) {
      throw failed(error)
    }
  }

  /** Passes the streams with back-pressure in each direction; resolves with the exit status when the target is done. */
  private bridge(remote: ssh2.ClientChannel): Promise<number> {
    const { channel } = this.exec
    const { session } = this
    const gate = this.readsCommands && this.control.isGuarded ? this.makeGate(remote) : undefined
    const reader = this.readsCommands && !gate ? this.makeReader() : undefined
    // Bytes that come too late for a stream that has ended are nobody's loss.
    remote.on('error', () => undefined)
    remote.stderr.on('error', () => undefined)
    channel.on('data', (data: Buffer) => {
      session.touch()
      if (session.lockedBy !== undefined) return
      reader?.input(data)
      if (gate) gate.input(data)
      else if (!remote.write(data)) channel.pause()
    })
    remote.on('drain', () => channel.resume())
    channel.on('end', () => {
      reader?.end()
      if (gate) gate.end()
      else remote.end()
    })
    remote.on('data', (data: Buffer) => {
      this.show(data)
      if (!channel.write(data)) remote.pause()
    })
    remote.stderr.on('data', (data: Buffer) => {
      this.show(data)
      if (!channel.stderr.write(data)) remote.stderr.pause()
    })
    channel.on('drain', () => remote.resume())
    channel.stderr.on('drain', () => remote.stderr.resume())
    this.exec.onSignal((name) => remote.signal(name))
    session.onEnd(() => remote.close())
    channel.resume()
    return new Promise((resolve) => {
      let code = 255
      remote.on('exit', (status: number | null) => {
        code = status ?? 255
      })
      remote.on('close', () => resolve(code))
    })
  }

  /** Where rules exist, the lines of a script pass one by one. */
  private makeGate(remote: ssh2.ClientChannel): LineGate {
    const { channel } = this.exec
    return new LineGate({
      pass: (data) => {
        if (!remote.write(data)) channel.pause()
      },
      end: () => remote.end(),
      decide: (line) => this.control.decide(line, { warn: (text) => void channel.stderr.write(`${text}\n`) }),
      decided: (line, decision) => {
        this.keepLine(line.text, decision.risk, decision.run ? '' : decision.notice)
        if (decision.run) return
        this.gateNotice = decision.notice
        void this.session.end()
      },
    })
  }

  /** Where there are none, nothing waits; the lines are read beside their way. */
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
    if (this.isCopy || this.recordedSize > recordedBytes) return
    this.recordedSize += data.length
    this.recorder?.output(Buffer.from(data.toString('latin1').replace(/(?<!\r)\n/g, '\r\n'), 'latin1'))
    if (this.recordedSize > recordedBytes) this.recorder?.output(Buffer.from('\r\n…\r\n'))
  }
}

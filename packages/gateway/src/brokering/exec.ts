import { say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import type { Recorder } from '../recording/recorder.ts'
import { plainText } from '../rules/command-reader.ts'
import type { Grant } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { CommandControl } from './command-control.ts'
import type { Person } from './person.ts'
import { Refusal, refusalOf } from './refusal.ts'
import { Session } from './session.ts'
import { switchesUser } from './switch-user.ts'
import { openTarget } from './target.ts'

export interface PersonExec {
  channel: ssh2.ServerChannel
  command: string
  /** Present when the client asked for a terminal (`ssh -t host command`). */
  pty?: { term: string; cols: number; rows: number }
  onResize(listener: (cols: number, rows: number) => void): void
  onSignal(listener: (name: string) => void): void
}

const recordedBytes = 2 * 1024 * 1024
/** File copies speak a binary protocol; their bytes are data, not a picture. */
const copyCommand = /^(?:\S*\/)?(?:scp\s+(?:-\w+\s+)*-[tf]\b|rsync\s+--server\b|sftp-server\b)/
const copiesIn = /^(?:\S*\/)?(?:scp\s+(?:-\w+\s+)*-t\b|rsync\s+--server\s+(?!--sender))/

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
    refuseUnfit(grant, command, person)
    session = await Session.open(broker, person, grant, 'command')
  } catch (error) {
    return leave(255, refusalOf(error).say(person.language))
  }
  const control = new CommandControl(broker, session)
  const begun = Date.now()
  const warnings: string[] = []
  const decision = await control.decide({ text: command, readings: [command] }, { warn: (text) => warnings.push(text) })
  if (!decision.run) {
    control.record({ text: command, output: decision.notice, risk: decision.risk, timestamp: begun })
    await session.end()
    return leave(126, decision.notice)
  }
  const output: Buffer[] = []
  let kept = 0
  const keep = (data: Buffer) => {
    if (kept >= 4096) return
    output.push(data.subarray(0, 4096 - kept))
    kept += data.length
  }
  let code = 255
  let reason: string | undefined
  let finished = false
  session.onEnd(async (refusal) => {
    finished = true
    reason = refusal?.say(person.language)
    const text = copyCommand.test(command) ? '' : plainText(Buffer.concat(output), '')
    control.record({ text: command, output: text, risk: decision.risk, timestamp: begun })
  })
  channel.on('close', () => void session.end())
  try {
    const recorder = await record(broker, session, exec)
    recorder.output(Buffer.from(`$ ${command}\r\n`))
    const target = await openTarget(broker.api, grant)
    session.onEnd(() => target.end())
    if (finished) return leave(255, reason)
    const remote = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
      target.client.exec(command, exec.pty ? { pty: { ...exec.pty } } : {}, (error, stream) =>
        error ? reject(error) : resolve(stream),
      ),
    )
    await session.connected()
    for (const text of warnings) channel.stderr.write(`${text}\n`)
    code = await bridge(session, exec, remote, recorder, keep)
    await session.end()
  } catch (error) {
    const refusal = refusalOf(error)
    await session.end(refusal)
    reason ??= refusal.say(person.language)
  }
  leave(code, reason)
}

/** What cannot be done by a single command: switching users, and copies the permission does not allow. */
function refuseUnfit(grant: Grant, command: string, person: Person): void {
  const may = (action: string) => grant.actions.some((entry) => entry.value === action)
  if (switchesUser(grant)) {
    throw new Refusal('permission_denied', gatewayMessages.switchUserFailed, { account: grant.account.username })
  }
  if (!may('connect')) throw new Refusal('permission_denied', gatewayMessages.permissionDenied)
  if (copyCommand.test(command) && !may(copiesIn.test(command) ? 'upload' : 'download')) {
    throw new Refusal('permission_denied', {
      ...gatewayMessages.permissionDenied,
      en: say(gatewayMessages.permissionDenied, person.language),
    })
  }
}

async function record(broker: Broker, session: Session, exec: PersonExec): Promise<Recorder> {
  const failed = (error: unknown) =>
    new Refusal('recording_failed', gatewayMessages.recordingFailed, {}, { cause: error })
  try {
    const recorder = await broker.archive.record(session.id, {
      width: exec.pty?.cols ?? 120,
      height: exec.pty?.rows ?? 40,
      title: `${session.userDisplay} → ${session.assetDisplay}`,
      term: exec.pty?.term ?? 'xterm',
    })
    session.recorded = true
    recorder.onFailure = (error) => void session.end(failed(error))
    session.onEnd(() => recorder.close())
    return recorder
  } catch (error) {
    throw failed(error)
  }
}

/** Passes the streams with back-pressure in each direction; resolves with the exit status when the target is done. */
function bridge(
  session: Session,
  exec: PersonExec,
  remote: ssh2.ClientChannel,
  recorder: Recorder,
  keep: (data: Buffer) => void,
): Promise<number> {
  const { channel, command } = exec
  const isCopy = copyCommand.test(command)
  let recorded = 0
  const show = (data: Buffer) => {
    session.touch()
    keep(data)
    if (isCopy || recorded > recordedBytes) return
    recorded += data.length
    recorder.output(exec.pty ? data : Buffer.from(data.toString('latin1').replace(/(?<!\r)\n/g, '\r\n'), 'latin1'))
    if (recorded > recordedBytes) recorder.output(Buffer.from('\r\n…\r\n'))
  }
  channel.on('data', (data: Buffer) => {
    session.touch()
    if (session.lockedBy !== undefined) return
    if (!remote.write(data)) channel.pause()
  })
  remote.on('drain', () => channel.resume())
  channel.on('end', () => remote.end())
  remote.on('data', (data: Buffer) => {
    show(data)
    if (!channel.write(data)) remote.pause()
  })
  remote.stderr.on('data', (data: Buffer) => {
    show(data)
    if (!channel.stderr.write(data)) remote.stderr.pause()
  })
  channel.on('drain', () => remote.resume())
  channel.stderr.on('drain', () => remote.stderr.resume())
  exec.onResize((cols, rows) => {
    remote.setWindow(rows, cols, 0, 0)
    recorder.resize(cols, rows)
  })
  exec.onSignal((name) => remote.signal(name))
  session.onEnd(() => remote.close())
  return new Promise((resolve) => {
    let code = 255
    remote.on('exit', (status: number | null) => {
      code = status ?? 255
    })
    remote.on('close', () => resolve(code))
  })
}

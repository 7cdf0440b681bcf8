import { posix } from 'node:path'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import type { CopyCommand } from './copy-command.ts'
import type { Session } from './session.ts'
import { refusalOf, SessionDenied } from './session-denied.ts'
import { openChannel } from './target.ts'
import type { Transfer } from './transfer-journal.ts'

/** Source or destination of a copy, as far as the target reveals it. */
export interface CopyPlace {
  /** Base directory of relative paths; undefined when the target does not reveal it. */
  home: string | undefined
  /** The path of an upload is an existing folder: sent files get their own names in it. */
  isFolder: boolean
}

type Begin = (kind: CopyCommand['kind'], path: string) => Promise<Transfer>

/** scp reads names into a buffer of this size. */
const lineLimit = 16 * 1024
const backlogLimit = 16 * 1024 * 1024
const newline = 0x0a

/**
 * Parses one copy in scp's protocol (that of BSD rcp, the default of OpenSSH before 9.0 and of `scp -O`), and logs each
 * file with its body. One side is the source: it announces a file (`C0644 5 name`), a folder (`D0755 0 name`) and its
 * end (`E`) or times (`T…`) in a line, and the other side, the sink, acknowledges each; the bytes of a file and a
 * closing byte follow, acknowledged too. An acknowledgement is one zero byte, or 1 or 2 and a line with the error.
 * If a source does not wait, the rest is held until the acknowledgement, so that both sides interpret the stream alike.
 */
export class ScpCopy {
  private readonly copy: CopyCommand
  private readonly place: CopyPlace
  private readonly begin: Begin
  private readonly folders: string[] = []
  private line: Buffer[] = []
  private lineSize = 0
  private file: { transfer: Transfer; size: number; passed: number; sound: boolean } | undefined
  /** The sink starts. */
  private awaited: 'start' | 'line' | 'folder' | 'file' | 'body' | undefined = 'start'
  /** Inside a line with an error of the sink. */
  private inFailure = false
  private ending: Promise<void> = Promise.resolve()
  private wake: (() => void) | undefined
  private over = false

  constructor(copy: CopyCommand, place: CopyPlace, begin: Begin) {
    this.copy = copy
    this.place = place
    this.begin = begin
  }

  /** Whether the user sends the files. */
  get isUpload(): boolean {
    return this.copy.kind === 'upload'
  }

  /** Yields the bytes of the source in parts, each when it may be sent to the sink. Throws `SessionDenied`. */
  async *pass(data: Buffer): AsyncGenerator<Buffer> {
    let at = 0
    while (at < data.length) {
      while (this.awaited && !this.over) await this.answered()
      if (this.over) return
      const end = this.file ? await this.body(data, at) : await this.announcement(data, at)
      yield data.subarray(at, end)
      at = end
    }
  }

  /** Bytes of the sink; passed to the source unchanged. */
  answer(data: Buffer): void {
    for (const byte of data) {
      if (this.inFailure) {
        if (byte !== newline) continue
        this.inFailure = false
        this.settle(false)
      } else if (byte === 0) this.settle(true)
      else this.inFailure = byte === 1 || byte === 2
    }
  }

  /** Ends the copy in any state; an incomplete file is logged as failed. */
  async end(): Promise<void> {
    this.over = true
    this.wake?.()
    this.endFile(false)
    await this.ending
  }

  private endFile(isSuccess: boolean): void {
    const { file } = this
    this.file = undefined
    if (file) this.ending = this.ending.then(() => file.transfer.end(isSuccess))
  }

  private answered(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }

  private settle(isWell: boolean): void {
    const { awaited } = this
    this.awaited = undefined
    if (awaited === 'folder' && !isWell) this.folders.pop()
    if ((awaited === 'file' && !isWell) || awaited === 'body') this.endFile(isWell && this.file?.sound === true)
    this.wake?.()
    this.wake = undefined
  }

  /**
   * Bytes of a file up to its end and the closing byte.
   * @returns the offset of their end
   */
  private async body(data: Buffer, at: number): Promise<number> {
    const { file } = this
    if (!file) return at
    const left = file.size - file.passed
    if (left > 0) {
      const part = data.subarray(at, at + left)
      file.transfer.keep(part, file.passed)
      file.passed += part.length
      if (file.transfer.backlog > backlogLimit) await file.transfer.settled()
      return at + part.length
    }
    // The source could not read all of it: an error text follows.
    if (this.lineSize === 0) file.sound = data[at] === 0
    if (file.sound) {
      this.awaited = 'body'
      return at + 1
    }
    const end = this.readLine(data, at)
    if (this.lineSize === 0) this.awaited = 'body'
    return end
  }

  /**
   * Parses a line of the source.
   * @returns the offset after the parsed bytes
   */
  private async announcement(data: Buffer, at: number): Promise<number> {
    const before = this.line
    const end = this.readLine(data, at)
    if (this.lineSize > 0) return end
    const line = Buffer.concat([...before, data.subarray(at, end - 1)]).toString()
    const [, kind, size = '', name = ''] = /^([CD])[0-7]+ (\d+) (.+)$/s.exec(line) ?? []
    if (kind === 'C') {
      const transfer = await this.begin(this.copy.kind, this.pathOf(name))
      this.file = { transfer, size: Number(size), passed: 0, sound: true }
      transfer.expect(Number(size))
      this.awaited = 'file'
    } else if (kind === 'D') {
      this.folders.push(name)
      this.awaited = 'folder'
    } else if (line === 'E') {
      this.folders.pop()
      this.awaited = 'line'
    } else if (line.startsWith('T')) this.awaited = 'line'
    // 1 and 2 start an error text of the source, which is not acknowledged.
    else if (line.charCodeAt(0) > 2) throw new SessionDenied('connect_failed', gatewayMessages.copyUnreadable)
    return end
  }

  /**
   * Reads up to the end of a line; `lineSize` is 0 when the line is complete.
   * @returns the offset of its end in `data`
   */
  private readLine(data: Buffer, at: number): number {
    const found = data.indexOf(newline, at)
    const end = found < 0 ? data.length : found + 1
    this.lineSize += end - at
    if (this.lineSize > lineLimit) throw new SessionDenied('connect_failed', gatewayMessages.copyUnreadable)
    if (found < 0) this.line = [...this.line, data.subarray(at, end)]
    else {
      this.line = []
      this.lineSize = 0
    }
    return end
  }

  /** The target path of an announced file. */
  private pathOf(name: string): string {
    const [named = '.'] = this.copy.paths
    const inside = [...this.folders, name]
    const path =
      this.copy.kind === 'download'
        ? posix.join(posix.dirname(named), ...inside)
        : posix.join(named, ...(this.place.isFolder ? inside : inside.slice(1)))
    const plain = path.replace(/^~(?:\/|$)/, '')
    return this.place.home && !plain.startsWith('~') ? posix.resolve(this.place.home, plain) : path
  }
}

/** Asks the target about the destination of a copy, by sftp, which nearly every target with scp has. */
export async function placeOf(client: ssh2.Client, copy: CopyCommand): Promise<CopyPlace> {
  const [named = '.'] = copy.paths
  const place: CopyPlace = { home: undefined, isFolder: copy.intoFolder || /(?:^|\/)[.~]?$/.test(named) }
  const sftp = await openChannel<ssh2.SFTPWrapper>('', (done) => client.sftp(done)).catch(() => undefined)
  if (!sftp) return place
  const home = new Promise<string | undefined>((resolve) => {
    sftp.realpath('.', (error, path) => resolve(error ? undefined : path))
  })
  const isFolder = new Promise<boolean>((resolve) => {
    sftp.stat(named.replace(/^~\//, ''), (error, stats) => resolve(!error && stats.isDirectory()))
  })
  const told: CopyPlace = { home: await home, isFolder: place.isFolder || (await isFolder) }
  sftp.end()
  return told
}

/** Pipes a copy between user and target: each part of the source when it was parsed and may be sent. */
export function carryScp(scp: ScpCopy, user: ssh2.Channel, target: ssh2.Channel, session: Session): void {
  const [source, sink] = scp.isUpload ? [user, target] : [target, user]
  const pass = async (data: Buffer) => {
    for await (const part of scp.pass(data)) {
      if (session.lockedBy !== undefined) await new Promise<void>((resume) => session.once('resumed', () => resume()))
      session.touch()
      if (!sink.write(part)) await drained(sink)
    }
  }
  let passing = Promise.resolve()
  source.on('data', (data: Buffer) => {
    source.pause()
    passing = pass(data).then(
      () => void source.resume(),
      (error: unknown) => session.end(refusalOf(error)),
    )
  })
  sink.on('data', (data: Buffer) => {
    scp.answer(data)
    source.write(data)
  })
  // Ends the stream after its last chunk was accepted, even if that chunk is still held.
  user.on('end', () => void passing.then(() => target.end()))
}

/** Resolves when a stream can be written again, or has closed. */
function drained(stream: ssh2.Channel): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}

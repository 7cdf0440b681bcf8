import { type FileHandle, open } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'

const flushEvery = 100
const flushSize = 64 * 1024
/** Unwritten bytes above which the source must wait. */
const behindSize = 4 * 1024 * 1024

export interface RecordingHeader {
  width: number
  height: number
  title: string
  term: string
  /** Milliseconds since 1970. */
  started: number
}

/**
 * Writes one asciicast v2 file during the session: a crash loses at most the last tenth of a second. A write error
 * calls `onFailure` once; the session must end then.
 */
export class Recorder {
  onFailure: ((error: Error) => void) | undefined
  private readonly handle: FileHandle
  private readonly begun = performance.now()
  private readonly decoder = new StringDecoder('utf8')
  private waiting: string[] = []
  private waitingSize = 0
  private writing: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private failed = false
  private closed = false
  private drains: (() => void)[] = []

  private constructor(handle: FileHandle) {
    this.handle = handle
  }

  /** Creates the file with its header on disk. Throws when that is not possible. */
  static async create(file: string, header: RecordingHeader): Promise<Recorder> {
    const handle = await open(file, 'wx', 0o600)
    const line = JSON.stringify({
      version: 2,
      width: header.width,
      height: header.height,
      timestamp: Math.floor(header.started / 1000),
      title: header.title,
      env: { SHELL: '/bin/bash', TERM: header.term },
    })
    try {
      await handle.writeFile(`${line}\n`)
      await handle.datasync()
    } catch (error) {
      await handle.close().catch(() => undefined)
      throw error
    }
    return new Recorder(handle)
  }

  /** Records output as shown to the user. */
  output(data: Buffer): void {
    const text = this.decoder.write(data)
    if (text !== '') this.row('o', text)
  }

  resize(cols: number, rows: number): void {
    this.row('r', `${cols}x${rows}`)
  }

  /** True when the disk is so slow that the source must stop; `drained` resolves when it may continue. */
  get isBehind(): boolean {
    return this.waitingSize > behindSize && !this.failed
  }

  drained(): Promise<void> {
    return this.isBehind ? new Promise((resolve) => this.drains.push(resolve)) : Promise.resolve()
  }

  /** Flushes and closes the file. */
  async close(): Promise<void> {
    if (this.closed) return
    const rest = this.decoder.end()
    if (rest !== '') this.row('o', rest)
    this.closed = true
    while ((this.waiting.length > 0 || this.writing) && !this.failed) await (this.writing ?? this.flush())
    if (this.timer) clearTimeout(this.timer)
    await this.handle.close()
  }

  private row(kind: 'o' | 'r', text: string): void {
    if (this.closed || this.failed) return
    const seconds = ((performance.now() - this.begun) / 1000).toFixed(6)
    const line = `[${seconds},"${kind}",${JSON.stringify(text)}]\n`
    this.waiting.push(line)
    this.waitingSize += line.length
    if (this.waitingSize > flushSize) void this.flush()
    else this.timer ??= setTimeout(() => void this.flush(), flushEvery)
  }

  private flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer)
    this.timer = undefined
    this.writing ??= this.write().finally(() => {
      this.writing = undefined
      if (this.waiting.length > 0 && !this.failed) this.timer ??= setTimeout(() => void this.flush(), flushEvery)
    })
    return this.writing
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0 && !this.failed) {
      const text = this.waiting.join('')
      this.waiting = []
      try {
        await this.handle.writeFile(text)
      } catch (error) {
        this.failed = true
        this.onFailure?.(error as Error)
      }
      this.waitingSize = this.waiting.reduce((size, line) => size + line.length, 0)
      for (const resume of this.drains.splice(0)) resume()
    }
  }
}

import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { log } from '../log.ts'
import { type ServerHttp, ServerRefusal } from './http.ts'
import type { CommandEntry } from './wire.ts'

const batchSize = 100

/**
 * The queue of commands for the server: each is written to a file first, and removed after the server's
 * acknowledgement. Sent every second, at once when five are waiting.
 */
export class CommandJournal {
  /** False while the server stores no commands (command storage `null`). */
  keeps = true
  private readonly http: ServerHttp
  private readonly folder: string
  private waiting = 0
  private sending = false
  private timer: NodeJS.Timeout | undefined
  private batch = Date.now()
  /** Commands that could not be written to disk: sent from memory. */
  private unwritten: CommandEntry[] = []

  constructor(http: ServerHttp, folder: string) {
    this.http = http
    this.folder = folder
  }

  open(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(this.folder).filter((entry) => entry.endsWith('.held'))) {
      const file = join(this.folder, name)
      try {
        this.add(JSON.parse(readFileSync(file, 'utf8')) as CommandEntry)
      } catch (error) {
        log.error({ err: error, name }, 'a stored command is not readable')
      }
      rmSync(file, { force: true })
    }
    this.waiting = readdirSync(this.folder).length
    if (this.waiting > 0) this.schedule(0)
  }

  /**
   * Synchronous on purpose: a command whose Enter is about to be sent must survive a crash. Throws when the disk
   * rejects it; it is still sent, unless this process ends before.
   */
  add(entry: CommandEntry): void {
    if (!this.keeps) return
    this.waiting += 1
    this.schedule(this.waiting >= 5 ? 0 : 1000)
    try {
      // A leading newline, in case a crash or a full disk has cut the previous line.
      appendFileSync(join(this.folder, 'current.jsonl'), `\n${JSON.stringify(entry)}`, { mode: 0o600 })
    } catch (error) {
      this.unwritten.push(entry)
      throw error
    }
  }

  /** Stores the command that is running in a session; one at a time. Throws when the disk rejects it. */
  hold(session: string, entry: CommandEntry): void {
    if (this.keeps) writeFileSync(this.heldFile(session), JSON.stringify(entry), { mode: 0o600 })
  }

  /** The stored command of a session is in the journal now. */
  release(session: string): void {
    rmSync(this.heldFile(session), { force: true })
  }

  private heldFile(session: string): string {
    return join(this.folder, `${session}.held`)
  }

  async stop(): Promise<void> {
    if (this.timer) clearTimeout(this.timer)
    await this.flush()
    if (this.timer) clearTimeout(this.timer)
  }

  private schedule(delay: number): void {
    if (this.timer && delay > 0) return
    if (this.timer) clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = undefined
      void this.flush()
    }, delay)
  }

  private async flush(): Promise<void> {
    if (this.sending) return
    this.sending = true
    try {
      const names = readdirSync(this.folder)
      if (names.includes('current.jsonl')) {
        renameSync(join(this.folder, 'current.jsonl'), join(this.folder, `${this.batch++}.batch`))
      }
      this.waiting = 0
      if (!(await this.sendUnwritten())) {
        this.schedule(5000)
        return
      }
      for (const name of readdirSync(this.folder)
        .filter((entry) => entry.endsWith('.batch'))
        .sort()) {
        if (!(await this.sendBatch(join(this.folder, name)))) {
          this.schedule(5000)
          return
        }
      }
    } catch (error) {
      log.error({ err: error }, 'the command journal failed')
      this.schedule(5000)
    } finally {
      this.sending = false
      if (this.waiting > 0) this.schedule(1000)
    }
  }

  private async sendUnwritten(): Promise<boolean> {
    while (this.unwritten.length > 0) {
      const part = this.unwritten.slice(0, batchSize)
      if ((await this.post(part)) === 'later') return false
      this.unwritten.splice(0, part.length)
      for (const { session } of part) this.release(session)
    }
    return true
  }

  /** Sends commands to the server, which may reject them permanently. */
  private async post(part: CommandEntry[]): Promise<'sent' | 'refused' | 'later'> {
    try {
      await this.http.call('POST', '/api/v1/terminal/commands/', { body: part })
      return 'sent'
    } catch (error) {
      const refused = error instanceof ServerRefusal && error.status < 500 && error.status !== 429
      if (!refused || error.code === 'not_authenticated' || error.code === 'authentication_failed') return 'later'
      log.error({ detail: error.detail, status: error.status }, 'the server rejected commands')
      return 'refused'
    }
  }

  private async sendBatch(file: string): Promise<boolean> {
    const entries = readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => {
        try {
          return line === '' ? [] : [JSON.parse(line) as CommandEntry]
        } catch {
          // The last line may be cut by a crash.
          return []
        }
      })
    for (let at = 0; at < entries.length; at += batchSize) {
      const outcome = await this.post(entries.slice(at, at + batchSize))
      if (outcome === 'later') return false
      if (outcome === 'refused') {
        renameSync(file, `${file}.refused`)
        return true
      }
    }
    rmSync(file, { force: true })
    return true
  }
}

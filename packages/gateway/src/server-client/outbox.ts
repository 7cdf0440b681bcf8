import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { log } from '../log.ts'
import { type ServerHttp, ServerRefusal, ServerUnreachable } from './http.ts'

/** A request that must reach the server eventually, across restarts. */
export interface OutboxEntry {
  method: 'POST' | 'PATCH'
  path: string
  body?: unknown
  file?: { path: string; name: string; fields?: Record<string, string> }
  /** The file is removed after delivery. */
  removeFile?: boolean
  /** Sent after this one was accepted. */
  next?: OutboxEntry
  /** Sent instead of `next` when the server rejected this one permanently. */
  refused?: OutboxEntry
}

interface Stored {
  entry: OutboxEntry
  sequence: number
  /** Undefined when it could not be written to disk: then it is only in memory. */
  file: string | undefined
}

/**
 * Requests stored on disk until the server accepted them. Entries of one lane (a session) are sent in order; lanes do
 * not wait for each other. Permanently rejected entries are set aside, not dropped.
 */
export class Outbox {
  private readonly http: ServerHttp
  private readonly folder: string
  private readonly lanes = new Map<string, Stored[]>()
  private readonly running = new Set<string>()
  private sequence = Date.now() * 1000
  private stopped = false
  private readonly timers = new Set<NodeJS.Timeout>()

  constructor(http: ServerHttp, folder: string) {
    this.http = http
    this.folder = folder
  }

  get size(): number {
    let size = 0
    for (const lane of this.lanes.values()) size += lane.length
    return size
  }

  /** The files that pending entries still need. */
  filesNeeded(): Set<string> {
    const files = new Set<string>()
    const collect = (entry: OutboxEntry | undefined) => {
      for (let at = entry; at; at = at.next) if (at.file) files.add(at.file.path)
    }
    for (const lane of this.lanes.values()) for (const stored of lane) collect(stored.entry)
    return files
  }

  /** Loads the entries of an earlier run. */
  async open(): Promise<void> {
    await mkdir(join(this.folder, 'refused'), { recursive: true, mode: 0o700 })
    for (const name of (await readdir(this.folder)).filter((entry) => entry.endsWith('.json')).sort()) {
      const match = /^(\d+)_([\w-]+)_[\w-]+\.json$/.exec(name)
      if (!match) continue
      const file = join(this.folder, name)
      try {
        const entry = JSON.parse(await readFile(file, 'utf8')) as OutboxEntry
        this.enqueue(match[2] as string, { entry, sequence: Number(match[1]), file })
      } catch (error) {
        log.error({ err: error, name }, 'a stored request is not readable')
        await rename(file, join(this.folder, 'refused', name))
      }
    }
    for (const lane of this.lanes.keys()) void this.work(lane)
  }

  /** Accepts an entry; it is on disk when this returns. Throws when the disk rejects it. */
  async put(lane: string, entry: OutboxEntry): Promise<void> {
    await this.append(lane, entry)
    void this.work(lane)
  }

  /**
   * Accepts an entry even if the disk rejects it: it is then sent from memory, and lost only if this process ends
   * before. Returns whether it is on disk.
   */
  async send(lane: string, entry: OutboxEntry): Promise<boolean> {
    const isKept = await this.keep(lane, entry)
    void this.work(lane)
    return isKept
  }

  private async keep(lane: string, entry: OutboxEntry): Promise<boolean> {
    try {
      await this.append(lane, entry)
      return true
    } catch (error) {
      log.error({ err: error, path: entry.path }, 'a request is only in memory, because the disk rejected it')
      this.enqueue(lane, { entry, sequence: this.sequence++, file: undefined })
      return false
    }
  }

  private async append(lane: string, entry: OutboxEntry): Promise<void> {
    const sequence = this.sequence++
    const name = `${sequence}_${lane.replace(/[^\w-]/g, '-')}_${randomUUID()}.json`
    const file = join(this.folder, name)
    try {
      await writeFile(`${file}.new`, JSON.stringify(entry), { mode: 0o600 })
      await rename(`${file}.new`, file)
    } catch (error) {
      await rm(`${file}.new`, { force: true })
      throw error
    }
    this.enqueue(lane, { entry, sequence, file })
  }

  stop(): void {
    this.stopped = true
    for (const timer of this.timers) clearTimeout(timer)
  }

  private enqueue(lane: string, stored: Stored): void {
    const list = this.lanes.get(lane)
    if (list) list.push(stored)
    else this.lanes.set(lane, [stored])
  }

  private async work(lane: string, delay = 1000): Promise<void> {
    if (this.running.has(lane) || this.stopped) return
    this.running.add(lane)
    try {
      for (;;) {
        const list = this.lanes.get(lane)
        const next = list?.[0]
        if (!list || !next || this.stopped) break
        if (!(await this.deliver(lane, next))) {
          const timer = setTimeout(() => {
            this.timers.delete(timer)
            void this.work(lane, Math.min(delay * 2, 30_000))
          }, delay)
          this.timers.add(timer)
          return
        }
        list.shift()
        delay = 1000
      }
      this.lanes.delete(lane)
    } finally {
      this.running.delete(lane)
    }
  }

  /** True when the entry is done. */
  private async deliver(lane: string, stored: Stored): Promise<boolean> {
    const { entry, file } = stored
    if (entry.file && !existsSync(entry.file.path)) {
      log.error({ path: entry.path }, 'the file to send is missing')
      if (file) await rm(file, { force: true })
      return true
    }
    try {
      await this.http.call(entry.method, entry.path, {
        body: entry.body,
        ...(entry.file ? { file: entry.file, timeout: 600_000 } : {}),
      })
    } catch (error) {
      if (!(error instanceof ServerUnreachable) && !(error instanceof ServerRefusal)) {
        log.error({ err: error, path: entry.path }, 'sending a stored request failed')
        return false
      }
      // 401 usually means our key; the command store also answers 401 for an invalid body.
      const isKey = error instanceof ServerRefusal && error.status === 401 && error.code !== ''
      if (error instanceof ServerUnreachable || error.status >= 500 || error.status === 429 || isKey) return false
      log.error(
        { path: entry.path, status: error.status, detail: error.detail },
        'the server rejected a stored request',
      )
      if (entry.refused) await this.keep(lane, entry.refused)
      if (file) await rename(file, join(this.folder, 'refused', basename(file)))
      return true
    }
    if (entry.next) await this.keep(lane, entry.next)
    if (file) await rm(file, { force: true })
    if (entry.removeFile && entry.file) await rm(entry.file.path, { force: true })
    return true
  }
}

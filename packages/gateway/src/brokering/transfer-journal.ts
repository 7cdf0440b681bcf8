import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { log } from '../log.ts'
import type { Outbox } from '../server-client/outbox.ts'
import type { ComponentConfig } from '../server-client/wire.ts'
import type { Session } from './session.ts'
import { notRecorded } from './session-denied.ts'

export type TransferKind = 'upload' | 'download' | 'mkdir' | 'rmdir' | 'delete' | 'rename' | 'rename_dir' | 'symlink'

interface TransferEntry {
  id: string
  user: string
  asset: string
  account: string
  org_id: string
  remote_addr: string
  operate: TransferKind
  filename: string
  is_success: boolean
  session: string
}

/**
 * The log of file operations. A running transfer is on disk from its first byte, with a copy of its body if it is small
 * enough, so that a crash still leaves its entry (as failed).
 */
export class TransferJournal {
  private readonly outbox: Outbox
  private readonly folder: string
  private readonly config: () => ComponentConfig

  constructor(outbox: Outbox, stateDir: string, config: () => ComponentConfig) {
    this.outbox = outbox
    this.folder = join(stateDir, 'transfers')
    this.config = config
  }

  /** Sends the entries of an earlier run. */
  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const needed = this.outbox.filesNeeded()
    for (const name of await readdir(this.folder)) {
      const file = join(this.folder, name)
      if (name.endsWith('.json')) {
        try {
          const entry = JSON.parse(await readFile(file, 'utf8')) as TransferEntry
          await this.send({ ...entry, is_success: false }, undefined)
        } catch (error) {
          log.error({ err: error, name }, 'a stored transfer is not readable')
        }
      }
      if (!needed.has(file)) await rm(file, { force: true })
    }
  }

  /** Logs an operation that completes at once. */
  async note(session: Session, operate: TransferKind, filename: string, isSuccess: boolean): Promise<void> {
    await this.send(this.entry(session, operate, filename, isSuccess), undefined)
  }

  /** Begins a transfer; `Transfer.end` sends its entry. Throws `SessionDenied` when it cannot be recorded. */
  async begin(session: Session, operate: 'upload' | 'download', filename: string): Promise<Transfer> {
    const entry = this.entry(session, operate, filename, false)
    const note = join(this.folder, `${entry.id}.json`)
    await writeFile(note, JSON.stringify(entry), { mode: 0o600 }).catch(async (error: unknown) => {
      await rm(note, { force: true })
      throw notRecorded(error)
    })
    const limit = Math.max(0, this.config().FTP_FILE_MAX_STORE) * 1024 * 1024
    return new Transfer(join(this.folder, entry.id), limit, {
      // The note is removed only after the end is on disk, so that a crash in between is recovered by a later run.
      report: async (isSuccess, body) => {
        if (await this.send({ ...entry, is_success: isSuccess }, body)) await rm(note, { force: true })
      },
      notKept: (error) => void session.end(notRecorded(error)),
    })
  }

  private entry(session: Session, operate: TransferKind, filename: string, isSuccess: boolean): TransferEntry {
    return {
      id: randomUUID(),
      user: session.userDisplay,
      asset: session.assetDisplay,
      account: session.accountDisplay,
      org_id: session.grant.org_id,
      remote_addr: session.user.remoteAddr,
      operate,
      filename: filename.slice(0, 1024),
      is_success: isSuccess,
      session: session.id,
    }
  }

  private async send(entry: TransferEntry, body: string | undefined): Promise<boolean> {
    const path = '/api/v1/audits/ftp-logs/'
    const own = `${path}${entry.id}/`
    const name = entry.filename.slice(entry.filename.lastIndexOf('/') + 1) || 'file'
    return this.outbox.send(`ftp-${entry.id}`, {
      method: 'POST',
      path,
      body: entry,
      ...(body
        ? {
            next: {
              method: 'POST',
              path: `${own}upload/`,
              file: { path: body, name },
              removeFile: true,
              next: { method: 'PATCH', path: own, body: { has_file: true } },
            },
          }
        : {}),
    })
  }
}

interface TransferPorts {
  report(isSuccess: boolean, body: string | undefined): Promise<void>
  /** The copy could not be written: the transfer must stop. */
  notKept(error: unknown): void
}

/** One running upload or download and the copy of its body. Writes are ordered; `settled` resolves after them. */
export class Transfer {
  private readonly base: string
  private readonly limit: number
  private readonly ports: TransferPorts
  private handle: Promise<FileHandle> | undefined
  private work: Promise<unknown> = Promise.resolve()
  private waiting = 0
  private kept = true
  private size = 0
  private ended = false

  constructor(base: string, limit: number, ports: TransferPorts) {
    this.base = base
    this.limit = limit
    this.ports = ports
    if (limit === 0) this.kept = false
  }

  /** Bytes of the copy not yet on disk; callers should wait for `settled` above a limit. */
  get backlog(): number {
    return this.waiting
  }

  settled(): Promise<unknown> {
    return this.work
  }

  /** The file size is known now; a file larger than the limit is not copied any further. */
  expect(size: number): void {
    if (size > this.limit) this.kept = false
  }

  /**
   * Copies bytes at an offset; the buffer must not be modified afterwards. The copy is dropped when the file turns out
   * larger than the limit.
   */
  keep(data: Buffer, offset: number): void {
    if (!this.kept || this.ended) return
    if (offset + data.length > this.limit) {
      this.kept = false
      return
    }
    this.size = Math.max(this.size, offset + data.length)
    this.waiting += data.length
    this.work = this.work.then(async () => {
      try {
        this.handle ??= open(`${this.base}.body`, 'w', 0o600)
        await (await this.handle).write(data, 0, data.length, offset)
      } catch (error) {
        if (!this.kept) return
        this.kept = false
        log.error({ err: error }, 'the copy of a transfer could not be stored')
        this.ports.notKept(error)
      } finally {
        this.waiting -= data.length
      }
    })
  }

  async end(isSuccess: boolean): Promise<void> {
    if (this.ended) return
    this.ended = true
    await this.work
    const handle = await this.handle?.catch(() => undefined)
    await handle?.close()
    const file = `${this.base}.body`
    let body: string | undefined
    if (this.kept && handle && this.size > 0) {
      body = `${this.base}.sending`
      await rename(file, body)
    } else await rm(file, { force: true })
    await this.ports.report(isSuccess, body)
  }
}

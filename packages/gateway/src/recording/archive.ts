import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { TerminalSessionsBody } from '@castellan/contract/wire.gen'
import { log } from '../log.ts'
import type { Outbox, OutboxEntry } from '../server-client/outbox.ts'
import { Recorder, type RecordingHeader } from './recorder.ts'

const asciicastVersion = '3'

interface FinishOptions {
  recorded: boolean
  ended: Date
  /** More columns of the session's row. */
  fields?: Partial<TerminalSessionsBody>
}

/** The data on disk about a running session. */
interface SessionNote {
  id: string
  started: number
}

/**
 * Sessions and their recordings on disk, from the first byte to the server's acknowledgement. After a crash they are
 * completed at the next start: the recording is cut after its last complete row, packed and uploaded, and the session
 * is marked as ended then.
 */
export class RecordingArchive {
  private readonly outbox: Outbox
  private readonly notes: string
  private readonly recordings: string
  /** Sessions of this run, until their end is queued for the server. */
  private readonly own = new Set<string>()
  /** Ends of sessions that could not be written to disk. */
  private readonly unfinished = new Map<string, FinishOptions>()
  /** False while the server stores no recordings (replay storage `null`). */
  keeps = true

  constructor(outbox: Outbox, stateDir: string) {
    this.outbox = outbox
    this.notes = join(stateDir, 'sessions')
    this.recordings = join(stateDir, 'recordings')
  }

  async open(): Promise<void> {
    await mkdir(this.notes, { recursive: true, mode: 0o700 })
    await mkdir(this.recordings, { recursive: true, mode: 0o700 })
  }

  /** Records that a session is live. Throws when it cannot be written to disk. */
  async begin(id: string, started: number): Promise<void> {
    this.own.add(id)
    await writeFile(join(this.notes, `${id}.json`), JSON.stringify({ id, started } satisfies SessionNote))
  }

  /** Undoes `begin` for a session that the server rejected. */
  async forget(id: string): Promise<void> {
    this.own.delete(id)
    await rm(join(this.notes, `${id}.json`), { force: true })
  }

  /** Updates the time of live sessions on disk: the end that would be assumed after a crash. */
  async touch(ids: readonly string[], now: Date): Promise<void> {
    for (const id of ids) await utimes(join(this.notes, `${id}.json`), now, now).catch(() => undefined)
  }

  record(id: string, header: RecordingHeader): Promise<Recorder> {
    return Recorder.create(join(this.recordings, `${id}.cast`), header)
  }

  /** Ends a session: on return, its end and recording are safely queued for the server. */
  async finish(id: string, options: FinishOptions): Promise<void> {
    try {
      await this.send(id, options)
      this.unfinished.delete(id)
    } catch (error) {
      this.unfinished.set(id, options)
      throw error
    } finally {
      this.own.delete(id)
    }
  }

  private async send(id: string, options: FinishOptions): Promise<void> {
    const cast = join(this.recordings, `${id}.cast`)
    const end: OutboxEntry = {
      method: 'PATCH',
      path: `/api/v1/terminal/sessions/${id}/`,
      body: { ...options.fields, is_finished: true, date_end: options.ended.toISOString() },
    }
    await this.outbox.put(id, end)
    if (options.recorded && this.keeps) await this.upload(id, cast)
    await rm(cast, { force: true })
    await rm(join(this.notes, `${id}.json`), { force: true })
  }

  private async upload(id: string, cast: string): Promise<void> {
    const packed = join(this.recordings, `${id}.cast.gz`)
    try {
      await pipeline(createReadStream(cast), createGzip(), createWriteStream(`${packed}.new`, { mode: 0o600 }))
    } catch (error) {
      await rm(`${packed}.new`, { force: true })
      throw error
    }
    await rename(`${packed}.new`, packed)
    const path = `/api/v1/terminal/sessions/${id}/`
    await this.outbox.put(id, {
      method: 'POST',
      path: `${path}replay/`,
      file: { path: packed, name: `${id}.cast.gz`, fields: { version: asciicastVersion } },
      removeFile: true,
      next: { method: 'PATCH', path, body: { has_replay: true } },
      refused: { method: 'PATCH', path, body: { error_reason: 'replay_upload_failed' } },
    })
  }

  /** Completes sessions that an earlier run, or a full disk, left; those of this run are skipped. Returns the ids. */
  async recover(): Promise<string[]> {
    const names = (await readdir(this.notes)).filter((name) => name.endsWith('.json'))
    const recovered: string[] = []
    for (const name of names) {
      const id = name.slice(0, -'.json'.length)
      if (this.own.has(id)) continue
      const cast = join(this.recordings, `${id}.cast`)
      try {
        const touched = (await stat(join(this.notes, name))).mtime
        const note = JSON.parse((await readFile(join(this.notes, name), 'utf8')) || '{}') as Partial<SessionNote>
        const seconds = await closeAtLastRow(cast)
        const recorded = seconds !== undefined
        const ended = recorded && note.started ? new Date(note.started + seconds * 1000) : touched
        await this.finish(id, this.unfinished.get(id) ?? { recorded, ended })
        recovered.push(id)
      } catch (error) {
        log.error({ err: error, session: id }, 'a session of an earlier run could not be completed')
      }
    }
    // A packed recording that is not queued was already delivered; the crash came before it was removed.
    const needed = this.outbox.filesNeeded()
    for (const name of await readdir(this.recordings)) {
      const file = join(this.recordings, name)
      if (this.own.has(name.slice(0, name.indexOf('.')))) continue
      if (/\.gz(?:\.new)?$/.test(name) && !needed.has(file)) await rm(file, { force: true })
    }
    return recovered
  }
}

/**
 * Cuts a recording after its last complete row. Returns that row's time in seconds, 0 when there is only the header,
 * and undefined when there is no recording.
 */
export async function closeAtLastRow(file: string): Promise<number | undefined> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const { size } = await handle.stat()
    // Rows can be long; the window grows until a complete one is found.
    for (let window = 64 * 1024; ; window *= 4) {
      const from = Math.max(0, size - window)
      const buffer = Buffer.alloc(size - from)
      await handle.read(buffer, 0, buffer.length, from)
      const end = buffer.lastIndexOf(0x0a)
      const start = end > 0 ? buffer.lastIndexOf(0x0a, end - 1) : -1
      if (end === -1 && from === 0) return undefined
      if (end === -1 || (start === -1 && from > 0)) continue
      if (from + end + 1 < size) await truncate(file, from + end + 1)
      const row: unknown = JSON.parse(buffer.toString('utf8', start + 1, end))
      return Array.isArray(row) && typeof row[0] === 'number' ? row[0] : 0
    }
  } finally {
    await handle.close()
  }
}

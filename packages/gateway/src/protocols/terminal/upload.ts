import type { Readable } from 'node:stream'
import type { FileErrorCode, FileUpload, FileUploadRequest } from '@castellan/contract/web-terminal'
import type { FileSession } from '../../brokering/file-session.ts'
import type { Transfer } from '../../brokering/transfer-journal.ts'
import { FileFailure, failureOf } from './file-error.ts'
import type { RemoteFiles } from './remote-files.ts'

const pieceSize = 32 * 1024
const piecesInFlight = 32
const freeNames = 1000

/** `name (n).ext`, the first free one. */
async function freeName(remote: RemoteFiles, path: string): Promise<string> {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 1; number <= freeNames; number += 1) {
    const candidate = `${path.slice(0, slash + 1)}${stem} (${number})${extension}`
    if (!(await remote.exists(candidate))) return candidate
  }
  throw new FileFailure('exists')
}

/** One upload in parts: written to a temporary file next to its path, renamed after the last byte. */
export class Upload {
  readonly id: string
  private readonly remote: RemoteFiles
  private readonly transfer: Transfer
  private readonly part: string
  private readonly handle: Buffer
  private readonly request: FileUploadRequest & { conflict: 'fail' | 'replace' | 'suffix' }
  private path: string
  private offset = 0
  private done = false
  private busy = false
  private ended = false
  /** The error for requests after it has ended without a file. */
  private over: FileErrorCode = 'not_found'

  private constructor(
    id: string,
    parts: {
      remote: RemoteFiles
      transfer: Transfer
      part: string
      handle: Buffer
      path: string
      request: FileUploadRequest
    },
  ) {
    this.id = id
    this.remote = parts.remote
    this.transfer = parts.transfer
    this.part = parts.part
    this.handle = parts.handle
    this.path = parts.path
    this.request = { conflict: 'fail', ...parts.request }
  }

  static async begin(id: string, files: FileSession, remote: RemoteFiles, request: FileUploadRequest): Promise<Upload> {
    let { path } = request
    if (await remote.exists(path)) {
      if (request.conflict === 'suffix') path = await freeName(remote, path)
      else if (request.conflict !== 'replace') throw new FileFailure('exists')
    }
    const slash = path.lastIndexOf('/')
    const part = `${path.slice(0, slash + 1)}.${path.slice(slash + 1).slice(0, 180)}.${id}.part`
    const handle = await remote.open(part, 'wx')
    const transfer = await files.begin('upload', path).catch(async (error: unknown) => {
      await remote.close(handle).catch(() => undefined)
      await remote.unlink(part).catch(() => undefined)
      throw error
    })
    const upload = new Upload(id, { remote, transfer, part, handle, path, request })
    if (request.size === 0) await upload.finish()
    return upload
  }

  get state(): FileUpload {
    return { id: this.id, path: this.path, size: this.request.size, offset: this.offset, done: this.done }
  }

  /** Writes one part at the current position. The bytes received of an interrupted part are retained. */
  async take(body: Readable, offset: number, length: number | undefined): Promise<void> {
    if (this.ended) throw new FileFailure(this.over)
    if (this.busy || offset !== this.offset) throw new FileFailure('offset_mismatch', { offset: this.offset })
    if (offset + (length ?? 0) > this.request.size) throw new FileFailure('too_large')
    this.busy = true
    try {
      await this.write(body)
    } finally {
      this.busy = false
    }
    if (this.offset === this.request.size && !this.done) await this.finish()
  }

  private async write(body: Readable): Promise<void> {
    const flying = new Set<Promise<void>>()
    let failed: unknown
    let next = this.offset
    let cut = false
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        // The body is read to its end even after an error, so that the response can be sent.
        if (failed !== undefined || this.ended) continue
        if (next + chunk.length > this.request.size) throw new FileFailure('too_large')
        for (let at = 0; at < chunk.length && failed === undefined; at += pieceSize) {
          const piece = chunk.subarray(at, at + pieceSize)
          const position = next
          next += piece.length
          this.transfer.keep(piece, position)
          const write = this.remote.write(this.handle, piece, position).catch((error: unknown) => {
            failed ??= error
          })
          flying.add(write)
          void write.finally(() => flying.delete(write))
          if (flying.size >= piecesInFlight) await Promise.race(flying)
        }
      }
    } catch (error) {
      if (error instanceof FileFailure) failed ??= error
      else cut = true
    }
    await Promise.all(flying)
    if (failed !== undefined) {
      await this.cancel()
      throw failureOf(failed)
    }
    if (this.ended) throw new FileFailure(this.over)
    this.offset = next
    if (cut) throw new FileFailure('bad_request')
  }

  private async finish(): Promise<void> {
    await this.remote.close(this.handle)
    try {
      if (this.request.conflict === 'replace') await this.remote.replace(this.part, this.path)
      else {
        if (await this.remote.exists(this.path)) {
          if (this.request.conflict === 'fail') throw new FileFailure('exists')
          this.path = await freeName(this.remote, this.path)
        }
        await this.remote.rename(this.part, this.path)
      }
    } catch (error) {
      this.ended = true
      await this.remote.unlink(this.part).catch(() => undefined)
      await this.transfer.end(false)
      throw error
    }
    this.done = true
    this.ended = true
    await this.transfer.end(true)
  }

  /** Ends it without a file. */
  async cancel(over: FileErrorCode = 'not_found'): Promise<void> {
    if (this.ended) return
    this.ended = true
    this.over = over
    await this.remote.close(this.handle).catch(() => undefined)
    await this.remote.unlink(this.part).catch(() => undefined)
    await this.transfer.end(false)
  }
}

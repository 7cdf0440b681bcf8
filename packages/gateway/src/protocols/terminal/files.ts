import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileRemoved, FileUploadRequest } from '@castellan/contract/web-terminal'
import type { User } from '../../brokering/user.ts'
import { fileBytes, rangeOf } from './download.ts'
import { FileFailure, failureOf } from './file-error.ts'
import { type FileSessions, maxChunk, type OpenFiles } from './file-sessions.ts'

const jsonLimit = 256 * 1024
const removeLimit = 1000

/** One request to the file manager; the shapes are in the contract's `web-terminal.ts`. Throws a `FileFailure`. */
export class FileRequests {
  private readonly sessions: FileSessions

  constructor(sessions: FileSessions) {
    this.sessions = sessions
  }

  /** `path` is the part after `/koko/files/`. */
  async handle(
    user: User,
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
  ): Promise<void> {
    const [collection, id, verb, upload, ...rest] = path.split('/').filter((part) => part !== '')
    const method = request.method ?? 'GET'
    if (collection !== 'sessions' || rest.length > 0) throw new FileFailure('not_found')
    if (id === undefined) {
      if (method !== 'POST') throw new FileFailure('not_found')
      const { token } = await readJson(request)
      if (typeof token !== 'string') throw new FileFailure('bad_request')
      return answer(response, 201, (await this.sessions.create(user, token)).wire)
    }
    const open = this.sessions.get(user, id)
    const call = `${method} ${verb ?? ''}`
    if (verb === 'uploads' && upload !== undefined) return this.onUpload(open, request, response, upload, query)
    if (upload !== undefined) throw new FileFailure('not_found')
    switch (call) {
      case 'GET ':
        return answer(response, 200, open.wire)
      case 'DELETE ':
        await open.files.session.end()
        return answer(response, 204)
      case 'GET list': {
        open.require()
        const folder = pathOf(query.get('path'))
        return answer(response, 200, { path: folder, ...(await open.remote.list(folder)) })
      }
      case 'GET stat':
        open.require()
        return answer(response, 200, await open.remote.stat(pathOf(query.get('path'))))
      case 'GET download':
        return download(open, request, response, pathOf(query.get('path')))
      case 'POST mkdir':
        return answer(response, 201, await mkdir(open, await readJson(request)))
      case 'POST rename':
        return answer(response, 200, await rename(open, await readJson(request)))
      case 'POST remove':
        return answer(response, 200, await remove(open, await readJson(request)))
      case 'POST uploads': {
        open.require('upload')
        const begun = await open.beginUpload(uploadRequest(await readJson(request)))
        return answer(response, 201, begun.state)
      }
      default:
        throw new FileFailure('not_found')
    }
  }

  private async onUpload(
    open: OpenFiles,
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    query: URLSearchParams,
  ): Promise<void> {
    const upload = open.upload(id)
    switch (request.method) {
      case 'GET':
        return answer(response, 200, upload.state)
      case 'DELETE':
        await upload.cancel()
        open.uploads.delete(id)
        return answer(response, 204)
      case 'PUT': {
        open.require('upload')
        const offset = Number(query.get('offset'))
        const header = request.headers['content-length']
        const length = header === undefined ? undefined : Number(header)
        if (!Number.isSafeInteger(offset) || offset < 0) throw new FileFailure('bad_request')
        if (length !== undefined && length > maxChunk) throw new FileFailure('too_large')
        await upload.take(request, offset, length)
        return answer(response, 200, upload.state)
      }
      default:
        throw new FileFailure('not_found')
    }
  }
}

/** Validates an absolute path. The target enforces its own access rights. */
function pathOf(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > 4096 || value.includes('\0')) {
    throw new FileFailure('bad_request')
  }
  return value.length > 1 ? value.replace(/\/+$/, '') || '/' : value
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > jsonLimit) throw new FileFailure('too_large')
    chunks.push(chunk)
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Falls through: not JSON.
  }
  throw new FileFailure('bad_request')
}

function uploadRequest(body: Record<string, unknown>): FileUploadRequest {
  const { size, conflict } = body
  if (!Number.isSafeInteger(size) || (size as number) < 0) throw new FileFailure('bad_request')
  if (conflict !== undefined && !['fail', 'replace', 'suffix'].includes(conflict as string)) {
    throw new FileFailure('bad_request')
  }
  const request: FileUploadRequest = { path: pathOf(body.path), size: size as number }
  if (request.path === '/') throw new FileFailure('bad_request')
  return conflict === undefined ? request : { ...request, conflict: conflict as 'fail' }
}

export function answer(response: ServerResponse, status: number, body?: unknown): void {
  response.statusCode = status
  response.setHeader('cache-control', 'no-store')
  if (body === undefined) {
    response.end()
    return
  }
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(body))
}

/** Runs an operation and logs it with its result. */
async function logged<T>(
  open: OpenFiles,
  kind: 'mkdir' | 'rename' | 'rename_dir',
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    open.require('upload')
    const result = await work()
    open.files.note(kind, path, true)
    return result
  } catch (error) {
    open.files.note(kind, path, false)
    throw error
  }
}

function mkdir(open: OpenFiles, body: Record<string, unknown>) {
  const path = pathOf(body.path)
  return logged(open, 'mkdir', path, async () => {
    if (await open.remote.exists(path)) throw new FileFailure('exists')
    await open.remote.mkdir(path)
    return open.remote.stat(path)
  })
}

async function rename(open: OpenFiles, body: Record<string, unknown>) {
  const [from, to] = [pathOf(body.from), pathOf(body.to)]
  open.require()
  const { type } = await open.remote.stat(from)
  return logged(open, type === 'directory' ? 'rename_dir' : 'rename', `${from} -> ${to}`, async () => {
    if (await open.remote.exists(to)) throw new FileFailure('exists')
    await open.remote.rename(from, to)
    return open.remote.stat(to)
  })
}

async function remove(open: OpenFiles, body: Record<string, unknown>): Promise<FileRemoved> {
  if (!Array.isArray(body.paths) || body.paths.length > removeLimit) throw new FileFailure('bad_request')
  const paths = body.paths.map(pathOf)
  if (paths.includes('/')) throw new FileFailure('bad_request')
  const result: FileRemoved = { removed: [], failed: [] }
  for (const path of paths) {
    try {
      open.require('delete')
      await open.remote.remove(path, (each, isFolder) => open.files.note(isFolder ? 'rmdir' : 'delete', each, true))
      result.removed.push(path)
    } catch (error) {
      open.files.note('delete', path, false)
      const { code, detail } = failureOf(error).body(open.files.session.user.language)
      result.failed.push({ path, code, detail })
    }
  }
  return result
}

async function download(
  open: OpenFiles,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  try {
    open.require('download')
  } catch (error) {
    open.files.note('download', path, false)
    throw error
  }
  const size = await open.remote.fileSize(path)
  const range = rangeOf(request.headers.range, size)
  const name = path.slice(path.lastIndexOf('/') + 1)
  response.setHeader('accept-ranges', 'bytes')
  response.setHeader('cache-control', 'no-store')
  if (range === null) {
    response.setHeader('content-range', `bytes */${size}`)
    response.statusCode = 416
    response.end()
    return
  }
  const { from, to } = range ?? { from: 0, to: size - 1 }
  response.statusCode = range ? 206 : 200
  if (range) response.setHeader('content-range', `bytes ${from}-${to}/${size}`)
  response.setHeader('content-type', 'application/octet-stream')
  response.setHeader('content-length', String(to - from + 1))
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader(
    'content-disposition',
    `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, percent)}`,
  )
  // A client that disconnects ends the read; there is no one to send an error to.
  await pipeline(
    Readable.from(fileBytes(open.files, open.remote, path, { from, to }), { objectMode: false }),
    response,
  ).catch(() => response.destroy())
}

const percent = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

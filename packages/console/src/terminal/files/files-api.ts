import type {
  FileEntry,
  FileErrorCode,
  FileList,
  FileRemoved,
  FileSession,
  FileUpload,
} from '@castellan/contract/web-terminal'
import { filesPath } from '@castellan/contract/web-terminal'
import { call, withQuery } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { BytesError } from '../bytes.ts'

const quiet = { quiet: true } as const

/** Requests of one file session of the gateway; `web-terminal.ts` of the contract package describes them. */
export function fileSession(id: string) {
  const base = `${filesPath}sessions/${id}/`
  return {
    end: () => call(base, { ...quiet, method: 'DELETE' }),
    list: (path: string, signal?: AbortSignal) => call<FileList>(`${base}list/`, { ...quiet, query: { path }, signal }),
    mkdir: (path: string) => call<FileEntry>(`${base}mkdir/`, { ...quiet, method: 'POST', body: { path } }),
    rename: (from: string, to: string) =>
      call<FileEntry>(`${base}rename/`, { ...quiet, method: 'POST', body: { from, to } }),
    remove: (paths: string[]) => call<FileRemoved>(`${base}remove/`, { ...quiet, method: 'POST', body: { paths } }),
    beginUpload: (path: string, size: number, conflict: 'fail' | 'replace' | 'suffix', signal: AbortSignal) =>
      call<FileUpload>(`${base}uploads/`, { ...quiet, method: 'POST', body: { path, size, conflict }, signal }),
    lookUpload: (upload: string, signal: AbortSignal) =>
      call<FileUpload>(`${base}uploads/${upload}/`, { ...quiet, signal }),
    sendPiece: (upload: string, offset: number, piece: Blob, signal: AbortSignal) =>
      call<FileUpload>(`${base}uploads/${upload}/`, {
        ...quiet,
        method: 'PUT',
        query: { offset },
        body: piece,
        signal,
      }),
    dropUpload: (upload: string) => call(`${base}uploads/${upload}/`, { ...quiet, method: 'DELETE' }),
    downloadUrl: (path: string) => withQuery(`${base}download/`, { path }),
  }
}
export type Files = ReturnType<typeof fileSession>

/** Opens a file session with a connection token. */
export function openFileSession(token: string): Promise<FileSession> {
  return call<FileSession>(`${filesPath}sessions/`, { ...quiet, method: 'POST', body: { token } })
}

/** The gateway's error code, or undefined for other errors. */
export function fileErrorCode(error: unknown): FileErrorCode | undefined {
  if (error instanceof BytesError) return (error.code || undefined) as FileErrorCode | undefined
  if (!(error instanceof ApiError) || typeof error.body !== 'object' || error.body === null) return undefined
  const { code } = error.body as { code?: unknown }
  return typeof code === 'string' ? (code as FileErrorCode) : undefined
}

/** True if a retry may help: the network or a proxy failed, and the request was not rejected. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TypeError) return true
  const status = error instanceof ApiError || error instanceof BytesError ? error.status : undefined
  return status === 0 || (status !== undefined && status >= 500 && fileErrorCode(error) === undefined)
}

import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { Reply, type RequestParts } from '../http/route.ts'

/**
 * The byte range of a `Range` header; undefined when it asks for everything or cannot be parsed; null when the range is
 * not satisfiable.
 */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | undefined | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [, first = '', last = ''] = match
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start > end || start >= size ? null : { start, end }
}

/** `content-disposition` for a file that browsers save: the last part of its path, whatever characters it has. */
export function attachment(path: string): string {
  const name = basename(path.replaceAll('\\', '/')) || 'file'
  return `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`
}

/** A file of known size, wherever it is. */
export interface Servable {
  /** Bytes. */
  size: number
  /** Opens it; `range` has its first and last byte. */
  open(range?: { start: number; end: number }): Promise<Readable>
}

/** Streams a file, completely or the requested range (RFC 9110 §14). */
export async function streamReply(
  { size, open }: Servable,
  request: RequestParts,
  headers: Record<string, string>,
): Promise<Reply> {
  const all = { 'accept-ranges': 'bytes', 'x-content-type-options': 'nosniff', ...headers }
  const range = rangeOf(request.headers.range, size)
  if (range === null) return new Reply(416, undefined, { ...all, 'content-range': `bytes */${size}` })
  if (!range) return new Reply(200, await open(), { ...all, 'content-length': String(size) })
  return new Reply(206, await open(range), {
    ...all,
    'content-length': String(range.end - range.start + 1),
    'content-range': `bytes ${range.start}-${range.end}/${size}`,
  })
}

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Reply, type RequestParts } from '../route.ts'

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

/** Streams a file, completely or the requested range (RFC 9110 §14). Undefined when it does not exist. */
export async function fileReply(
  path: string,
  request: RequestParts,
  headers: Record<string, string>,
): Promise<Reply | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  const { size } = found
  const all = { 'accept-ranges': 'bytes', 'x-content-type-options': 'nosniff', ...headers }
  const range = rangeOf(request.headers.range, size)
  if (range === null) return new Reply(416, undefined, { ...all, 'content-range': `bytes */${size}` })
  if (!range) return new Reply(200, createReadStream(path), { ...all, 'content-length': String(size) })
  return new Reply(206, createReadStream(path, range), {
    ...all,
    'content-length': String(range.end - range.start + 1),
    'content-range': `bytes ${range.start}-${range.end}/${size}`,
  })
}

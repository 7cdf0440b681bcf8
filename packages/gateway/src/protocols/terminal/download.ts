import type { FileSession } from '../../brokering/file-session.ts'
import type { RemoteFiles } from './remote-files.ts'

const pieceSize = 32 * 1024
const piecesAhead = 32

/** The range of a Range header (RFC 9110 §14.1.2); undefined for the whole file, null when it is not satisfiable. */
export function rangeOf(header: string | undefined, size: number): { from: number; to: number } | null | undefined {
  if (!header) return undefined
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim())
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const first = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1])
  const last = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return first > last || first >= size ? null : { from: first, to: last }
}

/**
 * The bytes of a file from `from` to `to` (inclusive), with read-ahead to fill the connection. Logged as a download; an
 * incomplete one counts as failed.
 */
export async function* fileBytes(
  files: FileSession,
  remote: RemoteFiles,
  path: string,
  range: { from: number; to: number },
): AsyncGenerator<Buffer> {
  const handle = await remote.open(path, 'r')
  const transfer = await files.begin('download', path).catch(async (error: unknown) => {
    await remote.close(handle).catch(() => undefined)
    throw error
  })
  const ahead: Promise<Buffer>[] = []
  let asked = range.from
  let given = range.from
  let isWhole = false
  const ask = () => {
    while (ahead.length < piecesAhead && asked <= range.to) {
      const length = Math.min(pieceSize, range.to + 1 - asked)
      const piece = remote.read(handle, length, asked)
      piece.catch(() => undefined)
      ahead.push(piece)
      asked += length
    }
  }
  try {
    for (ask(); ahead.length > 0; ask()) {
      const wanted = Math.min(pieceSize, range.to + 1 - given)
      let piece = await (ahead.shift() as Promise<Buffer>)
      while (piece.length < wanted) {
        const more = await remote.read(handle, wanted - piece.length, given + piece.length)
        if (more.length === 0) throw new Error('the file became shorter while it was read')
        piece = Buffer.concat([piece, more])
      }
      transfer.keep(piece, given)
      if (transfer.backlog > 16 * 1024 * 1024) await transfer.settled()
      given += piece.length
      if (files.denial('download')) throw new Error('the download is no longer allowed')
      yield piece
    }
    isWhole = true
  } finally {
    await remote.close(handle).catch(() => undefined)
    await transfer.end(isWhole)
  }
}

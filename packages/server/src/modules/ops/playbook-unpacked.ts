/** Unpacks archives, in the thread of parsers; see `playbook-archive.ts`. */
import { opsMessages } from '@castellan/contract/messages/ops'
import { ApiError, badRequest, text } from '../../kernel/module/errors.ts'
import {
  cleanPath,
  demandRoom,
  entryNames,
  fileOf,
  foldersOf,
  type PlaybookFile,
  refusedWith,
  workspaceLimits,
} from './playbook-file.ts'

/** Entries of an archive, of which some are folders and what programs add beside files. */
const mostEntries = 10_000

/** The file type of a Unix mode that a link has. */
const isLink = (mode: number) => (mode & 0o170000) === 0o120000

const unreadable = () => refusedWith(opsMessages.archive_unreadable)

/**
 * The files of a zip archive. It is read as it says to be untrue: sizes are those that come out, and nothing is written
 * anywhere. @throws 400 for links, paths that lead out, too much, and what is no archive or has no entry file
 */
export async function unpackedFiles(bytes: Uint8Array): Promise<PlaybookFile[]> {
  const { Uint8ArrayReader, ZipReader } = await import('@zip.js/zip.js')
  const files = new Map<string, PlaybookFile>()
  let total = 0
  let entries = 0
  try {
    const packed = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false })
    for await (const entry of packed.getEntriesGenerator()) {
      // Folders count too: each entry takes time.
      if (++entries > mostEntries) throw unreadable()
      if (files.size >= workspaceLimits.files) demandRoom([...files.values(), ...files.values()])
      const name = entry.filename.replace(/\/$/, '')
      // Made by the archive program of macOS beside each file.
      if (name.startsWith('__MACOSX/')) continue
      const path = cleanPath(name)
      if (isLink((entry.externalFileAttributes ?? 0) >>> 16))
        throw badRequest(text(opsMessages.archive_link, { path }), 'invalid_file_path')
      if (entry.directory) continue
      const pieces: Uint8Array[] = []
      const stop = new AbortController()
      const collect = new WritableStream<Uint8Array>({
        write(piece) {
          total += piece.length
          if (total > workspaceLimits.bytes) stop.abort()
          else pieces.push(piece)
        },
      })
      try {
        await entry.getData(collect, { signal: stop.signal })
      } catch (error) {
        if (stop.signal.aborted) demandRoom([{ size: total }])
        throw error
      }
      files.set(path, fileOf(path, Buffer.concat(pieces)))
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw unreadable()
  }
  const all = [...foldersOf(files.keys()), ...files.values()]
  demandRoom(all)
  const clash = foldersOf(files.keys()).find(({ path }) => files.has(path))
  if (clash) throw unreadable()
  if (!entryNames.some((name) => files.has(name))) throw badRequest(text(opsMessages.no_entry))
  return all
}

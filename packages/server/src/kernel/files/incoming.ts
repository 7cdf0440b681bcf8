import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RequestParts } from '../http/route.ts'
import { fileTooLarge } from '../module/errors.ts'

/** An uploaded file, flushed to disk under a temporary name, until it is kept or dropped. */
export interface Incoming {
  /** The other fields of the form. */
  readonly fields: Readonly<Record<string, string>>
  /** False when the form contained no file. */
  readonly hasFile: boolean
  /** What the client calls the file. */
  readonly fileName: string
  /** Where it is until then. */
  readonly path: string
  /** Moves the file to its final path and replaces an existing one. */
  keep(path: string): Promise<void>
  /** Like `keep`, but never replaces an existing file; returns whether the existing one is identical. */
  keepOnce(path: string): Promise<boolean>
  /** SHA-256 of the file, in hex. */
  digest(): Promise<string>
  drop(): Promise<void>
}

/** Flushes a file or folder to disk, so that its last change survives a power failure. */
async function settle(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Moves a file to a path unless something exists there; returns whether it did. */
async function placeOnce(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // Some file systems have no hard links.
    if (await stat(path).catch(() => undefined)) return false
    await rename(draft, path)
  }
  return true
}

/** Passes so many bytes on, and fails with 413 for more. */
const upTo = (limit = Number.POSITIVE_INFINITY) => {
  let received = 0
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      received += part.length
      if (received > limit) done(fileTooLarge(limit))
      else done(null, part)
    },
  })
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(one), stat(other)])
  return first.size === second.size && (await digestOf(one)) === (await digestOf(other))
}

/**
 * Streams the part `file` of a multipart form into `folder`, which must be on the same file system as its final path.
 * Nothing is buffered in memory, whatever the size. Other files of the form are discarded. A body that is not a form
 * counts as one without a file.
 * @param limit bytes of the largest file; a longer one is dropped, and answered by 413
 */
export async function receiveFile(request: RequestParts, folder: string, limit?: number): Promise<Incoming> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `${randomUUID()}.part`)
  const fields: Record<string, string> = {}
  let hasFile = false
  let fileName = ''
  try {
    const isForm = request.contentType.startsWith('multipart/')
    for await (const part of isForm ? request.multipart() : []) {
      if ('value' in part) fields[part.field] = part.value
      else if (part.field === 'file' && !hasFile) {
        await pipeline(part.stream, upTo(limit), createWriteStream(draft, { mode: 0o600, flush: true }))
        hasFile = true
        fileName = part.name
      } else part.stream.resume()
    }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return {
    fields,
    hasFile,
    fileName,
    path: draft,
    async keep(path) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(draft, path)
      await settle(dirname(path))
    },
    async keepOnce(path) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      if (!(await placeOnce(draft, path)) && !(await isSame(draft, path))) return false
      await rm(draft, { force: true })
      await settle(dirname(path))
      return true
    },
    digest: () => digestOf(draft),
    drop: () => rm(draft, { force: true }),
  }
}

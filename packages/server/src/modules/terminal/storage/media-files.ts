import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { storageMessages as texts } from '@castellan/contract/messages/storages'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { decodeJson } from '../../../kernel/fields/scalars.ts'
import type { Servable } from '../../../kernel/files/serve.ts'
import type { Context, Services } from '../../../kernel/module/context.ts'
import { failureAs, text as say } from '../../../kernel/module/errors.ts'
import { type FileStorage, openStore } from './open-store.ts'
import { isExternal } from './storage-details.ts'
import { storageTable } from './storage-names.ts'
import { type StoredFile, storedFileTable } from './stored-file.ts'
import { type ByteRange, failureOf, StorageFailure } from './stores/object-store.ts'

/** Time in which a storage must give an answer to somebody who waits for it. Milliseconds. */
const patience = 20_000

export const localPath = (services: Services, path: string) => join(services.dataDir, 'media', path)

/** The key of a file at a storage. Recordings have no folder above the day, as components that store them expect it. */
export const keyOf = (path: string) => path.replace(/^replay\//, '')

/** Storages for recordings and files. */
export async function fileStorages(ctx: Context): Promise<FileStorage[]> {
  const rows = await ctx.rawDb
    .selectFrom(storageTable('replay'))
    .select(['id', 'name', 'type', 'meta'])
    .orderBy('name')
    .execute()
  return rows.map((row) => ({ ...row, meta: objectOf(decodeJson(row.meta)) }) as FileStorage)
}

export const externalStorages = async (ctx: Context) =>
  (await fileStorages(ctx)).filter(({ type }) => isExternal('replay', type))

/** A local file; undefined when there is none. It stays readable when it is deleted meanwhile. */
async function openLocal(file: string, range?: ByteRange): Promise<Readable | undefined> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return handle?.createReadStream(range ?? {})
}

/**
 * Ends a stream with an error unless it has exactly the expected bytes: a storage can neither shorten nor lengthen an
 * answer, nor change a whole file. The last part is held back until the end is known, so that a reader who counts on
 * the length never takes an altered file for complete.
 */
function checked(length: number, sha256: string | undefined, key: string): Transform {
  const hash = createHash('sha256')
  let read = 0
  let last: Buffer | undefined
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      read += part.length
      if (read > length) return done(new StorageFailure('altered', { key }))
      hash.update(part)
      const before = last
      last = part
      done(null, before)
    },
    flush(done) {
      const isRight = read === length && (sha256 === undefined || hash.digest('hex') === sha256)
      if (isRight) done(null, last)
      else done(new StorageFailure('altered', { key }))
    },
  })
}

interface Remote {
  storage: FileStorage
  key: string
  size: number
  sha256?: string | undefined
}

/** Throws 503 with the reason. */
function away(ctx: Context, storage: FileStorage, error: unknown): never {
  const reason = failureOf(error, storage.name).text(ctx.language)
  throw failureAs(503, 'error', say(texts.recording_away, { storage: storage.name, reason }))
}

async function openRemote(ctx: Context, { storage, key, size, sha256 }: Remote, range?: ByteRange): Promise<Readable> {
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(new StorageFailure('timeout', { address: storage.name })), patience)
  try {
    const store = await openStore(ctx, storage, ended.signal)
    try {
      const stream = await store.read(key, range, ended.signal)
      if (!stream) throw new StorageFailure('not_there', { key })
      const length = range ? range.end - range.start + 1 : size
      const out = checked(length, range ? undefined : sha256, key)
      stream.on('error', (error) => out.destroy(failureOf(error, storage.name)))
      out.on('close', () => {
        stream.destroy()
        store.close()
      })
      return stream.pipe(out)
    } catch (error) {
      store.close()
      throw error
    }
  } catch (error) {
    return away(ctx, storage, error)
  } finally {
    clearTimeout(timer)
  }
}

const storedFile = (ctx: Context, path: string): Promise<StoredFile | undefined> =>
  ctx.rawDb
    .selectFrom(storedFileTable.name)
    .selectAll()
    .where('path', '=', path)
    .$castTo<StoredFile>()
    .executeTakeFirst()

/** A file of the media folder, wherever it is; undefined when there is none. */
export async function findMedia(ctx: Context, path: string): Promise<Servable | undefined> {
  const file = localPath(ctx.services, path)
  const local = await stat(file).catch(() => undefined)
  const remote = async (): Promise<Remote | undefined> => {
    const row = await storedFile(ctx, path)
    const storage = row?.state === 'stored' && (await fileStorages(ctx)).find(({ id }) => id === row.storage_id)
    if (!row || !storage) return undefined
    return { storage, key: keyOf(path), size: Number(row.size), sha256: row.sha256 ?? undefined }
  }
  if (local?.isFile())
    return {
      size: local.size,
      async open(range) {
        const stream = await openLocal(file, range)
        if (stream) return stream
        // It was stored and deleted since.
        const moved = await remote()
        return moved ? openRemote(ctx, moved, range) : Readable.from([])
      },
    }
  const found = await remote()
  return found && { size: found.size, open: (range) => openRemote(ctx, found, range) }
}

/**
 * The first of some files that a component has put into a storage by itself, with the storages asked for each. Storages
 * that do not answer are left out, unless none has the file: then it throws 503.
 */
export async function findUnrecorded(
  ctx: Context,
  paths: readonly string[],
): Promise<(Servable & { path: string }) | undefined> {
  let failed: [FileStorage, unknown] | undefined
  for (const storage of await externalStorages(ctx)) {
    // Only the server writes there.
    if (storage.type === 'sftp') continue
    const signal = AbortSignal.timeout(patience)
    try {
      const store = await openStore(ctx, storage, signal)
      try {
        for (const path of paths) {
          const key = keyOf(path)
          const size = await store.size(key, signal)
          if (size !== undefined) return { path, size, open: (range) => openRemote(ctx, { storage, key, size }, range) }
        }
      } finally {
        store.close()
      }
    } catch (error) {
      failed = [storage, error]
    }
  }
  return failed && away(ctx, ...failed)
}

import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fill } from '@castellan/contract/messages'
import { storageMessages as texts } from '@castellan/contract/messages/storages'
import { defineJob } from '../../../kernel/jobs/kinds.ts'
import { JobFailure, JobRefused } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { newRowId } from '../../../kernel/resource/row-id.ts'
import { fileStorages, keyOf, localPath } from './media-files.ts'
import { digestOf, type FileStorage, openStore } from './open-store.ts'
import { isExternal } from './storage-details.ts'
import { filesKey, storeFile } from './store-files.ts'
import { type StoredFile, storedFileTable } from './stored-file.ts'
import { failureOf, type ObjectStore, StorageFailure } from './stores/object-store.ts'

const table = storedFileTable.name
/** Folders of the media folder whose files are moved. */
const roots = ['replay', 'FTP_FILES']
/** Milliseconds for the files of one day. */
const longestDay = 12 * 3_600_000
const isDay = (name: string) => /^\d{4}-\d{2}-\d{2}$/.test(name)

const localNames = (ctx: Context, folder: string) => readdir(localPath(ctx.services, folder)).catch(() => [])

/** Rows of the files of a folder. No name begins with a character after the slash. */
const rowsIn = (ctx: Context, folder: string): Promise<StoredFile[]> =>
  ctx.rawDb
    .selectFrom(table)
    .selectAll()
    .where('path', '>=', `${folder}/`)
    .where('path', '<', `${folder}0`)
    .$castTo<StoredFile>()
    .execute()

/** The folders with files to be moved: one for each day. */
async function folders(ctx: Context): Promise<string[]> {
  const found = new Set<string>()
  for (const root of roots)
    for (const name of await localNames(ctx, root)) if (isDay(name)) found.add(`${root}/${name}`)
  const rows = await ctx.rawDb.selectFrom(table).select('path').execute()
  for (const { path } of rows) found.add(dirname(path))
  return [...found].sort()
}

/** Copies an object back into the data folder, verified. @throws StorageFailure */
async function fetchFile(ctx: Context, store: ObjectStore, row: StoredFile, signal: AbortSignal): Promise<void> {
  const key = keyOf(row.path)
  const path = localPath(ctx.services, row.path)
  const draft = join(dirname(dirname(path)), '.incoming', `${randomUUID()}.part`)
  await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    const stream = await store.read(key, undefined, signal)
    if (!stream) throw new StorageFailure('not_there', { key })
    const size = Number(row.size)
    let read = 0
    await pipeline(
      stream,
      async function* bounded(parts: AsyncIterable<Buffer>) {
        for await (const part of parts) {
          read += part.length
          if (read > size) throw new StorageFailure('altered', { key })
          yield part
        }
      },
      createWriteStream(draft, { mode: 0o600, flush: true }),
      { signal },
    )
    if ((await digestOf(createReadStream(draft), size, key)) !== row.sha256)
      throw new StorageFailure('altered', { key })
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Opens storages when they are first used. */
class Stores {
  readonly #ctx: Context
  readonly #known: readonly FileStorage[]
  readonly #signal: AbortSignal
  readonly #opened = new Map<string, ObjectStore>()

  constructor(ctx: Context, known: readonly FileStorage[], signal: AbortSignal) {
    this.#ctx = ctx
    this.#known = known
    this.#signal = signal
  }

  async of(id: string): Promise<ObjectStore> {
    const opened = this.#opened.get(id)
    if (opened) return opened
    const row = this.#known.find((one) => one.id === id)
    if (!row) throw new StorageFailure('not_there', { key: id })
    const store = await openStore(this.#ctx, row, this.#signal)
    this.#opened.set(id, store)
    return store
  }

  close(): void {
    for (const store of this.#opened.values()) store.close()
  }
}

interface Move {
  target: FileStorage
  stores: Stores
  signal: AbortSignal
}

/** Notes that a file of the data folder is meant for a storage; the server's own needs no note. */
async function assign(ctx: Context, path: string, target: FileStorage): Promise<StoredFile | undefined> {
  return ctx.transaction(async ({ rawDb }) => {
    await rawDb.deleteFrom(table).where('path', '=', path).execute()
    if (!isExternal('replay', target.type)) return undefined
    return rawDb
      .insertInto(table)
      .values({ id: newRowId(), path, storage_id: target.id, state: 'waiting', attempts: 0, date_created: Date.now() })
      .returningAll()
      .$castTo<StoredFile>()
      .executeTakeFirstOrThrow()
  })
}

/** Frees what an unfinished upload takes at the storage that a file no longer waits for. */
async function abandonUpload(row: StoredFile, stores: Stores, signal: AbortSignal): Promise<void> {
  if (!row.upload) return
  const { upload } = row
  // It is moved because that storage does not answer, often; the move must not fail for it.
  await stores
    .of(row.storage_id)
    .then((store) => store.abandon?.(keyOf(row.path), upload, signal))
    .catch(() => undefined)
}

/**
 * Moves one file: into the data folder if it is elsewhere, then to the target. Whenever this is interrupted, the file is
 * where its row says, and at most a copy is left behind.
 */
async function moveFile(ctx: Context, path: string, row: StoredFile | undefined, move: Move): Promise<boolean> {
  const { target, stores, signal } = move
  const isThere = row ? row.storage_id === target.id && row.state === 'stored' : !isExternal('replay', target.type)
  if (isThere) return false
  const source = row?.state === 'stored' ? await stores.of(row.storage_id) : undefined
  if (row && source) await fetchFile(ctx, source, row, signal)
  const isBegun = row?.state === 'waiting' && row.storage_id === target.id
  const next = isBegun ? row : await assign(ctx, path, target)
  if (row && !isBegun) await abandonUpload(row, stores, signal)
  if (next) await storeFile(ctx, await stores.of(target.id), next, signal)
  await source?.remove(keyOf(path), signal)
  return true
}

/** Moves all recordings and files of transfers to one storage; a day is an item, and days that failed can be repeated. */
export const moveFiles = defineJob<{ storage: string }>({
  name: 'terminal.move-files',
  delivery: 'idempotent',
  timeout: 7 * 24 * 3_600_000,
  keys: () => [filesKey],
  watchedWith: 'terminal.change_replaystorage',
  repeatedWith: 'terminal.change_replaystorage',
  async run(ctx, { storage }, job) {
    const known = await fileStorages(ctx)
    const target = known.find(({ id }) => id === storage)
    if (!target) throw new JobRefused('storage_gone', texts.storage_gone[ctx.language])
    await job.planItems(async () =>
      (await folders(ctx)).map((folder) => ({ target: { type: 'terminal.folder', id: folder, label: folder } })),
    )
    const { failed } = await job.eachItem({ concurrency: 1, timeout: longestDay }, async (item) => {
      const { signal } = item
      const stores = new Stores(ctx, known, signal)
      let count = 0
      try {
        const rows = new Map((await rowsIn(ctx, item.target.id)).map((row) => [row.path, row]))
        const names = await localNames(ctx, item.target.id)
        const paths = new Set([...rows.keys(), ...names.map((name) => `${item.target.id}/${name}`)])
        for (const path of paths) {
          signal.throwIfAborted()
          if (await moveFile(ctx, path, rows.get(path), { target, stores, signal })) count++
        }
      } catch (error) {
        signal.throwIfAborted()
        const failure = failureOf(error, target.name)
        throw new JobFailure(failure.code, failure.text(ctx.language))
      } finally {
        stores.close()
        await job.log(fill(texts.moved_day[ctx.language], { day: item.target.id, count }))
      }
    })
    if (failed > 0) throw new JobRefused('partly_failed', fill(texts.days_failed[ctx.language], { failed }))
  },
})

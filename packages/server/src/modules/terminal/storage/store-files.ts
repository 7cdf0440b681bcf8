import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Incoming } from '../../../kernel/files/incoming.ts'
import { defineJob, type JobKind, type JobRun } from '../../../kernel/jobs/kinds.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { newRowId } from '../../../kernel/resource/row-id.ts'
import { externalStorages, keyOf, localPath } from './media-files.ts'
import { demandStored, digestOf, type FileStorage, openStore } from './open-store.ts'
import { isExternal } from './storage-details.ts'
import { type StoredFile, storedFileTable } from './stored-file.ts'
import { failureOf, type ObjectStore, StorageFailure } from './stores/object-store.ts'

/** Files that are read from the table at once. */
const page = 100
/** Failures after which a storage rests until the next run, since it refuses every file. */
const fatal = new Set(['unreachable', 'timeout', 'untrusted', 'denied', 'no_container', 'unavailable', 'host_key'])

const table = storedFileTable.name
/** Held by everything that sends or moves files. */
export const filesKey = 'terminal.stored-files'

/** Queues a file of the data folder for a storage. Repeated calls change nothing. */
async function queueFile(ctx: Context, path: string, storage: Pick<FileStorage, 'id'>): Promise<void> {
  await ctx.transaction(async (inside) => {
    await inside.rawDb
      .insertInto(table)
      .values({
        id: newRowId(),
        path,
        storage_id: storage.id,
        state: 'waiting',
        attempts: 0,
        date_created: Date.now(),
      })
      .onConflict((conflict) => conflict.column('path').doNothing())
      .execute()
    await inside.enqueue(storeFiles, {}, { uniqueKey: storeFiles.name })
  })
}

/**
 * Keeps an uploaded file, and sends it to the storage of its component. Returns whether it is the only version of it:
 * one that is sent again must be the same, wherever the first is by now.
 */
export async function keepFile(
  ctx: Context,
  incoming: Incoming,
  path: string,
  componentId: string | null,
): Promise<boolean> {
  const before = await ctx.rawDb
    .selectFrom(table)
    .select('sha256')
    .where('path', '=', path)
    .where('state', '=', 'stored')
    .executeTakeFirst()
  if (before) {
    const isSame = before.sha256 === (await incoming.digest())
    await incoming.drop()
    return isSame
  }
  if (!(await incoming.keepOnce(localPath(ctx.services, path)))) return false
  await sendToStorage(ctx, path, componentId)
  return true
}

/**
 * Sends a complete file of the data folder to the storage of the component that recorded it, in the background. Until
 * the storage has it, the file stays where it is.
 */
async function sendToStorage(ctx: Context, path: string, componentId: string | null): Promise<void> {
  if (!componentId) return
  const row = await ctx.rawDb
    .selectFrom('terminal_terminal as c')
    .innerJoin('terminal_replaystorage as s', 's.name', 'c.replay_storage')
    .select(['s.id', 's.type'])
    .where('c.id', '=', componentId)
    .executeTakeFirst()
  if (row && isExternal('replay', row.type)) await queueFile(ctx, path, row)
}

/** Stores one file and reads it back; only then the local one is deleted. @throws StorageFailure */
export async function storeFile(ctx: Context, store: ObjectStore, row: StoredFile, signal: AbortSignal): Promise<void> {
  const path = localPath(ctx.services, row.path)
  const key = keyOf(row.path)
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new StorageFailure('not_there', { key })
  const { size } = found
  const sha256 = await digestOf(createReadStream(path), size, key)
  const change = (values: Partial<StoredFile>) =>
    ctx.transaction(({ rawDb }) => rawDb.updateTable(table).set(values).where('id', '=', row.id).execute())
  await store.put(key, { path, size }, signal, {
    known: row.upload ?? undefined,
    note: async (upload) => void (await change({ upload })),
  })
  try {
    await demandStored(store, key, { size, sha256 }, signal)
  } catch (error) {
    // Whatever is wrong there, the next attempt must not continue it.
    await change({ upload: null })
    throw error
  }
  await change({ state: 'stored', size, sha256, error: null, upload: null })
  await rm(path, { force: true })
}

const noteFailure = (ctx: Context, row: StoredFile, error: string) =>
  ctx.transaction((inside) =>
    inside.rawDb
      .updateTable(table)
      .set({ error, attempts: Number(row.attempts) + 1 })
      .where('id', '=', row.id)
      .execute(),
  )

/** Sends the waiting files of one storage, the oldest first. Returns how many were stored. */
async function emptySpool(ctx: Context, storage: FileStorage, signal: AbortSignal): Promise<number> {
  let stored = 0
  let store: ObjectStore | undefined
  let after = ''
  try {
    while (!signal.aborted) {
      const rows = await ctx.rawDb
        .selectFrom(table)
        .selectAll()
        .where('storage_id', '=', storage.id)
        .where('state', '=', 'waiting')
        .where('id', '>', after)
        .orderBy('id')
        .limit(page)
        .$castTo<StoredFile>()
        .execute()
      if (rows.length === 0) break
      for (const row of rows) {
        after = row.id
        try {
          store ??= await openStore(ctx, storage, signal)
          await storeFile(ctx, store, row, signal)
          stored++
        } catch (error) {
          signal.throwIfAborted()
          const failure = failureOf(error, storage.name)
          await noteFailure(ctx, row, failure.text(ctx.language))
          if (fatal.has(failure.code)) return stored
        }
      }
    }
    return stored
  } finally {
    store?.close()
  }
}

/** Sends waiting files to their storages; what fails is tried again every minute. */
export const storeFiles: JobKind<object> = defineJob<object>({
  name: 'terminal.store-files',
  delivery: 'idempotent',
  every: 60_000,
  timeout: 12 * 3_600_000,
  keys: () => [filesKey],
  async run(ctx, _payload, job: JobRun) {
    const waiting = await ctx.rawDb
      .selectFrom(table)
      .select('storage_id')
      .distinct()
      .where('state', '=', 'waiting')
      .execute()
    const ids = new Set(waiting.map(({ storage_id }) => storage_id))
    const storages = (await externalStorages(ctx)).filter(({ id }) => ids.has(id))
    await Promise.all(
      storages.map(async (storage) => {
        const count = await emptySpool(ctx, storage, job.signal)
        if (count > 0) await job.log(`${storage.name}: ${count}`)
      }),
    )
  },
})

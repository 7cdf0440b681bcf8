import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { decodeJson } from '../../../kernel/fields/scalars.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { lockRow } from '../../../kernel/resource/repository.ts'
import { openedAttributes } from '../../../kernel/resource/sealed-attributes.ts'
import { storageAttributes } from './storage-details.ts'
import { storageTable } from './storage-names.ts'
import { type AzureDetails, openAzure } from './stores/azure.ts'
import { failureOf, type ObjectStore, StorageFailure } from './stores/object-store.ts'
import { openS3, type S3Details } from './stores/s3.ts'
import { type HostKeyPin, openSftp, type SftpDetails } from './stores/sftp.ts'

/** A storage for recordings and files as it is stored. */
export interface FileStorage {
  id: string
  name: string
  type: string
  meta: StoredRow
}

/** Swift's gateway has the scheme in a field of its own. */
function s3Details(type: string, details: S3Details & { PROTOCOL?: string }): S3Details {
  if (type !== 'swift') return details
  const { host } = new URL(details.ENDPOINT)
  return { ...details, ENDPOINT: `${details.PROTOCOL || 'http'}://${host}` }
}

/** Opens a storage outside of the server. The caller closes it. @throws StorageFailure */
export async function openStore(ctx: Context, row: FileStorage, signal: AbortSignal): Promise<ObjectStore> {
  const details: unknown = openedAttributes(ctx, storageAttributes('replay', row.type), row.meta)
  if (row.type === 'azure') return openAzure(details as AzureDetails)
  if (row.type !== 'sftp') return openS3(row.type, s3Details(row.type, details as S3Details))
  const pin: HostKeyPin = { known: String(row.meta.SFTP_HOST_KEY ?? '') }
  const store = await openSftp(details as SftpDetails, pin, signal)
  // A server is trusted at the first connection, and must then keep its key.
  if (!pin.known && pin.found) await pinHostKey(ctx, row, pin.found)
  return store
}

/** Notes the host key that was seen, unless the storage was changed while it was asked. */
async function pinHostKey(ctx: Context, { id, meta }: FileStorage, SFTP_HOST_KEY: string): Promise<void> {
  await ctx.transaction(async (inside) => {
    await lockRow(inside, storageTable('replay'), id)
    const { rawDb } = inside
    const table = storageTable('replay')
    const row = await rawDb.selectFrom(table).select('meta').where('id', '=', id).executeTakeFirst()
    const now = objectOf(decodeJson(row?.meta))
    const isSame = ['SFTP_HOST', 'SFTP_PORT', 'SFTP_HOST_KEY'].every((name) => (now[name] ?? '') === (meta[name] ?? ''))
    if (!row || !isSame) return
    await rawDb
      .updateTable(table)
      .set({ meta: JSON.stringify({ ...now, SFTP_HOST_KEY }) })
      .where('id', '=', id)
      .execute()
  })
}

/** The SHA-256 of a stream in hex. Stops with a failure after more bytes than expected. @throws StorageFailure */
export async function digestOf(stream: Readable, size: number, key: string): Promise<string> {
  const hash = createHash('sha256')
  let read = 0
  // An error after the end has been seen concerns nobody.
  stream.on('error', () => undefined)
  try {
    for await (const part of stream as AsyncIterable<Buffer>) {
      read += part.length
      if (read > size) throw new StorageFailure('altered', { key })
      hash.update(part)
    }
  } finally {
    stream.destroy()
  }
  return hash.digest('hex')
}

/** Whether an object is exactly a file with this size and digest: it is read back. @throws StorageFailure */
export async function demandStored(
  store: ObjectStore,
  key: string,
  file: { size: number; sha256: string },
  signal: AbortSignal,
): Promise<void> {
  const stream = await store.read(key, undefined, signal)
  if (!stream) throw new StorageFailure('not_there', { key })
  const found = await digestOf(stream, file.size, key).catch((error: unknown) => {
    throw failureOf(error, key)
  })
  if (found !== file.sha256) throw new StorageFailure('altered', { key })
}

/** Stores, reads and deletes a small object, as recordings will be. @throws StorageFailure */
export async function testStore(ctx: Context, row: FileStorage, signal: AbortSignal): Promise<void> {
  const bytes = randomBytes(32)
  const name = `castellan-test-${bytes.toString('hex', 0, 8)}`
  const folder = join(ctx.services.dataDir, 'media', '.storage-tests')
  const path = join(folder, name)
  const store = await openStore(ctx, row, signal)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(path, bytes, { mode: 0o600 })
    await store.put(name, { path, size: bytes.length }, signal)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await demandStored(store, name, { size: bytes.length, sha256 }, signal)
    await store.remove(name, signal)
  } finally {
    store.close()
    await rm(path, { force: true })
  }
}

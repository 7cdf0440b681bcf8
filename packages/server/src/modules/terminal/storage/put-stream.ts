import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { JobFailure } from '../../../kernel/jobs/states.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { demandStored, type FileStorage, openStore } from './open-store.ts'
import { failureOf } from './stores/object-store.ts'

/**
 * Writes what a stream has to a storage, and reads it back. It passes a file of this server, so it must be encrypted.
 * @throws JobFailure with a reason for users
 */
export async function putStream(
  ctx: Context,
  storage: FileStorage,
  key: string,
  content: () => Promise<Readable>,
  signal: AbortSignal,
): Promise<void> {
  const folder = join(ctx.services.dataDir, 'media', '.outgoing')
  const path = join(folder, randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const hash = createHash('sha256')
    let size = 0
    const body = await content()
    body.on('data', (piece: Buffer) => {
      size += piece.length
      hash.update(piece)
    })
    await pipeline(body, createWriteStream(path, { mode: 0o600 }), { signal })
    const store = await openStore(ctx, storage, signal)
    try {
      await store.put(key, { path, size }, signal)
      await demandStored(store, key, { size, sha256: hash.digest('hex') }, signal)
    } finally {
      store.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    const failure = failureOf(error, storage.name)
    throw new JobFailure(failure.code, failure.text(ctx.language), { cause: error })
  } finally {
    await rm(path, { force: true })
  }
}

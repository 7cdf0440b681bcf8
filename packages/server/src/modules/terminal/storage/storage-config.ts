import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { decodeJson } from '../../../kernel/fields/scalars.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { openedAttributes } from '../../../kernel/resource/sealed-attributes.ts'
import { type CommandStorageRow, searchDetails } from './command-storages.ts'
import { hostPasswords, hostsWithPasswords } from './search-hosts.ts'
import { isExternal, storageAttributes } from './storage-details.ts'
import { type StorageKind, storageTable } from './storage-names.ts'
import { ensureIndex } from './stores/command-index.ts'

type Config = { TYPE: string } & Record<string, unknown>

/** Today in UTC, as in the names of daily indexes. */
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The index that commands of a time are stored in. */
export const indexAt = (meta: Readonly<Record<string, unknown>>, at: number): string =>
  meta.INDEX_BY_DATE ? `${meta.INDEX}-${dayOf(at)}` : String(meta.INDEX)

/** Milliseconds that a component waits for its configuration because of a search server. */
const patience = 3_000
/** How long indexes count as there, and how long a server is left alone that did not make them. Seconds. */
const pauses = { made: 600, failed: 60 }

/**
 * Makes the daily indexes of now and of the next hour. A component that writes there by itself would make them without
 * the alias that they are read by. While the server is away the component learns it by itself.
 */
async function makeDailyIndexes(ctx: Context, storage: CommandStorageRow): Promise<void> {
  const key = `terminal:daily-index:${storage.id}`
  const { kv } = ctx.services
  if (await kv.get<boolean>(key)) return
  const details = searchDetails(ctx, storage)
  const now = Math.floor(ctx.now / 1000)
  try {
    const signal = AbortSignal.timeout(patience)
    for (const at of [now, now + 3600]) await ensureIndex(details, at, signal)
    await kv.set(key, true, pauses.made)
  } catch {
    await kv.set(key, true, pauses.failed)
  }
}

/**
 * The storage settings sent to a component, secrets included, since components of the v3 contract write there by
 * themselves; the server's own when the named storage does not exist, or when only the server can write there.
 */
export async function storageConfig(ctx: Context, kind: StorageKind, name: string): Promise<Config> {
  const row = await ctx.rawDb
    .selectFrom(storageTable(kind))
    .select(['id', 'name', 'type', 'meta'])
    .where('name', '=', name)
    .executeTakeFirst()
  const type = row?.type ?? 'server'
  if (!isExternal(kind, type)) return { TYPE: type }
  if (type === 'sftp') return { TYPE: 'server' }
  const meta = objectOf(decodeJson(row?.meta))
  const opened = openedAttributes(ctx, storageAttributes(kind, type), meta)
  if (kind === 'command') {
    if (opened.INDEX_BY_DATE) await makeDailyIndexes(ctx, { id: String(row?.id), name, type, meta })
    const { HOSTS, [hostPasswords]: passwords, IGNORE_VERIFY_CERTS, ...rest } = opened
    return {
      TYPE: type,
      ...rest,
      HOSTS: hostsWithPasswords(HOSTS, passwords),
      INDEX: indexAt(opened, ctx.now),
      DOC_TYPE: '_doc',
      OTHER: { IGNORE_VERIFY_CERTS: Boolean(IGNORE_VERIFY_CERTS) },
    }
  }
  return { TYPE: type === 'ceph' ? 's3' : type, ...opened, ...(type === 'swift' ? { signer: 'S3SignerType' } : {}) }
}

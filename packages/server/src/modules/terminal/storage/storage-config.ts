import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { decodeJson } from '../../../kernel/fields/scalars.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { openedAttributes } from '../../../kernel/resource/sealed-attributes.ts'
import { hostPasswords, hostsWithPasswords } from './search-hosts.ts'
import { isExternal, storageAttributes } from './storage-details.ts'
import { type StorageKind, storageTable } from './storage-names.ts'

type Config = { TYPE: string } & Record<string, unknown>

/** Today in UTC, as in the names of daily indexes. */
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The index that commands of a time are stored in. */
export const indexAt = (meta: Readonly<Record<string, unknown>>, at: number): string =>
  meta.INDEX_BY_DATE ? `${meta.INDEX}-${dayOf(at)}` : String(meta.INDEX)

/**
 * The storage settings sent to a component, secrets included, since components of the v3 contract write there by
 * themselves; the server's own when the named storage does not exist, or when only the server can write there.
 */
export async function storageConfig(ctx: Context, kind: StorageKind, name: string): Promise<Config> {
  const row = await ctx.rawDb
    .selectFrom(storageTable(kind))
    .select(['type', 'meta'])
    .where('name', '=', name)
    .executeTakeFirst()
  const type = row?.type ?? 'server'
  if (!isExternal(kind, type)) return { TYPE: type }
  if (type === 'sftp') return { TYPE: 'server' }
  const opened = openedAttributes(ctx, storageAttributes(kind, type), objectOf(decodeJson(row?.meta)))
  if (kind === 'command') {
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

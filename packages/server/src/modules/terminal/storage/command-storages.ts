import type { StoredRow } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { decodeJson } from '../../../kernel/fields/scalars.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { openedAttributes } from '../../../kernel/resource/sealed-attributes.ts'
import { hostPasswords, hostsWithPasswords } from './search-hosts.ts'
import { isExternal, storageAttributes } from './storage-details.ts'
import { storageTable } from './storage-names.ts'
import type { SearchDetails } from './stores/search-server.ts'

/** A command storage outside of the server. */
export interface CommandStorageRow {
  id: string
  name: string
  type: string
  meta: StoredRow
}

/** The command storages outside of the server. */
export async function commandStorages(ctx: Context): Promise<CommandStorageRow[]> {
  const rows = await ctx.rawDb
    .selectFrom(storageTable('command'))
    .select(['id', 'name', 'type', 'meta'])
    .orderBy('name')
    .execute()
  return rows
    .filter(({ type }) => isExternal('command', String(type)))
    .map((row) => ({
      id: String(row.id),
      name: String(row.name),
      type: String(row.type),
      meta: objectOf(decodeJson(row.meta)),
    }))
}

/** How a storage is reached, passwords included. */
export function searchDetails(ctx: Context, { type, meta }: CommandStorageRow): SearchDetails {
  const opened = openedAttributes(ctx, storageAttributes('command', type), meta)
  return {
    HOSTS: hostsWithPasswords(opened.HOSTS, opened[hostPasswords]),
    INDEX: String(opened.INDEX ?? 'jumpserver'),
    INDEX_BY_DATE: Boolean(opened.INDEX_BY_DATE),
    IGNORE_VERIFY_CERTS: Boolean(opened.IGNORE_VERIFY_CERTS),
  }
}

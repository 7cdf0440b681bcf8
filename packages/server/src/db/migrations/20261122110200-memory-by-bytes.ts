import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Why: keys with a common prefix are found by a range of keys, which is only correct in byte order, not in the order of
 * a locale.
 */
export const migration: Migration = {
  name: '20261122110200-memory-by-bytes',
  async up({ db, dialect }) {
    if (dialect === 'postgres') await sql`alter table kernel_memory alter column key type text collate "C"`.execute(db)
  },
}

import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Why: what begins alike is looked for as a range of keys, and in the order of a language such a range means something else. */
export const migration: Migration = {
  name: '20261122110200-memory-by-bytes',
  async up({ db, dialect }) {
    if (dialect === 'postgres') await sql`alter table kernel_memory alter column key type text collate "C"`.execute(db)
  },
}

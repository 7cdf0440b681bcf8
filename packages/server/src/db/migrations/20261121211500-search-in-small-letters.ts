import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Why: PostgreSQL looked up equal names in the search index, which took seconds where the unique index takes
 * milliseconds. Over lower-case texts it serves searches only. New tables have such an index from the start.
 */
export const migration: Migration = {
  name: '20261121211500-search-in-small-letters',
  async up({ db, dialect, createSearchIndex }) {
    if (dialect !== 'postgres') return
    const { rows } = await sql<{ name: string; table: string; columns: string[] }>`
      select i.relname as name, t.relname as table,
        array(select a.attname::text from pg_attribute a where a.attrelid = i.oid order by a.attnum) as columns
      from pg_index x
      join pg_class i on i.oid = x.indexrelid
      join pg_class t on t.oid = x.indrelid
      where i.relnamespace = current_schema()::regnamespace and i.relname like 'search\\_%' and x.indexprs is null
    `.execute(db)
    for (const { name, table, columns } of rows) {
      await db.schema.dropIndex(name).execute()
      await createSearchIndex(table, columns)
    }
  },
}

import { sql } from 'kysely'
import type { Db, DialectName } from './database.ts'

/**
 * Sets the next serial id of a table after the highest one. Needed after rows were inserted with explicit ids: SQLite
 * derives the next id from the table, PostgreSQL has a separate sequence.
 */
export async function followIds(db: Db, dialect: DialectName, table: string): Promise<void> {
  if (dialect === 'postgres')
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
      db,
    )
}

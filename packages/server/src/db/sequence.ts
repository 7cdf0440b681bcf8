import { sql } from 'kysely'
import type { Db, DialectName } from './database.ts'

/**
 * Makes the next counted id of a table follow the highest one. Needed after rows came with ids of their own:
 * SQLite looks at the table, PostgreSQL keeps a counter beside it.
 */
export async function followIds(db: Db, dialect: DialectName, table: string): Promise<void> {
  if (dialect === 'postgres')
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
      db,
    )
}

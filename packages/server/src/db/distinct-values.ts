import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * The distinct values of a text column among rows with the given values, without null. It takes one step in an index on
 * `where` and the column for each value, however many rows have it.
 */
export async function distinctValues(
  db: Db,
  { table, column, where, most }: { table: string; column: string; where: Record<string, string>; most: number },
): Promise<string[]> {
  const value = sql.ref(column)
  const conditions = Object.entries(where).map(([name, wanted]) => sql`${sql.ref(name)} = ${wanted}`)
  const least = sql`select min(${value}) from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<{ found: string }>`
    with recursive known(found) as (
      ${least}
      union all
      select (${least} and ${value} > known.found) from known where known.found is not null
    )
    select found from known where found is not null limit ${most}`.execute(db)
  return rows.map(({ found }) => found)
}

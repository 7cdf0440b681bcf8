import { type RawBuilder, sql } from 'kysely'
import { batches } from './batches.ts'
import type { Db, DialectName, StoredRow } from './database.ts'
import { type TableShape, valueType } from './schema.ts'

/** Rows changed by one statement: databases limit the bound values. */
const atOnce = 100

/**
 * Updates rows by id, each to values of its own, with few statements for many rows. Rows need not change the same
 * columns; a row without any is skipped.
 * @param rows per row its `id` and the columns to change, in stored form
 */
export async function updateRows(
  db: Db,
  dialect: DialectName,
  shape: Pick<TableShape, 'name' | 'columns'>,
  rows: readonly StoredRow[],
): Promise<void> {
  for (const alike of Map.groupBy(rows, (row) => Object.keys(row).sort().join()).values()) {
    const columns = Object.keys(alike[0] ?? {}).filter((column) => column !== 'id')
    if (columns.length === 0) continue
    for (const some of batches(alike, atOnce)) await updateAlike(db, dialect, shape, columns, some)
  }
}

async function updateAlike(
  db: Db,
  dialect: DialectName,
  { name, columns }: Pick<TableShape, 'name' | 'columns'>,
  changed: readonly string[],
  rows: readonly StoredRow[],
): Promise<void> {
  const [first] = rows
  if (first && rows.length === 1) {
    const { id, ...values } = first
    await db.updateTable(name).set(values).where('id', '=', id).execute()
    return
  }
  // In a VALUES list PostgreSQL treats every value as text unless it is cast; SQLite uses the column's type.
  const typed = (column: string, value: unknown): RawBuilder<unknown> =>
    dialect === 'postgres' ? sql`cast(${value} as ${valueType(columns[column]?.type ?? 'text')})` : sql`${value}`
  const values = rows.map((row) => sql`(${sql.join(['id', ...changed].map((column) => typed(column, row[column])))})`)
  // Both databases name the columns of a VALUES list column1, column2 and so on.
  const set = changed.map((column, index) => sql`${sql.ref(column)} = ${sql.ref(`v.column${index + 2}`)}`)
  await sql`update ${sql.table(name)} set ${sql.join(set)} from (values ${sql.join(values)}) as v
    where ${sql.ref(`${name}.id`)} = v.column1`.execute(db)
}

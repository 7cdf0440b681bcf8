import { type RawBuilder, sql } from 'kysely'
import type { Db, DialectName } from './database.ts'

/**
 * A position in an append-only table that is read in the order of commits. Its rows have a serial `id` and the
 * `transaction_id` of the transaction that wrote them.
 */
export interface CommitPosition {
  /** SQLite: the highest id. PostgreSQL: every transaction with a lower number had ended. */
  readonly mark: number
  /** PostgreSQL: ids that were read of transactions at or above the mark. */
  readonly read: ReadonlySet<number>
}

/** The value of `transaction_id` for rows that the present transaction writes. */
export const transactionId = (dialect: DialectName): RawBuilder<number> =>
  dialect === 'postgres' ? sql<number>`pg_current_xact_id()::text::bigint` : sql<number>`0`

/** Above every transaction. */
const lastTransaction = '9223372036854775807'

const snapshotMark = sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

/** The current end of a table: everything committed later comes after it, and nothing that is committed already. */
export async function commitPosition(db: Db, dialect: DialectName, table: string): Promise<CommitPosition> {
  if (dialect === 'sqlite') {
    const { rows } = await sql<{ mark: number | null }>`select max(id) as mark from ${sql.table(table)}`.execute(db)
    return { mark: Number(rows[0]?.mark ?? 0), read: new Set() }
  }
  const { rows } = await sql<{ mark: number; id: number | null }>`
    select s.mark, n.id from (select ${snapshotMark} as mark) s
    left join ${sql.table(table)} n on n.transaction_id >= s.mark`.execute(db)
  return {
    mark: Number(rows[0]?.mark ?? 0),
    read: new Set(rows.flatMap(({ id }) => (id === null ? [] : [Number(id)]))),
  }
}

/**
 * Rows committed since a position, by id. SQLite has one writer at a time, so ids follow commits. On PostgreSQL a
 * transaction may commit long after a later one began: rows of all transactions that were still running at the last
 * call are read again, except those that were read already.
 */
export async function committedSince<R extends { id: number; transaction_id?: unknown }>(
  db: Db,
  dialect: DialectName,
  table: string,
  position: CommitPosition,
): Promise<{ rows: R[]; position: CommitPosition }> {
  if (dialect === 'sqlite') {
    const { rows } = await sql<R>`select * from ${sql.table(table)} where id > ${position.mark} order by id`.execute(db)
    return { rows, position: { mark: Number(rows.at(-1)?.id ?? position.mark), read: position.read } }
  }
  // One statement has one snapshot: what it does not see has a transaction at or above its mark. PostgreSQL is not told
  // that these bounds are constants: it would plan the statement each time, which takes ten times as long as its
  // execution, and expects few rows between two unknown bounds, so that it uses the index.
  const { rows } = await sql<R & { snapshot_mark: number }>`
    select n.*, s.mark as snapshot_mark
    from (select ${snapshotMark} as mark) s
    left join ${sql.table(table)} n on n.transaction_id between (select ${position.mark}::bigint)
      and (select ${lastTransaction}::bigint) order by n.id`.execute(db)
  const mark = Number(rows[0]?.snapshot_mark ?? position.mark)
  const found = rows.filter(({ id }) => id !== null)
  return {
    rows: found.filter(({ id }) => !position.read.has(Number(id))),
    position: {
      mark,
      read: new Set(found.filter((row) => Number(row.transaction_id) >= mark).map(({ id }) => Number(id))),
    },
  }
}

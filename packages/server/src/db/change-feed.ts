import { sql } from 'kysely'
import type { Db, DialectName } from './database.ts'

/** The table in which triggers record changed rows. */
export const changeFeedTable = 'kernel_row_news'

/** Rows of a table whose changes triggers record, regardless of which program makes them. */
export interface Watch {
  table: string
  /** Subject of the change records; several tables may share one. */
  topic: string
  /** The column whose value is recorded. */
  key: string
  /** An update is recorded when one of these columns changed. */
  columns: readonly string[]
}

const events = ['insert', 'update', 'delete'] as const
type Event = (typeof events)[number]

const triggerName = (watch: Watch, event: Event) => `news_${watch.topic}_${watch.table}_${event}`.slice(0, 63)

/**
 * Creates triggers that record changes of a table's rows in the same transaction. Every committed change is recorded,
 * including rows deleted by a cascading foreign key.
 */
export async function watchRows(db: Db, dialect: DialectName, watch: Watch): Promise<void> {
  for (const event of events)
    await (dialect === 'sqlite' ? watchOnSqlite(db, watch, event) : watchOnPostgres(db, watch, event))
}

/** Row-level triggers. */
async function watchOnSqlite(db: Db, { columns, ...watch }: Watch, event: Event): Promise<void> {
  const row = event === 'delete' ? 'old' : 'new'
  const changed = sql.join(
    columns.map((column) => sql`${sql.ref(`old.${column}`)} is not ${sql.ref(`new.${column}`)}`),
    sql` or `,
  )
  const when =
    event === 'update'
      ? sql`update of ${sql.join(columns.map((column) => sql.ref(column)))} on ${sql.table(watch.table)} when ${changed}`
      : sql`${sql.raw(event)} on ${sql.table(watch.table)}`
  const key = sql.ref(`${row}.${watch.key}`)
  await sql`create trigger ${sql.ref(triggerName({ ...watch, columns }, event))} after ${when} begin
    insert into ${sql.table(changeFeedTable)} (topic, row_id, transaction_id, date_created)
    values (${sql.lit(watch.topic)}, ${key}, 0, unixepoch() * 1000);
    end`.execute(db)
}

/**
 * Statement-level triggers that also record the transaction id, because rows become visible in another order than their
 * numbers.
 */
async function watchOnPostgres(db: Db, watch: Watch, event: Event): Promise<void> {
  const name = sql.ref(triggerName(watch, event))
  const rows =
    event === 'insert'
      ? sql`referencing new table as after_rows`
      : event === 'delete'
        ? sql`referencing old table as before_rows`
        : sql`referencing old table as before_rows new table as after_rows`
  const list = (of: string) => sql.join(watch.columns.map((column) => sql.ref(`${of}.${column}`)))
  const from =
    event === 'update'
      ? sql`after_rows a join before_rows b on b.id = a.id where (${list('a')}) is distinct from (${list('b')})`
      : sql`${sql.raw(event === 'insert' ? 'after_rows' : 'before_rows')} a`
  await sql`create function ${name}() returns trigger language plpgsql as $$ begin
    insert into ${sql.table(changeFeedTable)} (topic, row_id, transaction_id, date_created)
    select distinct ${sql.lit(watch.topic)}, ${sql.ref(`a.${watch.key}`)}, pg_current_xact_id()::text::bigint,
      cast(extract(epoch from clock_timestamp()) * 1000 as bigint) from ${from};
    return null;
    end $$`.execute(db)
  await sql`create trigger ${name} after ${sql.raw(event)} on ${sql.table(watch.table)} ${rows}
    for each statement execute function ${name}()`.execute(db)
}

/** A noted change of a row: which table's topic, and the value of its key column. */
export interface RowChange {
  id: number
  topic: string
  row_id: string
}

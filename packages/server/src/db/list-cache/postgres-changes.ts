import { sql } from 'kysely'
import { coalesced } from '../coalesced.ts'
import { type CommitPosition, commitPosition, committedSince } from '../commit-order.ts'
import type { Db } from '../database.ts'
import type { Changes, Edited, Once, Revision, RowKey } from './changes.ts'

/** Rows that were inserted, updated or deleted, in the order of commits; see `commit-order.ts`. */
export const changeTable = 'kernel_change'

/** A statement that changes more rows notes only that its table changed. */
const mostOfStatement = 500
/** Edits remembered for each table; after more than this, all is read again. */
const mostRemembered = 1000
/** A process that has not read the changes for longer forgets what it cached. Milliseconds. */
const longestPause = 5 * 60_000
/** Changes that had been committed for as long are deleted; must exceed the pause. Milliseconds. */
const keptFor = 15 * 60_000

const noteTrigger = 'note_change'

/**
 * Statement-level triggers, one for each kind of statement, because a transition table belongs to one. Existing ones are
 * not replaced: that would wait for the writers of other servers.
 */
export async function watchOnPostgres(db: Db, names: readonly string[]): Promise<void> {
  const changes = sql.table(changeTable)
  await sql`create table if not exists ${changes} (id bigserial primary key, name text not null, row_key text,
    transaction_id bigint not null)`.execute(db)
  await sql`create index if not exists kernel_change_transaction_id on ${changes} (transaction_id)`.execute(db)
  await removeCounters(db)
  await sql`create or replace function kernel_note_change() returns trigger language plpgsql as $$
    declare amount integer;
    begin
      select count(*) into amount from (select 1 from rows limit ${sql.lit(mostOfStatement + 1)}) sample;
      if amount > ${sql.lit(mostOfStatement)} then
        insert into ${changes} (name, transaction_id) values (tg_table_name, pg_current_xact_id()::text::bigint);
      elsif amount > 0 then
        insert into ${changes} (name, row_key, transaction_id)
          select tg_table_name, to_jsonb(rows) ->> 'id', pg_current_xact_id()::text::bigint from rows;
      end if;
      return null;
    end $$`.execute(db)
  const found = await sql<{ name: string; kind: string }>`select c.relname as name, t.tgname as kind
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = current_schema()::regnamespace and starts_with(t.tgname, ${noteTrigger})`.execute(db)
  const present = new Set(found.rows.map(({ name, kind }) => `${name} ${kind}`))
  for (const name of names)
    for (const [event, rows] of [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ] as const) {
      const trigger = `${noteTrigger}_${event}`
      if (present.has(`${name} ${trigger}`)) continue
      await sql`create trigger ${sql.ref(trigger)} after ${sql.raw(event)} on ${sql.table(name)}
        referencing ${sql.raw(rows)} table as rows for each statement execute function kernel_note_change()`.execute(db)
    }
}

/** Earlier versions counted the changes of three tables in rows, for which writers waited. */
async function removeCounters(db: Db): Promise<void> {
  await sql`drop table if exists kernel_revision`.execute(db)
  const { rows } = await sql<{ name: string }>`select proname as name from pg_proc
    where pronamespace = current_schema()::regnamespace and proname like 'revision\_%'`.execute(db)
  for (const { name } of rows) await sql`drop function ${sql.ref(name)}() cascade`.execute(db)
}

interface Table {
  revision: number
  /** In the order of revisions; a key of undefined stands for unknown rows. */
  edits: { revision: number; key: RowKey | undefined }[]
}

interface Change {
  id: number
  name: string
  row_key: string | null
  transaction_id: number
}

/** Serial ids are numbers. */
const keyOf = (text: string): RowKey => (/^\d+$/.test(text) ? Number(text) : text)

/**
 * Follows the changes of all processes in memory. They are read when somebody asks, in one statement; everything
 * committed before the question is known to the answer.
 */
export class PostgresChanges implements Changes {
  readonly #db: Db
  #position: CommitPosition | undefined
  #readAt = 0
  /** Grows when changes may have been missed. */
  #missed = 0
  #nextSweep: { at: number; mark: number } | undefined
  readonly #tables = new Map<string, Table>()
  readonly #follow = coalesced(() => this.#read())

  constructor(db: Db) {
    this.#db = db
  }

  static async watched(db: Db): Promise<Set<string>> {
    const { rows } = await sql<{ name: string }>`select c.relname as name from pg_trigger t
      join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = current_schema()::regnamespace and t.tgname = ${`${noteTrigger}_update`}`.execute(db)
    return new Set(rows.map(({ name }) => name))
  }

  #tableOf(name: string): Table {
    const known = this.#tables.get(name)
    if (known) return known
    const table: Table = { revision: 0, edits: [] }
    this.#tables.set(name, table)
    return table
  }

  async #read(): Promise<void> {
    const now = performance.now()
    if (!this.#position || now - this.#readAt > longestPause) {
      this.#position = await commitPosition(this.#db, 'postgres', changeTable)
      this.#missed++
    } else {
      const { rows, position } = await committedSince<Change>(this.#db, 'postgres', changeTable, this.#position)
      for (const { name, row_key } of rows) this.#note(name, row_key === null ? undefined : keyOf(row_key))
      this.#position = position
    }
    this.#readAt = now
    // Nobody waits for it; what is left is deleted the next time.
    void this.#sweep(now, this.#position.mark).catch(() => undefined)
  }

  #note(name: string, key: RowKey | undefined): void {
    const table = this.#tableOf(name)
    table.revision++
    table.edits.push({ revision: table.revision, key })
    if (table.edits.length > 2 * mostRemembered) table.edits.splice(0, mostRemembered)
  }

  /** Deletes what every process that still follows has read. */
  async #sweep(now: number, mark: number): Promise<void> {
    this.#nextSweep ??= { at: now + keptFor, mark }
    if (now < this.#nextSweep.at) return
    const { mark: ended } = this.#nextSweep
    this.#nextSweep = { at: now + keptFor, mark }
    await this.#db.deleteFrom(changeTable).where('transaction_id', '<', ended).execute()
  }

  async revisionOnce(tables: readonly string[], once: Once): Promise<Revision> {
    await once('kernel.changes', this.#follow)
    return this.#revision(tables)
  }

  async revision(tables: readonly string[]): Promise<Revision> {
    await this.#follow()
    return this.#revision(tables)
  }

  #revision(tables: readonly string[]): Revision {
    const counts = new Map(tables.map((name) => [name, this.#tableOf(name).revision]))
    const of = (name: string) => counts.get(name) ?? 0
    const all = [...counts.values()].reduce((total, count) => total + count, 0)
    // All of them only grow, so that sums are equal only if nothing changed and nothing may have been missed.
    const sum = this.#missed + all
    return { all: sum, others: (table) => sum - of(table), edits: of, highest: 0 }
  }

  async editedSince(name: string, since: number, until: number): Promise<Edited | undefined> {
    const deleted = new Set<RowKey>()
    if (until === since) return { keys: new Set(), deleted }
    const { edits } = this.#tableOf(name)
    const oldest = edits[0]?.revision ?? Number.POSITIVE_INFINITY
    if (oldest > since + 1) return undefined
    const keys = new Set<RowKey>()
    for (const { revision, key } of edits) {
      if (revision <= since) continue
      if (key === undefined) return undefined
      keys.add(key)
    }
    return { keys, deleted }
  }
}

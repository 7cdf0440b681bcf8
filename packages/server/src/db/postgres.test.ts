import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { databaseOfThisRun, emptyPostgres } from '../testing/databases.ts'
import { commitPosition, committedSince, transactionId } from './commit-order.ts'
import { type Database, type Db, openDatabase } from './database.ts'
import { TableStatistics } from './statistics.ts'

function onPostgres() {
  let database: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const empty = await emptyPostgres()
    drop = empty.drop
    database = await openDatabase({ url: empty.url, dataDir: '' })
    await sql`create table thing (id integer primary key, name text)`.execute(database.writer)
    await database.writer
      .insertInto('thing')
      .values([1, 2, 3].map((id) => ({ id, name: `thing ${id}` })))
      .execute()
  })
  afterAll(async () => {
    await database.close()
    await drop()
  })

  const among = async (ids: readonly number[], names: readonly string[] = []) =>
    (
      await database.reader
        .selectFrom('thing')
        .selectAll()
        .where('id', 'in', ids)
        .where('name', 'not in', names)
        .orderBy('id')
        .execute()
    ).map(({ id }) => id)

  const select1 = (db: Db) => sql`select 1`.execute(db)

  it('uses one prepared statement for lists of every length', async () => {
    expect(await among([1])).toEqual([1])
    expect(await among([3, 1, 7])).toEqual([1, 3])
    expect(await among([1, 2, 3], ['thing 2', `it's "quoted", {braced}`])).toEqual([1, 3])
    expect(await among([])).toEqual([])
    const { rows } = await sql<{ many: number }>`select count(*) as many from pg_prepared_statements
      where statement like '%from "thing"%'`.execute(database.reader)
    expect(rows[0]?.many).toBe(1)
  })

  it('recovers after another server has changed a table', async () => {
    for (let again = 0; again < 4; again++) await among([1])
    await sql`alter table thing add column more text`.execute(database.writer)
    for (let again = 0; again < 4; again++) expect(await among([2])).toEqual([2])
  })

  describe('a statement that nobody waits for', () => {
    const add = (db: Db, id: number) =>
      database.withNext(db, db.insertInto('thing').values({ id, name: `thing ${id}` }))
    const duplicate = { code: '23505' }

    it('is executed in its order, with the next one', async () => {
      await database.transaction(async (db) => {
        await add(db, 10)
        expect(await db.selectFrom('thing').select('name').where('id', '=', 10).execute()).toHaveLength(1)
        await db.updateTable('thing').set({ name: 'changed' }).where('id', '=', 10).execute()
        await add(db, 11)
      })
      const { rows } = await sql`select name from thing where id in (10, 11) order by id`.execute(database.reader)
      expect(rows).toEqual([{ name: 'changed' }, { name: 'thing 11' }])
    })

    it('fails the next one, or the commit, and undoes the transaction', async () => {
      const select = (db: Db) => db.selectFrom('thing').select('id').execute()
      for (const next of [select, async () => undefined]) {
        const failing = database.transaction(async (db) => {
          await add(db, 20)
          await select(db)
          await add(db, 1)
          await next(db)
        })
        await expect(failing).rejects.toMatchObject(duplicate)
        expect(await among([1, 20])).toEqual([1])
      }
    })

    it('is forgotten where the transaction fails before', async () => {
      for (const first of [select1, async () => undefined]) {
        const failing = database.transaction(async (db) => {
          await first(db)
          await add(db, 30)
          throw new Error('changed my mind')
        })
        await expect(failing).rejects.toThrow('changed my mind')
      }
      // The connections are as before: what they do next stands by itself.
      for (let again = 0; again < 3; again++) expect(await among([30])).toEqual([])
    })

    it('outside a transaction is executed at once', async () => {
      await add(database.writer, 40)
      expect(await among([40])).toEqual([40])
      await expect(add(database.writer, 40)).rejects.toMatchObject(duplicate)
    })
  })

  it('gives a program that starts during a long transaction only what is committed after its start', async () => {
    await sql`create table note (id integer primary key, transaction_id bigint)`.execute(database.writer)
    const note = (db: Db, id: number) =>
      db
        .insertInto('note')
        .values({ id, transaction_id: transactionId('postgres') })
        .execute()
    const long = await database.writer.startTransaction().execute()
    await note(long, 1)
    await note(database.writer, 2)
    const start = await commitPosition(database.reader, 'postgres', 'note')
    const first = await committedSince(database.reader, 'postgres', 'note', start)
    expect(first.rows).toEqual([])
    await long.commit().execute()
    const second = await committedSince(database.reader, 'postgres', 'note', first.position)
    expect(second.rows.map(({ id }) => id)).toEqual([1])
    expect((await committedSince(database.reader, 'postgres', 'note', second.position)).rows).toEqual([])
  })
}

if (databaseOfThisRun() === 'postgresql') describe('PostgreSQL', onPostgres)

describe('the statistics of growing tables', () => {
  it('are renewed each time a table has doubled', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const looked: string[] = []
    let known = -1
    const statistics = new TableStatistics({
      rowsKnown: async () => known,
      analyze: async (table) => looked.push(table),
    })
    const grow = async (rows: number) => {
      statistics.note('insert into "thing" ("id") values ($1)', rows)
      statistics.note('select * from "thing"', rows)
      await vi.advanceTimersByTimeAsync(250)
    }
    await grow(999)
    expect(looked).toEqual([])
    await grow(1)
    expect(looked).toEqual(['thing'])
    await grow(1999)
    expect(looked).toEqual(['thing'])
    await grow(1)
    expect(looked).toEqual(['thing', 'thing'])
    // Another server analyzed the table in the meantime.
    known = 10_000
    await grow(4000)
    expect(looked).toEqual(['thing', 'thing'])
    await grow(6000)
    expect(looked).toEqual(['thing', 'thing', 'thing'])
    statistics.stop()
  })
})

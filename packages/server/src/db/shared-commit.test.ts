import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteFile, sqliteDialect } from './sqlite.ts'

interface Tables {
  thing: { name: string; of: string | null }
}

describe('transactions of SQLite that wait for each other', () => {
  const open = (sharesCommits: boolean) => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-commits-'))
    const path = join(folder, 'test.db')
    const raw = openSqliteFile(path)
    raw.exec(
      'create table thing (name text primary key, of text references thing (name) deferrable initially deferred)',
    )
    const db = new Kysely<Tables>({ dialect: sqliteDialect(raw, { file: path, sharesCommits }) })
    const reader = openSqliteFile(path, { readOnly: true })
    const seen = () =>
      reader
        .prepare('select name from thing order by name')
        .all()
        .map(({ name }) => name)
    const close = async () => {
      reader.close()
      await db.destroy()
      rmSync(folder, { recursive: true })
    }
    return { db, raw, seen, close }
  }
  let file: ReturnType<typeof open>
  beforeEach(() => {
    file = open(true)
  })
  afterEach(() => file.close())

  /** Adds a row, and then does what else is given. */
  const add = (name: string, { of = null, next }: { of?: string | null; next?: () => Promise<void> } = {}) =>
    file.db.transaction().execute(async (inside) => {
      await inside.insertInto('thing').values({ name, of }).execute()
      await next?.()
    })
  const outcomes = async (...all: Promise<unknown>[]) => (await Promise.allSettled(all)).map(({ status }) => status)

  it('are committed together, and none is reported before', async () => {
    const order: string[] = []
    let seenByLast: unknown
    const told = (name: string) => () => order.push(name)
    await Promise.all([
      add('one').then(told('one')),
      add('two').then(told('two')),
      add('three', {
        next: async () => {
          await new Promise((settle) => setTimeout(settle, 20))
          seenByLast = [file.seen(), [...order]]
        },
      }).then(told('three')),
    ])
    expect(seenByLast).toEqual([[], []])
    expect(order.toSorted()).toEqual(['one', 'three', 'two'])
    expect(file.seen()).toEqual(['one', 'three', 'two'])
  })

  it('are undone one by one when their work fails', async () => {
    const fails = async () => {
      throw new Error('of its own')
    }
    expect(
      await outcomes(add('first', { next: fails }), add('one'), add('two', { next: fails }), add('one'), add('three')),
    ).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(file.seen()).toEqual(['one', 'three'])
    expect(await outcomes(add('four'), add('five', { next: fails }))).toEqual(['fulfilled', 'rejected'])
    expect(file.seen()).toEqual(['four', 'one', 'three'])
  })

  it('all fail when their commit does, and the next ones go on', async () => {
    expect(await outcomes(add('one'), add('two', { of: 'nobody' }), add('three'))).toEqual(Array(3).fill('rejected'))
    expect(file.seen()).toEqual([])
    expect(await outcomes(add('four'), add('five'))).toEqual(['fulfilled', 'fulfilled'])
  })

  it('all fail with the error after which SQLite has undone all of them', async () => {
    await add('zero')
    // What a full disk, or one that fails, does to a transaction.
    const undone = async () => file.raw.exec('rollback')
    const all = await Promise.allSettled([
      add('one'),
      file.db.transaction().execute(async (inside) => {
        await undone()
        await sql`insert into nowhere values (1)`.execute(inside)
      }),
    ])
    expect(all.map((each) => String((each as PromiseRejectedResult).reason))).toEqual(
      Array(2).fill('Error: no such table: nowhere'),
    )
    await add('two')
    expect(file.seen()).toEqual(['two', 'zero'])
  })

  it('are committed before a statement of its own', async () => {
    const alone = file.db.insertInto('thing').values({ name: 'alone', of: null }).execute()
    await Promise.all([add('one'), add('two'), alone, add('three')])
    expect(file.seen()).toEqual(['alone', 'one', 'three', 'two'])
    // The statement fails by itself.
    const again = file.db.insertInto('thing').values({ name: 'alone', of: null }).execute()
    expect(await outcomes(add('four'), again, add('five'))).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('are not put off without end while others follow', async () => {
    const done = new Set<number>()
    let atHundred = 0
    await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        add(`thing ${at}`, {
          next: async () => {
            if (at === 100) atHundred = done.size
          },
        }).then(() => done.add(at)),
      ),
    )
    expect(atHundred).toBeGreaterThan(80)
    expect(file.seen()).toHaveLength(200)
  })

  it('are committed one by one where callers must not wait for those behind them', async () => {
    const { db, seen, close } = open(false)
    let seenBySecond: unknown
    const insert = (name: string, look?: () => void) =>
      db.transaction().execute(async (inside) => {
        await inside.insertInto('thing').values({ name, of: null }).execute()
        look?.()
      })
    await Promise.all([
      insert('one'),
      insert('two', () => {
        seenBySecond = seen()
      }),
    ])
    expect(seenBySecond).toEqual(['one'])
    await close()
  })
})

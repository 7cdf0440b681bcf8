import { defaultOrgId } from '@castellan/contract/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '../../kernel/resource/repository.ts'
import { userGroup } from '../../modules/users/index.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { readsOnce } from './kept.ts'
import { placed } from './placed.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.context(defaultOrgId).transaction((ctx) => insertRows(ctx, userGroup, many('start', 600)))
})
afterAll(() => server.close())

const many = (word: string, amount: number) =>
  Array.from({ length: amount }, (_, at) => ({ name: `${word} ${(at * 7919) % 10_007}`, comment: '' }))

/** A generator of the same numbers for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

interface Page {
  count: number
  results: { id: string; name: string }[]
}
const lists = [
  'search=start',
  'search=start&order=-name',
  'search=new',
  'order=-comment',
  'search=rt+1&order=date_created',
]
const get = <T>(query: string) => server.admin.request<T>('GET', `/api/v1/users/groups/?${query}`)

/** Every page and count must be as in the list without a page, which is never cached. */
async function expectAgreement(random: (below: number) => number): Promise<void> {
  for (const list of lists) {
    const whole = (await get<Page['results']>(list)).map(({ name }) => name)
    for (const offset of [random(whole.length + 5), random(whole.length + 5), Math.max(0, whole.length - 3)]) {
      const { count, results } = await get<Page>(`${list}&limit=7&offset=${offset}`)
      expect({ list, offset, count }).toEqual({ list, offset, count: whole.length })
      expect(results.map(({ name }) => name)).toEqual(whole.slice(offset, offset + 7))
    }
  }
}

describe('lists whose rows change between requests', () => {
  it.each([1, 2, 3])('answer as if nothing was cached (seed %i)', async (seed) => {
    const random = randomOf(seed)
    const groups = server.admin.collection('users/groups')
    const made: string[] = []
    const { rawDb } = server.context(defaultOrgId)
    const steps: (() => Promise<unknown>)[] = [
      async () => made.push((await groups.create({ name: `new ${seed} ${random(1e9)} start` })).id),
      async () => made.length > 0 && groups.change(made[random(made.length)] ?? '', { name: `${random(1e9)} start` }),
      async () => made.length > 0 && groups.change(made[random(made.length)] ?? '', { comment: `${random(50)}` }),
      async () => made.length > 0 && groups.delete(made.splice(random(made.length), 1)[0] ?? ''),
      // The last row, whose rowid SQLite gives to the next one.
      async () => made.length > 0 && groups.delete(made.pop() ?? ''),
      // Past the API, and more rows than are looked at one by one.
      () =>
        rawDb
          .updateTable('users_usergroup')
          .set({ comment: `${random(9)}` })
          .where('name', 'like', `%${random(10)}%`)
          .execute(),
      () =>
        server
          .context(defaultOrgId)
          .transaction((ctx) => insertRows(ctx, userGroup, many(`start ${random(1e9)}`, random(90)))),
    ]
    for (let step = 0; step < 25; step++) {
      // Some are answered while rows change; what they keep must not be taken for newer than it is.
      const meanwhile = lists.slice(random(lists.length + 1)).map((list) => get(`${list}&limit=5&offset=120`))
      for (let times = random(4); times >= 0; times--) await steps[random(steps.length)]?.()
      await Promise.all(meanwhile)
      await expectAgreement(random)
    }
  })

  it('forget changes that were rolled back', async () => {
    const random = randomOf(9)
    await expectAgreement(random)
    await server
      .context(defaultOrgId)
      .transaction(async (ctx) => {
        await insertRows(ctx, userGroup, many('start rolled back', 5))
        await ctx.rawDb.updateTable('users_usergroup').set({ name: 'start' }).where('name', '=', 'start 0').execute()
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    await expectAgreement(random)
  })
})

describe('a statement', () => {
  it.each([
    ['select * from "users_usergroup" as "t"', true],
    ['select * from "users_usergroup" as "t" where "t"."id" in (select x from "users_usergroup_link")', true],
    ['select * from "users_usergroup" as "t" where exists (select 1 from "users_usergroup" as "u")', false],
    ['select * from "users_usergroup" as "t" where exists (select 1 from users_usergroup u)', false],
  ])('%s reads the table of its rows once: %s', (statement, once) => {
    expect(readsOnce(statement, 'users_usergroup')).toBe(once)
  })
})

describe('many rows that a foreign key deletes', () => {
  it('are all deleted', async () => {
    const { rawDb } = server.context(defaultOrgId)
    const members = () => rawDb.selectFrom('users_user_groups').select('user_id').execute()
    const { id: user_id } = await rawDb.selectFrom('users_user').select('id').executeTakeFirstOrThrow()
    const before = await members()
    for (const word of ['first', 'second']) {
      await server.context(defaultOrgId).transaction(async (ctx) => {
        const rows = await insertRows(ctx, userGroup, many(word, 400))
        const links = rows.map(({ id }) => ({ usergroup_id: id, user_id }))
        await ctx.rawDb.insertInto('users_user_groups').values(links).execute()
      })
      await rawDb.deleteFrom('users_usergroup').where('name', 'like', `${word} %`).execute()
      expect(await members()).toEqual(before)
    }
  })
})

describe('rows that are placed in a known order', () => {
  const ordering = (order: readonly number[]) => async (rows: readonly number[]) =>
    order.filter((row) => rows.includes(row))

  it.each([1, 2, 3, 4, 5])('stand where they would stand in a new one (seed %i)', async (seed) => {
    const random = randomOf(seed)
    const before = Array.from({ length: random(2000) }, (_, at) => at).sort(() => random(3) - 1)
    const changed = new Set(Array.from({ length: 1 + random(20) }, () => random(before.length + 10)))
    const after = before.filter((row) => !changed.has(row))
    for (const row of changed) if (random(4) > 0) after.splice(random(after.length + 1), 0, row)
    expect([...((await placed(Uint32Array.from(before), changed, ordering(after))) ?? [])]).toEqual(after)
  })

  it('are not placed when rows they are compared with have gone', async () => {
    const before = Uint32Array.from({ length: 500 }, (_, at) => at)
    expect(await placed(before, new Set([3]), ordering([3]))).toBeUndefined()
  })
})

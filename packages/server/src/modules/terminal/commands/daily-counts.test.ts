import { randomUUID } from 'node:crypto'
import { defaultOrgId, rootOrgId } from '@castellan/contract/ids'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addToDailyCounts,
  countedPage,
  dailyCountTable,
  rebuildDailyCounts,
} from '../../../kernel/lists/daily-counts.ts'
import { countOf, filtered, ordered } from '../../../kernel/lists/query.ts'
import { createMany } from '../../../kernel/resource/mutations.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

const hour = 3_600_000
let server: TestServer
let otherOrg: string
const newest = Date.UTC(2026, 5, 20, 7, 30)

beforeAll(async () => {
  server = await startServer()
  otherOrg = await server.organization(`other-${randomUUID()}`)
  const bodies = Array.from({ length: 300 }, (_, index) => ({
    user: `user-${index}`,
    asset: 'a',
    account: 'root',
    account_id: 'x',
    protocol: 'ssh',
    date_start: new Date(newest - index * hour).toISOString(),
    org_id: index % 3 === 0 ? otherOrg : defaultOrgId,
  }))
  await server.context().transaction(async (ctx) => {
    await createMany(ctx, findResource('terminal.session'), bodies)
  })
})
afterAll(() => server.close())

const session = () => findResource('terminal.session')
const at = (hours: number) => new Date(newest - hours * hour).toISOString()

it('answer every range, order and page exactly as counting and skipping would', async () => {
  for (const orgId of [defaultOrgId, otherOrg, rootOrgId])
    for (const [from, to] of [
      [400, -1],
      [100, 50],
      [31, 30],
      [3, 3],
      [30.5, 7.25],
      [72, 0],
      [-5, -9],
    ] as const)
      for (const order of ['', 'date_start', '-date_start'])
        for (const offset of [0, 1, 17, 90, 1000]) {
          const ctx = server.context(orgId)
          const params = { date_from: at(from), date_to: at(to), order, limit: '5', offset: String(offset) }
          const page = await countedPage(ctx, session(), params, { limit: 5, offset })
          const query = await filtered(ctx, session(), params)
          const orderedQuery = ordered(query, session(), params)
          const plain = await orderedQuery.limit(5).offset(offset).execute()
          const count = await countOf(query)
          if (!page) throw new Error('the daily counts did not answer')
          const placed = page.narrow(ordered(query, session(), params, page.backwards))
          const rows = await placed.limit(page.limit).offset(page.offset).execute()
          const found = page.backwards ? rows.toReversed() : rows
          expect([page.count, found.map((row) => row.user)]).toEqual([count, plain.map((row) => row.user)])
          if (!page.within) continue
          const day = page.within.narrow(orderedQuery)
          const inDay = await day.limit(5).offset(page.within.offset).execute()
          expect(inDay.map((row) => row.user)).toEqual(found.map((row) => row.user))
          expect(await countOf(day.clearOrderBy())).toBe(page.within.count)
        }
})

it('find pages in the middle of a day with thousands of rows, whatever is added to it or deleted', async () => {
  const morning = Date.UTC(2025, 0, 5, 1)
  const add = (count: number, begin: number, step: number) =>
    server.context().transaction(async (ctx) => {
      const bodies = Array.from({ length: count }, (_, index) => ({
        user: `busy-${begin + index * step}`,
        asset: 'a',
        account: 'root',
        account_id: 'x',
        protocol: 'ssh',
        date_start: new Date(morning + (begin + index * step) * 1000).toISOString(),
        org_id: defaultOrgId,
      }))
      return createMany(ctx, session(), bodies)
    })
  await add(4600, 0, 4)
  const path = `/api/v1/terminal/sessions/?order=-date_start&date_to=${encodeURIComponent('2025-01-06 00:00:00 +0000')}`
  const matches = async () => {
    const wanted = await server.admin.request<{ user: string }[]>('GET', path)
    // The order is cached at the second request.
    for (const offset of [2250, 2250, 2290, 2300, 2300]) {
      const { results, count } = await server.admin.request<{ count: number; results: { user: string }[] }>(
        'GET',
        `${path}&limit=5&offset=${offset}`,
      )
      expect(count).toBe(wanted.length)
      expect(results.map(({ user }) => user)).toEqual(wanted.slice(offset, offset + 5).map(({ user }) => user))
    }
  }
  await matches()
  await add(3, 9201, 2)
  await matches()
  const ctx = server.context()
  await ctx.transaction(async (inside) => {
    const rows = await inside.rawDb.selectFrom('terminal_session').selectAll().where('user', '=', 'busy-9204').execute()
    await inside.rawDb.deleteFrom('terminal_session').where('user', '=', 'busy-9204').execute()
    await addToDailyCounts(inside, session(), rows, -1)
  })
  await matches()
})

it('leave other filters to the database', async () => {
  const ctx = server.context(defaultOrgId)
  for (const params of [{ search: 'x' }, { user: 'user-1' }, { order: 'user' }, { ids: randomUUID() }])
    expect(await countedPage(ctx, session(), params as never, { limit: 5, offset: 0 })).toBeUndefined()
})

it('are the same when recounted', async () => {
  const ctx = server.context()
  const all = () =>
    ctx.rawDb
      .selectFrom(dailyCountTable.name)
      .select((eb) => ['org_id', 'day', eb.fn.sum('amount').as('amount')])
      .where('name', '=', session().key)
      .groupBy(['org_id', 'day'])
      .orderBy('org_id')
      .orderBy('day')
      .execute()
  const before = await all()
  await rebuildDailyCounts(ctx, session())
  expect(await all()).toEqual(before)
})

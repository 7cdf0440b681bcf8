import { randomUUID } from 'node:crypto'
import { defaultOrgId, rootOrgId } from '@castellan/contract/ids'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countedPage, dailyCountTable, rebuildDailyCounts } from '../../../kernel/lists/daily-counts.ts'
import { countOf, filtered, ordered } from '../../../kernel/lists/query.ts'
import { createMany } from '../../../kernel/resource/mutations.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { startServer, type TestServer } from '../../../testing.ts'

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
        }
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

import { roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { directRun, startServer, type TestServer } from '../../../testing/server.ts'
import { componentLoadTable, measureLoads } from './load-history.ts'

let server: TestServer
let gateway: Client
let id: string
beforeAll(async () => {
  server = await startServer()
  gateway = (await registerComponent(server.url, server.bootstrapToken, 'gateway-1')).in('ROOT')
  const [row] = await server.admin.collection('terminal/terminals').all({ name: 'gateway-1' })
  id = String(row?.id)
})
afterAll(() => server.close())

const beat = (cpu_load: number, session_online = 0) =>
  gateway.request('POST', '/api/v1/terminal/terminals/status/', {
    ...{ sessions: [], session_online, cpu_load, memory_used: 41.26, disk_used: 60 },
  })
const measure = () => measureLoads.run(server.context(), {}, directRun())
const loads = (period: string, client = server.admin) =>
  client.request<AnyRow[]>('GET', `/api/v1/terminal/terminals/${id}/loads/?period=${period}`)
const status = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.status : Promise.reject(error)),
  )

it('shows what a component reported, once for each minute, and gaps where it did not', async () => {
  await beat(0.24, 3)
  await measure()
  await measure()
  const hour = await loads('hour')
  expect(hour).toHaveLength(60)
  const reported = hour.filter(({ cpu_load }) => cpu_load !== null)
  // A minute may have ended between the two.
  expect(reported.length).toBeLessThanOrEqual(2)
  expect(reported[0]).toMatchObject({ session_online: 3, cpu_load: 0.2, memory_used: 41.3, disk_used: 60 })
  expect(hour[0]).toMatchObject({ session_online: null, cpu_load: null, memory_used: null, disk_used: null })
  for (const [period, points] of [
    ['day', 144],
    ['week', 168],
    ['month', 120],
  ] as const) {
    const all = await loads(period)
    expect(all).toHaveLength(points)
    expect(all.at(-1)).toMatchObject({ session_online: 3, cpu_load: 0.2 })
  }
})

it('has the average and the most sessions of an hour', async () => {
  const { rawDb } = server.context()
  // The measurement of another minute of this hour.
  await rawDb.deleteFrom(componentLoadTable.name).where('span', '=', 60_000).execute()
  const [before] = await rawDb.selectFrom(componentLoadTable.name).selectAll().where('component_id', '=', id).execute()
  await beat(2.24, 1)
  await measure()
  const [after] = await rawDb
    .selectFrom(componentLoadTable.name)
    .selectAll()
    .where('component_id', '=', id)
    .where('span', '=', 3_600_000)
    .where('at', '=', before?.at)
    .execute()
  const count = Number(before?.measured)
  expect(after).toMatchObject({ session_online: 3, measured: count + 1 })
  expect(Number(after?.cpu_load)).toBeCloseTo((0.24 * count + 2.24) / (count + 1), 5)
})

it('forgets what no graph shows', async () => {
  const { rawDb } = server.context()
  const old = { component_id: id, session_online: 0, cpu_load: 1, memory_used: 1, disk_used: 1, measured: 1 }
  const ages = [
    [60_000, 26 * 3_600_000],
    [3_600_000, 32 * 86_400_000],
  ] as const
  for (const [span, age] of ages)
    await rawDb
      .insertInto(componentLoadTable.name)
      .values({ ...old, span, at: Date.now() - age })
      .execute()
  await measure()
  const left = await rawDb
    .selectFrom(componentLoadTable.name)
    .select('at')
    .where('at', '<', Date.now() - 7_200_000)
    .execute()
  expect(left).toEqual([])
})

it('is refused to users who may not see components, and answers nonsense with 400', async () => {
  const user = await server.as(await server.person('uma', { system: [roleIds.user], org: [roleIds.orgAdmin] }))
  expect(await status(loads('hour', user))).toBe(403)
  expect(await status(loads('century'))).toBe(400)
})

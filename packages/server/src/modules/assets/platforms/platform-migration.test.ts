import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../../db/migrate.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

type Platform = { id: number; automation: Record<string, unknown> }

it('an update gives the built-in platforms for Redis their methods, but for those that were changed', async () => {
  const { database } = server.application.services
  const platforms = () => server.admin.request<Platform[]>('GET', '/api/v1/assets/platforms/?type=redis')
  const before = await platforms()
  expect(before.map(({ automation }) => automation.ping_method)).toEqual(['redis_ping', 'redis_ping'])
  const [first, second] = before as [Platform, Platform]
  const store = (id: number, automation: object) =>
    database.writer
      .updateTable('assets_platform')
      .set({ automation: JSON.stringify(automation) })
      .where('id', '=', id)
      .execute()
  // As the first release stored them.
  const empty = { ansible_enabled: false, ansible_config: { ansible_connection: 'local' } }
  await store(first.id, { ...empty, ping_enabled: false, ping_method: null, ping_params: {} })
  await store(second.id, { ...empty, ping_enabled: false, ping_method: 'redis_ping' })
  await database.writer.deleteFrom('kernel_migration').where('name', 'like', '%-redis-methods').execute()
  expect(await migrate(database)).toHaveLength(1)
  const after = await database.reader.selectFrom('assets_platform').select(['id', 'automation']).execute()
  const stored = (id: number) => JSON.parse(String(after.find((row) => row.id === id)?.automation))
  const { id: _, ...expected } = first.automation
  expect({ ...expected, ...stored(first.id) }).toEqual(expected)
  expect(stored(first.id)).toMatchObject({ ansible_enabled: true, change_secret_method: 'change_secret_redis' })
  expect(stored(second.id), 'a changed one').toMatchObject({ ansible_enabled: false })
})

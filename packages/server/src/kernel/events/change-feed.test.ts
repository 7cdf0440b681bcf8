import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { ReplicatedCache } from './change-feed.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('a replicated cache reloads after a long pause by either clock, and after the clock was set back', async () => {
  const read = vi.fn(async () => undefined)
  const copy = new ReplicatedCache(server.application.services.database, () => ({
    load: read,
    follow: async () => undefined,
  }))
  const looksAt = async (wall: number, steady: number) => {
    const clocks = [
      vi.spyOn(Date, 'now').mockReturnValue(wall * 60_000),
      vi.spyOn(performance, 'now').mockReturnValue(steady * 60_000),
    ]
    await copy.current()
    for (const clock of clocks) clock.mockRestore()
    return read.mock.calls.length
  }
  expect(await looksAt(1000, 10)).toBe(1)
  expect(await looksAt(1020, 30)).toBe(1)
  expect(await looksAt(1051, 61)).toBe(2)
  // Clock set ahead by an hour, set back by an hour, and set back between two reads.
  expect(await looksAt(1112, 62)).toBe(3)
  expect(await looksAt(1053, 63)).toBe(4)
  expect(await looksAt(1054, 124)).toBe(5)
  expect(await looksAt(1055, 125)).toBe(5)
})

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../testing/server.ts'
import { keptLog } from './idle-checkpoint.ts'
import { openSqliteFile } from './sqlite.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' })
})
afterAll(() => server.close())

const file = () => join(server.dataDir, 'castellan.db')
const logSize = () => statSync(`${file()}-wal`).size
const groups = '/api/v1/users/groups/'
const patience = { timeout: 20_000, interval: 100 }

/** Writes through the API until the write-ahead log is well above the size retained. */
async function writeMuch(name: string): Promise<number> {
  let made = 0
  while (logSize() < 8 * keptLog) {
    const bodies = Array.from({ length: 50 }, () => ({ name: `${name} ${made++}`, comment: 'x'.repeat(20_000) }))
    await server.admin.request('POST', groups, bodies)
  }
  return made
}

it('a write-ahead log that grew under many writes is truncated when writes stop', async () => {
  const made = await writeMuch('busy')
  await vi.waitFor(() => expect(logSize()).toBeLessThanOrEqual(keptLog), patience)
  const { count } = await server.admin.request<{ count: number }>('GET', `${groups}?search=busy&limit=1`)
  expect(count).toBe(made)
})

it('is retried until no other process reads from it', async () => {
  const size = statSync(file()).size
  await writeMuch('watched')
  const reading = openSqliteFile(file(), { readOnly: true })
  reading.exec('begin')
  reading.prepare('select count(*) from users_usergroup').get()
  // Its pages were moved into the database, but the file remains while a reader uses it.
  await vi.waitFor(() => expect(statSync(file()).size).toBeGreaterThan(size + 4 * keptLog), patience)
  expect(logSize()).toBeGreaterThan(4 * keptLog)
  await server.admin.request('POST', groups, { name: 'while somebody reads' })
  reading.exec('commit')
  await vi.waitFor(() => expect(logSize()).toBeLessThanOrEqual(keptLog), patience)
  reading.close()
})

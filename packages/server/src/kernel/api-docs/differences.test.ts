import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

/** The operations that docs/api.md says are refused on purpose, one by one. */
const docs = readFileSync(join(import.meta.dirname, '../../../../../docs/api.md'), 'utf8')
const section = docs.split('## What differs from v3')[1] ?? ''
const refused = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) =>
    (line.split('|')[1] ?? '').split('; ').flatMap((part) => {
      const words = [...part.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
      const paths = words.filter((word) => word.startsWith('/'))
      return words.filter((word) => /^[A-Z]+$/.test(word)).flatMap((method) => paths.map((path) => ({ method, path })))
    }),
  )

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('is refused with 405 where the documentation says so', async () => {
  expect(refused.length).toBeGreaterThan(50)
  const answers = []
  for (const { method, path } of refused) {
    const address = path.replace('{id}', randomUUID())
    const headers = { ...server.admin.proof(method, address), 'content-type': 'application/json' }
    const { status } = await fetch(server.url + address, { method, headers, body: '{}' })
    answers.push({ method, path, status })
  }
  expect(answers.filter(({ status }) => status !== 405)).toEqual([])
})

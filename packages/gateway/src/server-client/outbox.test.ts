import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServerHttp } from './http.ts'
import { Outbox } from './outbox.ts'

let folder: string
let server: Server
let status: (path: string) => number
let seen: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-outbox-'))
  seen = []
  status = () => 200
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.statusCode = status(request.url ?? '')
      if (response.statusCode < 300) seen.push(request.url ?? '')
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const http = () => new ServerHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
const waiting = async () => (await readdir(folder)).filter((name) => name.endsWith('.json')).length
const until = async (check: () => boolean | Promise<boolean>) => {
  for (const end = Date.now() + 10_000; !(await check()); ) {
    if (Date.now() > end) throw new Error(`timeout; seen ${seen.join()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('entries of a lane arrive in order, whatever fails in between', async () => {
  let failures = 2
  status = () => (failures-- > 0 ? 503 : 200)
  const outbox = new Outbox(http(), folder)
  await outbox.open()
  for (const path of ['/1', '/2', '/3']) await outbox.put('lane', { method: 'POST', path })
  await until(() => seen.length === 3)
  expect(seen).toEqual(['/1', '/2', '/3'])
  await until(async () => (await waiting()) === 0)
})

test('entries that one run could not send are sent by the next one', async () => {
  let refused = 0
  status = () => {
    refused += 1
    return 500
  }
  const first = new Outbox(http(), folder)
  await first.open()
  await first.put('lane', { method: 'PATCH', path: '/kept', body: { a: 1 } })
  // No request is in flight any more when a run ends.
  await until(() => refused === 1)
  first.stop()
  expect(await waiting()).toBe(1)
  status = () => 200
  const second = new Outbox(http(), folder)
  await second.open()
  await until(() => seen.length === 1)
  expect(seen).toEqual(['/kept'])
})

test('a file is sent first, then its dependent entry; a rejected entry uses the alternative and is set aside', async () => {
  const file = join(folder, 'body.bin')
  await writeFile(file, 'x')
  const outbox = new Outbox(http(), folder)
  await outbox.open()
  const next = { method: 'PATCH', path: '/next' } as const
  await outbox.put('a', { method: 'POST', path: '/file', file: { path: file, name: 'n' }, removeFile: true, next })
  await until(() => seen.length === 2)
  expect(seen).toEqual(['/file', '/next'])
  status = (path) => (path === '/no' ? 400 : 200)
  await outbox.put('b', { method: 'POST', path: '/no', next, refused: { method: 'PATCH', path: '/refused' } })
  await until(() => seen.includes('/refused'))
  expect(seen).not.toContain('/no')
  expect(await readdir(join(folder, 'refused'))).toHaveLength(1)
})

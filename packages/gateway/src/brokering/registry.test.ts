import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RecordingArchive } from '../recording/archive.ts'
import { ServerApi } from '../server-client/api.ts'
import { ServerHttp } from '../server-client/http.ts'
import { Outbox } from '../server-client/outbox.ts'
import type { ComponentConfig, Grant } from '../server-client/wire.ts'
import type { Broker } from './broker.ts'
import { SessionRegistry } from './registry.ts'
import { Session } from './session.ts'
import type { User } from './user.ts'

const hour = 3_600_000
const day = 24 * hour

/** The response of the stub server: the user and their account are unchanged. */
const stillGranted = {
  is_active: true,
  is_valid: true,
  permed_accounts: [{ id: 'c', username: 'root', alias: 'root', actions: [{ value: 'connect' }] }],
}

let folder: string
let server: Server
let bodies: { path: string; body: Record<string, unknown> }[]
let broker: Broker
/** Offset of the server's clock. Milliseconds. */
let serverAhead = 0

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-registry-'))
  bodies = []
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => {
      text += part
    })
    request.on('end', () => {
      bodies.push({ path: request.url ?? '', body: text.startsWith('{') ? JSON.parse(text) : {} })
      response.setHeader('content-type', 'application/json')
      response.setHeader('date', new Date(Date.now() + serverAhead).toUTCString())
      response.end(JSON.stringify(stillGranted))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const http = new ServerHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const api = new ServerApi(http)
  const outbox = new Outbox(http, join(folder, 'outbox'))
  const archive = new RecordingArchive(outbox, folder)
  await outbox.open()
  await archive.open()
  const config = () => ({ SECURITY_MAX_IDLE_TIME: 30, SECURITY_MAX_SESSION_TIME: 24 }) as ComponentConfig
  const sessions = new SessionRegistry({ api, outbox, archive, config })
  broker = { api, outbox, archive, sessions, config, heartbeatNow: () => undefined } as unknown as Broker
})
afterEach(async () => {
  vi.useRealTimers()
  await broker.sessions.stop()
  broker.outbox.stop()
  server.close()
  // A report that was on its way may still be written.
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const user = { id: 'p', name: 'Pia', username: 'pia', language: 'en', remoteAddr: '', loginFrom: 'ST' } as User
const grant = (expireAt: number) =>
  ({
    asset: { id: 'a', name: 'host', address: '10.0.0.1', protocols: [] },
    account: { id: 'c', name: 'root', username: 'root' },
    protocol: 'ssh',
    actions: [],
    expire_at: expireAt,
    from_ticket: null,
    org_id: '',
  }) as unknown as Grant

test('setting the clock by years ends no session, and its end is never before its beginning', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const session = await Session.open(broker, user, grant(0), 'normal')
  broker.sessions.start()
  for (const jump of [2 * 365 * day, -4 * 365 * day]) {
    vi.setSystemTime(Date.now() + jump)
    vi.advanceTimersByTime(20_000)
    expect(session.isEnded).toBe(false)
  }
  await session.end()
  const path = `/api/v1/terminal/sessions/${session.id}/`
  await vi.waitFor(() => expect(bodies.map((sent) => sent.path)).toContain(path))
  const ended = bodies.find((sent) => sent.path === path)?.body.date_end as string
  const seconds = (Date.parse(ended) - session.startedAt) / 1000
  expect(seconds).toBeGreaterThanOrEqual(0)
  expect(seconds).toBeLessThan(60)
})

test.each([2 * day, -2 * day])(
  'where the clocks differ, a session uses that of the server: it is %i ms ahead',
  async (ahead) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    serverAhead = ahead
    await broker.api.config()
    const session = await Session.open(broker, user, grant((Date.now() + ahead + 60_000) / 1000), 'normal')
    broker.sessions.start()
    const begun = bodies.find(({ path }) => path === '/api/v1/terminal/sessions/')?.body.date_start as string
    expect(Math.abs(Date.parse(begun) - Date.now() - ahead)).toBeLessThan(5000)
    vi.advanceTimersByTime(20_000)
    expect(session.isEnded).toBe(false)
    const over = await Session.open(broker, user, grant((Date.now() + ahead - 60_000) / 1000), 'normal')
    vi.advanceTimersByTime(5000)
    expect(over.isEnded).toBe(true)
    serverAhead = 0
  },
)

test('an expired permission ends its session', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const session = await Session.open(broker, user, grant((Date.now() + hour) / 1000), 'normal')
  broker.sessions.start()
  vi.advanceTimersByTime(20_000)
  expect(session.isEnded).toBe(false)
  vi.setSystemTime(Date.now() + 2 * hour)
  vi.advanceTimersByTime(20_000)
  expect(session.isEnded).toBe(true)
})

test('a revoked action is removed from a running session, a newly granted one is not added', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const before = { ...grant(0), actions: ['connect', 'download'].map((value) => ({ value, label: value })) }
  const session = await Session.open(broker, user, before, 'sftp')
  broker.sessions.start()
  expect(session.may('download')).toBe(true)
  vi.advanceTimersByTime(30_000)
  await vi.waitFor(() => expect(session.may('download')).toBe(false))
  expect(session.may('connect')).toBe(true)
  expect(session.may('upload')).toBe(false)
  await session.end()
})

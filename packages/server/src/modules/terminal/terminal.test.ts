import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import { directRun, startServer, type TestServer } from '../../testing/server.ts'
import { cleanOrphans, endForgotten } from './sessions/orphans.ts'

let server: TestServer
let gateway: Client
beforeAll(async () => {
  server = await startServer()
  gateway = (await registerComponent(server.url, server.bootstrapToken, 'gateway-1')).in('ROOT')
})
afterAll(() => server.close())

const status = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.status : Promise.reject(error)),
  )

const beat = (client: Client, sessions: string[], loads: object = {}) =>
  client.request<AnyRow[]>('POST', '/api/v1/terminal/terminals/status/', { sessions, ...loads })

async function startSession(client: Client = gateway, more: object = {}): Promise<AnyRow> {
  return client.request<AnyRow>('POST', '/api/v1/terminal/sessions/', {
    id: randomUUID(),
    user: 'Ada(ada)',
    user_id: randomUUID(),
    asset: 'web-1(10.0.0.1)',
    asset_id: randomUUID(),
    account: 'root(root)',
    account_id: randomUUID(),
    protocol: 'ssh',
    login_from: 'WT',
    remote_addr: '10.9.9.9',
    type: 'normal',
    org_id: defaultOrgId,
    ...more,
  })
}
const sessionOf = (id: string) => server.admin.request<AnyRow>('GET', `/api/v1/terminal/sessions/${id}/`)

/** The task socket of a component, with the tasks it received. */
async function taskSocket(client: Client): Promise<{ socket: WebSocket; tasks: AnyRow[] }> {
  const path = '/ws/terminal-task/'
  const socket = new WebSocket(server.url.replace('http', 'ws') + path, { headers: client.proof('GET', path) })
  const tasks: AnyRow[] = []
  socket.on('message', (data) => tasks.push(...JSON.parse(String(data))))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return { socket, tasks }
}

async function upload(client: Client, session: string, bytes: Buffer, version = '3'): Promise<Response> {
  const path = `/api/v1/terminal/sessions/${session}/replay/`
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), '../../evil.cast.gz')
  form.set('version', version)
  return fetch(server.url + path, {
    method: 'POST',
    body: form,
    headers: { ...client.proof('POST', path), 'x-jms-org': 'ROOT' },
  })
}

describe('components', () => {
  it('get nothing without the bootstrap token, and register each name once', async () => {
    await expect(registerComponent(server.url, 'guessed', 'gateway-2')).rejects.toMatchObject({ status: 401 })
    await expect(registerComponent(server.url, server.bootstrapToken, 'gateway-1')).rejects.toMatchObject({
      status: 400,
    })
  })

  it('are alive and loaded according to their last heartbeat', async () => {
    await beat(gateway, [], { cpu_load: 7.26, memory_used: 10, disk_used: 10 })
    const [row] = await server.admin.collection('terminal/terminals').all({ name: 'gateway-1' })
    expect(row).toMatchObject({ is_alive: true, is_active: true, load: { value: 'high' }, stat: { cpu_load: 7.3 } })
    expect(await server.admin.collection('terminal/terminals').all({ load: 'offline', name: 'gateway-1' })).toEqual([])
    expect(await status(beat(server.admin, []))).toBe(403)
  })

  it('lose their key when they are removed, and are still named by their sessions', async () => {
    const other = (await registerComponent(server.url, server.bootstrapToken, 'gateway-gone')).in('ROOT')
    const { id } = await startSession(other)
    const [row] = await server.admin.collection('terminal/terminals').all({ name: 'gateway-gone' })
    const remove = () => server.admin.request('DELETE', `/api/v1/terminal/terminals/${row?.id}/`)
    expect(await status(remove())).toBe(400)
    await other.request('PATCH', `/api/v1/terminal/sessions/${id}/`, { is_finished: true })
    expect(await status(remove())).toBe(200)
    expect(await status(other.request('GET', '/api/v1/terminal/terminals/config/'))).toBe(401)
    expect((await sessionOf(id)).terminal_display).toContain('gateway-gone')
  })
})

describe('sessions', () => {
  it('are ended and paused through the socket of their own component, within a second', async () => {
    const other = (await registerComponent(server.url, server.bootstrapToken, `other-${randomUUID()}`)).in('ROOT')
    const mine = await taskSocket(gateway)
    const theirs = await taskSocket(other)
    const { id } = await startSession()
    const body = { session_id: id, task_name: 'lock_session' }
    await server.admin.request('POST', '/api/v1/terminal/tasks/toggle-lock-session/', body)
    await expect.poll(() => mine.tasks.length, { timeout: 1000 }).toBe(1)
    expect(mine.tasks[0]).toMatchObject({ name: 'lock_session', args: id })
    expect((await sessionOf(id)).is_locked).toBe(false)
    expect(
      await status(other.request('PATCH', `/api/v1/terminal/tasks/${mine.tasks[0]?.id}/`, { is_finished: true })),
    ).toBe(403)
    const done = await gateway.request('PATCH', `/api/v1/terminal/tasks/${mine.tasks[0]?.id}/`, { is_finished: true })
    expect(done).toMatchObject({ is_finished: true, date_finished: null })
    expect((await sessionOf(id)).is_locked).toBe(true)
    await gateway.request('PATCH', `/api/v1/terminal/sessions/${id}/`, { is_finished: true })
    expect(await sessionOf(id)).toMatchObject({ is_locked: false, is_finished: true, can_terminate: false })
    expect(await server.admin.request('POST', '/api/v1/terminal/tasks/kill-session/', [id])).toEqual({ ok: [] })
    expect(theirs.tasks).toEqual([])
    mine.socket.close()
    theirs.socket.close()
  })

  it('belong to their component and their organization', async () => {
    const { id } = await startSession()
    await beat(gateway, [id])
    const other = (await registerComponent(server.url, server.bootstrapToken, `other-${randomUUID()}`)).in('ROOT')
    expect(await status(other.request('PATCH', `/api/v1/terminal/sessions/${id}/`, { is_finished: true }))).toBe(403)
    const elsewhere = await server.organization(`elsewhere-${randomUUID()}`)
    const auditor = await server.as(
      await server.person('eve', { org: [roleIds.orgAuditor], orgId: elsewhere }),
      elsewhere,
    )
    expect(await status(auditor.request('GET', `/api/v1/terminal/sessions/${id}/`))).toBe(404)
    expect(await auditor.request('POST', '/api/v1/terminal/tasks/kill-session/', [id])).toEqual({ ok: [] })
    for (const call of ['kill-session-for-ticket', 'toggle-lock-session-for-ticket'])
      expect(await status(auditor.request('POST', `/api/v1/terminal/tasks/${call}/`, [id]))).toBe(403)
    expect(await status(startSession(gateway, { org_id: randomUUID() }))).toBe(400)
  })

  it('unknown to a restarted component end at once, others when heartbeats stop', async () => {
    const cut = await startSession()
    const kept = await startSession()
    const [row] = await server.admin.collection('terminal/terminals').all({ name: 'gateway-1' })
    const long = Date.now() - 400_000
    const { rawDb } = server.context()
    await rawDb
      .updateTable('terminal_session')
      .set({ date_created: long })
      .where('id', 'in', [cut.id, kept.id])
      .execute()
    await endForgotten(server.context(), String(row?.id), [kept.id])
    expect((await sessionOf(cut.id)).is_finished).toBe(true)
    expect((await sessionOf(kept.id)).is_finished).toBe(false)
    await beat(gateway, [kept.id])
    const run = directRun()
    await cleanOrphans.run(server.context(), {}, run)
    expect((await sessionOf(kept.id)).is_finished).toBe(false)
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    await cleanOrphans.run(server.context(), {}, run)
    later.mockRestore()
    await cleanOrphans.run(server.context(), {}, run)
    expect((await sessionOf(kept.id)).is_finished).toBe(false)
    await server.application.services.kv.deletePrefix('terminal:beat:')
    // Its own component is alive and does not name it: another component cannot keep it alive.
    await beat(gateway, [])
    const other = (await registerComponent(server.url, server.bootstrapToken, `other-${randomUUID()}`)).in('ROOT')
    await beat(other, [kept.id])
    await cleanOrphans.run(server.context(), {}, run)
    expect(await sessionOf(kept.id)).toMatchObject({ is_finished: true, date_end: expect.any(String) })
  })
})

describe('commands', () => {
  const commandsOf = (id: string, input: string) => ({
    user: 'Ada(ada)',
    asset: 'web-1(10.0.0.1)',
    account: 'root(root)',
    session: id,
    input,
    output: '',
    risk_level: 0,
    timestamp: Math.floor(Date.now() / 1000),
    org_id: '',
  })

  it('are accepted in batches, counted for their session, and listed only for a session or a storage', async () => {
    const { id } = await startSession()
    const batch = Array.from({ length: 700 }, (_, index) => commandsOf(id, `echo ${index} ${'x'.repeat(200)}`))
    expect(await gateway.request('POST', '/api/v1/terminal/commands/', batch)).toBe('ok')
    expect((await sessionOf(id)).command_amount).toBe(700)
    const page = await server.admin.collection('terminal/commands').page({ session_id: id })
    expect(page.count).toBe(700)
    expect(String(page.results[0]?.input).length).toBeLessThanOrEqual(128)
    expect((await server.admin.collection('terminal/commands').page()).count).toBe(0)
    const [storage] = await server.admin.collection('terminal/command-storages').all({ name: 'default' })
    const from = new Date(Date.now() - 60_000).toISOString()
    const found = { command_storage_id: String(storage?.id), date_from: from, input: 'echo 42 ' }
    expect((await server.admin.collection('terminal/commands').page(found)).count).toBe(1)
  })

  it('of one second are listed in the order typed, and in reverse', async () => {
    const { id } = await startSession()
    const typed = Array.from({ length: 12 }, (_, index) => `echo ${index}`)
    const timestamp = Math.floor(Date.now() / 1000)
    const batch = typed.map((input) => ({ ...commandsOf(id, input), timestamp }))
    await gateway.request('POST', '/api/v1/terminal/commands/', batch)
    const listed = async (order: string) =>
      (await server.admin.collection('terminal/commands').page({ session_id: id, order })).results.map(
        ({ input }) => input,
      )
    expect(await listed('timestamp')).toEqual(typed)
    expect(await listed('-timestamp')).toEqual(typed.toReversed())
  })

  it('sent again by a component after a lost response are stored and counted once', async () => {
    const { id } = await startSession()
    const ids = ['0198c0de-0000-7000-8000-', 'aaaaaaaa-0000-4000-8000-'].map((begin) => begin + id.slice(-12))
    const batch = ids.map((own) => ({ id: own, ...commandsOf(id, 'uptime') }))
    const more = { id: null, ...commandsOf(id, 'without an id') }
    for (const sent of [batch, [...batch, more], [batch[0], batch[0], more]])
      expect(await gateway.request('POST', '/api/v1/terminal/commands/', sent)).toBe('ok')
    expect((await sessionOf(id)).command_amount).toBe(4)
    expect((await server.admin.collection('terminal/commands').page({ session_id: id })).count).toBe(4)
  })

  it('of a batch with one bad entry are all rejected', async () => {
    const { id } = await startSession()
    const batch = [commandsOf(id, 'ls'), { ...commandsOf(id, 'id'), timestamp: 'soon' }]
    expect(await status(gateway.request('POST', '/api/v1/terminal/commands/', batch))).toBe(401)
    expect((await sessionOf(id)).command_amount).toBe(0)
  })
})

describe('recordings', () => {
  const bytes = Buffer.from('not really gzip, but exactly these bytes')

  it('are stored under generated names, played by range, downloaded with their metadata, and shown only with permission', async () => {
    const { id } = await startSession()
    const view = () => server.admin.request<AnyRow>('GET', `/api/v1/terminal/sessions/${id}/replay/`)
    expect(await view()).toMatchObject({ status: 'running' })
    expect(await status(view())).toBe(404)
    const answer = await upload(gateway, id, bytes)
    expect(answer.status).toBe(201)
    const found = await view()
    expect(found).toMatchObject({ type: 'asciicast', src: expect.stringMatching(new RegExp(`/${id}\\.cast\\.gz$`)) })
    const get = (client: Client, headers: Record<string, string> = {}, path = String(found.src)) =>
      fetch(server.url + path, { headers: { ...client.proof('GET', path), ...headers } })
    const part = await get(server.admin, { range: 'bytes=4-9' })
    expect([part.status, await part.text()]).toEqual([206, 'really'])
    expect((await get(server.admin, { range: 'bytes=999-' })).status).toBe(416)
    const plain = await server.as(await server.person('plain', { system: [roleIds.user], org: [roleIds.orgUser] }))
    expect((await get(plain)).status).toBe(403)
    expect((await fetch(server.url + found.src)).status).toBe(401)
    const archive = await get(server.admin, {}, String(found.download_url))
    expect(archive.headers.get('content-disposition')).toContain(`${id}.tar`)
    expect(Buffer.from(await archive.arrayBuffer()).includes(bytes)).toBe(true)
  })

  it('are rejected without a file, in an unknown format, and from another component', async () => {
    const { id } = await startSession()
    await beat(gateway, [id])
    expect((await upload(gateway, id, bytes, '9')).status).toBe(401)
    const other = await registerComponent(server.url, server.bootstrapToken, `other-${randomUUID()}`)
    expect((await upload(other, id, bytes)).status).toBe(403)
    expect((await upload(gateway, randomUUID(), bytes)).status).toBe(404)
  })
})

describe('content types', () => {
  const asked = (method: string, path: string, accept: string) =>
    fetch(server.url + path, { method, headers: { ...server.admin.proof(method, path), accept } })

  it('of a recording are archives only, whatever else is wrong with the request', async () => {
    const path = `/api/v1/terminal/sessions/${randomUUID()}/replay/download/`
    const { status, headers } = await asked('GET', path, 'application/json')
    expect([status, headers.get('content-type')]).toEqual([406, 'application/octet-stream'])
    expect((await asked('GET', path, '*/*')).status).toBe(404)
  })

  it('are described for the newer registration only', async () => {
    const path = (name: string) => `/api/v1/terminal/${name}/`
    expect((await asked('OPTIONS', path('terminal-registrations'), '*/*')).status).toBe(405)
    expect((await asked('OPTIONS', path('registration'), '*/*')).status).toBe(200)
  })
})

describe('endpoints', () => {
  it('are chosen by the matching rule of the highest priority, else the default one with the host of the request', async () => {
    const make = async (name: string, priority: number) => {
      const endpoint = await server.admin.collection('terminal/endpoints').create({ name, host: `${name}.example.com` })
      const rule = { name, ip_group: ['10.77.0.0/16'], priority, endpoint: endpoint.id }
      await server.admin.collection('terminal/endpoint-rules').create(rule)
    }
    await make('low', 10)
    await make('high', 90)
    const smart = (query: string) => server.admin.request<AnyRow>('GET', `/api/v1/terminal/endpoints/smart/?${query}`)
    expect(await smart('protocol=ssh&target_ip=10.77.1.1')).toMatchObject({ name: 'high' })
    expect(await smart('protocol=ssh&target_ip=10.1.1.1')).toMatchObject({ name: 'Default', host: '127.0.0.1' })
    expect(await status(smart('target_ip=10.1.1.1'))).toBe(404)
    expect(
      (await fetch(`${server.url}/api/v1/terminal/endpoints/smart/?protocol=ssh&token=${randomUUID()}`)).status,
    ).toBe(401)
  })
})

import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

/** Attacks by other callers on the records that components report, which are evidence. */
let server: TestServer
let gateway: Client
let other: Client
let users: [string, Client][]
let elsewhere: string
beforeAll(async () => {
  server = await startServer()
  const register = async (name: string) => (await registerComponent(server.url, server.bootstrapToken, name)).in('ROOT')
  gateway = await register('gateway-1')
  other = await register('gateway-2')
  elsewhere = await server.organization('elsewhere')
  const as = async (name: string, roles: Parameters<TestServer['person']>[1]) =>
    server.as(await server.person(name, roles))
  users = [
    ['a system administrator', server.admin],
    ['an organization administrator', await as('omar', { org: [roleIds.orgAdmin] })],
    ['an auditor', await as('audrey', { org: [roleIds.orgAuditor] })],
    ['a system auditor', await as('silas', { system: [roleIds.systemAuditor] })],
    ['a user', await as('uma', { org: [roleIds.orgUser] })],
    ['a person with the rights of components', await as('carl', { system: [roleIds.systemComponent] })],
  ]
})
afterAll(() => server.close())

const sessions = '/api/v1/terminal/sessions/'
const commands = '/api/v1/terminal/commands/'
const transfers = '/api/v1/audits/ftp-logs/'

const status = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.status : Promise.reject(error)),
  )
const sessionBody = (more: object = {}) => ({
  id: randomUUID(),
  ...{ user: 'Ada(ada)', user_id: randomUUID(), asset: 'web-1(10.0.0.1)', asset_id: randomUUID() },
  ...{ account: 'root(root)', account_id: randomUUID(), protocol: 'ssh', login_from: 'WT', remote_addr: '10.9.9.9' },
  org_id: defaultOrgId,
  ...more,
})
const begin = (more: object = {}, client = gateway) => client.request<AnyRow>('POST', sessions, sessionBody(more))
const commandBody = (session: string, more: object = {}) => ({
  ...{ user: 'Ada(ada)', asset: 'web-1(10.0.0.1)', account: 'root(root)', input: 'ls', output: '', risk_level: 0 },
  session,
  timestamp: Math.floor(Date.now() / 1000),
  ...more,
})
const transferBody = (more: object = {}) => ({
  ...{ user: 'Ada(ada)', asset: 'web-1(10.0.0.1)', account: 'root(root)', operate: 'upload', filename: '/etc/x' },
  ...more,
})
const sessionRow = (id: string) => server.admin.request<AnyRow>('GET', `${sessions}${id}/`)
const commandsOf = (session: string) => server.admin.collection('terminal/commands').all({ session_id: session })

async function sendFile(client: Client, path: string, text: string, more: Record<string, string> = {}) {
  const form = new FormData()
  form.set('file', new Blob([text]), 'file')
  for (const [name, value] of Object.entries(more)) form.set(name, value)
  const headers = { ...client.proof('POST', path), 'x-jms-org': 'ROOT' }
  return (await fetch(server.url + path, { method: 'POST', body: form, headers })).status
}
async function played(session: string): Promise<string> {
  const { src } = await server.admin.request<AnyRow>('GET', `${sessions}${session}/replay/`)
  const answer = await fetch(server.url + src, { headers: server.admin.proof('GET', String(src)) })
  return answer.text()
}

describe('evidence', () => {
  it('is written by components only, whatever permissions a user holds', async () => {
    const { id } = await begin()
    await gateway.request('POST', commands, [commandBody(id)])
    const transfer = await gateway.request<AnyRow>('POST', transfers, transferBody({ session: id }))
    expect(await sendFile(gateway, `${sessions}${id}/replay/`, 'as it was', { version: '3' })).toBe(201)
    expect(await sendFile(gateway, `${transfers}${transfer.id}/upload/`, 'as it was')).toBe(201)
    const before = [await sessionRow(id), await commandsOf(id)]
    const taken: string[] = []
    for (const [name, client] of users) {
      const calls: [string, string, unknown][] = [
        ['POST', sessions, sessionBody()],
        ['POST', sessions, [sessionBody()]],
        ['PATCH', `${sessions}${id}/`, { user: 'Eve(eve)', remote_addr: '1.2.3.4' }],
        ['PUT', `${sessions}${id}/`, sessionBody({ id, user: 'Eve(eve)' })],
        ['PATCH', sessions, [{ id, user: 'Eve(eve)' }]],
        ['PATCH', `/api/v1/terminal/terminals/sessions/${id}/`, { user: 'Eve(eve)' }],
        ['POST', `${sessions}join/validate/`, { user_id: randomUUID(), session_id: id }],
        ['POST', commands, [commandBody(id, { input: 'forged', org_id: elsewhere })]],
        ['POST', `${commands}insecure-command/`, [{ ...commandBody(id), risk_level: 5, cmd_group: randomUUID() }]],
        ['POST', transfers, transferBody({ session: id })],
        ['PATCH', `${transfers}${transfer.id}/`, { has_file: true, user: 'Eve(eve)' }],
        ['POST', '/api/v1/terminal/terminals/status/', { sessions: [id] }],
      ]
      for (const [method, path, body] of calls) {
        const got = await status(client.request(method, path, body))
        if (got !== 403) taken.push(`${name}: ${method} ${path} ${got}`)
      }
      for (const path of [`${sessions}${id}/replay/`, `${transfers}${transfer.id}/upload/`])
        if ((await sendFile(client, path, 'a forgery', { version: '3' })) !== 403) taken.push(`${name}: ${path}`)
    }
    expect(taken).toEqual([])
    expect([await sessionRow(id), await commandsOf(id)]).toEqual(before)
    expect(await played(id)).toBe('as it was')
  })

  it('of a session is written by its own component only', async () => {
    const { id } = await begin()
    const transfer = await gateway.request<AnyRow>('POST', transfers, transferBody({ session: id }))
    const task = async () => {
      const order = { session_id: id, task_name: 'lock_session' }
      await server.admin.request('POST', '/api/v1/terminal/tasks/toggle-lock-session/', order)
      const [row] = await server.admin.collection('terminal/tasks').all({ is_finished: false })
      return row?.id
    }
    expect(await status(other.request('PATCH', `${sessions}${id}/`, { is_finished: true }))).toBe(403)
    expect(await status(other.request('PATCH', sessions, [{ id, is_finished: true }]))).toBe(403)
    expect(await status(other.request('POST', commands, [commandBody(id)]))).toBe(401)
    expect(await status(other.request('POST', transfers, transferBody({ session: id })))).toBe(400)
    expect(await status(other.request('PATCH', `${transfers}${transfer.id}/`, { has_file: true }))).toBe(403)
    expect(await sendFile(other, `${transfers}${transfer.id}/upload/`, 'x')).toBe(403)
    expect(await sendFile(other, `${sessions}${id}/replay/`, 'x')).toBe(403)
    const order = await task()
    for (const client of [other, server.admin])
      expect(await status(client.request('PATCH', `/api/v1/terminal/tasks/${order}/`, { is_finished: true }))).toBe(403)
    expect(await sessionRow(id)).toMatchObject({ is_finished: false, is_locked: false })
    expect(await commandsOf(id)).toEqual([])
  })

  it('has fixed facts of a session, and events that cannot be revoked', async () => {
    const { id } = await begin()
    const first = await sessionRow(id)
    await gateway.request('PATCH', `${sessions}${id}/`, { is_finished: true, has_replay: true, has_command: true })
    const over = await sessionRow(id)
    const claim = {
      ...sessionBody({ id, org_id: elsewhere }),
      user: 'Eve(eve)',
      remote_addr: '1.2.3.4',
      is_finished: false,
    }
    const lies = { has_replay: false, has_command: false, date_start: '2001-01-01T00:00:00Z' }
    for (const method of ['PATCH', 'PUT']) await gateway.request(method, `${sessions}${id}/`, { ...claim, ...lies })
    const now = await sessionRow(id)
    expect(now).toEqual(over)
    for (const field of ['user', 'user_id', 'asset_id', 'remote_addr', 'date_start', 'org_id'])
      expect(now[field]).toEqual(first[field])
  })

  it('has times within its session, and its organization', async () => {
    const early = await begin({ date_start: '2001-01-01T00:00:00Z' })
    expect(new Date(String(early.date_start)).getTime()).toBeGreaterThan(Date.now() - 90_000_000)
    const { id } = await begin({ date_start: '2101-01-01T00:00:00Z' })
    const start = new Date(String((await sessionRow(id)).date_start)).getTime()
    expect(start).toBeLessThanOrEqual(Date.now())
    const times = [0, 253_402_300_799]
    await gateway.request(
      'POST',
      commands,
      times.map((timestamp) => commandBody(id, { timestamp, org_id: elsewhere })),
    )
    for (const row of await commandsOf(id)) {
      expect(row.org_id).toBe(defaultOrgId)
      expect(Math.abs(Number(row.timestamp) - Date.now() / 1000)).toBeLessThan(60)
    }
    await gateway.request('PATCH', `${sessions}${id}/`, { is_finished: true, date_end: '2101-01-01T00:00:00Z' })
    expect(new Date(String((await sessionRow(id)).date_end)).getTime()).toBeLessThan(Date.now() + 60_000)
    const long = Date.now() - 40 * 86_400_000
    const { rawDb } = server.context()
    await rawDb.updateTable('terminal_session').set({ date_end: long }).where('id', '=', id).execute()
    expect(await status(gateway.request('PATCH', `${sessions}${id}/`, { has_command: true }))).toBe(403)
    expect(await status(gateway.request('POST', commands, [commandBody(id)]))).toBe(401)
    expect(await sendFile(gateway, `${sessions}${id}/replay/`, 'late')).toBe(403)
  })

  it('names existing sessions and requested connections', async () => {
    expect(await status(gateway.request('POST', commands, [commandBody(randomUUID())]))).toBe(401)
    expect(await status(gateway.request('POST', transfers, transferBody({ session: randomUUID() })))).toBe(400)
    expect(await status(gateway.request('POST', transfers, transferBody({ user: 'Eve(eve)', session: '' })))).toBe(400)
    const host = await server.admin
      .collection('assets/hosts')
      .create({ name: 'real', address: '10.0.0.7', platform: 1, accounts: [{ username: 'root', secret: 'x' }] })
    const victim = await server.person('victim', { org: [roleIds.orgUser] })
    const real = { asset: 'real(10.0.0.7)', asset_id: host.id }
    expect(await status(begin({ ...real, org_id: elsewhere }))).toBe(400)
    const noted = async (session: AnyRow) =>
      (await server.admin.collection('audits/operate-logs').all({ action: 'notice', search: session.id })).length
    expect(await noted(await begin({ ...real, user_id: victim }))).toBe(1)
    await server.admin.collection('perms/asset-permissions').create({
      ...{ name: 'p', users: [victim], assets: [host.id], accounts: ['@ALL'], actions: ['all'] },
    })
    const token = { user: victim, asset: host.id, account: 'root', protocol: 'ssh', connect_method: 'ssh_client' }
    await gateway.request('POST', '/api/v1/authentication/super-connection-token/', token)
    expect(await noted(await begin({ ...real, user_id: victim }))).toBe(0)
    // A file transfer without a session is explained by a token; its organization is the asset's.
    const profile = await server.admin.request<AnyRow>('GET', `/api/v1/users/users/${victim}/`)
    const display = `${profile.name}(${profile.username})`
    const sent = transferBody({ user: display, asset: 'real(10.0.0.7)', session: '' })
    expect((await other.request<AnyRow>('POST', transfers, sent)).org_id).toBe(defaultOrgId)
    expect(await status(other.request('POST', transfers, { ...sent, org_id: elsewhere }))).toBe(400)
  })
})

describe('a recording', () => {
  it('is final once stored: sending the same again succeeds, and no other replaces it', async () => {
    const { id } = await begin()
    const path = `${sessions}${id}/replay/`
    expect(await sendFile(gateway, path, 'as it was', { version: '3' })).toBe(201)
    expect(await sendFile(gateway, path, 'as it was', { version: '3' })).toBe(201)
    for (const version of ['2', '3', '4']) expect(await sendFile(gateway, path, 'a forgery', { version })).toBe(400)
    expect(await played(id)).toBe('as it was')
  })
})

describe('empty values from gateways of v3.9', () => {
  it('mean none', async () => {
    const none = { user_id: '', asset_id: '', remote_addr: '', comment: '', error_reason: '', org_id: '' }
    const { id, org_id } = await begin(none)
    expect(org_id).toBe(defaultOrgId)
    expect(await status(gateway.request('PATCH', `${sessions}${id}/`, { error_reason: '' }))).toBe(200)
    expect(await status(gateway.request('POST', commands, [commandBody(id, { id: '', org_id: '' })]))).toBe(200)
    for (const session of ['', null, id]) {
      const body = transferBody({ session, remote_addr: '', org_id: '' })
      expect((await gateway.request<AnyRow>('POST', transfers, body)).org_id).toBe(defaultOrgId)
    }
  })
})

describe('an order to end sessions', () => {
  it('is accepted in every form that consoles send', async () => {
    const one = await begin()
    const two = await begin()
    const kill = (body: unknown) => server.admin.request('POST', '/api/v1/terminal/tasks/kill-session/', body)
    expect(await kill([one.id])).toEqual({ ok: [one.id] })
    expect(await kill(one.id)).toEqual({ ok: [one.id] })
    const many = (await kill([one.id, 'none', null, 7, [], {}, two.id])) as { ok: string[] }
    expect(new Set(many.ok)).toEqual(new Set([one.id, two.id]))
    expect(await kill('none')).toEqual({ ok: [] })
    expect(await kill([])).toEqual({ ok: [] })
    expect(await kill({})).toEqual({ ok: [] })
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json']) {
      const path = '/api/v1/terminal/tasks/kill-session/'
      const headers = { ...server.admin.proof('POST', path), 'content-type': type }
      const body = type.endsWith('json') ? JSON.stringify(two.id) : String(two.id)
      const answer = await fetch(server.url + path, { method: 'POST', headers, body })
      expect([type, answer.status, await answer.json()]).toEqual([type, 200, { ok: [two.id] }])
    }
  })
})

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, anonymous, type Client, registerComponent } from '@castellan/testing/client'
import { signInForCookies } from '@castellan/testing/web-terminal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { directRun, startServer, type TestServer } from '../../testing/server.ts'
import { sweepLogs } from './retention.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const status = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.status : Promise.reject(error)),
  )
const logs = (path: string) => server.admin.collection(`audits/${path}`)

describe('sign-in log', () => {
  it('contains failed and successful attempts, and shows users only their own', async () => {
    const signIn = (username: string, password: string) =>
      status(anonymous(server.url).request('POST', '/api/v1/authentication/auth/', { username, password }))
    expect(await signIn('nobody-here', 'x')).toBe(400)
    expect(await signIn('admin', server.adminPassword)).toBe(200)
    const failed = await server.admin
      .in('ROOT')
      .collection('audits/login-logs')
      .all({ username: 'nobody-here', status: 0 })
    expect(failed).toMatchObject([{ status: { value: false }, mfa: { value: 2 }, city: 'LAN', ip: '127.0.0.1' }])
    const mine = await logs('my-login-logs').all()
    expect(mine.length).toBeGreaterThan(0)
    await server.admin.collection('users/users').create({
      name: 'fresh',
      username: 'fresh',
      email: 'fresh@example.com',
      password_strategy: 'custom',
      password: 'First-pass1',
      need_update_password: true,
    })
    expect(await signIn('fresh', 'First-pass1')).toBe(400)
    const [held] = await server.admin.in('ROOT').collection('audits/login-logs').all({ username: 'fresh' })
    expect(held).toMatchObject({ reason: 'password_need_update', reason_display: 'Password must be changed first' })
    expect(new Set(mine.map((row) => row.username))).toEqual(new Set(['admin']))
    expect(await logs('my-login-logs').all({ search: `${mine[0]?.id} admin` })).toEqual([mine[0]])
    const beginning = String(mine[0]?.id).slice(0, 28)
    expect(await logs('my-login-logs').all({ search: beginning })).toEqual([mine[0]])
    expect(await logs('my-login-logs').all({ search: randomUUID() })).toEqual([])
    expect(await status(logs('login-logs').page({ status: 'true' }))).toBe(400)
    const here = `/api/v1/audits/my-login-logs/?city=${encodeURIComponent('局域网')}`
    const headers = { ...server.admin.proof('GET', here), 'accept-language': 'zh' }
    expect(await (await fetch(server.url + here, { headers })).json()).toHaveLength(mine.length)
  })
})

describe('operate log', () => {
  const diffOf = async (entry: AnyRow | undefined, language = 'en') => {
    const path = `/api/v1/audits/operate-logs/${entry?.id}/?type=action_detail`
    const headers = { ...server.admin.proof('GET', path), 'accept-language': language }
    return ((await (await fetch(server.url + path, { headers })).json()) as AnyRow).diff as AnyRow[]
  }
  const entriesFor = (resource: string) => logs('operate-logs').all({ resource })

  it('shows both sides of a change, of columns and of relations, in the language of the reader', async () => {
    const name = `group-${randomUUID()}`
    const group = await server.admin.collection('users/groups').create({ name, comment: 'before' })
    const user = await server.person('Grace', { org: [roleIds.orgUser] })
    await server.admin.collection('users/groups').change(group.id, { comment: 'after', users: [user] })
    await server.admin.collection('users/groups').change(group.id, { comment: 'after', users: [user] })
    const entries = await entriesFor(name)
    expect(entries.map((row) => (row.action as AnyRow).value)).toEqual(['update', 'create'])
    expect(entries[0]).toMatchObject({ resource_type: 'User group', user: expect.stringContaining('(admin)') })
    const diff = await diffOf(entries[0])
    expect(diff).toContainEqual(expect.objectContaining({ before: 'before', after: 'after' }))
    expect(diff).toContainEqual({ field: 'Users', before: '(empty)', after: expect.stringContaining('Grace') })
    expect(await diffOf(entries[0], 'zh')).toContainEqual(expect.objectContaining({ field: '用户' }))
  })

  it('shows choices by name and columns without a field by a label, never raw values', async () => {
    const name = `permission-${randomUUID()}`
    await server.admin.collection('perms/asset-permissions').create({ name, actions: ['connect', 'upload'] })
    const told = await diffOf((await entriesFor(name))[0], 'ja')
    expect(told).toContainEqual(expect.objectContaining({ field: '操作', after: expect.not.stringContaining('{') }))
    await server.admin.collection('users/users').create({ name, username: name, email: `${name}@x.example` })
    const fields = (await diffOf((await entriesFor(`${name}(${name})`))[0], 'zh')).map(({ field }) => field)
    expect(fields.filter((field) => /^[\x20-\x7e]+$/.test(String(field)))).toEqual([])
  })

  it('never contains a secret', async () => {
    const username = `u-${randomUUID()}`
    const password = 'Sup3r-Secret-Value!'
    const made = { name: username, username, email: `${username}@example.com`, password_strategy: 'custom', password }
    await server.admin.collection('users/users').create(made)
    const rows = await server.context().acrossOrganizations.selectFrom('audits_operatelog').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(password)
    const [changed] = await logs('password-change-logs').all({ user: `${username}(${username})` })
    expect(changed).toMatchObject({ change_by: expect.stringContaining('admin'), remote_addr: expect.any(String) })
  })

  it('cannot be written or deleted by any caller, and is read only with the permission', async () => {
    const [entry] = await logs('operate-logs')
      .page({})
      .then((page) => page.results)
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect(await status(server.admin.request(method, `/api/v1/audits/operate-logs/${entry?.id}/`))).toBe(405)
    expect(await status(server.admin.request('POST', '/api/v1/audits/operate-logs/', {}))).toBe(405)
    const plain = await server.as(await server.person('plain', { org: [roleIds.orgUser] }))
    expect(await status(plain.collection('audits/operate-logs').page())).toBe(403)
    const elsewhere = await server.organization(`elsewhere-${randomUUID()}`)
    const auditor = await server.as(
      await server.person('eve', { org: [roleIds.orgAuditor], orgId: elsewhere }),
      elsewhere,
    )
    expect((await auditor.collection('audits/operate-logs').page()).count).toBe(0)
    expect(await status(auditor.request('GET', `/api/v1/audits/operate-logs/${entry?.id}/`))).toBe(404)
  })
})

describe('file transfers', () => {
  it('are reported by components, store the file, and return it under its name', async () => {
    const gateway = (await registerComponent(server.url, server.bootstrapToken, 'gateway-ftp')).in('ROOT')
    await gateway.request('POST', '/api/v1/terminal/sessions/', {
      ...{ user: 'Ada(ada)', asset: 'web-1(10.0.0.1)', account: 'root(root)', account_id: randomUUID() },
      ...{ protocol: 'sftp', org_id: defaultOrgId },
    })
    const row = await gateway.request<AnyRow>('POST', '/api/v1/audits/ftp-logs/', {
      id: randomUUID(),
      user: 'Ada(ada)',
      asset: 'web-1(10.0.0.1)',
      account: 'root(root)',
      operate: 'upload',
      filename: '/home/../etc/résumé "1".txt',
      remote_addr: '10.0.0.9',
      // Gateways of v3.9 send this when there is no session.
      session: '',
    })
    expect(row).toMatchObject({ org_id: defaultOrgId, has_file: false, is_success: true })
    const path = `/api/v1/audits/ftp-logs/${row.id}/upload/`
    const send = (client: Client, file?: string) => {
      const form = new FormData()
      if (file !== undefined) form.set('file', new Blob([file]), '../../evil')
      return fetch(server.url + path, {
        method: 'POST',
        body: form,
        headers: { ...client.proof('POST', path), 'x-jms-org': 'ROOT' },
      })
    }
    const get = () => {
      const file = `/api/v1/audits/ftp-logs/${row.id}/file/download/`
      return fetch(server.url + file, { headers: server.admin.proof('GET', file) })
    }
    const missing = await get()
    expect([missing.status, missing.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await send(server.admin, 'mine')).status).toBe(403)
    expect((await send(gateway)).status).toBe(401)
    // A body that is not a form counts as one without a file.
    await expect(gateway.request('POST', path, {})).rejects.toMatchObject({
      status: 401,
      body: { msg: { file: ['This field is required.'] } },
    })
    expect((await send(gateway, 'contents')).status).toBe(201)
    expect(await gateway.request('PATCH', `/api/v1/audits/ftp-logs/${row.id}/`, { has_file: true })).toMatchObject({
      has_file: true,
    })
    const file = await get()
    expect(await file.text()).toBe('contents')
    // Sending the same file again succeeds; a different one does not replace it.
    expect((await send(gateway, 'contents')).status).toBe(201)
    expect((await send(gateway, 'forgery')).status).toBe(400)
    expect(await (await get()).text()).toBe('contents')
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''r%C3%A9sum%C3%A9%20%221%22.txt`)
  })
})

describe('online users', () => {
  it('are listed while their browser session lives, and are signed out by an order', async () => {
    const { rawDb } = server.context()
    const user = await server.person('Online', { org: [roleIds.orgUser] })
    const now = Date.now()
    const key = randomUUID().replaceAll('-', '').repeat(2)
    const data = { login_type: 'W', login_ip: '8.8.8.8', login_time: now, user_agent: 'Test', backend: 'password' }
    await rawDb
      .insertInto('authentication_session')
      .values({
        key,
        user_id: user,
        data: JSON.stringify(data),
        date_created: now,
        date_updated: now,
        date_expired: now + 60_000,
      })
      .execute()
    const [row] = await logs('user-sessions').all({ ip: '8.8.8.8' })
    const file = '/api/v1/audits/user-sessions/?format=csv&ip=8.8.8.8'
    const csv = await fetch(server.url + file, {
      headers: { ...server.admin.proof('GET', file), 'accept-language': 'en' },
    })
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="usersession_[-\d_]+\.csv"$/)
    const [titles, line, ...more] = (await csv.text()).replace('\ufeff', '').trimEnd().split(/\r?\n/)
    expect([titles?.split(',').length, more]).toEqual([Object.keys(row ?? {}).length, []])
    expect(line).toContain(`(${user})`)
    expect(row).toMatchObject({
      user: { id: user },
      city: 'Unknown',
      is_active: false,
      backend: 'Password',
      is_current_user_session: false,
    })
    expect(JSON.stringify(row)).not.toContain(key)
    const made = server.admin.request('POST', '/api/v1/audits/user-sessions/', {})
    expect(await made.catch((error: ApiError) => error.body)).toHaveProperty('date_expired')
    await server.admin.request('POST', '/api/v1/audits/user-sessions/offline/', { ids: [row?.id] })
    expect(await logs('user-sessions').all({ ip: '8.8.8.8' })).toEqual([])
    expect(await rawDb.selectFrom('authentication_session').select('key').where('key', '=', key).execute()).toEqual([])
  })
})

describe('an open page', () => {
  it('shows its user as online until the last page is closed, and is disconnected when it sends an invalid message', async () => {
    const cookie = await signInForCookies(server.url, 'admin', server.adminPassword)
    const path = '/ws/notifications/site-msg/'
    const page = async () => {
      const socket = new WebSocket(server.url.replace('http', 'ws') + path, { headers: { cookie } })
      await once(socket, 'message')
      return socket
    }
    const there = async () => (await logs('user-sessions').all({ search: '127.0.0.1' })).map((row) => row.is_active)
    expect(await there()).toEqual([false])
    const [first, second] = [await page(), await page()]
    expect(await there()).toEqual([true])
    first.send('{"refresh_every_seconds":5}')
    first.close()
    await once(first, 'close')
    expect(await there()).toEqual([true])
    second.send('no message')
    const [code] = await once(second, 'close')
    expect(code).toBe(1006)
    await expect.poll(there).toEqual([false])
  })
})

describe('activities', () => {
  it('of an asset show who used it, and those of a user show their actions', async () => {
    const gateway = (await registerComponent(server.url, server.bootstrapToken, 'gateway-act')).in('ROOT')
    const asset = randomUUID()
    await gateway.request('POST', '/api/v1/terminal/sessions/', {
      user: 'Ada(ada)',
      user_id: randomUUID(),
      asset: 'web-1(10.0.0.1)',
      asset_id: asset,
      account: 'root(root)',
      account_id: randomUUID(),
      protocol: 'ssh',
      login_from: 'WT',
      org_id: defaultOrgId,
    })
    const of = (id: string) => server.admin.request<AnyRow[]>('GET', `/api/v1/audits/activities/?resource_id=${id}`)
    expect(await of(asset)).toMatchObject([{ r_type: 'S', content: expect.stringContaining('Ada(ada)') }])
    const path = `/api/v1/audits/activities/?resource_id=${asset}`
    const inJapanese = await fetch(new URL(path, server.url), {
      headers: { 'accept-language': 'ja', ...server.admin.proof('GET', path) },
    })
    expect(await inJapanese.text()).toContain('Web ターミナル')
    const file = await fetch(`${server.url + path}&format=csv`, { headers: server.admin.proof('GET', path) })
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="activitylog_.*\.csv"$/)
    expect((await file.text()).split('\n')[1]).toContain('Ada(ada)')
    expect(await server.admin.request('GET', '/api/v1/audits/activities/')).toEqual([])
  })
})

describe('retention', () => {
  it('deletes old entries and no others', async () => {
    const { rawDb } = server.context()
    const amount = async () => (await logs('operate-logs').page()).count
    await server.admin.collection('users/groups').create({ name: `kept-${randomUUID()}` })
    const all = await amount()
    const [oldest] = await rawDb
      .selectFrom('audits_operatelog')
      .select('id')
      .where('org_id', '=', defaultOrgId)
      .limit(1)
      .execute()
    const longAgo = Date.now() - 200 * 86_400_000
    await rawDb.updateTable('audits_operatelog').set({ datetime: longAgo }).where('id', '=', oldest?.id).execute()
    await sweepLogs.run(server.context(), {}, directRun())
    expect(await amount()).toBe(all - 1)
  })
})

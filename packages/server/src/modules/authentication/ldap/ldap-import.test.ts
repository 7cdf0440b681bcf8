import { createServer, type Socket } from 'node:net'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import type { ApiError } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type Directory, directoryGroup, directoryUser, startDirectory } from '@castellan/testing/slapd'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { storedUsers } from './cached-users.ts'
import { importUsers } from './import.ts'
import { withProgress } from './progress.ts'
import { syncUsers } from './sync.ts'

const many = Array.from({ length: 300 }, (_, at) => directoryUser(`user-${String(at).padStart(4, '0')}`))
const people = [directoryUser('ada'), directoryUser('alan'), directoryUser('taken'), ...many]
const groups = [
  directoryGroup('ops', ['uid=ada,ou=people']),
  directoryGroup('all', ['cn=ops,ou=groups', 'uid=alan,ou=people', 'cn=circle,ou=groups']),
  directoryGroup('circle', ['cn=all,ou=groups']),
]

describeWith(['slapd', 'openssl'], 'users of the directory', () => {
  let server: TestServer
  let directory: Directory
  beforeAll(async () => {
    directory = await startDirectory([...people, ...groups])
    server = await startServer({ worker: true })
    await settings(directory.settings)
  })
  afterAll(async () => {
    await server?.close()
    await directory?.[Symbol.asyncDispose]()
  })

  const base = '/api/v1/settings/ldap/'
  const settings = (values: object) => server.admin.request('PATCH', '/api/v1/settings/setting/?category=ldap', values)
  const refusal = (call: Promise<unknown>) =>
    call.then(
      (body) => ({ status: 200, body }),
      ({ status, body }: ApiError) => ({ status, body }),
    )
  const found = async (username: string) =>
    (await server.admin.request<StoredRow[]>('GET', `/api/v1/users/users/?username=${username}`))[0]
  const entered = () => {
    const { AUTH_LDAP_BIND_PASSWORD: _password, ...rest } = directory.settings
    return { ...rest, AUTH_LDAP_BIND_PASSWORD: '' }
  }
  const test = (values: object) =>
    refusal(server.admin.request<{ resp: { data: string; status: number } }>('POST', `${base}testing/config/`, values))
  const read = async () => {
    for (;;) {
      const answer = await refusal(server.admin.request('GET', `${base}users/?limit=10&offset=0`))
      if (answer.status !== 409) return answer
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const sync = async () => {
    const ctx = server.context()
    const id = await ctx.transaction((inside) => inside.enqueue(syncUsers, {}))
    for (;;) {
      const { state } = (await ctx.rawDb
        .selectFrom('kernel_job')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()) as { state: string }
      if (!['PENDING', 'RUNNING'].includes(state)) return state
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  it('are found by a test with the saved password, also when the form sends none', async () => {
    const { body } = await test(entered())
    expect(body).toMatchObject({ status: 'ok', resp: { status: 200, data: expect.stringContaining('303') } })
  })

  it.each([
    ['a wrong password', { AUTH_LDAP_BIND_PASSWORD: 'wrong' }, /bind DN/],
    ['no mapping', { AUTH_LDAP_USER_ATTR_MAP: { username: 'uid' } }, /mapping/],
    ['a filter without a name', { AUTH_LDAP_SEARCH_FILTER: '(uid=*)' }, /filter/],
    ['a broken filter', { AUTH_LDAP_SEARCH_FILTER: '(uid=%(user)s' }, /filter/],
    ['an empty branch', { AUTH_LDAP_SEARCH_OU: 'ou=nobody,dc=example,dc=com' }, /ou=nobody/],
    ['a switched off directory', { AUTH_LDAP: false }, /switched off/],
  ])('are not found with %s, and the test says why', async (_what, values, said) => {
    const { body } = await test({ ...entered(), ...values })
    expect(body).toMatchObject({ resp: { status: 400, data: expect.stringMatching(said) } })
  })

  it('are read over TLS with the authority of the certificate, and only with it', async () => {
    const secure = { ...entered(), AUTH_LDAP_SERVER_URI: directory.secureUrl, AUTH_LDAP_BIND_PASSWORD: 'Service-1' }
    expect((await test(secure)).body).toMatchObject({
      resp: { status: 400, data: expect.stringMatching(/certificate/) },
    })
    vi.stubEnv('AUTH_LDAP_CA_FILE', directory.caFile)
    await using trusting = await startServer()
    vi.unstubAllEnvs()
    const trusted = async (values: object) =>
      (await trusting.admin.request<{ resp: object }>('POST', `${base}testing/config/`, values)).resp
    expect(await trusted(secure)).toMatchObject({ status: 200 })
    const upgraded = { ...entered(), AUTH_LDAP_START_TLS: true, AUTH_LDAP_BIND_PASSWORD: 'Service-1' }
    expect(await trusted(upgraded)).toMatchObject({ status: 200 })
    const startTls = { ...entered(), AUTH_LDAP_START_TLS: true }
    expect((await test(startTls)).body).toMatchObject({
      resp: { status: 400, data: expect.stringMatching(/certificate/) },
    })
  })

  it('never get the stored password sent to another address, by a test or by a change', async () => {
    const received: string[] = []
    const sockets: Socket[] = []
    const thief = createServer((socket) => {
      sockets.push(socket)
      socket.on('data', (part) => received.push(String(part)))
    })
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve))
    const { port } = thief.address() as { port: number }
    const elsewhere = `ldap://127.0.0.1:${port}`
    const asked = { ...entered(), AUTH_LDAP_SERVER_URI: elsewhere }
    expect((await test(asked)).body).toMatchObject({
      resp: { status: 400, data: { AUTH_LDAP_BIND_PASSWORD: [expect.any(String)], error: expect.any(String) } },
    })
    expect(await refusal(settings({ AUTH_LDAP_SERVER_URI: elsewhere }))).toMatchObject({
      status: 400,
      body: { AUTH_LDAP_BIND_PASSWORD: [expect.any(String)] },
    })
    expect(received.join('')).not.toContain('Service-1')
    for (const socket of sockets) socket.destroy()
    thief.close()
  })

  it('can be tried to sign in', async () => {
    const login = (username: string, password: string) =>
      refusal(server.admin.request('POST', `${base}testing/login/`, { username, password }))
    expect(await login('ada', 'directory-ada')).toMatchObject({ status: 200, body: expect.stringContaining('ada') })
    expect((await login('ada', 'wrong')).status).toBe(400)
    expect((await login('a*', 'directory-ada')).status).toBe(400)
  })

  it('are listed after they were read, with search, order and groups of groups', async () => {
    expect((await refusal(server.admin.request('GET', `${base}users/`))).status).toBe(409)
    expect(await read()).toMatchObject({ status: 200, body: { count: 303 } })
    const listed = (query: string) =>
      server.admin.request<{ count: number; results: StoredRow[] }>('GET', `${base}users/?limit=5&offset=0&${query}`)
    expect(await listed('search=ADA')).toMatchObject({
      count: 1,
      results: [{ id: 'ada', username: 'ada', existing: false, groups: ['all', 'circle', 'ops'] }],
    })
    expect(await listed('search=%25')).toMatchObject({ count: 0 })
    expect((await listed('order=-username')).results[0]).toMatchObject({ username: 'user-0299' })
  })

  it('are imported into organizations with their groups, and never over a user of another source', async () => {
    await server.admin
      .collection('users/users')
      .create({ name: 'Taken', username: 'taken', email: 'taken@example.com' })
    const imported = await refusal(
      server.admin.request('POST', `${base}users/import/`, {
        username_list: ['ada', 'taken', 'nobody'],
        org_ids: [defaultOrgId],
      }),
    )
    expect(imported).toMatchObject({
      status: 400,
      body: { errors: [{ nobody: expect.any(String) }, { taken: expect.any(String) }] },
    })
    expect(await found('taken')).toMatchObject({ name: 'Taken', source: { value: 'local' } })
    const ada = await found('ada')
    expect(ada).toMatchObject({ source: { value: 'ldap' }, email: 'ada@directory.example' })
    const names = ((ada?.groups ?? []) as { name: string }[]).map(({ name }) => name).sort()
    expect(names).toEqual(expect.arrayContaining(['AD all', 'AD circle', 'AD ops']))
    const wrong = { username_list: ['ada'], org_ids: ['not-an-organization'] }
    expect((await refusal(server.admin.request('POST', `${base}users/import/`, wrong))).status).toBe(400)
  })

  it('show how far their import is, to its user alone, and stay where it was stopped', async () => {
    const [path, stop] = [`${base}users/import/progress/`, `${base}users/import/stop/`]
    const none = { done: 0, total: 0 }
    const other = await server.as(await server.person('other-admin', { system: [roleIds.systemAdmin] }))
    const auditor = await server.as(await server.person('auditor', { system: [roleIds.systemAuditor] }))
    await read()
    const me = await server.admin.request<{ id: string }>('GET', '/api/v1/users/profile/')
    const ctx = server.context().actingFor(me as Parameters<Context['actingFor']>[0])
    const chosen = await storedUsers(
      ctx,
      many.map(({ rdn }) => rdn.slice('uid='.length, rdn.indexOf(','))),
    )
    await other.request('POST', stop)
    const seen: unknown[] = []
    const { created, left } = await withProgress(ctx, chosen.length, (onProgress) =>
      importUsers(ctx, chosen, [defaultOrgId], async (done) => {
        await server.admin.request('POST', stop)
        const goesOn = await onProgress(done)
        seen.push(await server.admin.request('GET', path), await other.request('GET', path))
        return goesOn
      }),
    )
    expect(seen).toEqual([{ done: 250, total: 300 }, none])
    expect({ created, left }).toEqual({ created: 250, left: 50 })
    expect(await server.admin.request('GET', path)).toEqual(none)
    expect(await found('user-0249')).toMatchObject({ source: { value: 'ldap' } })
    expect(await found('user-0250')).toBeUndefined()
    expect(await refusal(auditor.request('GET', path))).toMatchObject({ status: 403 })
    expect(await refusal(auditor.request('POST', stop))).toMatchObject({ status: 403 })
  })

  it('follow the directory: who left is deactivated, an empty directory deactivates nobody', async () => {
    expect(await sync()).toBe('SUCCESS')
    expect(await found('alan')).toMatchObject({ is_active: true })
    const ada = { ...directoryUser('ada'), attributes: { ...directoryUser('ada').attributes, sn: 'Ada Lovelace' } }
    await directory.load([ada, ...many])
    expect(await sync()).toBe('SUCCESS')
    expect(await found('alan')).toMatchObject({ is_active: false })
    expect(await found('ada')).toMatchObject({ is_active: true, name: 'Ada Lovelace', groups: [] })
    expect(await found('taken')).toMatchObject({ is_active: true })
    await directory.load([])
    await sync()
    expect(await found('ada')).toMatchObject({ is_active: true })
  })

  it('have a schedule that follows the settings', async () => {
    const schedule = () =>
      server
        .context()
        .rawDb.selectFrom('kernel_schedule')
        .select(['enabled', 'crontab', 'interval_seconds'])
        .where('owner_type', '=', 'authentication.directory')
        .executeTakeFirst()
    expect(Boolean((await schedule())?.enabled)).toBe(false)
    await settings({ AUTH_LDAP_SYNC_IS_PERIODIC: true, AUTH_LDAP_SYNC_INTERVAL: 12 })
    expect(await schedule()).toMatchObject({ crontab: null, interval_seconds: 43_200 })
    await settings({ AUTH_LDAP_SYNC_CRONTAB: '0 3 * * *' })
    expect(await schedule()).toMatchObject({ crontab: '0 3 * * *', interval_seconds: null })
    expect((await refusal(settings({ AUTH_LDAP_SYNC_CRONTAB: 'at night' }))).status).toBe(400)
    await settings({ AUTH_LDAP: false })
    expect(Boolean((await schedule())?.enabled)).toBe(false)
  })
})

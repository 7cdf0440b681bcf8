import { createServer } from 'node:http'
import { type Client, signIn } from '@castellan/testing/client'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

const path = '/api/v1/authentication/temp-tokens/'
const ownPassword = 'Own-1-password'

interface Token {
  id: string
  secret: string
  username: string
  verified: boolean
  is_valid: boolean
  date_created: string
  date_verified: string | null
  date_expired: string
}

let server: TestServer
beforeAll(async () => {
  vi.stubEnv('AUTH_TEMP_TOKEN', 'true')
  server = await startServer().finally(() => vi.unstubAllEnvs())
})
afterAll(() => server.close())

let made = 0
async function person(values: object = {}): Promise<{ id: string; username: string; client: Client }> {
  const username = `person-${++made}`
  const { id } = await server.admin.collection('users/users').create({
    name: username,
    username,
    email: `${username}@example.com`,
    password_strategy: 'custom',
    password: ownPassword,
    need_update_password: false,
    ...values,
  })
  return { id, username, client: await signIn(server.url, username, ownPassword) }
}

async function tried(username: string, password: string, at = server): Promise<string> {
  const answer = await fetch(`${at.url}/api/v1/authentication/auth/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return answer.status === 201 ? 'in' : ((await answer.json()) as { error: string }).error
}

const make = (client: Client) => client.request<Token>('POST', path)

describe('a temporary password', () => {
  it.each([
    [2, '/core/auth/login/'],
    [0, '/core/auth/password/verify/'],
  ])('sets up no second factor, at MFA level %s', async (mfa_level, instead) => {
    const { id, client, username } = await person()
    const { secret } = await make(client)
    await server.admin.request('PATCH', `/api/v1/users/users/${id}/`, { mfa_level })
    const browser = new Visitor()
    const open = (path: string, init: RequestInit = {}) => browser.open(server.url + path, init)
    await open('/core/auth/login/')
    const csrfmiddlewaretoken = browser.cookie(server.url, 'jms_csrftoken') ?? ''
    const body = new URLSearchParams({ username, password: secret, csrfmiddlewaretoken })
    const typed = await open('/core/auth/login/', { method: 'POST', body })
    expect(typed.headers.get('location')).toMatch('/core/auth/login/guard/')
    await open('/core/auth/login/guard/')
    const answer = await open('/core/auth/profile/otp/enable/bind/')
    expect(answer.headers.get('location')).toMatch(instead)
  })

  it('is shown once, is valid for 300 seconds, and only its owner sees that it exists', async () => {
    const { client, username } = await person()
    const token = await make(client)
    expect(token).toMatchObject({ username, verified: false, is_valid: true, date_verified: null })
    expect(token.secret).toMatch(/^\w{36}$/)
    expect(Date.parse(token.date_expired) - Date.parse(token.date_created)).toBe(300_000)
    const [row] = await client.request<Token[]>('GET', path)
    expect(row).toMatchObject({ id: token.id, is_valid: true })
    expect(row).not.toHaveProperty('secret')
    const logs = await server.admin.request<object[]>('GET', '/api/v1/audits/operate-logs/?limit=5')
    expect(JSON.stringify(logs)).not.toContain(token.secret)
    const stored = await server.context().rawDb.selectFrom('authentication_temptoken').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(token.secret)
    expect(await server.admin.request<Token[]>('GET', path)).toEqual([])
    for (const [method, at] of [
      ['GET', ''],
      ['PATCH', ''],
      ['PATCH', 'expire/'],
    ] as const)
      await expect(server.admin.request(method, `${path}${token.id}/${at}`)).rejects.toMatchObject({ status: 404 })
  })

  it('signs its owner in once, also of two at the same time', async () => {
    const { client, username, id } = await person()
    const other = await person()
    const token = await make(client)
    expect(await tried(other.username, token.secret)).toBe('password_failed')
    expect(await tried(username, token.secret.toUpperCase())).toBe('password_failed')
    expect(await tried(username, token.secret)).toBe('in')
    expect(await tried(username, token.secret)).toBe('password_failed')
    const [row] = await client.request<Token[]>('GET', path)
    expect(row).toMatchObject({ verified: true, is_valid: false, date_verified: expect.any(String) })
    const [log] = await server.admin.request<object[]>(
      'GET',
      `/api/v1/audits/login-logs/?username=${username}&status=1`,
    )
    expect(log).toMatchObject({ backend: 'Temporary token' })
    const { secret } = await make(client)
    const both = await Promise.all([1, 2, 3, 4].map(() => tried(username, secret)))
    expect(both.filter((one) => one === 'in')).toHaveLength(1)
    expect(await tried(username, ownPassword)).toBe('in')
    await server.admin.collection('users/users').delete(id)
  })

  it('ends when its owner expires it, with the time, with the password and with the account', async () => {
    const { client, username, id } = await person()
    const expired = await make(client)
    expect(await client.request('PATCH', `${path}${expired.id}/expire/`)).toMatchObject({ is_valid: false })
    expect(await tried(username, expired.secret)).toBe('password_failed')
    const old = await make(client)
    await server.context().transaction((ctx) =>
      ctx.rawDb
        .updateTable('authentication_temptoken')
        .set({ date_expired: ctx.now - 1 })
        .where('id', '=', old.id)
        .execute(),
    )
    expect(await tried(username, old.secret)).toBe('password_failed')
    const before = await make(client)
    await server.admin.request('PATCH', `/api/v1/users/users/${id}/password/`, { password: 'Other-1-password' })
    expect(await tried(username, before.secret)).toBe('password_failed')
    const again = await signIn(server.url, username, 'Other-1-password')
    const disabled = await make(again)
    const users = server.admin.collection('users/users')
    await users.change(id, { is_active: false })
    expect(await tried(username, disabled.secret)).not.toBe('in')
    await users.change(id, { is_active: true })
    expect(await tried(username, disabled.secret)).toBe('password_failed')
  })

  it('counts guesses, waits for the second factor, and stops where users have to come from their source', async () => {
    const { client, username, id } = await person()
    const limits = '/api/v1/settings/setting/?category=security_login_limit'
    const kept = await make(client)
    await server.admin.request('PATCH', limits, { ONLY_ALLOW_AUTH_FROM_SOURCE: true })
    expect(await tried(username, kept.secret)).toBe('password_failed')
    await server.admin.request('PATCH', limits, { ONLY_ALLOW_AUTH_FROM_SOURCE: false })
    await server.admin.collection('users/users').change(id, { mfa_level: 2 })
    expect(await tried(username, kept.secret)).toBe('mfa_required')
    const { secret } = await make(client)
    for (let tries = 0; tries < 7; tries += 1) await tried(username, 'x'.repeat(36))
    expect(await tried(username, secret)).toBe('block_login')
  })

  it('serves users of a directory, to which it is never sent', async () => {
    const asked: string[] = []
    const eavesdropper = createServer((request) => asked.push(String(request.url))).listen(0)
    const { port } = eavesdropper.address() as { port: number }
    eavesdropper.on('connection', () => asked.push('connection'))
    const { client, username, id } = await person()
    const { secret } = await make(client)
    await server.admin.collection('users/users').change(id, { source: 'ldap' })
    await server.admin.request('PATCH', '/api/v1/settings/setting/?category=ldap', {
      AUTH_LDAP: true,
      AUTH_LDAP_SERVER_URI: `ldap://127.0.0.1:${port}`,
    })
    expect(await tried(username, secret)).toBe('in')
    expect(asked).toEqual([])
    await server.admin.request('PATCH', '/api/v1/settings/setting/?category=ldap', { AUTH_LDAP: false })
    eavesdropper.close()
  })

  it('needs the permission, and the setting for the sign-in alone', async () => {
    await using off = await startServer()
    const token = await make(off.admin)
    expect(await off.admin.request('GET', path)).toHaveLength(1)
    expect(await tried('admin', token.secret, off)).toBe('password_failed')
    const anonymous = await fetch(server.url + path, { method: 'POST' })
    expect(anonymous.status).toBe(401)
  })
})

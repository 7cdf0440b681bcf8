import { roleIds } from '@castellan/contract/ids'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updateRow } from '../../kernel/resource/repository.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { user } from '../users/index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.changeSettings('basic', { SITE_URL: server.url })
})
afterAll(() => server.close())

const switchOn = (on: boolean) =>
  server.admin.request('PATCH', '/api/v1/settings/setting/?category=auth', { AUTH_SSO: on })
const linkFor = async (username: string, next?: string) =>
  (
    await server.admin.request<{ login_url: string }>('POST', '/api/v1/authentication/sso/login-url/', {
      username,
      ...(next !== undefined && { next }),
    })
  ).login_url
const isIn = async (visitor: Visitor) => (await visitor.open(`${server.url}/api/v1/users/profile/`)).status === 200
const lastLog = async () =>
  (await server.context().rawDb.selectFrom('audits_userloginlog').selectAll().orderBy('datetime', 'desc').execute())[0]

let made = 0
async function person(values: Record<string, unknown> = {}) {
  const username = `sso-${++made}`
  const { id } = await server.admin.collection('users/users').create({
    name: username,
    username,
    email: `${username}@example.com`,
    password_strategy: 'custom',
    password: 'Own-1-password',
  })
  await server.context().transaction((ctx) => updateRow(ctx, user, id, { need_update_password: false, ...values }))
  return { id, username }
}

/** Opens a link; where the browser ended, and whether it is signed in. */
async function open(link: string, visitor = new Visitor()) {
  const first = await visitor.open(link)
  let location = first.headers.get('location') ?? ''
  if (location.startsWith('/core/auth/login/guard/'))
    location = (await visitor.open(`${server.url}${location}`)).headers.get('location') ?? ''
  return { status: first.status, location, isIn: await isIn(visitor) }
}

describe('a sign-in link', () => {
  it('is made by nobody while links are off', async () => {
    const { username } = await person()
    await expect(linkFor(username)).rejects.toMatchObject({ status: 400, body: { code: 'sso_auth_closed' } })
    await switchOn(true)
    const link = await linkFor(username)
    await switchOn(false)
    expect(await open(link)).toEqual({ status: 302, location: '/', isIn: false })
    await switchOn(true)
    expect(await open(link)).toMatchObject({ isIn: true })
    await switchOn(false)
  })

  it('is made by superusers only, for known users and paths of this installation', async () => {
    await switchOn(true)
    const { username } = await person()
    const path = '/api/v1/authentication/sso/login-url/'
    const others = [
      await server.person('sso-auditor', { system: [roleIds.systemAuditor] }),
      await server.person('sso-org-admin', { org: [roleIds.orgAdmin] }),
    ]
    for (const id of others)
      await expect((await server.as(id)).request('POST', path, { username })).rejects.toMatchObject({ status: 403 })
    expect((await fetch(server.url + path, { method: 'POST' })).status).toBe(401)
    await expect(linkFor('nobody-of-that-name')).rejects.toMatchObject({ status: 404 })
    for (const next of ['//evil.example', 'https://evil.example', 'javascript:alert(1)'])
      await expect(linkFor(username, next)).rejects.toMatchObject({ status: 400, body: { next: [expect.anything()] } })
    for (const body of [null, [], {}, { username: { a: 1 } }])
      await expect(server.admin.request('POST', path, body as object)).rejects.toMatchObject({ status: 400 })
  })

  it('signs in once, and leads to its page', async () => {
    const { username } = await person()
    const link = await linkFor(username, '/ui/x')
    // As programs do that look at the links of a mail.
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(200)
    expect(await open(link)).toEqual({ status: 302, location: '/ui/x', isIn: true })
    expect(await lastLog()).toMatchObject({ username, backend: 'SSO', type: 'W' })
    expect(await open(link)).toEqual({ status: 302, location: '/ui/x', isIn: false })
    expect(await lastLog()).toMatchObject({ reason: 'authkey_invalid', backend: 'SSO' })
    const two = await linkFor(username)
    const both = await Promise.all([open(two), open(two)])
    expect(both.filter((one) => one.isIn)).toHaveLength(1)
  })

  it('leads nowhere else, whatever is added to it', async () => {
    const { username } = await person()
    const link = new URL(await linkFor(username))
    link.searchParams.set('next', '//evil.example')
    expect(await open(link.href)).toMatchObject({ location: '/', isIn: true })
    expect(await open(link.href)).toMatchObject({ location: '/', isIn: false })
    const missing = await fetch(`${server.url}/api/v1/authentication/sso/login/`)
    expect([missing.status, await missing.json()]).toEqual([400, [expect.any(String)]])
  })

  it('ends after its time', async () => {
    const { username } = await person()
    const link = await linkFor(username)
    const rows = await server.context().rawDb.selectFrom('kernel_memory').selectAll().execute()
    const row = rows.find(({ key }) => String(key).startsWith('sign-in:sso:'))
    expect(JSON.stringify(rows)).not.toContain(new URL(link).searchParams.get('authkey'))
    await server.context().transaction((ctx) =>
      ctx.rawDb
        .updateTable('kernel_memory')
        .set({ value: JSON.stringify({ ...JSON.parse(String(row?.value)), expires: 1 }) })
        .where('key', '=', String(row?.key))
        .execute(),
    )
    expect(await open(link)).toMatchObject({ isIn: false })
    expect(await lastLog()).toMatchObject({ reason: 'authkey_timeout' })
  })

  it.each([
    ['user_inactive', { is_active: false }],
    ['user_expired', { date_expired: 1 }],
  ])('stops at the state of the user: %s', async (reason, values) => {
    const { username } = await person(values)
    expect((await open(await linkFor(username))).isIn).toBe(false)
    expect(await lastLog()).toMatchObject({ username, reason })
  })

  it('waits for the second factor, unless other systems are trusted with it', async () => {
    const { username } = await person({ mfa_level: 2 })
    expect(await open(await linkFor(username))).toMatchObject({
      location: '/core/auth/login/mfa/?next=%2F',
      isIn: false,
    })
    const trust = (on: boolean) =>
      server.admin.request('PATCH', '/api/v1/settings/setting/?category=security_auth', {
        SECURITY_MFA_AUTH_ENABLED_FOR_THIRD_PARTY: !on,
      })
    await trust(true)
    expect(await open(await linkFor(username))).toMatchObject({ isIn: true })
    await trust(false)
  })
})

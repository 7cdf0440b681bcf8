import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleIds, rootOrgId } from '@castellan/contract/ids'
import type { ApiError, Client } from '@castellan/testing/client'
import { registerComponent, signIn } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { onceOn } from '../../testing/this-run.ts'

const refusal = (call: Promise<unknown>) =>
  call.then(
    (answer) => ({ status: 200, body: answer as Record<string, unknown> }),
    (error: ApiError) => ({ status: error.status, body: error.body as Record<string, unknown> }),
  )

onceOn('sqlite')(
  'the first start generates a random password, readable by the owner only, and never another one',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'castellan-first-'))
    const file = join(dataDir, 'first-password')
    const first = await startServer({ database: 'sqlite', generatedPassword: true, dataDir })
    const password = readFileSync(file, 'utf8').trim()
    expect(password).toMatch(/^(\w{5}-){3}\w{5}$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const profile = await first.admin.request<Record<string, unknown>>('GET', '/api/v1/users/profile/')
    expect(profile.need_update_password).toBe(true)
    await first.close()
    const second = await startServer({ database: 'sqlite', generatedPassword: true, dataDir })
    expect(readFileSync(file, 'utf8').trim()).toBe(password)
    await second.admin.request('PUT', '/api/v1/users/profile/password/', {
      old_password: password,
      new_password: 'Another-1x',
      new_password_again: 'Another-1x',
    })
    expect(() => statSync(file)).toThrow()
    await signIn(second.url, 'admin', 'Another-1x')
    await second.close()
    rmSync(dataDir, { recursive: true })
  },
)

describe('users', () => {
  let server: TestServer
  let admin: Client
  beforeAll(async () => {
    server = await startServer()
    admin = server.admin
  })
  afterAll(() => server.close())
  const created = (name: string, more: Record<string, unknown> = {}) =>
    admin.collection('users/users').create({ name, username: name, email: `${name}@example.com`, ...more })

  it('lets others write while the passwords of many new users are hashed', async () => {
    const people = Array.from({ length: 30 }, (_, at) => ({
      name: `hashed-${at}`,
      username: `hashed-${at}`,
      email: `hashed-${at}@example.com`,
      password_strategy: 'custom',
      password: `Hashed-${at}-Hashed`,
      need_update_password: false,
    }))
    let isOver = false
    const making = admin.request('POST', '/api/v1/users/users/', people).finally(() => {
      isOver = true
    })
    await admin.collection('users/groups').create({ name: 'meanwhile' })
    expect(isOver).toBe(false)
    await making
    // Each has their own password, and a reset removes it.
    await signIn(server.url, 'hashed-7', 'Hashed-7-Hashed')
    await expect(signIn(server.url, 'hashed-7', 'Hashed-8-Hashed')).rejects.toThrow()
    const [{ id }] = (await admin.request('GET', '/api/v1/users/users/?username=hashed-7')) as [{ id: string }]
    await admin.request('PATCH', `/api/v1/users/users/${id}/password/reset/`, {})
    await expect(signIn(server.url, 'hashed-7', 'Hashed-7-Hashed')).rejects.toThrow()
  })

  it('rejects secrets that are not text, or too long, in every field', async () => {
    const notText = ['Not a valid string.']
    const calls: [string, string, (value: unknown) => object, (problem: unknown) => object][] = [
      [
        'POST',
        'users/users/',
        (password) => ({ name: 'x', username: 'x', email: 'x@example.com', password }),
        (p) => ({ password: p }),
      ],
      [
        'PATCH',
        'users/preference/?category=lina',
        (v) => ({ basic: { secret_key: v } }),
        (p) => ({ basic: expect.objectContaining({ secret_key: p }) }),
      ],
      [
        'PATCH',
        'settings/setting/?category=email',
        (v) => ({ EMAIL_HOST_PASSWORD: v }),
        (p) => ({ EMAIL_HOST_PASSWORD: p }),
      ],
      ['POST', 'authentication/password/verify/', (password) => ({ password }), (p) => ({ password: p })],
    ]
    for (const [method, path, body, expected] of calls) {
      for (const wrong of [['a'], { a: 1 }, true])
        expect(await refusal(admin.request(method, `/api/v1/${path}`, body(wrong)))).toEqual({
          status: 400,
          body: expected(notText),
        })
    }
    const long = await refusal(created('long', { password: 'x'.repeat(1025) }))
    expect(long).toEqual({ status: 400, body: { password: ['Use at most 1024 characters.'] } })
    expect(await refusal(admin.request('POST', '/api/v1/authentication/password/verify/', {}))).toEqual({
      status: 400,
      body: { password: ['This field is required.'] },
    })
  })

  it('cannot change their own roles or disable themselves', async () => {
    const id = await server.person('own', { system: [roleIds.user], org: [roleIds.orgAdmin] })
    const self = await server.as(id)
    await self.collection('users/users').change(id, { is_active: false, org_roles: [], comment: 'mine' })
    expect(await admin.collection('users/users').get(id)).toMatchObject({
      is_active: true,
      comment: 'mine',
      org_roles: [{ id: roleIds.orgAdmin }],
    })
  })

  it('become accounts of components by nobody, and are created as such only by system administrators', async () => {
    const id = await server.person('climber', { system: [roleIds.user], org: [roleIds.orgAdmin] })
    const climber = (await server.as(id)).collection('users/users')
    const component = { name: 'c', username: 'c', email: 'c@example.com', is_service_account: true }
    expect(await refusal(climber.create(component))).toMatchObject({ status: 403 })
    expect(await refusal(climber.change(id, { is_service_account: true }))).toMatchObject({ status: 403 })
    expect(await refusal(climber.change(id, { is_service_account: false }))).toMatchObject({ status: 200 })
    // A stolen token of a system administrator would be trusted as a component's.
    for (const one of [id, await server.person('boss', { system: [roleIds.systemAdmin], org: [roleIds.orgUser] })])
      expect(await refusal(admin.collection('users/users').change(one, { is_service_account: true }))).toMatchObject({
        status: 403,
      })
  })

  it('who are system administrators cannot be changed by others, whatever the call', async () => {
    const boss = await server.person('boss', { system: [roleIds.systemAdmin], org: [roleIds.orgUser] })
    const orgAdmin = await server.as(await server.person('deputy', { org: [roleIds.orgAdmin] }))
    const ways: [string, string, unknown][] = [
      ['PATCH', `/api/v1/users/users/${boss}/`, { comment: 'x' }],
      ['PATCH', `/api/v1/users/users/${boss}/password/`, { password: 'Taken-Over-1' }],
      ['PATCH', `/api/v1/users/users/${boss}/password/reset/`, {}],
      ['PATCH', `/api/v1/users/users/${boss}/pubkey/reset/`, {}],
      ['GET', `/api/v1/users/users/${boss}/mfa/reset/`, undefined],
    ]
    for (const [method, path, body] of ways)
      expect([path, (await refusal(orgAdmin.request(method, path, body))).status]).toEqual([path, 403])
  })

  it('show their roles only to callers who may see them', async () => {
    const viewer = await server.as(await server.person('viewer', { org: [roleIds.orgAdmin] }))
    const [row] = await viewer.collection('users/users').all({ username: 'admin' })
    expect(row).toHaveProperty('org_roles')
    expect(row).not.toHaveProperty('system_roles')
  })

  it('without mail set up: their creator is told that no link can be sent', async () => {
    const messages = async () => JSON.stringify(await admin.request('GET', '/api/v1/notifications/site-messages/'))
    await created('with-password', { password_strategy: 'custom', password: 'First-pass1' })
    expect(await messages()).not.toContain('with-password')
    await created('waiting', { password_strategy: 'email' })
    expect(await messages()).toContain('waiting(waiting)')
    const reset = await created('forgetful', { password_strategy: 'custom', password: 'First-pass1' })
    await admin.request('PATCH', `/api/v1/users/users/${reset.id}/password/reset/`, {})
    expect(await messages()).toContain('forgetful(forgetful)')
  })

  it('are returned with the first password strategy, and without one after a PATCH', async () => {
    const email = { value: 'email', label: expect.any(String) }
    const { id, name, username, email: address, ...made } = await created('strategy', { password_strategy: 'custom' })
    const path = `/api/v1/users/users/${id}/`
    expect(made.password_strategy).toEqual(email)
    expect(await admin.request('PATCH', path, { comment: 'x' })).toMatchObject({ password_strategy: null })
    expect(await admin.request('GET', path)).toMatchObject({ password_strategy: email })
    const whole = { name, username, email: address }
    expect(await admin.request('PUT', path, whole)).toMatchObject({ password_strategy: email })
  })

  it('choose passwords by the rules, and none of the last ones', async () => {
    const row = await created('chooser', { password_strategy: 'custom', password: 'First-pass1' })
    const change = async (old_password: string, fresh: string) =>
      refusal(
        (await server.as(row.id)).request('PUT', '/api/v1/users/profile/password/', {
          old_password,
          new_password: fresh,
          new_password_again: fresh,
        }),
      )
    expect((await change('First-pass1', 'short')).body).toHaveProperty('new_password')
    expect((await change('First-pass1', 'First-pass1')).body).toHaveProperty('new_password')
    expect((await change('First-pass1', 'Second-pass1')).status).toBe(200)
    expect((await change('Second-pass1', 'First-pass1')).body).toHaveProperty('new_password')
    await signIn(server.url, 'chooser', 'Second-pass1')
  })

  it.each([
    [
      'changing the password',
      'PUT',
      'users/profile/password/',
      (password: string) => ({
        old_password: password,
        new_password: 'Another-pass1',
        new_password_again: 'Another-pass1',
      }),
    ],
    [
      'confirming',
      'POST',
      'authentication/confirm/',
      (password: string) => ({
        confirm_type: 'password',
        secret_key: password,
      }),
    ],
    ['verifying the password', 'POST', 'authentication/password/verify/', (password: string) => ({ password })],
  ])('cannot be guessed more often by %s in an open session than by signing in', async (_, method, path, body) => {
    const password = 'Right-pass1'
    const row = await created(`guessed-${path.split('/')[1]}-${method}`, { password_strategy: 'custom', password })
    const self = await server.as(row.id)
    const send = (secret: string) => refusal(self.request(method, `/api/v1/${path}`, body(secret)))
    const limit = 7
    for (let tried = 0; tried < limit; tried++) {
      const { status, body: said } = await send('Wrong-pass1')
      expect([status, JSON.stringify(said)]).toEqual([400, expect.not.stringContaining('Too many')])
    }
    const blocked = await send(password)
    expect([blocked.status, JSON.stringify(blocked.body)]).toEqual([
      400,
      expect.stringContaining('Too many failed attempts'),
    ])
    await admin.request('PATCH', `/api/v1/users/users/${row.id}/unblock/`)
    expect((await send(password)).status).toBe(200)
  })

  it('who are locked after failed sign-ins are found by that, by whatever name they signed in', async () => {
    const row = await created('Locked-Out')
    await created('not-locked')
    const attempt = (username: string) =>
      fetch(`${server.url}/api/v1/authentication/auth/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: 'Wrong-pass1' }),
      })
    // An unknown name is locked like any other.
    for (let tried = 0; tried < 8; tried++)
      for (const name of [tried % 2 ? 'Locked-Out' : 'Locked-Out@example.com', 'nobody-at-all']) await attempt(name)
    const found = async (query: Record<string, string>) =>
      (await admin.collection<{ username: string }, object>('users/users').all(query)).map(({ username }) => username)
    expect(await found({ locked: '1' })).toEqual(['Locked-Out'])
    const others = await found({ locked: 'false' })
    expect(others).toContain('not-locked')
    expect(others).not.toContain('Locked-Out')
    expect(await found({ locked: 'perhaps' })).toContain('Locked-Out')
    await admin.request('PATCH', `/api/v1/users/users/${row.id}/unblock/`)
    expect(await found({ locked: '1' })).toEqual([])
  })

  it('of the Default group exclude components, which remain in it unseen', async () => {
    const component = await registerComponent(server.url, server.bootstrapToken, '[KoKo]-in-default')
    const { id } = await component.request<{ id: string }>('GET', '/api/v1/users/profile/')
    const groups = admin.collection<{ id: string; users: { id: string }[] }>('users/groups')
    const [group] = await groups.all({ name: 'Default' })
    const members = group?.users.map((one) => one.id) ?? []
    expect(members).not.toContain(id)
    const address = `/api/v1/users/groups/${group?.id}/`
    for (const users of [members, [...members, id]])
      expect(await refusal(admin.request('PATCH', address, { users }))).toMatchObject({ status: 200 })
    const stranger = (await created('stranger')).id
    expect(await refusal(admin.request('PATCH', address, { users: [...members, stranger] }))).toMatchObject({
      status: 200,
    })
    const links = await server
      .context()
      .rawDb.selectFrom('users_user_groups')
      .select('user_id')
      .where('usergroup_id', '=', group?.id)
      .execute()
    expect(links.map(({ user_id }) => user_id)).toEqual(expect.arrayContaining([...members, id, stranger]))
    const other = await groups.create({ name: 'without components' } as never)
    const refused = await refusal(admin.request('PATCH', `/api/v1/users/groups/${other.id}/`, { users: [id] }))
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, ['users']])
  })

  it('who are removed from an organization lose its groups, and see no user of it', async () => {
    const row = await created('leaver')
    const group = await admin.collection('users/groups').create({ name: 'leavers', users: [row.id] })
    await admin.request('POST', `/api/v1/users/users/${row.id}/remove/`, {})
    expect((await refusal(admin.collection('users/users').get(row.id))).status).toBe(404)
    expect(await admin.collection('users/groups').get(group.id)).toMatchObject({ users: [] })
    const everybody = (await admin.collection('users/users').all()).length
    for (const query of ['', '?nosuch=1', '?limit=5', '?oid=default', '?search='])
      expect([query, (await refusal(admin.request('POST', `/api/v1/users/users/remove/${query}`, {}))).status]).toEqual(
        [query, 400],
      )
    expect(await admin.collection('users/users').all()).toHaveLength(everybody)
  })

  it('are in groups that cannot be changed or deleted in the view over all organizations', async () => {
    const group = await admin.collection('users/groups').create({ name: 'of one organization' })
    const everywhere = admin.in(rootOrgId)
    const address = `/api/v1/users/groups/${group.id}/`
    expect(await everywhere.request('GET', address)).toMatchObject({ name: 'of one organization' })
    const writes = [
      ['POST', '/api/v1/users/groups/', { name: 'of none' }],
      ['PUT', address, { name: 'renamed' }],
      ['PATCH', address, { name: 'renamed' }],
      ['PATCH', '/api/v1/users/groups/', [{ id: group.id, name: 'renamed' }]],
      ['POST', `${address}add-all-users/`, undefined],
      ['DELETE', address, undefined],
      ['DELETE', `/api/v1/users/groups/?id=${group.id}`, undefined],
    ] as const
    for (const [method, path, body] of writes)
      expect([method, path, await refusal(everywhere.request(method, path, body))]).toEqual([
        method,
        path,
        { status: 400, body: { code: 'error', detail: expect.stringContaining('Switch to an organization') } },
      ])
    expect(await admin.request('GET', address)).toMatchObject({ name: 'of one organization', users: [] })
    await admin.request('PATCH', address, { name: 'renamed' })
    await admin.request('DELETE', address)
  })

  it('need all required fields in a PUT, also of an action', async () => {
    const row = await created('whole')
    const path = `/api/v1/users/users/${row.id}/unblock/`
    expect((await refusal(admin.request('PUT', path, {}))).body).toHaveProperty('email')
    const whole = { name: 'whole', username: 'whole', email: 'whole@example.com' }
    expect((await refusal(admin.request('PUT', path, whole))).status).toBe(200)
    expect((await refusal(admin.request('PATCH', path))).status).toBe(200)
  })

  it('return a telephone number in its parts, and reject an invalid one', async () => {
    const row = await created('caller', { phone: { code: '+49', phone: '15123456789' } })
    expect(row.phone).toEqual({ code: '+49', phone: 15123456789 })
    expect((await refusal(admin.collection('users/users').change(row.id, { phone: '123' }))).body).toHaveProperty(
      'phone',
    )
  })

  it('include components that know the bootstrap token, but only those', async () => {
    const path = '/api/v1/users/service-account-registrations/'
    const register = (token: string) =>
      fetch(new URL(path, server.url), {
        method: 'POST',
        headers: { authorization: `BootstrapToken ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'robot' }),
      })
    expect((await register('wrong')).status).toBe(401)
    const answer = await register(server.bootstrapToken)
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ name: 'robot', access_key: { secret: expect.any(String) } })
    expect(await admin.collection('users/users').all({ username: 'robot' })).toEqual([])
  })

  onceOn('sqlite')('are returned even for more unknown ids than a statement may bind', async () => {
    const many = Array.from({ length: 70_000 }, () => randomUUID())
    const invite = admin.request('POST', '/api/v1/users/users/invite/', { users: many, org_roles: [roleIds.orgUser] })
    expect((await refusal(invite)).status).toBe(400)
    const given = many.map((user) => ({ user, role: roleIds.orgUser }))
    expect((await refusal(admin.request('POST', '/api/v1/rbac/org-role-bindings/', given))).status).toBe(400)
  })
})

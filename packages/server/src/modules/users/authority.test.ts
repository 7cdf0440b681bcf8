import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import type { ApiError, Client } from '@castellan/testing/client'
import { registerComponent, signIn } from '@castellan/testing/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { rolesChanged } from '../rbac/index.ts'

type Row = Record<string, unknown> & { id: string }

let server: TestServer
let orgB: string
/** Organization administrator of B, a plain user elsewhere. */
let adminB: Client
beforeAll(async () => {
  server = await startServer()
  orgB = await server.organization('B')
  adminB = await server.as(
    await server.person('admin-b', { system: [roleIds.user], org: [roleIds.orgAdmin], orgId: orgB }),
    orgB,
  )
})
afterAll(() => server.close())

const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: ApiError) => error.status,
  )

const invite = (users: string[], by = adminB) =>
  by.request('POST', '/api/v1/users/users/invite/', { users, org_roles: [roleIds.orgUser] })

const password = 'Own-password1'
let counter = 0
/** Creates a user of the Default organization with a password and roles. */
async function target(system: string = roleIds.user, org: string = roleIds.orgUser): Promise<Row> {
  const name = `target-${counter++}`
  return server.admin.collection<Row, object>('users/users').create({
    ...{ name, username: name, email: `${name}@example.com`, password, password_strategy: 'custom' },
    ...{ need_update_password: false, system_roles: [system], org_roles: [org] },
  })
}

const row = (id: string) =>
  server
    .context()
    .rawDb.selectFrom('users_user')
    .select([
      'password_hash',
      'otp_secret',
      'public_key',
      'email',
      'phone',
      'is_active',
      'date_expired',
      'name',
      'source',
    ])
    .where('id', '=', id)
    .executeTakeFirst()

/** Every call by which an organization administrator could take over or lock an account. */
const attacks: readonly [string, (id: string, name: string) => [string, string, unknown?]][] = [
  ['setting a password', (id) => ['PUT', `${id}/password/`, { password: 'Taken-over1' }]],
  ['resetting the password', (id) => ['PATCH', `${id}/password/reset/`, {}]],
  ['clearing the public key', (id) => ['PATCH', `${id}/pubkey/reset/`, {}]],
  ['resetting the second factor', (id) => ['GET', `${id}/mfa/reset/`]],
  ['lifting a block', (id) => ['PATCH', `${id}/unblock/`, {}]],
  ['a password in the detail', (id) => ['PATCH', `${id}/`, { password: 'Taken-over1' }]],
  ['another e-mail address', (id) => ['PATCH', `${id}/`, { email: 'evil@example.com' }]],
  ['another phone', (id) => ['PATCH', `${id}/`, { phone: '+8613800000000' }]],
  [
    'another public key',
    (id) => ['PATCH', `${id}/`, { public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0zXh evil' }],
  ],
  ['another name', (id) => ['PATCH', `${id}/`, { name: 'Somebody else' }]],
  ['another username', (id) => ['PATCH', `${id}/`, { username: 'somebody-else' }]],
  ['disabling', (id) => ['PATCH', `${id}/`, { is_active: false }]],
  ['expiry', (id) => ['PATCH', `${id}/`, { date_expired: '2020-01-01 00:00:00' }]],
  ['a level of the second factor', (id) => ['PATCH', `${id}/`, { mfa_level: 2 }]],
  ['another source', (id) => ['PATCH', `${id}/`, { source: 'ldap' }]],
  ['demanding a new password', (id) => ['PATCH', `${id}/`, { need_update_password: true }]],
  ['bulk change', (id) => ['PATCH', '', [{ id, email: 'evil@example.com' }]]],
  [
    'import',
    (id, name) => ['PUT', '', [{ id, name, username: name, email: 'evil@example.com', org_roles: [roleIds.orgUser] }]],
  ],
  ['deletion', (id) => ['DELETE', `${id}/`]],
  ['bulk deletion', (id) => ['DELETE', `?ids=${id}`]],
]

describe.each([
  ['a user of another organization', () => target()],
  ['a system auditor', () => target(roleIds.systemAuditor)],
  ['a system administrator', () => target(roleIds.systemAdmin)],
  ['an administrator of another organization', () => target(roleIds.user, roleIds.orgAdmin)],
])('an organization administrator who invites %s', (who, make) => {
  let victim: Row
  beforeEach(async () => {
    victim = await make()
    await invite([victim.id])
  })

  it.each(attacks)('cannot change the account by %s', async (_by, call) => {
    const before = await row(victim.id)
    const [method, path, body] = call(victim.id, String(victim.username))
    expect(await status(adminB.request(method, `/api/v1/users/users/${path}`, body))).toBe(403)
    expect(await row(victim.id)).toEqual(before)
    await signIn(server.url, String(victim.username), password)
  })

  // A system administrator has rights that nobody of the organization holds, so their roles are not theirs to change.
  if (who === 'a system administrator') return
  it('may change roles and groups, also by a form that sends everything as it is', async () => {
    const group = await adminB.collection<Row, object>('users/groups').create({ name: `group-${victim.id}` })
    const one = await adminB.collection<Row, object>('users/users').get(victim.id)
    const { name, username, email, source, mfa_level, is_active, date_expired, comment, phone } = one as Row & {
      source: { value: string }
      mfa_level: { value: number }
    }
    await adminB.request('PATCH', `/api/v1/users/users/${victim.id}/`, {
      ...{ name, username, email, is_active, date_expired, comment, phone, password: '' },
      ...{ source: source.value, mfa_level: mfa_level.value },
      ...{ groups: [group.id], org_roles: [roleIds.orgAuditor] },
    })
    expect(await adminB.collection<Row, object>('users/users').get(victim.id)).toMatchObject({
      groups: [{ id: group.id }],
      org_roles: [{ id: roleIds.orgAuditor }],
    })
    await adminB.request('POST', `/api/v1/users/users/${victim.id}/remove/`)
    expect((await row(victim.id))?.is_active).toBeTruthy()
  })
})

describe('a user administrator', () => {
  it('changes users whose organizations and roles are all within their authority', async () => {
    const name = `own-${counter++}`
    const own = await adminB.collection<Row, object>('users/users').create({
      ...{ name, username: name, email: `${name}@example.com`, org_roles: [roleIds.orgUser] },
    })
    // The initial role in the Default organization is outside their authority.
    await adminB.request('PUT', `/api/v1/users/users/${own.id}/password/`, { password: 'Given-pass1' })
    await adminB.request('PATCH', `/api/v1/users/users/${own.id}/`, { comment: 'changed', is_active: true })
    await signIn(server.url, name, 'Given-pass1')
  })

  it('changes no user with more permissions than their own', async () => {
    const helpers = await server.admin.collection<Row, object>('rbac/org-roles').create({
      ...{ name: 'helpers', scope: 'org' },
      permissions: await permissions('users.view_user', 'users.change_user', 'users.invite_user', 'users.match_user'),
    })
    const helper = await server.as(
      await server.person('helper', { system: [roleIds.user], org: [helpers.id], orgId: orgB }),
      orgB,
    )
    const administrator = await server.person('other', { system: [roleIds.user], org: [roleIds.orgAdmin], orgId: orgB })
    const plain = await server.person('plain', { system: [roleIds.user], org: [roleIds.orgUser], orgId: orgB })
    const set = (id: string) => status(helper.request('PUT', `/api/v1/users/users/${id}/password/`, { password }))
    expect([await set(administrator), await set(plain)]).toEqual([403, 200])
    // Invitations must not grant or revoke permissions.
    const bystander = await target()
    const give = (id: string, role: string) =>
      status(helper.request('POST', '/api/v1/users/users/invite/', { users: [id], org_roles: [role] }))
    expect(await give(bystander.id, roleIds.orgAdmin)).toBe(403)
    expect(await give(administrator, roleIds.orgUser)).toBe(403)
    expect(await give(bystander.id, roleIds.orgUser)).toBe(200)
  })

  it('is never a component, whatever its permissions', async () => {
    const component = await registerComponent(server.url, server.bootstrapToken, '[KoKo]-attacker')
    const victim = await target()
    const call = (path: string, body: unknown) =>
      status(component.in(defaultOrgId).request('PUT', `/api/v1/users/users/${victim.id}/${path}`, body))
    expect(await call('password/', { password: 'Taken-over1' })).toBe(403)
    expect(
      await status(
        component.in(defaultOrgId).request('PATCH', `/api/v1/users/users/${victim.id}/`, { email: 'e@e.com' }),
      ),
    ).toBe(403)
    await signIn(server.url, String(victim.username), password)
  })

  it('cannot grant the system administrator role without holding it', async () => {
    const bindings = await server.admin
      .collection<Row, object>('rbac/system-roles')
      .create({ name: 'bindings', scope: 'system', permissions: [] })
    // No form offers the permission to bind system roles, but a row may hold it.
    const codes = ['rbac.add_systemrolebinding', 'rbac.view_systemrolebinding', 'users.view_user', 'users.change_user']
    await server.context().transaction(async (ctx) => {
      const stored = { permissions: JSON.stringify(codes) }
      await ctx.rawDb.updateTable('rbac_role').set(stored).where('id', '=', bindings.id).execute()
      await ctx.publish(rolesChanged, {})
    })
    const id = await server.person('climber', { system: [bindings.id], org: [roleIds.orgUser] })
    const climber = await server.as(id)
    const bind = climber.request('POST', '/api/v1/rbac/system-role-bindings/', { user: id, role: roleIds.systemAdmin })
    expect(await status(bind)).toBe(403)
    await status(climber.request('PATCH', `/api/v1/users/users/${id}/`, { system_roles: [roleIds.systemAdmin] }))
    expect(await server.admin.collection<Row, object>('users/users').get(id)).toMatchObject({ is_superuser: false })
  })
})

/** Numbers of permissions, as roles accept them. */
async function permissions(...codes: string[]): Promise<unknown[]> {
  const all = await server.admin.request<{ id: number; codename: string; content_type: { app_label: string } }[]>(
    'GET',
    '/api/v1/rbac/permissions/',
  )
  return codes.map((code) => {
    const found = all.find((one) => `${one.content_type.app_label}.${one.codename}` === code)
    if (!found) throw new Error(`There is no permission ${code}.`)
    return found.id
  })
}

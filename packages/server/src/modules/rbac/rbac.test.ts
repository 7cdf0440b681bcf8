import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import type { ApiError } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: ApiError) => error.status,
  )

describe('roles', () => {
  it('grant and revoke permissions at once', async () => {
    const roles = server.admin.collection('rbac/org-roles')
    const role = await roles.create({ name: 'readers', scope: 'org', permissions: [] })
    const user = await server.as(await server.person('reader', { org: [role.id] }))
    const list = () => status(user.collection('users/users').all())
    expect(await list()).toBe(403)
    const all = await server.admin.request<{ id: number; codename: string }[]>(
      'GET',
      '/api/v1/rbac/permissions/?scope=org',
    )
    const right = all.find(({ codename }) => codename === 'view_user')
    await roles.change(role.id, { permissions: [right?.id] })
    await expect.poll(list).toBe(200)
    await roles.change(role.id, { permissions: [] })
    await expect.poll(list).toBe(403)
  })

  it('copy exactly the permissions of the role they are cloned from', async () => {
    const role = await server.admin.request<{ id: string }>(
      'POST',
      `/api/v1/rbac/org-roles/?clone_from=${roleIds.orgAuditor}`,
      { name: 'copied', scope: 'org', permissions: [1] },
    )
    const rights = (id: string) =>
      server.admin.request<{ id: number }[]>('GET', `/api/v1/rbac/org-roles/${id}/permissions/`)
    expect(await rights(role.id)).toEqual(await rights(roleIds.orgAuditor))
  })

  it('cannot be deleted when built-in or in use, and belong to the scope of their URL', async () => {
    const { admin } = server
    const role = await admin.collection('rbac/org-roles').create({ name: 'held', scope: 'org' })
    await server.person('holder', { org: [role.id] })
    expect(await status(admin.collection('rbac/org-roles').delete(role.id))).toBe(403)
    expect(await status(admin.collection('rbac/system-roles').change(roleIds.user, { comment: 'x' }))).toBe(403)
    expect(await status(admin.collection('rbac/system-roles').create({ name: 'wrong', scope: 'org' }))).toBe(400)
    expect(await status(admin.collection('rbac/org-roles').get(roleIds.user))).toBe(404)
  })
})

describe('the permissions of a role', () => {
  it('are available one by one, if the role has them', async () => {
    const { admin } = server
    const role = await admin.collection('rbac/org-roles').create({ name: 'one right', scope: 'org', permissions: [1] })
    const one = (id: number) => admin.request('GET', `/api/v1/rbac/org-roles/${role.id}/permissions/${id}/`)
    expect(await one(1)).toMatchObject({ id: 1, codename: expect.any(String) })
    expect(await status(one(2))).toBe(404)
  })
})

describe('role bindings', () => {
  it('preserve the last role of a user, and reject a role of the other scope', async () => {
    const { admin } = server
    const id = await server.person('bound', { system: [roleIds.user], org: [roleIds.orgUser] })
    const of = async (path: string) => (await admin.collection(path).all({ user: id }))[0]?.id ?? ''
    const refused = (path: string, binding: string) =>
      admin
        .collection(path)
        .delete(binding)
        .catch((error: ApiError) => error.body)
    expect(await refused('rbac/system-role-bindings', await of('rbac/system-role-bindings'))).toMatchObject({
      code: 'system_role_delete_error',
    })
    expect(await refused('rbac/org-role-bindings', await of('rbac/org-role-bindings'))).toHaveProperty('error')
    const wrong = admin.collection('rbac/org-role-bindings').create({ user: id, role: roleIds.systemAdmin })
    expect(await status(wrong)).toBe(400)
    const second = await admin.collection('rbac/org-role-bindings').create({ user: id, role: roleIds.orgAuditor })
    expect(second).toMatchObject({ scope: 'org', org: defaultOrgId, role: roleIds.orgAuditor })
    expect(await status(admin.collection('rbac/org-role-bindings').delete(second.id))).toBe(200)
  })

  it('are unique: a duplicate is rejected for one, and skipped among many', async () => {
    const { admin } = server
    const id = await server.person('twice', { system: [roleIds.user], org: [roleIds.orgUser] })
    const other = await server.person('once', { org: [roleIds.orgUser] })
    const refusal = (path: string, role: string) =>
      admin
        .collection(path)
        .create({ user: id, role })
        .catch((error: ApiError) => error.body)
    expect(await refusal('rbac/system-role-bindings', roleIds.user)).toEqual([expect.any(String)])
    expect(await refusal('rbac/org-role-bindings', roleIds.orgUser)).toEqual({ role: [expect.any(String)] })
    const many = admin.collection('rbac/org-role-bindings')
    const rows = await many.createMany([
      { user: id, role: roleIds.orgUser },
      { user: other, role: roleIds.orgAuditor },
    ])
    expect(rows.map((row) => (row.user as { id: string }).id)).toEqual([id, other])
    expect(await many.all({ user: id })).toHaveLength(1)
    expect(await many.createMany([])).toEqual([])
    const system = admin.collection('rbac/system-role-bindings')
    const auditor = await system.create({ user: id, role: roleIds.systemAuditor })
    expect(await status(system.change(auditor.id, { role: roleIds.user }))).toBe(400)
  })

  it('are found by the names of their users and roles', async () => {
    const { admin } = server
    const id = await server.person('sought', { system: [roleIds.user], org: [roleIds.orgAuditor] })
    const rows = (path: string, search: string) => admin.collection(path).all({ search })
    expect(await rows('rbac/role-bindings', 'sought')).toHaveLength(2)
    expect(await rows('rbac/system-role-bindings', 'sought')).toMatchObject([{ user: { id }, role: roleIds.user }])
    expect(await rows('rbac/org-role-bindings', 'sought')).toMatchObject([{ user: { id }, role: roleIds.orgAuditor }])
    expect(await rows('rbac/org-role-bindings', 'nobody-at-all')).toEqual([])
    const by = (filter: Record<string, string>) => admin.collection('rbac/org-role-bindings').all(filter)
    const { username } = await admin.collection('users/users').get(id)
    expect(await by({ user__username: String(username) })).toMatchObject([{ user: { id } }])
    expect(await by({ user__username: 'nobody-at-all' })).toEqual([])
    const { name } = await admin.collection('rbac/org-roles').get(roleIds.orgAuditor)
    expect(await by({ user__username: String(username), role__name: String(name) })).toHaveLength(1)
    expect(await by({ user__username: String(username), role__name: 'no such role' })).toEqual([])
    const held = await admin.collection('rbac/org-roles').create({ name: 'seldom held', scope: 'org' })
    await admin.collection('rbac/org-role-bindings').create({ user: id, role: held.id })
    expect(await rows('rbac/org-role-bindings', 'seldom')).toMatchObject([{ role: held.id }])
  })

  it('report a missing field once', async () => {
    const refusal = (path: string, body: Record<string, unknown>) =>
      server.admin
        .collection(path)
        .create(body)
        .catch((error: ApiError) => error.body)
    const once = [expect.any(String)]
    expect(await refusal('rbac/org-roles', { name: 'no scope' })).toEqual({ scope: once })
    expect(await refusal('rbac/org-role-bindings', {})).toEqual({ user: once, role: once })
    const id = await server.person('nowhere', { org: [roleIds.orgUser] })
    expect(await refusal('rbac/role-bindings', { user: id, role: roleIds.orgAuditor })).toEqual({ org: once })
  })
})

import { defaultOrgId, roleIds, rootOrgId } from '@castellan/contract/ids'
import { type ApiError, type Client, signIn } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

type Row = Record<string, unknown> & { id: string }

let server: TestServer
let orgA: string
let orgB: string
/** A plain user of B with a permission on one of its two hosts. */
let plain: Client
let plainId: string
let adminB: Client
let granted: Row
let hidden: Row
let foreign: Row
beforeAll(async () => {
  server = await startServer()
  const organization = async (name: string) =>
    (await server.admin.collection<Row, object>('orgs/orgs').create({ name, comment: `${name} is secret` })).id
  orgA = await organization('Alpha')
  orgB = await organization('Beta')
  const [platform] = await server.admin.collection<Row, object>('assets/platforms').all({ name: 'Linux' })
  const host = (orgId: string, name: string, address: string) =>
    server.admin
      .in(orgId)
      .collection<Row, object>('assets/hosts')
      .create({ name, address, platform: platform?.id, protocols: [{ name: 'ssh', port: 22 }] })
  foreign = await host(orgA, 'alpha-host', '10.1.0.1')
  granted = await host(orgB, 'beta-granted', '10.2.0.1')
  hidden = await host(orgB, 'beta-hidden', '10.2.0.2')
  plainId = await server.person('plain', { system: [roleIds.user], org: [roleIds.orgUser], orgId: orgB })
  plain = await server.as(plainId, orgB)
  const admin = await server.person('admin-b', { system: [roleIds.user], org: [roleIds.orgAdmin], orgId: orgB })
  adminB = await server.as(admin, orgB)
  await adminB
    .collection('perms/asset-permissions')
    .create({ name: 'one host', users: [plainId], assets: [granted.id], accounts: ['@ALL'] })
})
afterAll(() => server.close())

const refusal = (call: Promise<unknown>) =>
  call.then(
    (body) => ({ status: 200, body }),
    (error: ApiError) => ({ status: error.status, body: error.body }),
  )
const list = async (client: Client, path: string) => (await client.request('GET', `/api/v1/${path}`)) as Row[]
const collections = [
  'assets',
  'hosts',
  'devices',
  'databases',
  'clouds',
  'webs',
  'gpts',
  'customs',
  'gateways',
  'nodes',
]

describe('an organization named by a request', () => {
  it.each(['header', 'query', 'name', 'cookie'])('returns nothing to a caller outside it (%s)', async (way) => {
    for (const collection of collections) {
      const path = `/api/v1/assets/${collection}/suggestions/`
      const asked =
        way === 'header'
          ? plain.in(orgA).request('GET', path)
          : way === 'query'
            ? plain.request('GET', `${path}?oid=${orgA}`)
            : way === 'name'
              ? plain.in('Alpha').request('GET', path)
              : fetch(server.url + path, {
                  headers: { authorization: `Bearer ${plain.token}`, cookie: `X-JMS-ORG=${orgA}` },
                }).then(async (answer) => {
                  if (!answer.ok) throw Object.assign(new Error(), { status: answer.status, body: await answer.json() })
                })
      const { status, body } = await refusal(asked)
      expect(status).toBe(403)
      expect(JSON.stringify(body)).not.toContain('alpha')
    }
  })

  it('hides its name and comment from a caller outside it, who gets their own organization', async () => {
    for (const client of [plain, adminB])
      for (const wanted of [orgA, 'Alpha', defaultOrgId]) {
        const current = await client.in(wanted).request<Row>('GET', '/api/v1/orgs/orgs/current/')
        expect(current).toMatchObject({ id: orgB, name: 'Beta' })
      }
    // The same without a header: they do not belong to the Default organization.
    const answer = await fetch(`${server.url}/api/v1/orgs/orgs/current/`, {
      headers: { authorization: `Bearer ${plain.token}` },
    })
    expect(await answer.json()).toMatchObject({ id: orgB })
  })

  it('cannot be used to gain permissions in another one', async () => {
    for (const path of ['assets/hosts/', 'users/users/', 'audits/operate-logs/', 'accounts/accounts/'])
      expect((await refusal(adminB.in(orgA).request('GET', `/api/v1/${path}`))).status, path).toBe(403)
    const create = adminB.in(orgA).request('POST', '/api/v1/assets/domains/', { name: 'planted' })
    expect((await refusal(create)).status).toBe(403)
    expect(await server.admin.in(orgB).collection<Row, object>('assets/domains').all({ name: 'planted' })).toEqual([])
  })
})

describe('suggestions', () => {
  it('of assets are the permitted ones, by id and name, for users who may not list assets', async () => {
    for (const client of [plain, plain.in(rootOrgId)]) {
      expect(await list(client, 'assets/assets/suggestions/')).toEqual([{ id: granted.id, name: 'beta-granted' }])
      expect(await list(client, 'assets/hosts/suggestions/')).toEqual([{ id: granted.id, name: 'beta-granted' }])
      // Fields that are not shown must not filter the list.
      for (const query of ['search=10.2', 'address=10.2.0.2', 'order=address', 'fields=id,name,address,protocols'])
        for (const row of await list(client, `assets/assets/suggestions/?${query}`))
          expect(Object.keys(row).toSorted()).toEqual(['id', 'name'])
      expect(await list(client, 'assets/assets/suggestions/?search=10.2.0')).toEqual([])
    }
  })

  it('of assets are complete rows of the own organization for users who may list assets', async () => {
    const rows = await list(adminB, 'assets/hosts/suggestions/')
    expect(rows.map(({ name }) => name)).toEqual(['beta-granted', 'beta-hidden'])
    expect(rows[0]).toHaveProperty('address')
    expect(await list(adminB.in(rootOrgId), 'assets/hosts/suggestions/')).toEqual([])
    expect(hidden.id).not.toBe(foreign.id)
  })

  it('of nodes are those of the caller’s tree', async () => {
    const names = async (client: Client) => (await list(client, 'assets/nodes/suggestions/')).map(({ name }) => name)
    const node = await adminB.collection<Row, object>('assets/nodes').create({ value: 'Unseen' })
    expect(await names(adminB)).toContain('Unseen')
    expect(await names(plain)).not.toContain('Unseen')
    await adminB
      .collection('perms/asset-permissions')
      .create({ name: 'a node', users: [plainId], nodes: [node.id], accounts: ['@ALL'] })
    expect(await names(plain)).toContain('Unseen')
    expect(await names(plain.in(rootOrgId))).not.toContain('Alpha')
    for (const row of await list(plain, 'assets/nodes/suggestions/'))
      expect(Object.keys(row).toSorted()).toEqual(['id', 'name', 'value'])
  })

  it('of users are names, found by nothing else, for callers who may not list every user', async () => {
    for (const client of [adminB]) {
      const rows = await list(client, 'users/users/suggestions/?fields_size=small&fields=email,phone,id,name')
      for (const row of rows) expect(Object.keys(row).toSorted()).toEqual(['id', 'name'])
      const found = await list(client, 'users/users/suggestions/?search=plain')
      expect(found.map(({ id }) => id)).toEqual([plainId])
      expect(Object.keys(found[0] ?? {}).toSorted()).toEqual(['id', 'name', 'username'])
      const everybody = (await list(client, 'users/users/suggestions/')).length
      for (const query of [
        'email=admin@example.com',
        'is_active=false',
        `org_roles=${roleIds.orgAdmin}`,
        'source=ldap',
      ])
        expect((await list(client, `users/users/suggestions/?${query}`)).length).toBe(everybody)
      expect(await list(client, 'users/users/suggestions/?search=example.com')).toEqual([])
    }
    expect((await refusal(plain.request('GET', '/api/v1/users/users/suggestions/'))).status).toBe(403)
  })

  it('of usernames are empty for users who may not list accounts', async () => {
    await server.admin
      .in(orgA)
      .collection('accounts/accounts')
      .create({ name: 'x', username: 'alpha-root', asset: foreign.id, secret_type: 'password', secret: 'x' })
    for (const client of [plain, adminB])
      for (const org of [orgA, orgB, rootOrgId]) {
        const names = await client
          .in(org)
          .request('POST', '/api/v1/accounts/accounts/username-suggestions/', { username: 'alpha' })
        expect(names).toEqual([])
      }
  })
})

describe('between organizations', () => {
  it('activities are shown for members only', async () => {
    const strangerId = await server.person('stranger', { system: [roleIds.user], org: [roleIds.orgUser], orgId: orgA })
    await server.admin.in(orgA).request('PATCH', `/api/v1/users/users/${strangerId}/`, { comment: 'x' })
    await server.admin
      .in(orgA)
      .request('PUT', `/api/v1/users/users/${strangerId}/password/`, { password: 'Some-pass1' })
    const [{ username }] = (await list(server.admin.in(orgA), `users/users/?id=${strangerId}`)) as [Row]
    await signIn(server.url, String(username), 'Some-pass1')
    expect(await list(adminB, `audits/activities/?resource_id=${strangerId}`)).toEqual([])
    expect(await list(adminB, `audits/activities/?resource_id=${strangerId.toUpperCase()}`)).toEqual([])
    expect((await list(server.admin.in(orgA), `audits/activities/?resource_id=${strangerId}`)).length).toBeGreaterThan(
      0,
    )
  })

  it('an administrator queries the access of members, only in their own organization', async () => {
    const strangerId = await server.person('worker', { system: [roleIds.user], org: [roleIds.orgUser], orgId: orgA })
    await server.admin
      .in(orgA)
      .collection('perms/asset-permissions')
      .create({ name: 'theirs', users: [strangerId], assets: [foreign.id], accounts: ['@ALL'] })
    const ask = (user: string, path: string) =>
      refusal(adminB.request('GET', `/api/v1/perms/users/${user}/${path}`)).then(({ status }) => status)
    for (const path of ['assets/', 'nodes/', 'nodes/children/tree/', `assets/${foreign.id}/`])
      expect(await ask(strangerId, path), path).toBe(404)
    await adminB.request('POST', '/api/v1/users/users/invite/', { users: [strangerId], org_roles: [roleIds.orgUser] })
    expect(await ask(strangerId, 'assets/')).toBe(200)
    // A member of both organizations still sees their assets elsewhere only themselves.
    expect(await ask(strangerId, `assets/${foreign.id}/`)).toBe(404)
    const self = await server.as(strangerId, orgB)
    expect((await refusal(self.request('GET', `/api/v1/perms/users/self/assets/${foreign.id}/`))).status).toBe(200)
  })

  it('the view over all organizations does not show the tasks of other users', async () => {
    const { task } = await server.admin
      .in(orgA)
      .request<{ task: string }>('POST', '/api/v1/assets/assets/tasks/', { action: 'test', assets: [foreign.id] })
    for (const client of [plain, adminB])
      for (const org of [orgA, orgB, rootOrgId])
        for (const path of [`task-executions/${task}/`, `celery/task/x/task-execution/${task}/result/`])
          expect((await refusal(client.in(org).request('GET', `/api/v1/ops/${path}`))).status).toBe(404)
    expect((await refusal(server.admin.request('GET', `/api/v1/ops/task-executions/${task}/`))).status).toBe(200)
  })

  it('favorites accept permitted assets only', async () => {
    const mark = (client: Client, asset: string) =>
      refusal(client.request('POST', '/api/v1/assets/favorite-assets/', { asset }))
    expect((await mark(plain, granted.id)).status).toBe(200)
    for (const { id } of [hidden, foreign]) {
      expect(await mark(plain, id)).toMatchObject({ status: 400, body: { asset: [expect.any(String)] } })
      expect((await mark(plain.in(rootOrgId), id)).status).toBe(400)
    }
    expect((await mark(adminB, foreign.id)).status).toBe(400)
    expect((await mark(adminB, hidden.id)).status).toBe(200)
  })

  it('permissions accept no user of another one, and can have such a user removed', async () => {
    const strangerId = await server.person('outsider', { system: [roleIds.user], org: [roleIds.orgUser], orgId: orgA })
    const create = adminB.collection('perms/asset-permissions').create({ name: 'planted', users: [strangerId] })
    expect(await refusal(create)).toMatchObject({ status: 400, body: { users: [expect.any(String)] } })
    const permission = await adminB
      .collection<Row, object>('perms/asset-permissions')
      .create({ name: 'older', users: [plainId], assets: [hidden.id] })
    await server.context().transaction(async (ctx) => {
      await ctx.rawDb
        .insertInto('perms_assetpermission_users')
        .values({ assetpermission_id: permission.id, user_id: strangerId })
        .execute()
    })
    // A link from before the rule: a form may send it unchanged, and remove it.
    const change = (users: string[]) =>
      adminB.request<Row>('PATCH', `/api/v1/perms/asset-permissions/${permission.id}/`, { users })
    expect((await change([plainId, strangerId])).users).toHaveLength(2)
    expect((await change([plainId])).users).toHaveLength(1)
    // The view over all organizations does not bypass this.
    const around = server.admin
      .in(rootOrgId)
      .request('PATCH', `/api/v1/perms/asset-permissions/${permission.id}/`, { users: [strangerId] })
    expect((await refusal(around)).status).toBeGreaterThanOrEqual(400)
    const assets = server.admin
      .in(rootOrgId)
      .request('PATCH', `/api/v1/perms/asset-permissions/${permission.id}/`, { assets: [foreign.id] })
    expect((await refusal(assets)).status).toBeGreaterThanOrEqual(400)
  })
})

describe('names', () => {
  it.each([
    ['a control character', 'web\u001b[2Jroot'],
    ['a line break', 'web\nroot'],
    ['a mark that turns the direction of writing', 'web\u202etoor'],
    ['a space without width', 'web\u200broot'],
  ])('accept no %s', async (_what, name) => {
    const bad = async (path: string, body: object) =>
      (await refusal(adminB.collection(path).create({ name, ...body }))).status
    expect(await bad('assets/domains', {})).toBe(400)
    expect(await bad('users/groups', {})).toBe(400)
    expect(await bad('users/users', { username: 'fine', email: 'fine@example.com' })).toBe(400)
    expect(await bad('accounts/account-templates', { username: 'root', secret_type: 'password' })).toBe(400)
    expect((await refusal(adminB.collection('assets/nodes').create({ value: name }))).status).toBe(400)
    expect((await refusal(adminB.collection('assets/nodes').create({ full_value: `/Beta/${name}` }))).status).toBe(400)
    const patch = adminB.request('PATCH', `/api/v1/assets/hosts/${granted.id}/`, { address: name })
    expect((await refusal(patch)).status).toBe(400)
    const nodes = adminB.request('PATCH', `/api/v1/assets/hosts/${granted.id}/`, { nodes_display: [`/Beta/${name}`] })
    expect((await refusal(nodes)).status).toBe(400)
  })
})

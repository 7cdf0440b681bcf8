import { rootOrgId } from '@castellan/contract/ids'
import { type AnyRow, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let domain: AnyRow
let gateway: AnyRow
beforeAll(async () => {
  server = await startServer()
  domain = await server.admin.collection('assets/domains').create({ name: 'behind the gate', comment: 'far' })
  gateway = await server.admin.collection('assets/gateways').create({
    name: 'gate',
    address: '192.0.2.1',
    domain: domain.id,
    protocols: [{ name: 'ssh', port: 22 }],
    accounts: [
      { name: 'plain', username: 'plain', secret_type: 'password', secret: 'plain-secret' },
      { name: 'root', username: 'root', secret_type: 'password', secret: 'the-secret', privileged: true },
    ],
  })
})
afterAll(() => server.close())

it('gateways are found by the name of their domain, and by their own', async () => {
  const names = async (search: string) => {
    const rows = await server.admin.collection('assets/gateways').all({ search })
    return rows.map(({ name }) => name)
  }
  for (const search of ['behind gate', 'gate', '192.0.2.1']) expect(await names(search)).toEqual(['gate'])
  expect(await names('nowhere')).toEqual([])
})

type Wide = AnyRow & { gateways: (AnyRow & { account: AnyRow | null })[] }
const wide = '/api/v1/assets/domains/?gateway=1'

describe('domains with their gateways', () => {
  it('return everything to a component, including the account of each gateway', async () => {
    const component = await registerComponent(server.url, server.bootstrapToken, 'through-the-gate')
    const rows = await component.in(rootOrgId).request<Wide[]>('GET', wide)
    const row = rows.find(({ id }) => id === domain.id)
    expect(Object.keys(row ?? {})).toEqual([
      'id',
      'created_by',
      'updated_by',
      'comment',
      'name',
      'gateways',
      'org_id',
      'org_name',
      'date_created',
      'date_updated',
    ])
    const [found] = row?.gateways ?? []
    expect(row?.gateways).toHaveLength(1)
    expect(found).toMatchObject({ id: gateway.id, address: '192.0.2.1', platform: { name: 'Gateway' } })
    expect(found?.account).toEqual({
      name: 'root',
      username: 'root',
      privileged: true,
      secret_type: { value: 'password', label: 'Password' },
      secret: 'the-secret',
    })
    const one = await component.in(rootOrgId).request<Wide>('GET', `/api/v1/assets/domains/${domain.id}/?gateway=1`)
    expect(one.gateways[0]?.account).toMatchObject({ secret: 'the-secret' })
  })

  it('return no secret to users, and none in files', async () => {
    const [row] = await server.admin.request<Wide[]>('GET', `${wide}&name=${encodeURIComponent('behind the gate')}`)
    expect(row?.gateways[0]?.account).toEqual({
      name: 'root',
      username: 'root',
      privileged: true,
      secret_type: { value: 'password', label: 'Password' },
    })
    expect(JSON.stringify(row)).not.toContain('the-secret')
    const answer = await fetch(new URL(`${wide}&format=csv`, server.url), {
      headers: server.admin.proof('GET', `${wide}&format=csv`),
    })
    expect([answer.status, (await answer.text()).includes('the-secret')]).toEqual([200, false])
  })

  it('are unchanged without the parameter', async () => {
    const row = await server.admin.collection('assets/domains').get(domain.id)
    expect(Object.keys(row)).toEqual([
      'id',
      'name',
      'comment',
      'assets',
      'gateways',
      'org_id',
      'org_name',
      'date_created',
    ])
    expect(row.gateways).toEqual([{ id: gateway.id, name: 'gate' }])
  })
})

describe('the assets of a domain', () => {
  const path = () => `/api/v1/assets/domains/${domain.id}/`
  const newGateway = (name: string, more: object) =>
    server.admin.collection('assets/gateways').create({
      name,
      address: '192.0.2.7',
      protocols: [{ name: 'ssh', port: 22 }],
      ...more,
    })

  it('are never a gateway of another domain, which would silently begin to route for this one', async () => {
    const other = await server.admin.collection('assets/domains').create({ name: 'next door' })
    const foreign = await newGateway('foreign', { domain: other.id })
    const idle = await newGateway('idle', {})
    for (const { id, name } of [foreign, idle]) {
      const sent = server.admin.request('PATCH', path(), { assets: [id] })
      await expect(sent).rejects.toMatchObject({
        status: 400,
        body: { assets: [expect.stringContaining(`${name} is a gateway of another domain`)] },
      })
    }
    expect((await server.admin.collection('assets/gateways').get(foreign.id)).domain).toMatchObject({ id: other.id })
    // Clients of the contract may send its own ones along.
    await server.admin.request('PATCH', path(), { assets: [gateway.id] })
    expect(await server.admin.collection('assets/domains').get(domain.id)).toMatchObject({
      assets: [],
      gateways: [{ id: gateway.id, name: 'gate' }],
    })
  })

  it('are not routed elsewhere by those who may not see their secrets', async () => {
    const host = await server.admin.collection('assets/hosts').create({
      name: 'guarded',
      address: '192.0.2.9',
      platform: 1,
      domain: domain.id,
      protocols: [{ name: 'ssh', port: 22 }],
      accounts: [{ name: 'root', username: 'root', secret_type: 'password', secret: 'behind-the-gate' }],
    })
    const bare = await newGateway('bare', { domain: domain.id })
    // An administrator's role without the right to see secrets.
    const role = await server.admin.collection('rbac/org-roles').create({ name: 'builder', scope: 'org' })
    const catalogue = await server.admin.request<{ id: number; codename: string }[]>('GET', '/api/v1/rbac/permissions/')
    const codes = ['view_gateway', 'add_gateway', 'change_gateway', 'match_node', 'view_node']
    const permissions = catalogue.flatMap(({ id, codename }) => (codes.includes(codename) ? [id] : []))
    await server.admin.collection('rbac/org-roles').change(role.id, { permissions })
    const builder = await server.as(await server.person('builder', { org: [role.id] }))
    const attempts: [string, string, object][] = [
      ['POST', '/api/v1/assets/gateways/', { name: 'mine', address: '198.51.100.1', domain: domain.id }],
      ['PATCH', `/api/v1/assets/gateways/${bare.id}/`, { address: '198.51.100.1' }],
      ['PATCH', `/api/v1/assets/gateways/${bare.id}/`, { protocols: [{ name: 'ssh', port: 2222 }] }],
    ]
    for (const [method, url, body] of attempts)
      await expect(builder.request(method, url, body), `${method} ${JSON.stringify(body)}`).rejects.toMatchObject({
        status: 403,
      })
    expect(await builder.request('PATCH', `/api/v1/assets/gateways/${bare.id}/`, { comment: 'mine' })).toBeTruthy()
    const empty = await server.admin.collection('assets/domains').create({ name: 'without assets' })
    const alone = { ...attempts[0]?.[2], domain: empty.id }
    expect(await builder.request('POST', '/api/v1/assets/gateways/', alone)).toMatchObject({ domain: { id: empty.id } })
    expect((await server.admin.collection('assets/hosts').get(host.id)).domain).toMatchObject({ id: domain.id })
  })
})

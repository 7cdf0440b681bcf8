import { rootOrgId } from '@castellan/contract/ids'
import { type AnyRow, registerComponent } from '@castellan/testing/client'
import { startServer, type TestServer } from '@castellan/testing/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

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

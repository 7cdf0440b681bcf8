import { roleIds } from '@castellan/contract/ids'
import { type AnyRow, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

interface Sent {
  gateway: (AnyRow & { account: AnyRow | null }) | null
  gateways?: (AnyRow & { account: AnyRow | null })[]
}

let server: TestServer
let component: Client
let user: Client
let domain: AnyRow
let host: AnyRow
let made: AnyRow[]

const secret = '/api/v1/authentication/super-connection-token/secret/'
const account = (name: string, more: object = {}) => ({
  name,
  username: name,
  secret_type: 'password',
  secret: `of-${name}`,
  ...more,
})
const ask = (asset: AnyRow) =>
  user.request<AnyRow>('POST', '/api/v1/authentication/connection-token/', {
    asset: asset.id,
    account: 'root',
    protocol: 'ssh',
    connect_method: 'web_cli',
  })
const open = async (asset: AnyRow, more: object) =>
  component.request<Sent>('POST', secret, { id: (await ask(asset)).id, ...more })

beforeAll(async () => {
  server = await startServer()
  component = (await registerComponent(server.url, server.bootstrapToken, 'chooses')).in('ROOT')
  const userId = await server.person('ada', { system: [roleIds.user], org: [roleIds.orgUser] })
  user = await server.as(userId)
  const { admin } = server
  domain = await admin.collection('assets/domains').create({ name: 'cellar' })
  const other = await admin.collection('assets/domains').create({ name: 'attic' })
  const place = { address: '192.0.2.1', protocols: [{ name: 'ssh', port: 2222 }] }
  const gateways = admin.collection('assets/gateways')
  made = [
    await gateways.create({
      ...place,
      name: 'first',
      domain: domain.id,
      // The privileged one cannot sign in by SSH.
      accounts: [account('token', { secret_type: 'token', privileged: true }), account('jump')],
    }),
    await gateways.create({ ...place, name: 'second', domain: domain.id, accounts: [account('door')] }),
    await gateways.create({ ...place, name: 'bare', domain: domain.id }),
    await gateways.create({ ...place, name: 'off', domain: domain.id, is_active: false, accounts: [account('off')] }),
    await gateways.create({ ...place, name: 'foreign', domain: other.id, accounts: [account('foreign')] }),
  ]
  const target = { address: '192.0.2.9', platform: 1, protocols: [{ name: 'ssh', port: 22 }] }
  host = await admin
    .collection('assets/hosts')
    .create({ ...target, name: 'barrel', domain: domain.id, accounts: [account('root')] })
  await admin.collection('accounts/accounts').create({ ...account('root'), asset: made[1]?.id })
  await admin.collection('perms/asset-permissions').create({
    name: 'all',
    users: [userId],
    assets: [host.id, made[1]?.id],
    accounts: ['@ALL'],
    protocols: ['all'],
    actions: ['all'],
  })
})
afterAll(() => server.close())

describe('the gateways of a connection', () => {
  it('are one for a component of the contract, with the secret of its account', async () => {
    const { gateway, gateways } = await open(host, {})
    expect(['first', 'second', 'bare']).toContain(gateway?.name)
    expect(gateways).toBeUndefined()
  })

  it('are all active ones of the domain for a component that chooses itself', async () => {
    const { gateways, gateway } = await open(host, { gateways: true })
    expect(gateways?.map(({ name }) => name)).toEqual(['bare', 'first', 'second'])
    expect(gateways?.[1]).toMatchObject({
      id: made[0]?.id,
      address: '192.0.2.1',
      protocols: [{ name: 'ssh', port: 2222 }],
      account: { username: 'jump', secret: 'of-jump', secret_type: { value: 'password' } },
    })
    expect(gateways?.[0]?.account).toBeNull()
    expect(gateway).toEqual(gateways?.[0])
  })

  it('are none for a gateway itself, whose own domain would lead back to it', async () => {
    expect(await open(made[1] as AnyRow, { gateways: true })).toMatchObject({ gateway: null, gateways: [] })
  })

  it('that are all switched off end it, with no secret and with what to do', async () => {
    const gateways = server.admin.collection('assets/gateways')
    const active = made.slice(0, 3)
    for (const { id } of active) await gateways.change(id, { is_active: false })
    try {
      for (const wish of [{}, { gateways: true }])
        await expect(open(host, wish)).rejects.toMatchObject({
          status: 403,
          body: { detail: expect.stringMatching(/^All gateways of the domain "cellar" are disabled\. Enable one/) },
        })
    } finally {
      for (const { id } of active) await gateways.change(id, { is_active: true })
    }
  })

  it('are told to nobody who only looks, and to no user', async () => {
    const { id } = await ask(host)
    const looked = await component.request<Sent>('POST', secret, { id, expire_now: false, look: true, gateways: true })
    expect(looked).toMatchObject({ gateway: null })
    expect(JSON.stringify(looked)).not.toMatch(/of-(jump|door|root)/)
    for (const client of [user, server.admin])
      await expect(client.request('POST', secret, { id, gateways: true })).rejects.toMatchObject({ status: 403 })
  })

  it('leave with their secrets a trace in the operate log', async () => {
    await open(host, { gateways: true })
    const logs = await server.admin.request<AnyRow[]>('GET', '/api/v1/audits/operate-logs/?action=connect')
    expect(JSON.stringify(logs)).not.toContain('of-jump')
    expect(logs.length).toBeGreaterThan(0)
  })
})

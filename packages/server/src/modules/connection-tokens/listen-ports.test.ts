import { roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let platform: unknown
let domain: AnyRow
beforeAll(async () => {
  server = await startServer()
  const { admin } = server
  platform = (await admin.collection('assets/platforms').all({ type: 'oracle' }))[0]?.id
  domain = await admin.collection('assets/domains').create({ name: 'cellar' })
  await admin.collection('assets/gateways').create({
    ...{ name: 'first', address: '192.0.2.1', domain: domain.id, protocols: [{ name: 'ssh', port: 22 }] },
    accounts: [{ name: 'jump', username: 'jump', secret_type: 'password', secret: 'of-the-gateway' }],
  })
})
afterAll(() => server.close())

const url = '/api/v1/terminal/db-listen-ports/'
const make = (name: string) =>
  server.admin.collection('assets/databases').create({
    ...{ name, address: '192.0.2.7', platform, domain: domain.id, db_name: 'orcl' },
    protocols: [{ name: 'oracle', port: 1521 }],
  })
const ports = (client = server.admin) => client.request<number[]>('GET', url)
const info = (port: unknown, client: Client = server.admin) =>
  client.request<AnyRow>('GET', `${url}db-info/?port=${port}`).catch((error: unknown) => {
    if (error instanceof ApiError) return { status: error.status, ...Object(error.body) }
    throw error
  })
const smart = (asset: AnyRow, protocol = 'oracle') =>
  server.admin.request<AnyRow>('GET', `/api/v1/terminal/endpoints/smart/?protocol=${protocol}&asset_id=${asset.id}`)

it('gives each Oracle database a port of its own, which it keeps', async () => {
  expect(await ports()).toEqual([])
  const [first, second] = [await make('one'), await make('two')]
  expect(await ports()).toEqual([30000, 30001])
  expect(await smart(second)).toMatchObject({ oracle_port: 30001 })
  expect(await info(30001)).toMatchObject({ id: second.id, name: 'two', gateway: null })
  await server.admin.request('DELETE', `/api/v1/assets/databases/${first.id}/`)
  expect(await ports()).toEqual([30001])
  expect(await info(30000)).toMatchObject({ status: 400, error: expect.stringContaining('30000') })
  const third = await make('three')
  expect(await ports()).toEqual([30000, 30001])
  expect(await smart(third)).toMatchObject({ oracle_port: 30000 })
  for (const wrong of ['', 'x', -1, 70_000, '1e3.5']) expect(await info(wrong)).toMatchObject({ status: 400 })
})

it('gives databases different ports when several are asked about at once', async () => {
  const made = [await make('at once 1'), await make('at once 2'), await make('at once 3')]
  const answers = await Promise.all([...made, ...made].map((asset) => smart(asset)))
  const given = answers.map(({ oracle_port }) => Number(oracle_port))
  expect(given.slice(0, 3)).toEqual(given.slice(3))
  expect(new Set([...given, 0]).size).toBe(4)
  expect(await ports()).toEqual(expect.arrayContaining(given))
  for (const { id } of made) await server.admin.request('DELETE', `/api/v1/assets/databases/${id}/`)
})

it('has 31 ports by default, and assigns no others', async () => {
  for (let count = 0; count < 31; count++) await make(`more-${count}`)
  const all = await ports()
  expect([all.length, all.at(-1)]).toEqual([31, 30030])
  const [last] = await server.admin.collection('assets/databases').all({ name: 'more-30' })
  expect(await smart(last as AnyRow)).toMatchObject({ oracle_port: 0 })
})

it('shows the secret of the gateway to the component that listens, and to nobody else', async () => {
  const register = async (name: string, type: string) =>
    (await registerComponent(server.url, server.bootstrapToken, name, type)).in('ROOT')
  const listener = await register('listens', 'magnus')
  expect(await ports(listener)).toContain(30001)
  expect(await info(30001, listener)).toMatchObject({
    name: 'two',
    gateway: { name: 'first', account: { username: 'jump', secret: 'of-the-gateway' } },
  })
  const logs = await server.admin.collection('audits/operate-logs').all({ resource: 'jump' })
  expect(JSON.stringify(logs)).not.toContain('of-the-gateway')
  expect(await info(30001, await register('other', 'koko'))).toMatchObject({ name: 'two', gateway: null })
  expect(await info(30001)).toMatchObject({ gateway: null })
  const elsewhere = await server.organization('Elsewhere')
  const roles = { system: [roleIds.user], org: [roleIds.orgAdmin], orgId: elsewhere }
  const theirs = await server.as(await server.person('Eve', roles), elsewhere)
  expect(await info(30001, theirs)).toMatchObject({ status: 400 })
  const user = await server.as(await server.person('Uma', { system: [roleIds.user], org: [roleIds.orgUser] }))
  expect(await info(30001, user)).toMatchObject({ status: 403 })
})

it('shows a database only in its organization, also to a member of two', async () => {
  const elsewhere = await server.organization('Farther')
  const both = await server.person('Bea', { system: [roleIds.user], org: [roleIds.orgAdmin] })
  await server.admin
    .in(elsewhere)
    .request('POST', '/api/v1/rbac/org-role-bindings/', { user: both, role: roleIds.orgAdmin })
  expect(await info(30001, await server.as(both))).toMatchObject({ name: 'two', gateway: null })
  const there = await server.as(both, elsewhere)
  const refused = await info(30001, there)
  expect(refused).toMatchObject({ status: 400 })
  expect(JSON.stringify(refused)).not.toContain('two')
})

import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, ApiError, Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let elsewhere: Client
beforeAll(async () => {
  server = await startServer()
  const { id } = await server.admin.collection('orgs/orgs').create({ name: 'Elsewhere' })
  elsewhere = server.admin.in(id)
  await host('both', [
    { name: 'env', value: 'production' },
    { name: 'team', value: 'db' },
  ])
  await host('one', [{ name: 'env', value: 'production' }])
  await host('other', [{ name: 'env', value: 'test' }])
  await host('odd', [{ name: 'url', value: 'http://x:1/#top' }])
})
afterAll(() => server.close())

const api = <T = AnyRow>(method: string, path: string, body?: unknown, client = server.admin) =>
  client.request<T>(method, `/api/v1/assets/${path}`, body)
const host = (name: string, labels: unknown, client?: Client) =>
  api('POST', 'hosts/', { name, address: name, platform: 1, labels }, client)
const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: ApiError) => error.status,
  )
const found = async (query: string, path = 'hosts') =>
  (await api<AnyRow[]>('GET', `${path}/?${query}`)).map(({ name }) => name).sort()

describe('lists of assets', () => {
  it.each(['hosts', 'assets', 'hosts/suggestions'])('are filtered by label: %s', async (path) => {
    const all = (query: string) => found(query, path)
    expect(await all('labels=env:production')).toEqual(['both', 'one'])
    expect(await all('labels=prod')).toEqual(['both', 'one'])
    expect(await all('label=env:production&label=team:db')).toEqual(['both'])
    expect(await all('label=env:production&label=env:test')).toEqual([])
    expect(await all('label=env:nowhere')).toEqual([])
    expect(await all('label=env')).toEqual([])
    expect(await all(`labels=${encodeURIComponent('url:http://x:1/#top')}`)).toEqual(['odd'])
  })

  it('say nothing of a label that is off, and take no wildcard for a name', async () => {
    const [label] = await server.admin.collection('assets/labels').all({ name: 'team' })
    await server.admin.collection('assets/labels').change(label?.id ?? '', { is_active: false })
    expect(await found('labels=team:db')).toEqual([])
    await server.admin.collection('assets/labels').change(label?.id ?? '', { is_active: true })
    expect(await found('labels=%25')).toEqual([])
    expect(await found("labels=x' or 1=1 --:y")).toEqual([])
  })
})

describe('labels', () => {
  it('are given to many assets at once, existing ones again and new ones once', async () => {
    const rows = [await host('many-1', []), await host('many-2', [])]
    const labels = [
      { name: 'wave', value: '1' },
      { name: 'env', value: 'test' },
    ]
    await api(
      'PATCH',
      'hosts/',
      rows.map(({ id }) => ({ id, labels })),
    )
    expect(await found('label=wave:1&label=env:test')).toEqual(['many-1', 'many-2'])
    expect(await server.admin.collection('assets/labels').all({ name: 'wave' })).toMatchObject([{ asset_count: 2 }])
    expect(await server.admin.collection('assets/labels').all({ name: 'env', value: 'test' })).toHaveLength(1)
  })

  it('belong to one organization: neither they nor assets reach into another one', async () => {
    const [label] = await server.admin.collection('assets/labels').all({ name: 'team' })
    const mine = await host('mine', [])
    const theirs = await host('theirs', [{ name: 'team', value: 'db' }], elsewhere)
    expect(await status(host('thief', [{ id: label?.id }], elsewhere))).toBe(400)
    expect(await status(api('PATCH', `hosts/${theirs.id}/`, { labels: [{ pk: label?.id }] }, elsewhere))).toBe(400)
    const own = { name: 'own', value: 'x', assets: [mine.id] }
    expect(await status(api('POST', 'labels/', own, elsewhere))).toBe(400)
    expect(await status(api('GET', `labels/${label?.id}/`, undefined, elsewhere))).toBe(404)
    expect((await elsewhere.collection('assets/labels').all()).map(({ asset_count }) => asset_count)).toEqual([1])
    expect(await found('labels=team:db')).toEqual(['both'])
  })

  it('are changed by nobody without the right to, also not by a member of two organizations', async () => {
    const [label] = await server.admin.collection('assets/labels').all({ name: 'team' })
    const id = await server.person('member', { system: [roleIds.user], org: [roleIds.orgUser] })
    await elsewhere.request('POST', '/api/v1/users/users/invite/', { users: [id], org_roles: [roleIds.orgAdmin] })
    const auditor = await server.as(await server.person('auditor', { system: [roleIds.systemAuditor] }))
    for (const client of [await server.as(id), auditor])
      for (const [method, path, body] of [
        ['POST', 'labels/', { name: 'a', value: 'b' }],
        ['PATCH', `labels/${label?.id}/`, { value: 'mine' }],
        ['DELETE', `labels/${label?.id}/`],
      ] as const)
        expect([method, await status(api(method, path, body, client))]).toEqual([method, 403])
  })

  it('refuse what cannot be a name or a value, with the place of the mistake', async () => {
    for (const labels of [
      [{ name: 'x' }],
      [{ name: '', value: 'y' }],
      [{ name: 'x\u202ey', value: 'y' }],
      [{ id: 'nonsense' }],
      ['env:production'],
      [7],
      [null],
      'env:production',
      { name: 'x', value: 'y' },
    ])
      expect([labels, await status(host('refused', labels))]).toEqual([labels, 400])
  })
})

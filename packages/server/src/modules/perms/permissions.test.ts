import { roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let host: AnyRow
let userId: string
let me: Client
const url = '/api/v1/perms/asset-permissions/'
const admin = <T = AnyRow>(method: string, path: string, body?: unknown) => server.admin.request<T>(method, path, body)
const status = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.status : Promise.reject(error)),
  )

beforeAll(async () => {
  server = await startServer()
  userId = await server.person('ada', { system: [roleIds.user], org: [roleIds.orgUser] })
  me = await server.as(userId)
  host = await admin('POST', '/api/v1/assets/hosts/', {
    name: 'web-1',
    address: '10.0.0.1',
    platform: 1,
    protocols: [{ name: 'ssh', port: 22 }],
    nodes_display: ['/Default/a/b'],
    accounts: [{ name: 'root', username: 'root', secret_type: 'password', secret: 's' }],
  })
})
afterAll(() => server.close())

describe('asset permissions', () => {
  it('are found by the users and assets they name, also through groups and ancestor nodes', async () => {
    const group = await admin('POST', '/api/v1/users/groups/', { name: 'g', users: [userId] })
    const [top] = await admin<AnyRow[]>('GET', '/api/v1/assets/nodes/?value=a')
    const made = await admin('POST', url, { name: 'p1', user_groups: [group.id], nodes: [top?.id], accounts: ['root'] })
    const found = async (query: string) =>
      (await admin<AnyRow[]>('GET', `${url}?${query}`)).map(({ name }) => name).includes('p1')
    expect(await found(`user_id=${userId}`)).toBe(true)
    expect(await found(`user_id=${userId}&all=0`)).toBe(false)
    expect(await found(`asset_id=${host.id}`)).toBe(true)
    expect(await found(`asset_id=${host.id}&all=false`)).toBe(false)
    expect(await found('asset_name=web-1')).toBe(true)
    expect(await found('asset_name=nosuch')).toBe(false)
    expect(await found(`node_id=${top?.id}&all=0`)).toBe(true)
    expect(await found('node_name=b')).toBe(true)
    expect(await found('node_name=b&all=0')).toBe(false)
    expect(await found('user_group=g')).toBe(true)
    expect(await found('accounts=root')).toBe(true)
    expect(await found('accounts=root,other')).toBe(false)
    expect(await found('is_effective=true')).toBe(true)
    await admin('PATCH', `${url}${made.id}/`, { actions: [] })
    expect(await found('is_effective=true')).toBe(false)
    expect(await found('is_effective=false')).toBe(true)
    expect(await found('is_valid=true')).toBe(true)
    await admin('DELETE', `${url}${made.id}/`)
  })

  it('that expire within some days are found, unless expired or disabled', async () => {
    const after = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const make = (name: string, days: number, more = {}) =>
      admin('POST', url, { name, date_expired: after(days), date_start: after(-30), ...more })
    const made = await Promise.all([
      make('in two days', 2),
      make('in ten days', 10),
      make('ended', -1),
      make('switched off', 2, { is_active: false }),
    ])
    const found = async (days: string) =>
      (await admin<AnyRow[]>('GET', `${url}?expires_within=${days}&order=name`)).map(({ name }) => name)
    expect(await found('7')).toEqual(['in two days'])
    expect(await found('30')).toEqual(['in ten days', 'in two days'])
    for (const wrong of ['soon', '1e300', '-1']) expect(await status(found(wrong))).toBe(400)
    for (const { id } of made) await admin('DELETE', `${url}${id}/`)
  })

  it('reset to every action and no account when a PUT omits them', async () => {
    const made = await admin('POST', url, { name: 'p2', accounts: ['root'], actions: ['connect'], protocols: ['ssh'] })
    const put = await admin('PUT', `${url}${made.id}/`, { name: 'p2' })
    expect(put.accounts).toEqual([])
    expect(put.protocols).toEqual(['all'])
    expect((put.actions as unknown[]).length).toBe(7)
    await admin('DELETE', `${url}${made.id}/`)
  })

  it('grant the accounts of a template, which are created where they are missing', async () => {
    const template = await admin('POST', '/api/v1/accounts/account-templates/', {
      name: 'deployers',
      username: 'deploy',
      secret_type: 'password',
      secret: 'x',
    })
    const made = await admin('POST', url, {
      name: 'p3',
      users: [userId],
      assets: [host.id],
      accounts: ['@SPEC', `%${template.id}`, '%00000000-0000-4000-8000-000000000000'],
    })
    expect(made.accounts).toEqual(['@SPEC', 'deploy'])
    const detail = await me.request<AnyRow>('GET', `/api/v1/perms/users/self/assets/${host.id}/`)
    expect(detail.permed_accounts).toMatchObject([
      { name: 'deployers-Account template', username: 'deploy', has_secret: true },
    ])
    await admin('DELETE', `${url}${made.id}/`)
  })

  it('can export their assets as a file, with the fields and filters of the list', async () => {
    const made = await admin('POST', url, { name: 'p3f', users: [userId], assets: [host.id] })
    for (const list of ['assets/', 'nodes/ungrouped/assets/']) {
      const path = `/api/v1/perms/users/self/${list}?format=csv`
      const read = async (query: string) => {
        const answer = await fetch(`${server.url}${path}${query}`, {
          headers: { ...me.proof('GET', path), 'accept-language': 'en' },
        })
        expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="asset_.*\.csv"$/)
        return (await answer.text())
          .replace(/^\ufeff/, '')
          .trim()
          .split(/\r?\n/)
      }
      const [head, row, ...others] = await read('')
      expect(head).toMatch(/^ID,Name,Address,/)
      expect(row).toContain(host.id)
      expect(others).toEqual([])
      expect(await read('&fields=name')).toEqual(['Name', host.name])
      expect(await read('&name=nothing&fields=name')).toEqual(['Name'])
    }
    await admin('DELETE', `${url}${made.id}/`)
  })

  it.each([
    ['an unknown action', { actions: ['fly'] }, 400],
    ['actions that are no list', { actions: 'connect' }, 400],
    ['an asset that is not there', { assets: ['00000000-0000-4000-8000-000000000000'] }, 400],
    ['a word for a person', { users: ['ada'] }, 400],
    ['a date that is none', { date_expired: 'tomorrow' }, 400],
    ['accounts that are no list', { accounts: 'root' }, 400],
  ])('reject %s', async (_what, more, wanted) => {
    expect(await status(admin('POST', url, { name: `bad ${_what}`, ...more }))).toBe(wanted)
  })

  it('reject objects of another organization', async () => {
    const other = await server.organization('elsewhere')
    expect(await status(server.admin.in(other).request('POST', url, { name: 'x', assets: [host.id] }))).toBe(400)
    const made = await admin('POST', url, { name: 'p4', users: [userId], assets: [host.id] })
    expect(await status(server.admin.in(other).request('GET', `${url}${made.id}/`))).toBe(404)
    expect(
      await me
        .in(other)
        .request('GET', '/api/v1/perms/users/self/assets/')
        .catch(() => []),
    ).toEqual([])
    await admin('DELETE', `${url}${made.id}/`)
  })

  it('are linked and unlinked by their four lists', async () => {
    const made = await admin('POST', url, { name: 'p5', accounts: ['@ALL'] })
    const links = '/api/v1/perms/asset-permissions-users-relations/'
    const body = { user: userId, assetpermission: made.id }
    await admin('POST', links, body)
    expect(await status(admin('POST', links, body))).toBe(400)
    const [link] = await admin<AnyRow[]>('GET', `${links}?assetpermission=${made.id}`)
    expect(link).toMatchObject({ user: userId, assetpermission: made.id, assetpermission_display: 'p5' })
    expect(await status(admin('DELETE', `${links}?assetpermission=${made.id}&user=${userId}`))).toBe(200)
    expect(await status(admin('DELETE', `${links}?assetpermission=${made.id}`))).toBe(400)
    await admin('DELETE', `${url}${made.id}/`)
  })
})

describe('queries about grants', () => {
  it('about oneself need one permission, about others another', async () => {
    const other = await server.person('bob', { system: [roleIds.user], org: [roleIds.orgUser] })
    expect(await status(me.request('GET', '/api/v1/perms/users/self/assets/'))).toBe(200)
    expect(await status(me.request('GET', '/api/v1/perms/users/my/nodes/'))).toBe(200)
    for (const path of ['assets/', 'nodes/', 'nodes/tree/', `assets/${host.id}/`])
      expect(await status(me.request('GET', `/api/v1/perms/users/${other}/${path}`))).toBe(403)
    expect(await status(admin('GET', `/api/v1/perms/users/${other}/assets/`))).toBe(200)
    expect(await status(admin('GET', '/api/v1/perms/users/nobody/assets/'))).toBe(404)
    expect(await status(admin('GET', `/api/v1/perms/users/self/assets/nonsense/`))).toBe(404)
  })

  it('are read-only', async () => {
    for (const path of ['assets/', `assets/${host.id}/`, 'nodes/tree/', 'nodes/children-with-k8s/tree/'])
      for (const method of ['POST', 'PUT', 'DELETE'])
        await expect(admin(method, `/api/v1/perms/users/self/${path}`, {})).rejects.toMatchObject({
          status: 403,
          body: { code: 'permission_denied' },
        })
  })

  it('of a group accept the filters of its list', async () => {
    const group = await admin('POST', '/api/v1/users/groups/', { name: 'narrowed' })
    const made = await admin('POST', url, { name: 'p8', user_groups: [group.id], assets: [host.id] })
    const names = async (query: string) =>
      (await admin<AnyRow[]>('GET', `/api/v1/perms/user-groups/${group.id}/assets/${query}`)).map(({ name }) => name)
    expect(await names('')).toEqual(['web-1'])
    expect(await names('?comment=another')).toEqual([])
    expect(await names('?address=10.0.0.1&comment=')).toEqual(['web-1'])
    await admin('DELETE', `${url}${made.id}/`)
  })

  it('list the accounts of a permission by privilege and version', async () => {
    const made = await admin('POST', url, { name: 'p9', assets: [host.id], accounts: ['@SPEC', 'root'] })
    const found = (query: string) => admin<AnyRow[]>('GET', `${url}${made.id}/accounts/${query}`)
    expect(await found('')).toHaveLength(1)
    expect(await found('?privileged=true')).toHaveLength(0)
    expect(await found('?privileged=0&version=1')).toHaveLength(1)
    expect(await found('?version=2')).toHaveLength(0)
    expect(await found('?name=nosuch')).toHaveLength(0)
    await admin('DELETE', `${url}${made.id}/`)
  })

  it('list the accounts of a permission by asset and name, whenever they were created', async () => {
    const hosts: string[] = []
    for (const name of ['lined-b', 'lined-a']) {
      const { id } = await admin('POST', '/api/v1/assets/hosts/', { name, address: '10.9.9.9', platform: { pk: 1 } })
      hosts.push(String(id))
      for (const username of ['zoe', 'amy']) await admin('POST', '/api/v1/accounts/accounts/', { asset: id, username })
    }
    const made = await admin('POST', url, { name: 'p10', assets: hosts, accounts: ['@ALL'] })
    const found = async (query: string) =>
      (
        await admin<{ results: { asset: { name: string }; name: string }[] }>(
          'GET',
          `${url}${made.id}/accounts/?${query}`,
        )
      ).results.map(({ asset, name }) => `${asset.name} ${name}`)
    expect(await found('limit=3')).toEqual(['lined-a amy', 'lined-a zoe', 'lined-b amy'])
    expect(await found('limit=3&offset=3')).toEqual(['lined-b zoe'])
    expect((await found('limit=1&order=-name'))[0]).toContain('zoe')
    await admin('DELETE', `${url}${made.id}/`)
    for (const id of hosts) await admin('DELETE', `/api/v1/assets/hosts/${id}/`)
  })

  it('include granted favorites, by category too', async () => {
    const made = await admin('POST', url, { name: 'p6', users: [userId], assets: [host.id], accounts: ['@ALL'] })
    await me.request('POST', '/api/v1/assets/favorite-assets/', { asset: host.id })
    const list = await me.request<AnyRow[]>('GET', '/api/v1/perms/users/self/nodes/favorite/assets/')
    expect(list.map(({ id }) => id)).toEqual([host.id])
    const tree = await me.request<AnyRow[]>(
      'GET',
      '/api/v1/perms/users/self/nodes/children-with-assets/category/tree/?sync=1',
    )
    expect(tree.map(({ id }) => id)).toEqual(['ROOT', 'ROOT_HOST', 'ROOT_HOST_linux', host.id])
    await admin('DELETE', `${url}${made.id}/`)
    expect(await me.request('GET', '/api/v1/perms/users/self/nodes/favorite/assets/')).toEqual([])
  })

  it('end with the membership in the organization', async () => {
    const made = await admin('POST', url, { name: 'p7', users: [userId], assets: [host.id], accounts: ['@ALL'] })
    await admin('POST', `/api/v1/users/users/${userId}/remove/`)
    expect((await admin('GET', `${url}${made.id}/`)).users).toEqual([])
  })
})

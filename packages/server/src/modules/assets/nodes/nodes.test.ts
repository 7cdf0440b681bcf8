import { randomUUID } from 'node:crypto'
import type { ApiError } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

interface Node {
  id: string
  key: string
  value: string
  full_value: string
}
const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: ApiError) => error.status,
  )
const api = <T>(method: string, path: string, body?: unknown) =>
  server.admin.request<T>(method, `/api/v1/assets/${path}`, body)
const tree = (query = '') => api<{ id: string; name: string }[]>('GET', `nodes/children/tree/${query}`)
const child = (parent: Node, value?: string) => api<Node>('POST', `nodes/${parent.id}/children/`, { value })
const root = async () => (await api<Node[]>('GET', 'nodes/children/'))[0] as Node
const host = (name: string, nodes: string[]) =>
  api<{ id: string }>('POST', 'hosts/', { name, address: '127.0.0.1', platform: 1, nodes })

describe('the asset tree', () => {
  it('counts every asset once in each subtree, always up to date', async () => {
    const top = await child(await root(), 'counts')
    const [left, right] = [await child(top, 'left'), await child(top, 'right')]
    await host('in-left', [left.id])
    const both = await host('in-both', [left.id, right.id])
    const named = async () => Object.fromEntries((await tree(`?key=${top.key}`)).map(({ id, name }) => [id, name]))
    expect(await named()).toEqual({ [left.key]: 'left (2)', [right.key]: 'right (1)' })
    const shown = (await tree()).find(({ id }) => id === top.key)
    expect(shown?.name).toBe('counts (2)')
    await api('DELETE', `hosts/${both.id}/`)
    expect(await named()).toEqual({ [left.key]: 'left (1)', [right.key]: 'right (0)' })
  })

  it('accepts an id chosen by the client, once', async () => {
    const id = randomUUID()
    expect(await api<Node>('POST', 'nodes/', { id, value: 'chosen' })).toMatchObject({ id, value: 'chosen' })
    const below = randomUUID()
    expect(await api<Node>('POST', `nodes/${id}/children/`, { id: below })).toMatchObject({ id: below })
    for (const wrong of [id, 'none'])
      expect(await failure(api('POST', 'nodes/', { id: wrong, value: 'again' }))).toBe(400)
  })

  it('reports errors of a bulk call by index', async () => {
    const call = api('POST', 'nodes/', [{ value: 'good' }, {}, { value: 'a/b' }])
    const { status, body } = await call.then(
      () => ({ status: 201, body: [] }),
      (error: ApiError) => error,
    )
    expect([status, body]).toMatchObject([400, [{}, { value: [expect.any(String)] }, expect.any(Object)]])
    expect(await api<Node[]>('GET', 'nodes/?value=good')).toEqual([])
  })

  it('gets children at the URL of its levels as well', async () => {
    const top = await api<Node>('POST', 'nodes/children/', { value: 'levels' })
    expect(top.full_value).toBe('/Default/levels')
    for (const [path, value] of [
      [`nodes/children/?id=${top.id}`, 'by id'],
      [`nodes/children/tree/?key=${top.key}`, 'by key'],
    ] as const)
      expect(await api<Node>('POST', path, { value })).toMatchObject({ full_value: `/Default/levels/${value}` })
    expect(await failure(api('POST', `nodes/children/?id=${randomUUID()}`, { value: 'lost' }))).toBe(404)
  })

  it('moves a node with its subtree, and never below itself', async () => {
    const top = await child(await root(), 'moves')
    const [from, to] = [await child(top, 'from'), await child(top, 'to')]
    const leaf = await child(from, '叶 🍃')
    await host('moved-along', [leaf.id])
    expect(await failure(api('PUT', `nodes/${leaf.id}/children/add/`, { nodes: [from.id] }))).toBe(400)
    expect(await failure(api('PUT', `nodes/${from.id}/children/add/`, { nodes: [from.id] }))).toBe(400)
    expect(await failure(api('PUT', `nodes/${leaf.id}/children/add/`, { nodes: [(await root()).id] }))).toBe(400)
    await api('PUT', `nodes/${to.id}/children/add/`, { nodes: [from.id] })
    const moved = await api<Node>('GET', `nodes/${leaf.id}/`)
    expect(moved.full_value).toBe('/Default/moves/to/from/叶 🍃')
    expect(moved.key.startsWith(`${to.key}:`)).toBe(true)
    expect((await tree(`?key=${top.key}`)).map(({ name }) => name)).toEqual(['to (1)'])
  })

  it('moves several nodes at once, also one out of another that moves too', async () => {
    const top = await child(await root(), 'several')
    const [from, to] = [await child(top, 'from'), await child(top, 'to')]
    const inner = await child(from, 'inner')
    const leaf = await child(inner, 'leaf')
    const same = await child(inner, 'to')
    expect(await failure(api('PUT', `nodes/${top.id}/children/add/`, { nodes: [leaf.id, same.id] }))).toBe(400)
    await api('PUT', `nodes/${to.id}/children/add/`, { nodes: [from.id, inner.id] })
    const paths = [from, inner, leaf].map(async ({ id }) => (await api<Node>('GET', `nodes/${id}/`)).full_value)
    expect(await Promise.all(paths)).toEqual(
      ['from', 'inner', 'inner/leaf'].map((path) => `/Default/several/to/${path}`),
    )
  })

  it('renames paths below a renamed node', async () => {
    const top = await child(await root(), 'old 🍂 name')
    const leaf = await child(top, 'leaf')
    await api('PATCH', `nodes/${top.id}/`, { value: 'new' })
    expect((await api<Node>('GET', `nodes/${leaf.id}/`)).full_value).toBe('/Default/new/leaf')
  })

  it('rejects names with a slash, equal siblings, renaming and deleting the root, and deleting subtrees with assets', async () => {
    const top = await child(await root(), 'guards')
    await child(top, 'same')
    expect(await failure(child(top, 'same'))).toBe(400)
    expect(await failure(child(top, 'a/b'))).toBe(400)
    expect(await failure(api('PATCH', `nodes/${(await root()).id}/`, { value: 'x' }))).toBe(400)
    expect(await failure(api('DELETE', `nodes/${(await root()).id}/`))).toBe(403)
    await host('keeps', [top.id])
    expect(await failure(api('DELETE', `nodes/${top.id}/`))).toBe(403)
  })

  it('moves an asset to the root when it is removed from its last node', async () => {
    const top = await child(await root(), 'leaving')
    const { id } = await host('rescued', [top.id])
    await api('PUT', `nodes/${top.id}/assets/remove/`, { assets: [id] })
    const { nodes_display } = await api<{ nodes_display: string[] }>('GET', `hosts/${id}/`)
    expect(nodes_display).toEqual(['/Default'])
  })

  it('is searched by the label of its assets too', async () => {
    const top = await child(await root(), 'labelled')
    const [holds, holdsNot] = [await child(top, 'holds'), await child(top, 'holds not')]
    const { id } = await host('of-blue', [holds.id])
    await host('of-none', [holdsNot.id])
    await api('PATCH', `hosts/${id}/`, { labels: [{ name: 'color', value: 'blue:ish' }] })
    const names = async (search: string) =>
      (await tree(`?all=all&assets=1&search=${encodeURIComponent(search)}`)).map(({ name }) => name.replace(/ .*/, ''))
    expect(await names('color:blue:ish')).toEqual(['Default', 'holds', 'labelled', 'of-blue'])
    expect(await names('color:red')).toEqual([])
    expect(await names('color:')).toEqual([])
  })

  it('belongs to one organization: another one sees neither its nodes nor its assets', async () => {
    const top = await child(await root(), 'private')
    const { id } = await host('private-host', [top.id])
    const { id: org } = await server.admin.collection('orgs/orgs').create({ name: 'Elsewhere' })
    const there = server.admin.in(org)
    expect(await failure(there.request('GET', `/api/v1/assets/nodes/${top.id}/`))).toBe(404)
    expect(await failure(there.request('GET', `/api/v1/assets/hosts/${id}/`))).toBe(404)
    const items = await there.request<{ name: string }[]>('GET', '/api/v1/assets/nodes/children/tree/')
    expect(items.map(({ name }) => name)).toEqual(['Elsewhere (0)'])
    const own = await there.request<Node[]>('GET', '/api/v1/assets/nodes/children/')
    expect(
      await failure(there.request('PUT', `/api/v1/assets/nodes/${own[0]?.id}/assets/add/`, { assets: [id] })),
    ).toBe(400)
  })
})

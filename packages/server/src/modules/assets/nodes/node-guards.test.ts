import { randomUUID } from 'node:crypto'
import type { AnyRow, ApiError, Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let admin: Client
let other: Client
let root: AnyRow
beforeAll(async () => {
  server = await startServer()
  admin = server.admin
  other = server.admin.in((await admin.collection('orgs/orgs').create({ name: 'Other' })).id)
  root = (await admin.collection('assets/nodes').all()).find(({ key }) => key === '1') as AnyRow
})
afterAll(() => server.close())

const nodes = '/api/v1/assets/nodes/'
const child = (parent: AnyRow, value: string, as = admin) =>
  as.request<AnyRow>('POST', `${nodes}${parent.id}/children/`, { value })
const host = (name: string, more: Record<string, unknown> = {}, as = admin) =>
  as.collection('assets/hosts').create({
    name,
    address: '10.0.0.1',
    platform: { pk: 1 },
    protocols: [{ name: 'ssh', port: 22 }],
    ...more,
  })
const refusal = async (promise: Promise<unknown>) =>
  promise.then(
    () => ({ status: 200, body: undefined }),
    (error: ApiError) => ({ status: error.status, body: error.body }),
  )
/** The complete tree with its amounts, as an administrator sees it. */
const tree = async () =>
  (await admin.request<AnyRow[]>('GET', `${nodes}children/tree/?all=all`)).map(({ id, name }) => `${id} ${name}`).sort()

describe('rejected operations on nodes', () => {
  it('are moving one below itself or a descendant, or moving the root', async () => {
    const top = await child(root, 'cycle')
    const inner = await child(top, 'inner')
    const before = await tree()
    const move = (into: AnyRow, what: AnyRow) =>
      refusal(admin.request('PUT', `${nodes}${into.id}/children/add/`, { nodes: [what.id] }))
    for (const answer of [await move(top, top), await move(inner, top), await move(inner, root)])
      expect(answer).toMatchObject({ status: 400, body: { code: 'error' } })
    expect(await tree()).toEqual(before)
  })

  it('are moving several with one cycle: none is moved', async () => {
    const [first, second] = [await child(root, 'batch 1'), await child(root, 'batch 2')]
    const inner = await child(second, 'target')
    const before = await tree()
    const answer = await refusal(
      admin.request('PUT', `${nodes}${inner.id}/children/add/`, { nodes: [first.id, second.id] }),
    )
    expect(answer.status).toBe(400)
    expect(await tree()).toEqual(before)
  })

  it('are naming nodes and assets of another organization, or none at all', async () => {
    const mine = await child(root, 'mine')
    const [foreignRoot] = await other.collection('assets/nodes').all()
    const foreign = await child(foreignRoot as AnyRow, 'foreign', other)
    const theirs = await host('theirs', {}, other)
    const add = (what: string, body: unknown) => refusal(admin.request('PUT', `${nodes}${mine.id}/${what}/`, body))
    expect((await add('children/add', { nodes: [foreign.id] })).status).toBe(400)
    expect((await add('assets/add', { assets: [theirs.id] })).status).toBe(400)
    expect((await add('assets/remove', { assets: [theirs.id] })).status).toBe(400)
    expect((await add('assets/replace', { assets: [theirs.id] })).status).toBe(400)
    for (const [what, body] of [
      ['children/add', {}],
      ['children/add', { nodes: ['no id'] }],
      ['children/add', { nodes: [randomUUID()] }],
      ['assets/add', { assets: 'all' }],
      ['assets/add', { assets: [null] }],
      ['assets/add', []],
    ] as const)
      expect((await add(what, body)).status).toBe(400)
    expect((await refusal(admin.request('GET', `${nodes}${foreign.id}/`))).status).toBe(404)
    expect(
      (await refusal(admin.request('PUT', `${nodes}${foreign.id}/children/add/`, { nodes: [mine.id] }))).status,
    ).toBe(404)
    expect((await refusal(host('astray', { nodes: [foreign.id] }))).status).toBe(400)
  })

  it('are deleting the root, or one with assets in its subtree', async () => {
    const full = await child(root, 'full')
    const inner = await child(full, 'inner')
    const placed = await host('placed', { nodes: [inner.id] })
    for (const id of [root.id, full.id, inner.id])
      expect(await refusal(admin.request('DELETE', `${nodes}${id}/`))).toMatchObject({
        status: 403,
        body: { error: expect.any(String) },
      })
    await admin.request('PUT', `${nodes}${root.id}/assets/replace/`, { assets: [placed.id] })
    expect((await refusal(admin.request('DELETE', `${nodes}${full.id}/`))).status).toBe(200)
    expect((await refusal(admin.request('GET', `${nodes}${inner.id}/`))).status).toBe(404)
  })

  it('are a name that is empty, too long, taken by a sibling, or contains a slash', async () => {
    await child(root, 'taken')
    for (const value of [' ', 'x'.repeat(129), 'taken', 'a/b'])
      expect((await refusal(child(root, value))).status).toBe(400)
    const renamed = await child(root, 'renamed')
    const rename = refusal(admin.request('PATCH', `${nodes}${renamed.id}/`, { value: 'a/b' }))
    const text = ["A node's name cannot contain “/”."]
    expect([await refusal(child(root, 'a/b')), await rename]).toMatchObject([
      { body: { value: text } },
      { body: { value: text } },
    ])
  })
})

describe('nodes that several callers create at the same time', () => {
  it('are one per name', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => refusal(child(root, 'at once'))))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    const made = await Promise.all(
      Array.from({ length: 6 }, (_none, at) => host(`at once ${at}`, { nodes_display: ['/Default/path/at/once'] })),
    )
    expect(new Set(made.flatMap(({ nodes: list }) => (list as AnyRow[]).map(({ id }) => id))).size).toBe(1)
  })
})

describe('a permission', () => {
  it('names no object of another organization', async () => {
    const theirs = await host('theirs too', {}, other)
    const [foreignRoot] = await other.collection('assets/nodes').all()
    const group = await other.collection('users/groups').create({ name: 'theirs' })
    for (const named of [{ assets: [theirs.id] }, { nodes: [foreignRoot?.id] }, { user_groups: [group.id] }])
      expect(
        (await refusal(admin.collection('perms/asset-permissions').create({ name: 'astray', ...named }))).status,
      ).toBe(400)
    const mine = await admin.collection('perms/asset-permissions').create({ name: 'mine' })
    for (const [list, named] of [
      ['assets', { asset: theirs.id }],
      ['nodes', { node: foreignRoot?.id }],
      ['user-groups', { usergroup: group.id }],
    ] as const) {
      const link = (more: object) =>
        refusal(admin.request('POST', `/api/v1/perms/asset-permissions-${list}-relations/`, { ...named, ...more }))
      expect((await link({ assetpermission: mine.id })).status).toBe(400)
      expect((await link({ assetpermission: 'no id' })).status).toBe(400)
    }
    expect((await refusal(admin.request('POST', '/api/v1/perms/effect/', { nodes: [foreignRoot?.id] }))).status).toBe(
      400,
    )
  })

  it('is hidden from callers of another organization, as are its objects', async () => {
    const theirs = await host('hidden', {}, other)
    const [foreignRoot] = await other.collection('assets/nodes').all()
    const group = await other.collection('users/groups').create({ name: 'hidden' })
    const permission = await other.collection('perms/asset-permissions').create({ name: 'hidden' })
    for (const path of [
      `asset-permissions/${permission.id}/`,
      `asset-permissions/${permission.id}/assets/all/`,
      `user-groups/${group.id}/assets/`,
      `user-groups/${group.id}/nodes/children/tree/`,
      `users/self/nodes/${foreignRoot?.id}/assets/`,
      `users/self/assets/${theirs.id}/`,
      `why/?username=admin&asset=${theirs.id}`,
    ])
      expect((await refusal(admin.request('GET', `/api/v1/perms/${path}`))).status, path).toBe(404)
    for (const narrowed of [`asset_id=${theirs.id}`, `node_id=${foreignRoot?.id}`, `user_group_id=${group.id}`])
      expect(await admin.request('GET', `/api/v1/perms/asset-permissions/?${narrowed}`)).toEqual([])
    expect(await admin.request('GET', `/api/v1/perms/users/self/nodes/children/?key=${foreignRoot?.key}`)).toEqual([])
  })
})

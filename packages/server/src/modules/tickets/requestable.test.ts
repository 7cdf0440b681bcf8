import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import type { Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

/** What a member who asks for access may know of an organization: names, and nothing of another organization. */
interface Item {
  id: string
  name: string
  title: string
  pId?: string
  isParent: boolean
  meta: { type: string; data: Record<string, unknown> }
}

let server: TestServer
let member: Client
let memberId: string
let otherOrg: string
const ids: Record<string, string> = {}

beforeAll(async () => {
  server = await startServer()
  memberId = await server.person('asks', { system: [roleIds.user], org: [roleIds.orgUser] })
  member = await server.as(memberId)
  otherOrg = (await server.admin.request<{ id: string }>('POST', '/api/v1/orgs/orgs/', { name: 'Others' })).id
  const nodes = await server.admin.request<{ id: string }[]>('GET', '/api/v1/assets/nodes/')
  const payments = await server.admin.request<{ id: string }>(
    'POST',
    `/api/v1/assets/nodes/${nodes[0]?.id}/children/`,
    {
      value: 'Payments',
    },
  )
  ids.node = payments.id
  const host = async (name: string, more: object = {}, oid = '') =>
    (
      await server.admin.request<{ id: string }>('POST', `/api/v1/assets/hosts/${oid && `?oid=${oid}`}`, {
        ...{ name, address: '10.77.0.1', comment: 'secret remark', platform: { pk: 1 } },
        protocols: [{ name: 'ssh', port: 22 }],
        ...more,
      })
    ).id
  ids.paid = await host('payments-db', { nodes: [{ pk: payments.id }] })
  ids.mine = await host('granted-host', { nodes: [{ pk: payments.id }] })
  ids.off = await host('switched-off', { nodes: [{ pk: payments.id }], is_active: false })
  ids.loose = await host('loose-host')
  ids.theirs = await host('payments-elsewhere', {}, otherOrg)
  await server.admin.request('POST', '/api/v1/perms/asset-permissions/', {
    ...{ name: 'one', users: [{ pk: memberId }], assets: [{ pk: ids.mine }], accounts: ['@ALL'], actions: ['connect'] },
  })
})
afterAll(() => server.close())

const path = '/api/v1/tickets/apply-asset-tickets/requestable/tree/'
const tree = (query = '', by = member) => by.request<Item[]>('GET', `${path}?org_id=${defaultOrgId}${query}`)
const named = (items: readonly Item[], name: string) => items.find((item) => item.name === name)

describe('what may be asked for', () => {
  it('is a tree of names, level by level, that says what is granted already', async () => {
    const top = await tree()
    const node = named(top, 'Payments')
    expect(node).toMatchObject({ isParent: true, meta: { type: 'node', data: { id: ids.node } } })
    expect(named(top, 'loose-host')).toBeDefined()
    const below = await tree(`&key=${node?.id}`)
    expect(below.map(({ name }) => name)).toEqual(['granted-host', 'payments-db'])
    expect(named(below, 'payments-db')).toMatchObject({
      id: ids.paid,
      pId: node?.id,
      meta: { data: { granted: false } },
    })
    expect(named(below, 'granted-host')?.meta.data.granted).toBe(true)
  })

  it('is found by a part of its name, with the nodes above it', async () => {
    const found = await tree('&search=payments')
    expect(found.slice(1).map(({ name }) => name)).toEqual(['Payments', 'payments-db'])
    expect(found[1]?.pId).toBe(found[0]?.id)
    expect(found[2]?.pId).toBe(found[1]?.id)
    expect(await tree('&search=%25')).toEqual([])
    expect(await tree('&search=nothing-like-it')).toEqual([])
  })

  it('tells neither addresses nor remarks, nor anything of another organization', async () => {
    for (const query of ['', '&search=payments', '&search=10.77', '&search=secret']) {
      const text = JSON.stringify(await tree(query))
      expect(text).not.toContain('10.77.0.1')
      expect(text).not.toContain('remark')
      expect(text).not.toContain('payments-elsewhere')
    }
    for (const org of [
      otherOrg,
      '00000000-0000-0000-0000-000000000000',
      '00000000-0000-0000-0000-000000000004',
      'x',
      '',
    ])
      await expect(member.request('GET', `${path}?org_id=${org}`)).rejects.toMatchObject({ status: 400 })
    const theirRoot = (await server.admin.request<Item[]>('GET', `${path}?org_id=${otherOrg}`))[0]
    await expect(tree(`&key=${theirRoot?.id}`)).rejects.toMatchObject({ status: 400, body: { key: expect.any(Array) } })
  })

  it('is told to nobody without the right to ask, and only while requests are on', async () => {
    expect((await fetch(server.url + path)).status).toBe(401)
    await server.admin.request('PATCH', '/api/v1/settings/setting/?category=ticket', { TICKETS_ENABLED: false })
    await expect(tree()).rejects.toMatchObject({ status: 400 })
    await server.admin.request('PATCH', '/api/v1/settings/setting/?category=ticket', { TICKETS_ENABLED: true })
    await expect(tree('&key=1%3A77')).rejects.toMatchObject({ status: 400 })
  })
})

import { roleIds } from '@castellan/contract/ids'
import { type AnyRow, type Client, clientWith } from '@castellan/testing/client'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let first: TestServer
let second: TestServer
beforeAll(async () => {
  first = await startServer()
  second = await startServer({ beside: first })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const kinds = ['add', 'move', 'rename', 'remove', 'place', 'create', 'erase', 'give', 'take', 'join', 'leave'] as const
const step = fc.record({ what: fc.constantFrom(...kinds), a: fc.nat(50), b: fc.nat(50), on: fc.boolean() })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Site {
  orgId: string
  user: string
  group: AnyRow
  root: AnyRow
  /** Clients of the user at each server; a token is valid at both. */
  at: ReadonlyMap<TestServer, Client>
}

let count = 0
async function begin(): Promise<Site> {
  count += 1
  const orgId = (await first.admin.collection('orgs/orgs').create({ name: `agree ${count}` })).id
  const admin = first.admin.in(orgId)
  const user = await first.person(`agree${count}`, { system: [roleIds.user], org: [roleIds.orgUser], orgId })
  const group = await admin.collection('users/groups').create({ name: 'g', users: [user] })
  const root = (await admin.collection('assets/nodes').all())[0] as AnyRow
  const { token } = await first.as(user, orgId)
  const at = new Map(
    [first, second].map((server) => [server, clientWith({ url: server.url, token, organization: orgId })] as const),
  )
  return { orgId, user, group, root, at }
}

/** Applies one change through the API of one server; a rejected change has no effect. */
async function take(admin: Client, site: Site, { what, a, b }: Step): Promise<void> {
  const nodes = await admin.collection('assets/nodes').all()
  const hosts = await admin.collection('assets/hosts').all()
  const permissions = await admin.collection('perms/asset-permissions').all()
  const pick = (list: readonly AnyRow[], at: number) => list[at % Math.max(1, list.length)]
  const [node, other] = [pick(nodes, a), pick(nodes, b)]
  const [host, permission] = [pick(hosts, a), pick(permissions, a)]
  const name = `${what} ${Math.random()}`
  const path = '/api/v1/assets/nodes/'
  const work = {
    add: () => admin.request('POST', `${path}${node?.id}/children/`, { value: name }),
    move: () => admin.request('PUT', `${path}${node?.id}/children/add/`, { nodes: [other?.id] }),
    rename: () => admin.request('PATCH', `${path}${node?.id}/`, { value: name }),
    remove: () => admin.request('DELETE', `${path}${node?.id}/`),
    place: () =>
      admin.request('PUT', `${path}${other?.id}/assets/${b % 2 ? 'add' : 'replace'}/`, { assets: [host?.id] }),
    create: () =>
      admin.collection('assets/hosts').create({
        name,
        address: '10.0.0.1',
        platform: { pk: 1 },
        protocols: [{ name: 'ssh', port: 22 }],
        nodes: [node?.id, other?.id],
      }),
    erase: () => admin.collection('assets/hosts').delete(host?.id ?? ''),
    give: () =>
      admin.collection('perms/asset-permissions').create({
        name,
        ...(b % 2 ? { users: [site.user] } : { user_groups: [site.group.id] }),
        nodes: a % 3 ? [node?.id] : [],
        assets: a % 3 === 1 || !host ? [] : [host.id],
        accounts: ['@ALL'],
      }),
    take: () =>
      b % 2
        ? admin.collection('perms/asset-permissions').delete(permission?.id ?? '')
        : admin.collection('perms/asset-permissions').change(permission?.id ?? '', { is_active: b % 4 === 0 }),
    join: () => admin.collection('users/groups').change(site.group.id, { users: [site.user] }),
    leave: () => admin.collection('users/groups').change(site.group.id, { users: [] }),
  }
  await work[what]().catch(() => undefined)
}

/** The expected result, computed from the rows by brute force. */
async function truth({ orgId, user }: Site) {
  const db = first.context().rawDb
  const rows = async (table: string) => db.selectFrom(table).selectAll().execute()
  const nodes = (await rows('assets_node')).filter(({ org_id }) => org_id === orgId)
  const members = await rows('assets_asset_nodes')
  const assets = (await rows('assets_asset')).filter(({ org_id }) => org_id === orgId)
  const groups = (await rows('users_user_groups')).filter(({ user_id }) => user_id === user)
  const users = await rows('perms_assetpermission_users')
  const userGroups = await rows('perms_assetpermission_user_groups')
  const mine = (await rows('perms_assetpermission'))
    .filter(({ org_id, is_active, date_start, date_expired }) => {
      const now = Date.now()
      return org_id === orgId && is_active && date_start < now && now < date_expired
    })
    .filter(
      ({ id }) =>
        users.some((link) => link.assetpermission_id === id && link.user_id === user) ||
        userGroups.some(
          (link) => link.assetpermission_id === id && groups.some((one) => one.usergroup_id === link.usergroup_id),
        ),
    )
    .map(({ id }) => id)
  const named = (await rows('perms_assetpermission_nodes'))
    .filter((link) => mine.includes(link.assetpermission_id))
    .map((link) => nodes.find(({ id }) => id === link.node_id)?.key as string)
  const direct = (await rows('perms_assetpermission_assets'))
    .filter((link) => mine.includes(link.assetpermission_id))
    .map((link) => link.asset_id)
  const within = (key: string, top: string) => key === top || key.startsWith(`${top}:`)
  const keysOf = (asset: string) =>
    nodes
      .filter(({ id }) => members.some((link) => link.asset_id === asset && link.node_id === id))
      .map(({ key }) => key)
  const reached = assets.filter(
    ({ id }) => direct.includes(id) || keysOf(id).some((key) => named.some((top) => within(key, top))),
  )
  const amount = (top: string, seen: (asset: string, key: string) => boolean) =>
    assets.filter(({ id }) => keysOf(id).some((key) => within(key, top) && seen(id, key))).length
  const amounts = nodes.map(({ key }) => [key, amount(key, () => true)] as const)
  const own = nodes.map(({ key }) => {
    const seen = (asset: string, at: string) => direct.includes(asset) || named.some((top) => within(at, top))
    const inTree = named.some((top) => within(key, top) || within(top, key))
    const count = amount(key, seen)
    return [key, inTree || count > 0 ? count : -1] as const
  })
  return {
    assets: reached.map(({ name }) => name).sort(),
    tree: Object.fromEntries(amounts),
    own: Object.fromEntries(own.filter(([, count]) => count >= 0)),
    opened: Object.fromEntries(own.filter(([, count]) => count >= 0)),
  }
}

const counted = (items: readonly AnyRow[]) =>
  Object.fromEntries(
    items
      .filter(({ id }) => /^[\d:]+$/.test(id))
      .map(({ id, name }) => [id, Number(/\((\d+)\)$/.exec(String(name))?.[1])]),
  )

/** A user's tree, opened level by level. */
async function opened(me: Client): Promise<AnyRow[]> {
  const level = (key: string) =>
    me.request<AnyRow[]>('GET', `/api/v1/perms/users/self/nodes/children/tree/?key=${encodeURIComponent(key)}`)
  const all = await level('')
  for (const { id, pId } of all) if (id !== 'favorite' && pId !== '') all.push(...(await level(String(id))))
  return all
}

/** The result of one server. */
async function answers(server: TestServer, { orgId, at }: Site) {
  const admin = server.admin.in(orgId)
  const me = at.get(server) as Client
  const listed = await me.request<AnyRow[]>('GET', '/api/v1/perms/users/self/assets/')
  return {
    assets: listed.map(({ name }) => String(name)).sort(),
    tree: counted(await admin.request<AnyRow[]>('GET', '/api/v1/assets/nodes/children/tree/?all=all')),
    own: counted(await me.request<AnyRow[]>('GET', '/api/v1/perms/users/self/nodes/tree/')),
    opened: counted(await opened(me)),
  }
}

describe('two servers on one database', () => {
  it('return what the rows say after every change by one of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const site = await begin()
        for (const one of steps) {
          await take((one.on ? first : second).admin.in(site.orgId), site, one)
          const wanted = await truth(site)
          expect(await answers(first, site)).toEqual(wanted)
          expect(await answers(second, site)).toEqual(wanted)
        }
      }),
      { numRuns: 8 },
    )
  })

  it('agree after concurrent changes', async () => {
    const site = await begin()
    const change = (at: number): Step => ({ what: kinds[at % kinds.length] ?? 'add', a: at * 7, b: at * 3, on: true })
    await Promise.all(
      Array.from({ length: 40 }, async (_none, at) => {
        const server = at % 2 ? first : second
        await take(server.admin.in(site.orgId), site, change(at))
        await answers(server, site)
      }),
    )
    const wanted = await truth(site)
    expect(await answers(first, site)).toEqual(wanted)
    expect(await answers(second, site)).toEqual(wanted)
  })
})

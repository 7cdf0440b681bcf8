import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertRow } from '../../../kernel/resource/repository.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { session } from '../../terminal/index.ts'
import { assetPermission } from '../permission.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const day = 86_400_000
const iso = (days: number) => new Date(Date.now() + days * day).toISOString()

let count = 0
let orgId: string
let admin: Client
let alice: string
let bob: string
let node: AnyRow
let inside: AnyRow
let outside: AnyRow

const host = async (name: string, more: Record<string, unknown> = {}) =>
  admin.collection('assets/hosts').create({
    name,
    address: '10.0.0.1',
    platform: { pk: 1 },
    protocols: [{ name: 'ssh', port: 22 }],
    accounts: [{ name: 'root', username: 'root', secret_type: 'password' }],
    ...more,
  })

beforeEach(async () => {
  count += 1
  orgId = (await server.admin.collection('orgs/orgs').create({ name: `explained ${count}` })).id
  admin = server.admin.in(orgId)
  const org = { system: [roleIds.user], org: [roleIds.orgUser], orgId }
  alice = await server.person(`alice${count}`, org)
  bob = await server.person(`bob${count}`, org)
  node = await admin.collection('assets/nodes').create({ value: 'Inside' })
  inside = await host(`inside${count}`, { nodes: [node.id] })
  outside = await host(`outside${count}`)
})

const give = (name: string, fields: Record<string, unknown> = {}) =>
  admin
    .collection('perms/asset-permissions')
    .create({ name, users: [alice], nodes: [node.id], accounts: ['@ALL'], ...fields })

interface Why {
  allowed: boolean
  blockers: { value: string }[]
  rules: { name: string; gives: boolean; through: { user: AnyRow[]; asset: AnyRow[] } }[]
  changes: { permission: { name: string }; missing: { value: string }[] }[]
}
const why = (query: Record<string, string>) =>
  admin.request<Why>('GET', `/api/v1/perms/why/?${new URLSearchParams(query)}`)
const lacking = ({ changes }: Why) =>
  Object.fromEntries(changes.map(({ permission, missing }) => [permission.name, missing.map(({ value }) => value)]))

describe('explaining access', () => {
  it('names the granting rules, and by which names they concern the user and the asset', async () => {
    const group = await admin.collection('users/groups').create({ name: 'Crew', users: [alice] })
    await give('by group', { users: [], user_groups: [group.id] })
    const answer = await why({ user: alice, asset: inside.id, account: 'root' })
    expect(answer).toMatchObject({ allowed: true, blockers: [], changes: [] })
    expect(answer.rules).toMatchObject([
      {
        name: 'by group',
        gives: true,
        through: { user: [{ type: 'group', name: 'Crew' }], asset: [{ type: 'node' }] },
      },
    ])
  })

  it('lists what each insufficient permission lacks', async () => {
    await give('off', { is_active: false })
    await give('over', { date_start: iso(-3), date_expired: iso(-1) })
    await give('early', { date_start: iso(1), date_expired: iso(2) })
    await give('other account', { accounts: ['deploy'] })
    await give('other action', { actions: ['upload'] })
    await give('other person', { users: [bob] })
    await give('other asset', { nodes: [], assets: [outside.id] })
    const answer = await why({ user: alice, asset: inside.id, account: 'root', protocol: 'ssh', action: 'connect' })
    expect(answer.allowed).toBe(false)
    expect(lacking(answer)).toEqual({
      off: ['inactive'],
      over: ['expired'],
      early: ['not_started'],
      'other account': ['account'],
      'other action': ['action'],
      'other person': ['user'],
      'other asset': ['asset'],
    })
  })

  it('combines the protocols of all permissions, and reports when none has the requested one', async () => {
    await give('other protocol', { protocols: ['rdp'] })
    const asked = { user: alice, asset: inside.id, account: 'root', protocol: 'ssh' }
    expect(lacking(await why(asked))).toEqual({ 'other protocol': ['protocol'] })
    await give('other account', { accounts: ['deploy'], protocols: ['ssh'] })
    expect((await why(asked)).allowed).toBe(true)
  })

  it('reports obstacles that do not depend on permissions', async () => {
    await give('all')
    await admin.collection('assets/hosts').change(inside.id, { is_active: false })
    await admin.collection('users/users').change(alice, { is_active: false })
    const answer = await why({ user: alice, asset: inside.id, account: 'nobody' })
    expect(answer.allowed).toBe(false)
    expect(answer.blockers.map(({ value }) => value)).toEqual(['user_inactive', 'asset_inactive', 'account_unknown'])
  })

  it('agrees with the check at connect time', async () => {
    await give('some', { accounts: ['root'], protocols: ['ssh'], actions: ['connect'] })
    const user = await server.as(alice, orgId)
    for (const account of ['root', '@INPUT', 'nobody'])
      for (const protocol of ['ssh', 'sftp']) {
        const token = await user
          .request('POST', '/api/v1/authentication/connection-token/', {
            asset: inside.id,
            account,
            protocol,
            connect_method: 'web_cli',
          })
          .then(
            () => true,
            () => false,
          )
        expect((await why({ user: alice, asset: inside.id, account, protocol })).allowed).toBe(token)
      }
  })

  it('accepts only existing users, assets and actions', async () => {
    const status = (query: Record<string, string>) =>
      why(query).then(
        () => 200,
        (error) => error.status,
      )
    expect(await status({ asset: inside.id })).toBe(400)
    expect(await status({ user: alice })).toBe(400)
    expect(await status({ user: alice, asset: inside.id, action: 'dance' })).toBe(400)
    expect(await status({ user: inside.id, asset: inside.id })).toBe(404)
    const elsewhere = await server.organization(`elsewhere ${count}`)
    const foreign = server.admin.in(elsewhere).request('GET', `/api/v1/perms/why/?user=${alice}&asset=${inside.id}`)
    await expect(foreign).rejects.toMatchObject({ status: 404 })
    // Nothing is revealed about users who are not members there, whatever the asset.
    const other = await admin.collection('orgs/orgs').create({ name: `other ${count}` })
    const there = server.admin.in(other.id)
    const asset = await there.collection('assets/hosts').create({
      name: `there ${count}`,
      address: '10.0.0.1',
      platform: 1,
      protocols: [{ name: 'ssh', port: 22 }],
    })
    for (const who of [`user=${alice}`, 'username=alice']) {
      const stranger = there.request('GET', `/api/v1/perms/why/?${who}&asset=${asset.id}`)
      await expect(stranger).rejects.toMatchObject({ status: 404 })
    }
  })
})

interface Side {
  pairs: number
  users: { count: number; items: AnyRow[] }
  assets: { count: number; items: AnyRow[] }
}
const effect = (body: Record<string, unknown>) =>
  admin.request<{ users: number; assets: number; gain: Side; lose: Side }>('POST', '/api/v1/perms/effect/', body)

describe('the preview of a permission before it is saved', () => {
  it('counts users who gain access by a new one that they do not have otherwise', async () => {
    await give('has it already')
    const answer = await effect({ users: [alice, bob], nodes: [node.id], assets: [outside.id] })
    expect(answer).toMatchObject({ users: 2, assets: 2, lose: { pairs: 0 } })
    expect(answer.gain.pairs).toBe(3)
    expect(new Map(answer.gain.users.items.map(({ id, assets }) => [id, assets]))).toEqual(
      new Map([
        [alice, 1],
        [bob, 2],
      ]),
    )
    expect(answer.gain.assets.items.map(({ id }) => id).sort()).toEqual([inside.id, outside.id].sort())
  })

  it('counts gains and losses of a change, and losses of a deletion', async () => {
    const one = await give('changes')
    expect(await effect({ id: one.id })).toMatchObject({ gain: { pairs: 0 }, lose: { pairs: 0 } })
    expect(await effect({ id: one.id, is_active: false })).toMatchObject({ gain: { pairs: 0 }, lose: { pairs: 1 } })
    expect(await effect({ id: one.id, users: [bob] })).toMatchObject({ gain: { pairs: 1 }, lose: { pairs: 1 } })
    expect(await effect({ id: one.id, deleted: true })).toMatchObject({ gain: { pairs: 0 }, lose: { pairs: 1 } })
    await give('the same again')
    expect(await effect({ id: one.id, deleted: true })).toMatchObject({ gain: { pairs: 0 }, lose: { pairs: 0 } })
  })

  it('rejects objects of another organization, and saves nothing', async () => {
    const elsewhere = server.admin.in(await server.organization(`foreign ${count}`))
    await expect(
      elsewhere.request('POST', '/api/v1/perms/effect/', { users: [alice], assets: [inside.id] }),
    ).rejects.toMatchObject({ status: 400 })
    await effect({ users: [bob], assets: [inside.id] })
    expect(await admin.collection('perms/asset-permissions').all()).toEqual([])
  })
})

describe('findings', () => {
  it('list permissions that grant nothing, have expired, are covered by others, or are wider than their use', async () => {
    await give('nobody', { users: [] })
    await give('no actions', { actions: [] })
    await give('over', { date_start: iso(-3), date_expired: iso(-1) })
    const wide = await give('wide', { users: [alice, bob], assets: [outside.id], date_start: iso(-200) })
    await give('narrow')
    // Creation before the period of use, which the API cannot set.
    await server
      .context(orgId)
      .acrossOrganizations.updateTable(assetPermission.table)
      .set({ date_created: Date.now() - 200 * day })
      .where('id', '=', wide.id)
      .execute()
    const found = async (query = '') =>
      (
        await admin.request<{ permission: AnyRow; kind: AnyRow; by: AnyRow | null; used_assets: number | null }[]>(
          'GET',
          `/api/v1/perms/findings/${query}`,
        )
      ).map(({ permission, kind, by }) => [kind.value, permission.name, by?.name ?? null])
    expect(await found()).toEqual([
      ['gives_nothing', 'no actions', null],
      ['gives_nothing', 'nobody', null],
      ['expired', 'over', null],
      ['shadowed', 'narrow', 'wide'],
      ['wider', 'wide', null],
    ])
    expect(await found('?kind=expired')).toEqual([['expired', 'over', null]])
    for (const used of [inside, outside])
      await insertRow(server.context(orgId), session, {
        user: 'alice',
        user_id: alice,
        asset: String(used.name),
        asset_id: String(used.id),
        account: 'root',
        account_id: alice,
        protocol: 'ssh',
        date_start: Date.now() - day,
      })
    expect(await found('?kind=wider')).toEqual([])
  })
})

import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { roleIds } from '@castellan/contract/ids'
import { type AnyRow, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { accessChanged, revalidate } from './session-revalidation.ts'

let server: TestServer
let admin: Client
let component: Client
beforeAll(async () => {
  server = await startServer()
  admin = server.admin
  component = await registerComponent(server.url, server.bootstrapToken, 'live')
})
afterAll(() => server.close())

let count = 0
let user: string
let me: Client
let group: AnyRow
let granted: AnyRow
let elsewhere: AnyRow
let host: AnyRow
let account: AnyRow
let permission: AnyRow

const child = (parent: AnyRow, value: string) =>
  admin.request<AnyRow>('POST', `/api/v1/assets/nodes/${parent.id}/children/`, { value })

beforeEach(async () => {
  count += 1
  const [root] = await admin.collection('assets/nodes').all({ key: '1' })
  user = await server.person(`p${count}`, { system: [roleIds.user], org: [roleIds.orgUser] })
  me = await server.as(user)
  group = await admin.collection('users/groups').create({ name: `g${count}`, users: [user] })
  granted = await child(root as AnyRow, `granted ${count}`)
  elsewhere = await child(root as AnyRow, `elsewhere ${count}`)
  host = await admin.collection('assets/hosts').create({
    name: `live-${count}`,
    address: '10.0.0.1',
    platform: { pk: 1 },
    protocols: [{ name: 'ssh', port: 22 }],
    nodes: [(await child(granted, 'inner')).id],
    accounts: [{ name: 'root', username: 'root', secret_type: 'password' }],
  })
  account = (await admin.collection('accounts/accounts').all({ asset: host.id }))[0] as AnyRow
  permission = await admin
    .collection('perms/asset-permissions')
    .create({ name: `p${count}`, user_groups: [group.id], nodes: [granted.id], accounts: ['@ALL'] })
})

const session = () => ({
  id: randomUUID(),
  user: `p${count}`,
  user_id: user,
  asset: host.name,
  asset_id: host.id,
  account: 'root(root)',
  account_id: account.id,
  protocol: 'ssh',
  login_from: 'ST',
  remote_addr: '127.0.0.1',
  type: 'normal',
  date_start: new Date().toISOString(),
  org_id: '00000000-0000-0000-0000-000000000002',
})

const connect = async (): Promise<string> => (await component.collection('terminal/sessions').create(session())).id

const ordered = async (id: string) =>
  (
    await server
      .context()
      .rawDb.selectFrom('terminal_task')
      .select('args')
      .where('name', '=', 'kill_session')
      .where('args', '=', id)
      .execute()
  ).length > 0

/** The assets the user may access now. */
const reaches = async () => {
  const names = (await me.request<AnyRow[]>('GET', '/api/v1/perms/users/self/assets/')).map(({ name }) => name)
  return names.includes(host.name)
}

const changes: Record<string, () => Promise<unknown>> = {
  'the node is moved out of what is granted': async () => {
    const [inner] = await admin.request<AnyRow[]>('GET', `/api/v1/assets/nodes/${granted.id}/children/`)
    await admin.request('PUT', `/api/v1/assets/nodes/${elsewhere.id}/children/add/`, { nodes: [inner?.id] })
  },
  'the asset is put elsewhere': () =>
    admin.request('PUT', `/api/v1/assets/nodes/${elsewhere.id}/assets/replace/`, { assets: [host.id] }),
  'the asset’s nodes are changed': () => admin.collection('assets/hosts').change(host.id, { nodes: [elsewhere.id] }),
  'the person leaves the group': () => admin.collection('users/groups').change(group.id, { users: [] }),
  'the group is deleted': () => admin.collection('users/groups').delete(group.id),
  'the permission is switched off': () =>
    admin.collection('perms/asset-permissions').change(permission.id, { is_active: false }),
  'the permission names another node': () =>
    admin.collection('perms/asset-permissions').change(permission.id, { nodes: [elsewhere.id] }),
  'the link to the node is removed': () =>
    admin.request(
      'DELETE',
      `/api/v1/perms/asset-permissions-nodes-relations/?assetpermission=${permission.id}&node=${granted.id}`,
    ),
  'the permission is deleted': () => admin.collection('perms/asset-permissions').delete(permission.id),
  'the permission has expired, while nobody does anything': () =>
    admin
      .collection('perms/asset-permissions')
      .change(permission.id, { date_expired: new Date(Date.now() + 1500).toISOString() }),
}

describe('a user of a provider', () => {
  it('has no running sessions when the provider ended the sign-in, or was silent for too long', async () => {
    const { rawDb } = server.context()
    await rawDb.updateTable('users_user').set({ source: 'saml2' }).where('id', '=', user).execute()
    const running = await connect()
    expect(await revalidate(server.context())).toBe(0)
    await rawDb.updateTable('users_user').set({ date_joined: 1 }).where('id', '=', user).execute()
    await revalidate(server.context())
    expect(await ordered(running)).toBe(true)
  })
})

describe('a change of access', () => {
  for (const [what, change] of Object.entries(changes))
    it(`takes effect at the next request and ends the session when ${what}`, async () => {
      const running = await connect()
      expect(await reaches()).toBe(true)
      await change()
      if (!what.includes('expired')) expect(await reaches()).toBe(false)
      await expect.poll(() => ordered(running), { timeout: 10_000, interval: 50 }).toBe(true)
      expect(await reaches()).toBe(false)
    })

  it('does not affect sessions that are still permitted', async () => {
    const running = await connect()
    await admin
      .collection('perms/asset-permissions')
      .create({ name: `also ${count}`, users: [user], assets: [host.id], accounts: ['@ALL'] })
    await admin.collection('perms/asset-permissions').delete(permission.id)
    await admin.collection('users/groups').delete(group.id)
    expect(await revalidate(server.context())).toBe(0)
    expect(await ordered(running)).toBe(false)
    await admin.collection('assets/hosts').change(host.id, { is_active: false })
    await expect.poll(() => ordered(running), { timeout: 10_000, interval: 50 }).toBe(true)
    expect(await reaches()).toBe(true)
  })

  it('is looked for after changes that can end access only, not after new secrets, comments or what gives more', async () => {
    const published: unknown[] = []
    const stop = server.application.services.events.on(accessChanged, (concerned) => void published.push(concerned))
    const accounts = admin.collection('accounts/accounts')
    for (let turn = 0; turn < 5; turn++) await accounts.change(account.id, { secret: `Another-secret-${turn}` })
    await accounts.change(account.id, { comment: 'rotated' })
    await admin.collection('assets/hosts').change(host.id, { comment: 'rotated' })
    await admin.collection('users/users').change(user, { comment: 'rotated' })
    await admin.collection('perms/asset-permissions').change(permission.id, { comment: 'rotated' })
    await admin.collection('perms/asset-permissions').create({ name: `more ${count}`, users: [user] })
    // Events are read in order: what comes with this one was published before it.
    await accounts.change(account.id, { is_active: false })
    await expect.poll(() => published.length, { timeout: 10_000, interval: 20 }).toBe(1)
    await accounts.delete(account.id)
    await expect.poll(() => published.length, { timeout: 10_000, interval: 20 }).toBe(2)
    stop()
  })

  it('lets requests be answered in between, however many sessions run', async () => {
    const pairs = 320
    for (let at = 0; at < pairs; at++) {
      const other = at % 2 === 0 ? { user_id: randomUUID() } : { asset_id: randomUUID() }
      await component.collection('terminal/sessions').create({ ...session(), ...other })
    }
    let turns = 0
    let judging = true
    const judged = revalidate(server.context()).finally(() => {
      judging = false
    })
    while (judging) {
      await setImmediate()
      turns += 1
    }
    // Unknown users never had access here, so their sessions are not ours to end.
    expect(await judged).toBe(0)
    expect(turns).toBeGreaterThan(pairs / 20)
  })
})

import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let gateway: Client
let userId: string
let me: Client
let host: AnyRow
let permission: AnyRow
let run = 0

beforeAll(async () => {
  server = await startServer()
  gateway = (await registerComponent(server.url, server.bootstrapToken, 'gateway-1')).in('ROOT')
})
afterAll(() => server.close())

const tokens = '/api/v1/authentication/connection-token/'
const supers = '/api/v1/authentication/super-connection-token/'
const admin = <T = AnyRow>(method: string, path: string, body?: unknown) => server.admin.request<T>(method, path, body)

beforeEach(async () => {
  run += 1
  userId = await server.person(`ada${run}`, { system: [roleIds.user], org: [roleIds.orgUser] })
  me = await server.as(userId, defaultOrgId)
  host = await admin('POST', '/api/v1/assets/hosts/', {
    name: `host${run}`,
    address: '10.0.0.9',
    platform: 1,
    protocols: [{ name: 'ssh', port: 22 }],
    accounts: [
      { name: 'Root', username: 'root', secret_type: 'password', secret: 'the-secret' },
      { name: 'plain', username: 'plain', secret_type: 'password' },
    ],
  })
  permission = await admin('POST', '/api/v1/perms/asset-permissions/', {
    name: `perm${run}`,
    users: [userId],
    assets: [host.id],
    accounts: ['@ALL', '@INPUT'],
    protocols: ['ssh', 'sftp'],
    actions: ['connect', 'upload'],
  })
})

const asked = (more: object = {}) => ({
  asset: host.id,
  account: 'Root',
  protocol: 'ssh',
  connect_method: 'web_cli',
  ...more,
})
const ask = (more?: object) => me.request<AnyRow>('POST', tokens, asked(more))
const open = (id: unknown, more: object = {}) => gateway.request<AnyRow>('POST', `${supers}secret/`, { id, ...more })
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => {
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, code: (error.body as AnyRow | undefined)?.code }
    },
  )

describe('a connection token', () => {
  it('gives the credential once, to a component only', async () => {
    const token = await ask()
    expect(await refusal(me.request('POST', `${supers}secret/`, { id: token.id }))).toMatchObject({ status: 403 })
    // Not even to a system administrator, who would have to confirm to see the account's secret.
    expect(await refusal(admin('POST', `${supers}secret/`, { id: token.id }))).toMatchObject({ status: 403 })
    expect(await refusal(open(randomUUID()))).toMatchObject({ status: 404 })
    expect(await refusal(gateway.request('POST', `${supers}secret/`, {}))).toMatchObject({ status: 400 })
    const secret = await open(token.id, { expire_now: true })
    expect(secret.account).toMatchObject({ username: 'root', secret: 'the-secret', privileged: false })
    expect((secret.actions as AnyRow[]).map((one) => one.value)).toEqual(['connect', 'upload'])
    expect(await refusal(open(token.id))).toEqual({ status: 403, code: 'permission_denied' })
  })

  it('is logged once per use: user, account, component, session', async () => {
    const token = await ask()
    const session = randomUUID()
    const look = await open(token.id, { look: true })
    expect(look).toMatchObject({ value: token.value, account: { username: 'root', secret: '' } })
    await open(token.id, { session })
    const entries = async () => {
      const rows = await server.admin.collection('audits/operate-logs').all({ action: 'connect', search: `ada${run}` })
      const detail = (id: string) => admin('GET', `/api/v1/audits/operate-logs/${id}/?type=action_detail`)
      return Promise.all(rows.map(async (row): Promise<AnyRow> => ({ ...row, diff: (await detail(row.id)).diff })))
    }
    const [entry, ...others] = await entries()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ resource_type: 'Account', resource: 'Root(root)' })
    expect(entry?.user).toContain(`ada${run}`)
    for (const [field, after] of [
      ['Asset', `host${run}(10.0.0.9)`],
      ['Component', 'gateway-1'],
      ['Connection token', token.id],
      ['Session', session],
    ])
      expect(entry?.diff).toContainEqual({ field, before: '(empty)', after })
    await open((await ask({ account: '@INPUT', input_username: 'x', input_secret: 'mine' })).id)
    // A rejected use logs nothing, and neither does a typed secret, because no stored one is opened.
    expect(await refusal(open(token.id))).toMatchObject({ status: 403 })
    expect(await entries()).toHaveLength(1)
  })

  it('does not show its value to other users', async () => {
    const token = await ask()
    const listed = async (client: Client) =>
      (await client.request<AnyRow[]>('GET', supers)).find(({ id }) => id === token.id)?.value
    expect(await listed(gateway)).toBe(token.value)
    expect(await listed(server.admin)).toBe('')
  })

  it('opens the page it was made for: its owner’s profile and the public settings, until it expires', async () => {
    const token = await ask()
    const get = async (path: string, id: string) => {
      const answer = await fetch(`${server.url}/api/v1/${path}/?token=${id}`)
      return { status: answer.status, body: (await answer.json()) as AnyRow }
    }
    expect((await get('users/profile', String(token.id))).body).toMatchObject({ id: userId })
    for (const path of ['settings/public', 'settings/server-info'])
      expect([path, (await get(path, String(token.id))).status]).toEqual([path, 200])
    for (const id of [randomUUID(), 'nonsense']) expect((await get('users/profile', id)).status).toBe(401)
    await me.request('PATCH', `/api/v1/users/connection-token/${token.id}/expire/`)
    expect((await get('users/profile', String(token.id))).status).toBe(403)
  })

  it('is used by only one of many concurrent requests', async () => {
    const token = await ask()
    const tries = await Promise.all([1, 2, 3, 4, 5].map(() => refusal(open(token.id, { expire_now: true }))))
    expect(tries.filter((one) => one === undefined)).toHaveLength(1)
  })

  it('never shows secrets to the user, nor the token of another user', async () => {
    const token = await ask({ account: '@INPUT', input_username: 'typed', input_secret: 'typed-secret' })
    expect(JSON.stringify(token)).not.toContain('typed-secret')
    const other = await server.as(await server.person(`eve${run}`, { system: [roleIds.user], org: [roleIds.orgUser] }))
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', 'expire/'],
      ['GET', 'client-url/'],
    ] as const)
      expect(await refusal(other.request(method, `${tokens}${token.id}/${path}`))).toMatchObject({ status: 404 })
    expect(await refusal(other.request('POST', `${tokens}exchange/`, { id: token.id }))).toMatchObject({ status: 404 })
    const stored = await server.context().rawDb.selectFrom('authentication_connectiontoken').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain('typed-secret')
    expect(JSON.stringify(stored)).not.toContain(String(token.value))
    expect((await open(token.id)).account).toMatchObject({ username: 'typed', secret: 'typed-secret' })
  })

  it('accepts a typed secret only where none is stored', async () => {
    const stored = await ask({ input_secret: 'mine' })
    expect((await open(stored.id)).account).toMatchObject({ secret: 'the-secret' })
    const plain = await ask({ account: 'plain', input_secret: 'mine' })
    expect((await open(plain.id)).account).toMatchObject({ username: 'plain', secret: 'mine' })
  })

  it.each([
    ['an account nobody has', { account: 'nobody' }, 'perm_account_invalid'],
    ['a username instead of the account’s name', { account: 'root' }, 'perm_account_invalid'],
    ['a protocol that is not permitted', { protocol: 'rdp' }, 'perm_account_invalid'],
    ['another alias of the user', { account: '@USER' }, 'perm_account_invalid'],
  ])('is rejected for %s', async (_what, more, code) => {
    expect(await refusal(ask(more))).toEqual({ status: 400, code })
  })

  it('is rejected for an anonymous account on a host, without an asset, and as a list', async () => {
    expect(await refusal(ask({ account: '@ANON' }))).toMatchObject({ status: 400 })
    expect(await refusal(ask({ asset: null }))).toMatchObject({ status: 400 })
    expect(await refusal(me.request('POST', tokens, { account: 'Root', connect_method: 'web_cli' }))).toMatchObject({
      status: 400,
    })
    expect(await refusal(me.request('POST', tokens, [asked()]))).toMatchObject({ status: 400 })
  })

  it.each([
    [
      'the permission ends',
      () => admin('PATCH', `/api/v1/perms/asset-permissions/${permission.id}/`, { is_active: false }),
    ],
    [
      'the account is disabled',
      async () => {
        const [account] = await admin<AnyRow[]>('GET', `/api/v1/accounts/accounts/?asset=${host.id}&username=root`)
        return admin('PATCH', `/api/v1/accounts/accounts/${account?.id}/`, { is_active: false, name: 'Root' })
      },
    ],
    ['the asset is disabled', () => admin('PATCH', `/api/v1/assets/hosts/${host.id}/`, { is_active: false })],
    ['the user is disabled', () => admin('PATCH', `/api/v1/users/users/${userId}/`, { is_active: false })],
  ])('is useless once %s', async (_what, change) => {
    const token = await ask()
    await change()
    expect(await refusal(open(token.id))).toEqual({ status: 403, code: 'permission_denied' })
  })

  it('is exchanged for a new one, even if expired, and can be renewed until it expires', async () => {
    const token = await ask()
    expect(await gateway.request('PATCH', `${supers}renewal/`, { id: token.id })).toMatchObject({ ok: true })
    await me.request('PATCH', `${tokens}${token.id}/expire/`)
    expect(await refusal(gateway.request('PATCH', `${supers}renewal/`, { id: token.id }))).toMatchObject({
      status: 403,
    })
    expect(await refusal(me.request('GET', `${tokens}${token.id}/`))).toMatchObject({ status: 404 })
    const fresh = await me.request<AnyRow>('POST', `${tokens}exchange/`, { id: token.id })
    expect(fresh.id).not.toBe(token.id)
    expect((await open(fresh.id)).account).toMatchObject({ secret: 'the-secret' })
  })

  it('is reusable only where the installation allows it', async () => {
    const token = await ask()
    expect(await refusal(me.request('PATCH', `${tokens}${token.id}/reuse/`, { is_reusable: true }))).toMatchObject({
      status: 400,
    })
    const greedy = await ask({ is_reusable: true })
    expect(greedy.is_reusable).toBe(false)
  })
})

describe('an update of a token', () => {
  it('is reserved for system administrators, and cannot change its target', async () => {
    const token = await ask()
    const refused = { status: 403, code: 'permission_denied' }
    expect(await refusal(me.request('PATCH', `${tokens}${token.id}/`, {}))).toEqual(refused)
    for (const [method, path] of [
      ['PATCH', `${token.id}/`],
      ['PATCH', `${token.id}/expire/`],
      ['PATCH', `${token.id}/reuse/`],
      ['GET', `${token.id}/client-url/`],
      ['POST', 'exchange/'],
    ] as const)
      expect([path, await refusal(me.request(method, supers + path, method === 'GET' ? undefined : {}))]).toEqual([
        path,
        refused,
      ])
    const { id: adminId } = await admin('GET', '/api/v1/users/profile/')
    await admin('PATCH', `/api/v1/perms/asset-permissions/${permission.id}/`, { users: [adminId] })
    const own = await admin('POST', tokens, asked())
    const changed = { connect_method: 'ssh_client', connect_options: { charset: 'gbk' } }
    expect(
      await admin('PATCH', `${tokens}${own.id}/`, { ...changed, account: 'plain', protocol: 'rdp' }),
    ).toMatchObject({
      ...changed,
      account: 'Root',
      protocol: 'ssh',
    })
  })
})

describe('rules for connecting', () => {
  const rule = (more: object) =>
    admin('POST', '/api/v1/acls/login-asset-acls/', {
      name: `rule ${randomUUID()}`,
      users: { type: 'ids', ids: [userId] },
      assets: { type: 'ids', ids: [host.id] },
      accounts: ['@ALL'],
      rules: { ip_group: ['*'], time_period: [] },
      ...more,
    })

  it('reject by the highest priority that applies, and log the decision', async () => {
    const entries = ({ name }: AnyRow) =>
      admin<{ id: string; action: { value: string } }[]>(
        'GET',
        `/api/v1/audits/operate-logs/?resource_type=Login%20asset%20acl&resource=${name}`,
      )
    const decided = async (row: AnyRow) =>
      (await entries(row)).map(({ action }) => action.value).filter((one) => one !== 'create')
    const refusing = await rule({ priority: 50, action: 'reject' })
    expect(await refusal(ask())).toEqual({ status: 400, code: 'acl_reject' })
    expect(await decided(refusing)).toEqual(['reject'])
    const [entry] = await entries(refusing)
    const { diff } = await admin<{ diff: { field: string; after: string }[] }>(
      'GET',
      `/api/v1/audits/operate-logs/${entry?.id}/?type=action_detail`,
    )
    expect(diff.map(({ field, after }) => [field, after])).toEqual([
      ['Users', expect.stringContaining('(')],
      ['Assets', expect.stringContaining('(')],
      ['Accounts', 'root'],
    ])
    const allowing = await rule({ priority: 60, action: 'accept', accounts: ['root'] })
    expect(await refusal(ask())).toBeUndefined()
    expect(await refusal(gateway.request('POST', supers, { ...asked(), user: userId }))).toBeUndefined()
    expect(await decided(allowing)).toEqual(['accept', 'accept'])
    expect(await refusal(ask({ account: 'plain' }))).toEqual({ status: 400, code: 'acl_reject' })
  })

  it('apply by address and by time', async () => {
    await rule({ action: 'reject', rules: { ip_group: ['203.0.113.0/24'], time_period: [] } })
    expect(await refusal(ask())).toBeUndefined()
    const body = { ...asked(), user: userId, remote_addr: '203.0.113.7' }
    expect(await refusal(gateway.request('POST', supers, body))).toEqual({ status: 400, code: 'acl_reject' })
  })

  it('cannot be bypassed by typing the name of a protected account', async () => {
    await rule({ action: 'reject', accounts: ['root'] })
    expect(await refusal(ask({ account: '@INPUT', input_username: 'root', input_secret: 'x' }))).toMatchObject({
      code: 'acl_reject',
    })
    expect(await refusal(ask({ account: '@INPUT', input_username: 'other', input_secret: 'x' }))).toBeUndefined()
  })

  it('about commands are sent with the credential, the highest priority first', async () => {
    const group = await admin('POST', '/api/v1/acls/command-groups/', { name: `g${run}`, content: 'rm -rf\nreboot' })
    for (const [priority, action] of [
      [10, 'accept'],
      [90, 'reject'],
    ])
      await admin('POST', '/api/v1/acls/command-filter-acls/', {
        name: `f${run} ${priority}`,
        priority,
        action,
        users: { type: 'attrs', attrs: [{ name: 'username', match: 'startswith', value: `ada${run}-` }] },
        assets: { type: 'attrs', attrs: [{ name: 'type', match: 'in', value: ['linux'] }] },
        accounts: ['root'],
        command_groups: [group.id],
      })
    const filters = (await open((await ask()).id)).command_filter_acls as AnyRow[]
    expect(filters.map((one) => [one.priority, one.action])).toEqual([
      [90, 'reject'],
      [10, 'accept'],
    ])
    expect(filters[0]?.command_groups).toMatchObject([{ pattern: 'rm\\s+\\-rf|\\breboot\\b', ignore_case: true }])
    expect((await open((await ask({ account: 'plain' })).id)).command_filter_acls).toEqual([])
  })
})

describe('a running session', () => {
  const start = async (accountId: unknown) => {
    const id = randomUUID()
    await gateway.request('POST', '/api/v1/terminal/sessions/', {
      id,
      user: `ada${run}(ada${run})`,
      user_id: userId,
      asset: 'host(10.0.0.9)',
      asset_id: host.id,
      account: 'Root(root)',
      account_id: accountId,
      protocol: 'ssh',
      login_from: 'WT',
      remote_addr: '10.9.9.9',
      type: 'normal',
      org_id: defaultOrgId,
    })
    return id
  }
  const orders = async (session: string) => {
    const rows = await server.context().rawDb.selectFrom('terminal_task').selectAll().execute()
    return rows.filter((row) => JSON.stringify(row).includes(session))
  }
  const ordered = async (session: string, within: number) => {
    const until = Date.now() + within
    while (Date.now() < until) {
      if ((await orders(session)).length > 0) return true
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return false
  }

  it('is ordered to end within two seconds of a change that forbids it, and continues after one that does not', async () => {
    const account = ((await open((await ask()).id)).account as AnyRow).id
    const session = await start(account)
    await admin('PATCH', `/api/v1/perms/asset-permissions/${permission.id}/`, { comment: 'still fine' })
    expect(await ordered(session, 800)).toBe(false)
    await admin('PATCH', `/api/v1/perms/asset-permissions/${permission.id}/`, { accounts: ['plain'] })
    expect(await ordered(session, 2000)).toBe(true)
  })

  it('ends when the user is disabled', async () => {
    const account = ((await open((await ask()).id)).account as AnyRow).id
    const session = await start(account)
    await admin('PATCH', `/api/v1/users/users/${userId}/`, { is_active: false })
    expect(await ordered(session, 2000)).toBe(true)
  })

  it('ends when the user leaves the group that granted it', async () => {
    const group = await admin('POST', '/api/v1/users/groups/', { name: `grp${run}`, users: [userId] })
    await admin('PATCH', `/api/v1/perms/asset-permissions/${permission.id}/`, { users: [], user_groups: [group.id] })
    const account = ((await open((await ask()).id)).account as AnyRow).id
    const session = await start(account)
    await admin('PATCH', `/api/v1/users/groups/${group.id}/`, { users: [] })
    expect(await ordered(session, 2000)).toBe(true)
  })
})

describe('the tree of a cluster', () => {
  const tree = (query: string, client = me) =>
    client.request<AnyRow[]>('GET', `/api/v1/perms/users/self/nodes/children-with-k8s/tree/${query}`)

  it('shows the cluster of a token, which is extended while it is viewed', async () => {
    const token = await ask()
    const end = async () => {
      const rows = await server.context().rawDb.selectFrom('authentication_connectiontoken').selectAll().execute()
      return Number(rows.find(({ id }) => id === token.id)?.date_expired)
    }
    const before = await end()
    expect(await tree(`?token=${token.id}`)).toEqual([
      {
        id: host.id,
        name: `host${run}(10.0.0.9)`,
        title: `host${run}(10.0.0.9)`,
        pId: host.id,
        isParent: true,
        open: true,
        iconSkin: 'k8s',
        meta: { type: 'k8s', data: { category: 'cloud', type: 'k8s', identity: 'asset' } },
      },
    ])
    expect(await tree(`?token=${token.id}&key=namespace%3Ddefault`)).toEqual([])
    expect(await end()).toBeGreaterThan(before)
  })

  it('is not available for another user’s token, an expired one, or one without a secret', async () => {
    const token = await ask()
    expect(await refusal(tree(`?token=${token.id}`, server.admin))).toMatchObject({ status: 404 })
    expect(await refusal(tree('?token=nonsense'))).toMatchObject({ status: 404 })
    expect(await refusal(tree(`?token=${(await ask({ account: 'plain' })).id}`))).toMatchObject({ status: 404 })
    await me.request('PATCH', `${tokens}${token.id}/expire/`)
    expect(await refusal(tree(`?token=${token.id}`))).toMatchObject({ status: 403 })
  })

  it('is a level of the user’s nodes when no token is named', async () => {
    expect(await tree('')).toEqual(await me.request('GET', '/api/v1/perms/users/self/nodes/children/tree/'))
  })
})

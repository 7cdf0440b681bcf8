import { randomUUID } from 'node:crypto'
import { roleIds, systemOrgId } from '@castellan/contract/ids'
import { type ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf, manifest, packageOf, uploadPackage } from '../../testing/applets.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { lockTable } from './connections/usage.ts'

let server: TestServer
let lion: Client
let website: { id: string }
beforeAll(async () => {
  server = await startServer()
  await install('browser')
  lion = await registerComponent(server.url, server.bootstrapToken, 'lion-1', 'lion')
  const platforms = await server.admin.request<{ id: number }[]>('GET', '/api/v1/assets/platforms/?category=web')
  website = await server.admin.request('POST', '/api/v1/assets/webs/', {
    name: 'intranet',
    address: 'https://intranet.example.org',
    platform: platforms[0]?.id,
    accounts: [{ name: 'web', username: 'web', secret: 'x' }],
  })
})
afterAll(() => server.close())

const call = <T = Record<string, never>>(method: string, path: string, body?: unknown, client: Client = server.admin) =>
  client.request<T>(method, `/api/v1/${path}`, body)
const refusal = (sent: Promise<unknown>) =>
  sent.then(
    () => ({ status: 200, body: {} }),
    ({ status, body }: ApiError) => ({ status, body }),
  )

async function install(name: string, more = '') {
  const files = { ...filesOf(name), 'manifest.yml': manifest(name, more) }
  const { status, body } = await uploadPackage(server.admin, await packageOf(name, files), `${name}.zip`, '?update=1')
  expect(status, JSON.stringify(body)).toBe(201)
}

/** A host whose component is alive, with active accounts. */
async function newHost(name: string, usernames: readonly string[], load = 1, options = {}) {
  const host = await call<{ id: string }>('POST', 'terminal/applet-hosts/', {
    name,
    address: '10.1.1.1',
    auto_create_accounts: false,
    accounts: usernames.map((username) => ({ name: username, username, secret: `Secret-of-${username}` })),
    deploy_options: options,
  })
  const agent = await registerComponent(server.url, server.bootstrapToken, `tinker of ${name}`, 'tinker')
  await call('POST', `terminal/applet-hosts/${host.id}/startup/`, {}, agent)
  await beat(agent, load)
  // Only hosts with automatic accounts are chosen freely; no worker makes any here.
  await call('PATCH', `terminal/applet-hosts/${host.id}/`, { auto_create_accounts: true })
  return { ...host, name, agent }
}
const beat = (agent: Client, cpu_load: number) =>
  call(
    'POST',
    'terminal/terminals/status/',
    { cpu_load, memory_used: 1, disk_used: 1, sessions: [], session_online: 0 },
    agent,
  )

async function newUser(name: string) {
  const id = await server.person(name, { system: [roleIds.user], org: [roleIds.orgUser] })
  await call('POST', 'perms/asset-permissions/', {
    name: `of ${name}`,
    users: [id],
    assets: [website.id],
    accounts: ['@ALL'],
    protocols: ['all'],
    actions: ['all'],
  })
  const { username } = await call<{ username: string }>('GET', `users/users/${id}/`)
  return { id, username, client: await server.as(id) }
}
const newToken = (user: { client: Client }, connect_method = 'browser') =>
  call<{ id: string }>(
    'POST',
    'authentication/connection-token/',
    { asset: website.id, account: 'web', protocol: 'http', connect_method },
    user.client,
  )
interface Option {
  id: string
  host: { id: string; name: string }
  account: { username: string; secret: string }
  remote_app_option: Record<string, string>
}
const option = (token: { id: string }, component: Client = lion) =>
  call<Option>('POST', 'authentication/super-connection-token/applet-option/', { id: token.id }, component)
const release = (id: string, component: Client = lion) =>
  call('POST', 'authentication/super-connection-token/applet-account/release/', { id }, component)
const remove = (host: { id: string }) => call('DELETE', `terminal/applet-hosts/${host.id}/`)

describe('a session of an application', () => {
  it('gets a host and an account, which nobody else has until it is released', async () => {
    const users = await Promise.all(['u1', 'u2', 'u3', 'u4'].map(newUser))
    expect(await refusal(option(await newToken(users[0] as never)))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('online') },
    })
    const host = await newHost('h1', ['jms_a', 'jms_b', 'jms_c', 'Administrator'])
    const tokens = await Promise.all(users.map((user) => newToken(user)))
    const answers = await Promise.allSettled(tokens.map((token) => option(token)))
    const given = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    const [refused] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as ApiError] : []))
    expect(given.map(({ account }) => account.username).sort()).toEqual(['jms_a', 'jms_b', 'jms_c'])
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('in use') } })
    const [first] = given as [Option]
    expect(first.account.secret).toBe(`Secret-of-${first.account.username}`)
    const sent = Buffer.from(first.remote_app_option['remoteapplicationcmdline:s'] ?? '', 'base64').toString()
    expect(JSON.parse(sent)).toMatchObject({ app_name: 'browser', asset_id: website.id })
    // Another component, a person or a wrong id release nothing.
    const other = await registerComponent(server.url, server.bootstrapToken, 'lion-2', 'lion')
    expect(await refusal(release(first.id, other))).toMatchObject({ status: 400 })
    expect(await refusal(release(first.id, server.admin))).toMatchObject({ status: 403 })
    expect(await refusal(release(randomUUID()))).toMatchObject({ status: 400 })
    expect(await refusal(release('nothing'))).toMatchObject({ status: 400 })
    expect(await release(first.id)).toHaveProperty('msg')
    expect(await refusal(release(first.id))).toMatchObject({ status: 400 })
    expect((await option(tokens[answers.findIndex(({ status }) => status === 'rejected')] as never)).id).toBe(first.id)
    // A component that was lost releases nothing; the lock ends by itself.
    await server.context().rawDb.updateTable(lockTable.name).set({ date_expired: 1 }).execute()
    expect(await option(tokens[0] as never)).toHaveProperty('id')
    await remove(host)
  })

  it('prefers the private account, shares it only where both allow it, and stays on its host', async () => {
    const user = await newUser('private')
    const own = `js_${user.username}`
    const single = await newHost('h2', [own, 'jms_x', 'js_somebody'])
    const token = await newToken(user)
    const first = (await option(token)).account.username
    expect([first, (await option(token)).account.username]).toEqual([own, 'jms_x'])
    expect(await refusal(option(token))).toMatchObject({ status: 400 })
    await remove(single)
    const shared = await newHost('h3', [own], 1, { RDS_fSingleSessionPerUser: 0 })
    const [one, two] = [await option(token), await option(token)]
    expect([one.account.username, two.account.username]).toEqual([own, own])
    await release(one.id)
    await release(two.id)
    expect(await refusal(release(two.id))).toMatchObject({ status: 400 })
    await remove(shared)
  })

  it('goes to the least loaded host, to that with the fewest users, or where a label points', async () => {
    const busy = await newHost('busy', ['jms_1', 'jms_2'], 10)
    const calm = await newHost('calm', ['jms_1', 'jms_2', 'jms_3'])
    const quiet = await newHost('quiet', ['jms_1', 'jms_2', 'jms_3'])
    const placed: string[] = []
    for (const name of ['l1', 'l2']) placed.push((await option(await newToken(await newUser(name)))).host.name)
    expect(placed.sort()).toEqual(['calm', 'quiet'])
    await call('PATCH', `terminal/applet-hosts/${calm.id}/`, { is_active: false })
    await call('PATCH', `terminal/applet-hosts/${quiet.id}/`, { is_active: false })
    const third = await newUser('l3')
    expect((await option(await newToken(third))).host.name).toBe('busy')
    await call('PATCH', `terminal/applet-hosts/${calm.id}/`, { is_active: true })
    expect((await option(await newToken(third))).host.name).toBe('busy')
    const label = await call<{ id: string }>('POST', 'assets/labels/', { name: 'AppletHost', value: 'calm' })
    await call('PATCH', `assets/webs/${website.id}/`, { labels: [label.id] })
    expect((await option(await newToken(third))).host.name).toBe('calm')
    await call('PATCH', `terminal/applet-hosts/${calm.id}/`, { is_active: false })
    expect(await refusal(option(await newToken(third)))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('calm') },
    })
    await call('PATCH', `assets/webs/${website.id}/`, { labels: [] })
    for (const host of [busy, calm, quiet]) await remove(host)
  })

  it('needs a valid token for an active application of the protocol, and a component', async () => {
    const host = await newHost('h4', ['jms_1'])
    const user = await newUser('valid')
    const token = await newToken(user)
    for (const who of [server.admin, user.client])
      expect(await refusal(option(token, who))).toMatchObject({ status: 403 })
    expect(await refusal(option({ id: randomUUID() }))).toMatchObject({ status: 404 })
    expect(await refusal(option(await newToken(user, 'web_cli')))).toMatchObject({ status: 400 })
    await call('PATCH', 'terminal/applets/browser/', { is_active: false })
    expect(await refusal(option(token))).toMatchObject({ status: 400 })
    await call('PATCH', 'terminal/applets/browser/', { is_active: true })
    await call('PATCH', `authentication/connection-token/${token.id}/expire/`, {}, user.client)
    expect(await refusal(option(token))).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    const [permission] = await call<{ id: string }[]>('GET', 'perms/asset-permissions/?name=of%20valid')
    const other = await newToken(user)
    await call('DELETE', `perms/asset-permissions/${permission?.id}/`)
    expect(await refusal(option(other))).toMatchObject({ status: 403 })
    await remove(host)
  })
})

describe('connect methods', () => {
  it('offer applications only while a component that speaks RDP is alive', async () => {
    type Methods = Record<string, { value: string; type: string; disabled?: boolean }[]>
    const applets = async () =>
      ((await call<Methods>('GET', 'terminal/components/connect-methods/')).http ?? []).filter(
        ({ type }) => type === 'applet',
      )
    expect(await applets()).toEqual([])
    const flat = await call<{ value: string }[]>('GET', 'terminal/components/connect-methods/?flat=1')
    expect(flat.map(({ value }) => value)).toContain('browser')
    await beat(lion, 1)
    expect(await applets()).toMatchObject([{ value: 'browser', type: 'applet', component: 'tinker', disabled: true }])
    const host = await newHost('h5', [])
    expect(await applets()).toMatchObject([{ disabled: false, listen: 'rdp', icon: '/media/applets/browser/icon.png' }])
    await remove(host)
    expect(await server.admin.in(systemOrgId).request('GET', '/api/v1/assets/hosts/')).toEqual([])
  })
})

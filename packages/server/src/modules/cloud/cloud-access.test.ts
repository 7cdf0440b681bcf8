import { roleIds } from '@castellan/contract/ids'
import type { Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloudClient, cloudPath, named } from '../../testing/cloud.ts'
import { type PretendNode, type PretendProvider, servingNodes, startProvider } from '../../testing/provider.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let cloud: ReturnType<typeof cloudClient>
let provider: PretendProvider
let nodes: PretendNode[] = []
const token = 'token-that-nobody-sees'

beforeAll(async () => {
  server = await startServer({ worker: true })
  cloud = cloudClient(server)
  provider = await startProvider(servingNodes(() => nodes))
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const answerOf = (call: Promise<unknown>) =>
  call.then(
    (body) => ({ status: 200, body: body as object }),
    (error: { status: number; body: object }) => ({ status: error.status, body: error.body }),
  )
const cluster = (more: object = {}) => ({ api_endpoint: provider.url, token, ...more })
const create = async (path: string, body: object, client = server.admin) =>
  (await client.request<{ id: string }>('POST', `/api/v1/${path}`, { name: named('own'), ...body })).id

/** Somebody with these permissions in the Default organization, and nothing else. */
async function withCodes(...codes: string[]): Promise<Client> {
  const all = await server.admin.request<{ id: number; codename: string; content_type: { app_label: string } }[]>(
    'GET',
    '/api/v1/rbac/permissions/',
  )
  const ids = all.filter(({ content_type, codename }) => codes.includes(`${content_type.app_label}.${codename}`))
  const role = await create('rbac/org-roles/', { scope: 'org', permissions: [] })
  await server.admin.request('PATCH', `/api/v1/rbac/org-roles/${role}/`, { permissions: ids.map(({ id }) => id) })
  return server.as(await server.person('custom', { system: [roleIds.user], org: [role] }))
}
const ofCloud = ['account', 'syncinstancetask', 'strategy', 'strategyrule', 'strategyaction'].flatMap((model) =>
  ['add', 'change', 'delete', 'view'].map((verb) => `xpack.${verb}_${model}`),
)

describe('the secret of an account', () => {
  it('is not sent elsewhere by somebody who does not know it', async () => {
    const thief = await startProvider(servingNodes(() => []))
    const id = await cloud.account('k8s', cluster())
    const change = (method: string, body: object) => answerOf(cloud.api(method, `accounts/${id}/`, body))
    for (const attrs of [
      { api_endpoint: thief.url },
      { api_endpoint: thief.url, token: '' },
      { api_endpoint: thief.url, token: null },
      { api_endpoint: thief.url, token: '******' },
      { ca_cert: 'another' },
    ]) {
      const patched = await change('PATCH', { attrs })
      if ('token' in attrs && attrs.token === '******') continue
      expect(patched.status, JSON.stringify(attrs)).toBe(400)
      expect(JSON.stringify(patched.body)).toContain('Enter this again')
      const put = await change('PUT', { name: named('put'), provider: 'k8s', attrs: { ...attrs } })
      expect(put.status).toBe(400)
    }
    expect((await change('PATCH', { provider: 'lan' })).status).toBe(400)
    await answerOf(cloud.api('GET', `accounts/${id}/test-connective/`))
    expect(thief.requests.filter(({ authorization }) => authorization.includes(token))).toEqual([])
    // Whoever knows it may change the address.
    expect((await change('PATCH', { attrs: { api_endpoint: provider.url, token } })).status).toBe(200)
    expect((await change('PATCH', { comment: 'only this' })).status).toBe(200)
    await thief.close()
  })

  it('is in no answer, no log, no export and no history', async () => {
    nodes = [{ uid: 'u1', name: 'seen', address: '10.4.4.4' }]
    const id = await cloud.account('k8s', cluster())
    await cloud.api('PATCH', `accounts/${id}/`, { attrs: { token: `${token}-2`, api_endpoint: provider.url } })
    const task = await cloud.task(id)
    const result = await cloud.sync(task)
    const texts = [
      await cloud.api('GET', `accounts/${id}/`),
      await cloud.api('GET', 'accounts/'),
      await server.admin.request('OPTIONS', cloudPath(`accounts/${id}/?provider=k8s`)),
      await cloud.logOf(result.id),
      await cloud.api('GET', `sync-instance-tasks/${task}/history/`),
      await cloud.api('GET', `sync-instance-task-executions/${result.id}/`),
      await server.admin.request('GET', `/api/v1/ops/task-executions/${result.id}/`),
      await server.admin.request('GET', '/api/v1/audits/operate-logs/?limit=50'),
    ]
    const logs = await server.admin.request<{ id: string }[]>('GET', '/api/v1/audits/operate-logs/')
    for (const log of logs.slice(0, 20))
      texts.push(await server.admin.request('GET', `/api/v1/audits/operate-logs/${log.id}/?type=action_detail`))
    expect(JSON.stringify(texts)).not.toContain(token)
    const { reader } = server.application.services.database
    for (const table of ['xpack_account', 'kernel_job', 'kernel_job_item', 'kernel_job_log'])
      expect(JSON.stringify(await reader.selectFrom(table).selectAll().execute()), table).not.toContain(token)
  })

  it.each([
    'http://169.254.169.254/latest',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://2852039166/',
    'http://0.0.0.0:8080',
    'file:///etc/passwd',
    'gopher://127.0.0.1',
    'http://user:password@example.com',
    'nonsense',
    '',
  ])('is not sent to %j', async (api_endpoint) => {
    const answer = await answerOf(
      cloud.api('POST', 'accounts/', { name: named('ssrf'), provider: 'k8s', attrs: cluster({ api_endpoint }) }),
    )
    expect(answer).toMatchObject({ status: 400, body: { attrs: { api_endpoint: expect.anything() } } })
  })
})

describe('what belongs to another organization', () => {
  it('is not seen, used, started or changed', async () => {
    const orgId = await server.organization(named('elsewhere'))
    const stranger = await server.as(
      await server.person(named('stranger'), { system: [roleIds.user], org: [roleIds.orgAdmin], orgId }),
      orgId,
    )
    const account = await cloud.account('k8s', cluster())
    const strategy = await cloud.strategy({})
    const task = await cloud.task(account, { strategy: [strategy] })
    const { id: execution } = await cloud.sync(task)
    for (const [method, path] of [
      ['GET', `accounts/${account}/`],
      ['PATCH', `accounts/${account}/`],
      ['DELETE', `accounts/${account}/`],
      ['GET', `accounts/${account}/test-connective/`],
      ['GET', `strategies/${strategy}/`],
      ['GET', `sync-instance-tasks/${task}/`],
      ['GET', `sync-instance-tasks/${task}/run/`],
      ['POST', `sync-instance-tasks/${task}/preview/`],
      ['POST', `sync-instance-tasks/${task}/stop/`],
      ['GET', `sync-instance-tasks/${task}/history/`],
      ['GET', `sync-instance-tasks/${task}/instances/`],
      ['DELETE', `sync-instance-tasks/${task}/released-assets/`],
      ['GET', `sync-instance-task-executions/${execution}/`],
    ] as const)
      expect(
        (await answerOf(stranger.request(method, cloudPath(path), method === 'GET' ? undefined : {}))).status,
        path,
      ).toBe(404)
    expect((await answerOf(stranger.request('GET', cloudPath(`regions/?account_id=${account}`)))).status).toBe(400)
    const theirs = await answerOf(
      stranger.request('POST', cloudPath('sync-instance-tasks/'), {
        name: 'theirs',
        account,
        strategy: [strategy],
        regions: ['default'],
        hostname_strategy: 'instance_name',
        is_periodic: false,
      }),
    )
    expect(theirs).toMatchObject({ status: 400, body: { account: expect.anything(), strategy: expect.anything() } })
    const node = await create('assets/nodes/', { value: named('node') })
    for (const action of [
      { attr: 'node', value: node },
      { attr: 'domain', value: await create('assets/domains/', {}) },
      { attr: 'label', value: await create('assets/labels/', { value: 'x' }) },
    ]) {
      const made = await answerOf(
        stranger.request('POST', cloudPath('strategies/'), {
          name: named('s'),
          strategy_rules: [],
          strategy_actions: [action],
        }),
      )
      expect(made).toMatchObject({ status: 400, body: { strategy_actions: expect.anything() } })
    }
    for (const list of [
      'accounts',
      'strategies',
      'strategy-rules',
      'strategy-actions',
      'sync-instance-tasks',
      'sync-instance-task-executions',
      'sync-instance-details',
    ])
      expect(await stranger.request('GET', cloudPath(`${list}/`)), list).toEqual([])
  })
})

describe('permissions', () => {
  it('of a task alone do not give away the secret of a template', async () => {
    const template = await create('accounts/account-templates/', {
      username: 'root',
      secret_type: 'password',
      secret: 'x',
    })
    const actions = [{ attr: 'account_template', value: template }]
    const rule = { attr: 'instance_name', match: 'exact', value: 'a' }
    const strategy = await cloud.strategy({ strategy_actions: actions, strategy_rules: [rule] })
    const { strategy_rules } = await cloud.api<{ strategy_rules: { id: string }[] }>('GET', `strategies/${strategy}/`)
    const ruleId = strategy_rules[0]?.id
    const account = await cloud.account('k8s', cluster())
    const client = await withCodes(...ofCloud)
    const refused = [
      client.request('POST', cloudPath('strategies/'), {
        name: named('s'),
        strategy_rules: [],
        strategy_actions: actions,
      }),
      client.request('PATCH', cloudPath(`strategies/${strategy}/`), { strategy_rules: [] }),
      client.request('POST', cloudPath('strategy-actions/'), { strategy, ...actions[0] }),
      client.request('POST', cloudPath('strategy-rules/'), { strategy, ...rule }),
      client.request('DELETE', cloudPath(`strategy-rules/${ruleId}/`)),
      client.request('PATCH', cloudPath(`strategy-rules/${ruleId}/`), { value: 'everything' }),
      client.request('POST', cloudPath('sync-instance-tasks/'), {
        name: named('t'),
        account,
        strategy: [strategy],
        regions: ['default'],
        hostname_strategy: 'instance_name',
        is_periodic: false,
      }),
    ]
    for (const { status } of await Promise.all(refused.map(answerOf))) expect(status).toBe(403)
    const task = await cloud.task(account, { strategy: [strategy] })
    const change = client.request('PATCH', cloudPath(`sync-instance-tasks/${task}/`), { comment: 'x' })
    expect((await answerOf(change)).status).toBe(403)
  })

  it('to change an account do not redirect assets whose secrets one may not see', async () => {
    nodes = [{ uid: 'redirected', name: named('redirected'), address: '10.5.5.5' }]
    const account = await cloud.account('k8s', cluster())
    const applied = await cloud.strategy({})
    const task = await cloud.task(account, { is_always_update: true, strategy: [applied] })
    await cloud.sync(task)
    const [seen] = await cloud.instances(task)
    const client = await withCodes(...ofCloud)
    const thief = { attrs: { api_endpoint: 'http://127.0.0.1:9', token: 'mine' } }
    expect((await answerOf(client.request('PATCH', cloudPath(`accounts/${account}/`), thief))).status).toBe(200)
    await cloud.api('PATCH', `accounts/${account}/`, { attrs: cluster() })
    await create('accounts/accounts/', {
      asset: seen?.asset?.id,
      username: 'root',
      secret_type: 'password',
      secret: 'x',
    })
    const other = await cloud.account('k8s', cluster())
    for (const [path, body] of [
      [`accounts/${account}/`, thief],
      [`sync-instance-tasks/${task}/`, { account: other }],
      [`sync-instance-tasks/${task}/`, { sync_ip_type: 'public' }],
      [`sync-instance-tasks/${task}/`, { strategy: [] }],
      [`strategies/${applied}/`, { priority: 1 }],
      [`strategies/${applied}/`, { strategy_actions: [] }],
    ] as const)
      expect((await answerOf(client.request('PATCH', cloudPath(path), body))).status, JSON.stringify(body)).toBe(403)
    expect((await answerOf(client.request('PATCH', cloudPath(`accounts/${account}/`), { comment: 'x' }))).status).toBe(
      200,
    )
  })

  it('to change an account send no secret that comes later to where one has led the assets', async () => {
    nodes = [{ uid: 'later', name: named('later'), address: '10.6.6.6' }]
    const account = await cloud.account('k8s', cluster())
    const task = await cloud.task(account, { is_always_update: true })
    await cloud.sync(task)
    const [seen] = await cloud.instances(task)
    const template = await create('accounts/account-templates/', { username: 'svc', secret: 'of-the-template' })
    const made = await create('accounts/accounts/', { asset: seen?.asset?.id, template })
    const client = await withCodes(...ofCloud, 'accounts.change_account', 'accounts.view_account')
    await client.request('PATCH', '/api/v1/accounts/accounts/clear-secret/', { account_ids: [made] })
    const thief = { attrs: cluster({ token: 'another' }) }
    expect((await answerOf(client.request('PATCH', cloudPath(`accounts/${account}/`), thief))).status).toBe(200)
    nodes = nodes.map((node) => ({ ...node, address: '127.0.0.1' }))
    await cloud.sync(task)
    const finished = async (answer: Promise<{ task: string }>) => {
      const { task: id } = await answer
      const path = `/api/v1/ops/task-executions/${id}/`
      const isFinished = async () => (await server.admin.request<{ is_finished: boolean }>('GET', path)).is_finished
      await expect.poll(isFinished, { timeout: 20_000, interval: 50 }).toBe(true)
      return cloud.logOf(id)
    }
    await finished(
      server.admin.request('PATCH', `/api/v1/accounts/account-templates/${template}/sync-related-accounts/`),
    )
    const verify = () =>
      finished(server.admin.request('POST', '/api/v1/accounts/accounts/tasks/', { action: 'verify', accounts: [made] }))
    expect(JSON.stringify(await verify())).toContain('who may not see secrets')
    const asset = `/api/v1/assets/hosts/${seen?.asset?.id}/`
    await server.admin.request('PATCH', asset, { address: '127.0.0.1' })
    expect(JSON.stringify(await verify())).not.toContain('who may not see secrets')
    // A further task for the machines of the account would decide about them as well.
    const further = { name: named('t'), account, regions: ['default'], hostname_strategy: 'instance_name' }
    const another = client.request('POST', cloudPath('sync-instance-tasks/'), { ...further, is_periodic: false })
    expect((await answerOf(another)).status).toBe(403)
  })

  it('are those of each call for auditors and for roles with one too few', async () => {
    const account = await cloud.account('k8s', cluster())
    const task = await cloud.task(account)
    const auditor = await server.as(
      await server.person(named('auditor'), { system: [roleIds.user], org: [roleIds.orgAuditor] }),
    )
    const viewer = await withCodes('xpack.view_account', 'xpack.view_syncinstancetask')
    for (const client of [auditor, viewer])
      for (const [method, path] of [
        ['GET', `accounts/${account}/test-connective/`],
        ['GET', `sync-instance-tasks/${task}/run/`],
        ['POST', `sync-instance-tasks/${task}/preview/`],
        ['DELETE', `sync-instance-tasks/${task}/released-assets/`],
        ['POST', 'strategies/'],
        ['DELETE', `accounts/${account}/`],
      ] as const)
        expect(
          (await answerOf(client.request(method, cloudPath(path), method === 'GET' ? undefined : {}))).status,
          path,
        ).toBe(403)
    for (const path of [`sync-instance-tasks/${task}/history/`, `sync-instance-tasks/${task}/instances/`])
      expect((await answerOf(viewer.request('GET', cloudPath(path)))).status).toBe(403)
    const almost = await withCodes('xpack.change_syncinstancetask')
    expect(
      (await answerOf(almost.request('DELETE', cloudPath(`sync-instance-tasks/${task}/released-assets/`)))).status,
    ).toBe(403)
  })
})

describe('the community edition', () => {
  it('has no cloud center', async () => {
    const task = await cloud.task(await cloud.account('k8s', cluster()))
    const { database, settings } = server.application.services
    await database.writer.updateTable('settings_setting').set({ value: '""' }).where('name', '=', 'LICENSE').execute()
    await settings.load()
    for (const path of ['accounts/', 'strategies/', `sync-instance-tasks/${task}/run/`, 'regions/'])
      expect((await answerOf(cloud.api('GET', path))).status, path).toBe(404)
    expect((await answerOf(server.admin.request('OPTIONS', cloudPath('accounts/')))).status).toBe(404)
  })
})

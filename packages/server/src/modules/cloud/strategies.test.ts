import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloudClient, named } from '../../testing/cloud.ts'
import { type PretendNode, type PretendProvider, servingNodes, startProvider } from '../../testing/provider.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { compileStrategies, type Strategy } from './strategy-rules.ts'

let server: TestServer
let cloud: ReturnType<typeof cloudClient>
let provider: PretendProvider
let nodes: PretendNode[] = []
beforeAll(async () => {
  server = await startServer({ worker: true })
  cloud = cloudClient(server)
  provider = await startProvider(servingNodes(() => nodes))
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const make = async (path: string, body: object) =>
  (await server.admin.request<{ id: string }>('POST', `/api/v1/${path}/`, { name: named('made'), ...body })).id

const one = { name: 'Web-01', platform: 'linux', address: '10.1.2.3' }
const strategy = (more: Partial<Strategy>): Strategy => ({ name: 's', priority: 50, rules: [], actions: [], ...more })
const node = (value: string) => ({ attr: 'node', value, protocols: [] }) as const
const platform = (value: string) => ({ attr: 'platform', value, protocols: [] }) as const

describe('rules', () => {
  it.each([
    ['instance_name', 'exact', 'web-01', true],
    ['instance_name', 'exact', 'web', false],
    ['instance_name', 'not', 'web', true],
    ['instance_name', 'contains', 'B-0', true],
    ['instance_name', 'startswith', 'web', true],
    ['instance_name', 'endswith', '01', true],
    ['instance_name', 'endswith', 'web', false],
    ['instance_name', 'regex', '^Web-\\d+$', true],
    ['instance_name', 'regex', '^web', false],
    ['instance_platform', 'exact', 'Linux', true],
    ['instance_address', 'startswith', '10.1.', true],
    ['instance_address', 'contains', '10.9', false],
  ] as const)('%s %s %s is %j', (attr, match, value, matches) => {
    const outcome = compileStrategies([strategy({ rules: [{ attr, match, value }], actions: [node('n')] })])(one)
    expect(outcome.nodes).toEqual(matches ? ['n'] : [])
  })

  it('of a strategy all have to match; all strategies that match apply, the highest priority first', () => {
    const outcomeOf = compileStrategies([
      strategy({ name: 'low', priority: 10, actions: [platform('1'), node('a')] }),
      strategy({ name: 'high', priority: 90, actions: [platform('5'), node('b')] }),
      strategy({
        name: 'half',
        priority: 99,
        rules: [
          { attr: 'instance_name', match: 'contains', value: 'web' },
          { attr: 'instance_name', match: 'contains', value: 'db' },
        ],
        actions: [platform('7'), node('c')],
      }),
    ])
    expect(outcomeOf(one)).toMatchObject({ platform: '5', nodes: ['b', 'a'] })
  })
})

describe('a strategy', () => {
  it('sets node, platform with protocols, domain, label and accounts of new assets', async () => {
    const [wanted, domain] = [await make('assets/nodes', { value: named('n') }), await make('assets/domains', {})]
    const label = await make('assets/labels', { value: 'blue' })
    const template = await make('accounts/account-templates', {
      username: 'root',
      secret_type: 'password',
      secret: 'x',
    })
    const id = await cloud.strategy({
      priority: 80,
      strategy_rules: [{ attr: { value: 'instance_name' }, match: 'startswith', value: 'set-' }],
      strategy_actions: [
        { attr: 'node', value: wanted },
        { attr: 'platform', value: 2, protocols: [{ name: 'ssh', port: 2200 }] },
        { attr: 'domain', value: domain },
        { attr: 'label', value: { value: label } },
        { attr: 'account_template', value: template },
      ],
    })
    nodes = [
      { uid: named('u'), name: named('set'), address: '10.6.0.1' },
      { uid: named('u'), name: named('other'), address: '10.6.0.2', os: 'windows' },
    ]
    const task = await cloud.task(await cloud.account('k8s', { api_endpoint: provider.url, token: 't' }), {
      strategy: [id],
    })
    expect(await cloud.sync(task)).toMatchObject({ status: 1, summary: { new: 2 } })
    const read = async (name = '') =>
      (await server.admin.request<{ id: string }[]>('GET', `/api/v1/assets/hosts/?name=${name}`))[0]
    const detail = async (name = '') => server.admin.request('GET', `/api/v1/assets/hosts/${(await read(name))?.id}/`)
    expect(await detail(nodes[0]?.name)).toMatchObject({
      nodes: [{ id: wanted }],
      platform: { id: 2 },
      protocols: [{ name: 'ssh', port: 2200 }],
      domain: { id: domain },
      labels: [{ id: label }],
      accounts: [{ username: 'root' }],
    })
    expect(await detail(nodes[1]?.name)).toMatchObject({ platform: { id: 5 }, domain: null, labels: [], accounts: [] })
    expect(await cloud.sync(task)).toMatchObject({ summary: { new: 0, updated: 0, sync: 2 } })
    // A strategy that changes is applied to existing assets where the task always updates.
    await cloud.api('PATCH', `sync-instance-tasks/${task}/`, { is_always_update: true })
    await cloud.api('PATCH', `strategies/${id}/`, { strategy_actions: [{ attr: 'platform', value: 1 }] })
    expect(await cloud.sync(task)).toMatchObject({ summary: { updated: 1, sync: 2 } })
    expect(await detail(nodes[0]?.name)).toMatchObject({ platform: { id: 1 }, domain: null, labels: [] })
    expect(await cloud.sync(task)).toMatchObject({ summary: { updated: 0 } })
    // What is gone is left out.
    await cloud.api('PATCH', `strategies/${id}/`, { strategy_actions: [{ attr: 'domain', value: domain }] })
    await server.admin.request('DELETE', `/api/v1/assets/domains/${domain}/`)
    const result = await cloud.sync(task)
    expect(result.status).toBe(1)
    expect(await cloud.logOf(result.id)).toContain('no longer exists')
  })

  it('answers with ids and labels, and takes them back as they are', async () => {
    const wanted = await make('assets/nodes', { value: 'of-a-strategy' })
    const id = await cloud.strategy({
      strategy_rules: [
        { attr: 'instance_name', match: 'exact', value: 'a' },
        { attr: 'instance_name', match: 'exact', value: 'b' },
      ],
      strategy_actions: [{ attr: 'node', value: wanted }],
    })
    interface Shown {
      strategy_rules: { id: string; attr: { value: string } }[]
      strategy_actions: { id: string; value: { value: string; label: string } }[]
    }
    const shown = await cloud.api<Shown>('GET', `strategies/${id}/`)
    expect(shown.strategy_actions[0]?.value).toEqual({ value: wanted, label: expect.stringMatching(/of-a-strategy$/) })
    expect(await cloud.api('PUT', `strategies/${id}/`, { ...shown, name: named('put') })).toMatchObject({
      strategy_rules: shown.strategy_rules,
      strategy_actions: shown.strategy_actions,
    })
    await cloud.api('DELETE', `strategy-rules/${shown.strategy_rules[0]?.id}/`)
    expect((await cloud.api<Shown>('GET', `strategies/${id}/`)).strategy_rules).toHaveLength(1)
  })

  it('is refused with a reason for each part', async () => {
    const wanted = await make('assets/nodes', { value: named('n') })
    const domain = { attr: 'domain', value: await make('assets/domains', {}) }
    const rule = { attr: 'instance_name', match: 'exact', value: 'a' }
    for (const body of [
      { strategy_rules: [{ ...rule, match: 'regex', value: '(' }] },
      { strategy_rules: [{ ...rule, match: 'nonsense' }] },
      { strategy_rules: [{ ...rule, attr: '__proto__' }] },
      { strategy_rules: [{ ...rule, value: '' }] },
      { strategy_rules: [{ ...rule, value: 'x'.repeat(200) }] },
      { strategy_rules: [rule, rule] },
      { strategy_rules: 'x' },
      { strategy_rules: [null] },
      { strategy_rules: Array.from({ length: 101 }, (_, value) => ({ ...rule, value })) },
      { strategy_actions: [{ attr: 'node', value: 'nonsense' }] },
      { strategy_actions: [{ attr: 'platform', value: 999_999 }] },
      { strategy_actions: [{ attr: 'platform', value: 17 }] },
      { strategy_actions: [{ attr: 'platform', value: 1, protocols: [{ name: 'ssh', port: 70_000 }] }] },
      {
        strategy_actions: [
          { attr: 'platform', value: 1 },
          { attr: 'platform', value: 2 },
        ],
      },
      { strategy_actions: [domain, domain] },
      {
        strategy_actions: [
          { attr: 'node', value: wanted },
          { attr: 'node', value: wanted },
        ],
      },
      { priority: 0 },
      { priority: 101 },
    ]) {
      const answer = await cloud.strategy({ ...body }).then(
        () => 200,
        ({ status }: { status: number }) => status,
      )
      expect(answer, JSON.stringify(body).slice(0, 120)).toBe(400)
    }
  })
})

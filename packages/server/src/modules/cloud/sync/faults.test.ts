import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cloudClient } from '../../../testing/cloud.ts'
import {
  json,
  nodeList,
  type PretendNode,
  type PretendProvider,
  servingNodes,
  startProvider,
} from '../../../testing/provider.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { calling } from '../providers/calls.ts'
import type { ProviderFailure } from '../providers/failures.ts'

let server: TestServer
let cloud: ReturnType<typeof cloudClient>
let provider: PretendProvider
let nodes: PretendNode[] = []
const token = 'kubernetes-token-of-the-test'

beforeAll(async () => {
  server = await startServer({ worker: true })
  cloud = cloudClient(server)
  provider = await startProvider(servingNodes(() => nodes))
})
afterAll(async () => {
  await server.close()
  await provider.close()
})
beforeEach(() => {
  provider.handle = servingNodes(() => nodes)
  provider.requests.length = 0
})

let count = 0
/** Nodes that no other test has. */
const some = (amount: number, more: Partial<PretendNode> = {}): PretendNode[] =>
  Array.from({ length: amount }, () => {
    count += 1
    return { uid: `uid-${count}`, name: `node-${count}`, address: `10.9.${count >> 8}.${count & 255}`, ...more }
  })
const account = () => cloud.account('k8s', { api_endpoint: provider.url, token })
const task = async (body: object = {}) => cloud.task(await account(), body)
const host = async (name: string) =>
  (
    await server.admin.request<{ id: string; name: string; address: string }[]>(
      'GET',
      `/api/v1/assets/hosts/?name=${encodeURIComponent(name)}`,
    )
  )[0]

describe('a provider that', () => {
  it('limits the rate of requests is asked again after the time it says', async () => {
    nodes = some(1200)
    const id = await task()
    const serve = servingNodes(() => nodes)
    let left = 3
    provider.handle = (request, answer, path) =>
      path.includes('continue') && left-- > 0
        ? json(answer, {}, 429, { 'retry-after': '0' })
        : serve(request, answer, path)
    const result = await cloud.sync(id)
    expect(result).toMatchObject({ status: 1, summary: { new: 1200 } })
    expect(await cloud.logOf(result.id)).toContain('Next attempt in')
    // The first page was not read again.
    expect(provider.requests.filter(({ path }) => !path.includes('continue'))).toHaveLength(1)
  })

  it('answers half of the machines and then fails releases nothing', async () => {
    nodes = some(700)
    const id = await task({ released_action: 'remove' })
    expect(await cloud.sync(id)).toMatchObject({ summary: { new: 700 } })
    const serve = servingNodes(() => nodes)
    provider.handle = (request, answer, path) =>
      path.includes('continue') ? json(answer, { kind: 'Status' }, 410) : serve(request, answer, path)
    const result = await cloud.sync(id)
    expect(result).toMatchObject({ status: 0, summary: { sync: 500, released: 0 } })
    expect(result.reason).toContain('Some regions failed')
    expect(await cloud.logOf(result.id)).toContain('Nothing of this region is marked as released')
    expect((await cloud.instances(id)).filter(({ status }) => status === 3)).toEqual([])
    expect(await host(nodes[650]?.name ?? '')).toBeDefined()
  })

  it('gives too few rights is told apart from one that rejects the credentials', async () => {
    const id = await account()
    const answers = async (status: number) => {
      provider.handle = (_request, answer) => json(answer, { message: token }, status)
      return cloud.api('GET', `accounts/${id}/test-connective/`).then(
        () => ({}),
        (error: { status: number; body: object }) => error,
      )
    }
    expect(await answers(401)).toMatchObject({ status: 400, body: { code: 'unauthorized' } })
    expect(await answers(403)).toMatchObject({
      status: 400,
      body: { code: 'forbidden', detail: expect.stringContaining('nodes: get, list') },
    })
    const moved = await answers(302)
    expect(moved).toMatchObject({ status: 400, body: { code: 'bad_answer' } })
    expect(JSON.stringify(moved)).not.toContain(token)
    expect(await cloud.api('GET', `accounts/${id}/`)).toMatchObject({ validity: false })
  })

  it('hangs is stopped', async () => {
    const id = await task()
    provider.handle = () => undefined
    const { task: execution } = await cloud.api<{ task: string }>('GET', `sync-instance-tasks/${id}/run/`)
    await expect.poll(() => provider.requests.length, { timeout: 20_000 }).toBe(1)
    await cloud.api('POST', `sync-instance-tasks/${id}/stop/`, {})
    expect(await cloud.ended(execution)).toMatchObject({ status: 3, summary: { new: 0, released: 0 } })
  })

  it('hangs fails at the deadline, also where its library ignores the signal', async () => {
    const { signal } = new AbortController()
    const hanging = calling(() => new Promise(() => undefined), { signal, deadline: 20, attempts: 2 })
    await expect(hanging).rejects.toMatchObject({ code: 'timeout' })
    const refusing = calling(() => Promise.reject(new TypeError(`secret ${token}`)), { signal })
    await expect(refusing).rejects.toSatisfy((error: ProviderFailure) => !JSON.stringify(error.details).includes(token))
  })

  it('always has a next page ends', async () => {
    const id = await task()
    provider.handle = (_request, answer) => json(answer, nodeList(nodes.slice(0, 1), 'again'))
    expect(await cloud.sync(id)).toMatchObject({ status: 0 })
  })

  it.each([
    ['no JSON', (_: unknown, answer: { end(text: string): void }) => answer.end('<html>')],
    ['another kind', (_: unknown, answer: never) => json(answer, { kind: 'PodList', items: [] })],
    ['null', (_: unknown, answer: never) => json(answer, null)],
    ['a list', (_: unknown, answer: never) => json(answer, [1, 2])],
  ] as const)('answers with %s is not understood', async (_name, handle) => {
    const id = await task()
    provider.handle = handle as PretendProvider['handle']
    const result = await cloud.sync(id)
    expect(result).toMatchObject({ status: 0, summary: { new: 0 } })
    expect(await cloud.logOf(result.id)).toContain('not understood')
  })
})

describe('machines', () => {
  it('whose names are hostile get names that can be shown, each its own', async () => {
    const long = 'x'.repeat(10_000)
    nodes = [
      ...some(1, { name: '<img src=x onerror=alert(1)>' }),
      ...some(1, { name: `tab\there\u202eevil\u0000\u001b[31m` }),
      ...some(2, { name: long }),
      ...some(1, { name: '' }),
      ...some(1, { name: '  \ud800 ' }),
      ...some(1, { name: '資産'.repeat(300) }),
      ...some(2, { name: 'the same' }),
    ]
    const id = await task()
    expect(await cloud.sync(id)).toMatchObject({ status: 1, summary: { new: nodes.length, unsync: 0 } })
    const names = (await cloud.instances(id)).map(({ asset }) => asset?.name ?? '')
    expect(new Set(names).size).toBe(nodes.length)
    for (const name of names) {
      expect([...name].length).toBeLessThanOrEqual(128)
      expect(name).not.toMatch(/[\p{Cc}\u202e]/u)
      expect(name.isWellFormed()).toBe(true)
    }
    expect(names).toContain('<img src=x onerror=alert(1)>')
    expect(await cloud.sync(id)).toMatchObject({ summary: { new: 0, updated: 0, released: 0, sync: nodes.length } })
  })

  it('with the name of an asset that somebody made do not take it over', async () => {
    const body = { name: 'made-by-hand', address: '192.0.2.1', platform: 1 }
    const { id: own } = await server.admin.request<{ id: string }>('POST', '/api/v1/assets/hosts/', body)
    nodes = some(1, { name: 'made-by-hand' })
    const id = await task({ is_always_update: true })
    for (const [added, sync] of [
      [1, 0],
      [0, 1],
    ])
      expect(await cloud.sync(id)).toMatchObject({ summary: { new: added, sync, updated: 0 } })
    expect(await host('made-by-hand')).toMatchObject({ id: own, address: '192.0.2.1' })
    const [seen] = await cloud.instances(id)
    expect(seen?.asset?.name).toBe(`made-by-hand_${nodes[0]?.uid}`)
  })

  it('without an address or with an unusable id are listed with the reason, or left out', async () => {
    nodes = [
      ...some(1, { address: '' }),
      ...some(1, { address: 'not-an-address' }),
      ...some(1, { uid: '' }),
      ...some(1, { uid: 'x'.repeat(300) }),
      ...some(1),
    ]
    const id = await task()
    expect(await cloud.sync(id)).toMatchObject({ status: 1, summary: { new: 1, unsync: 2 } })
    const reasons = (await cloud.instances(id)).filter(({ status }) => status === 0).map(({ reason }) => reason)
    expect(reasons).toEqual(Array(2).fill('it has no address of the chosen kind.'))
  })

  it('outside of the IP networks of the task are left out', async () => {
    nodes = [...some(1, { address: '10.1.1.1' }), ...some(1, { address: '10.2.2.2' })]
    const id = await task({ ip_network_segment_group: ['10.1.0.0/16'] })
    expect(await cloud.sync(id)).toMatchObject({ summary: { new: 1 } })
    expect((await cloud.instances(id)).map(({ asset_ip }) => asset_ip)).toEqual(['10.1.1.1'])
  })

  it('that change are updated only where the task says so', async () => {
    nodes = some(1)
    const [first] = nodes
    const [plain, always] = [
      await task(),
      await task({ is_always_update: true, hostname_strategy: 'instance_name_partial_ip' }),
    ]
    for (const id of [plain, always]) expect(await cloud.sync(id)).toMatchObject({ summary: { new: 1 } })
    nodes = [{ ...(first as PretendNode), address: '10.77.0.7' }]
    expect(await cloud.sync(plain)).toMatchObject({ summary: { updated: 0 } })
    expect(await cloud.sync(always)).toMatchObject({ summary: { updated: 1 } })
    expect(await cloud.sync(always)).toMatchObject({ summary: { updated: 0 } })
    expect(await host(`${first?.name}-0.7`)).toMatchObject({ address: '10.77.0.7' })
  })

  it('whose asset was deleted get another one', async () => {
    nodes = some(1)
    const id = await task()
    await cloud.sync(id)
    const [seen] = await cloud.instances(id)
    await server.admin.request('DELETE', `/api/v1/assets/hosts/${seen?.asset?.id}/`)
    expect((await cloud.instances(id))[0]?.asset).toBeNull()
    expect(await cloud.sync(id)).toMatchObject({ summary: { new: 1 } })
  })

  it('of two tasks of one account share an asset, which stays while one of them sees it', async () => {
    nodes = some(2)
    const own = await account()
    const [one, other] = [
      await cloud.task(own, { released_action: 'remove' }),
      await cloud.task(own, { ip_network_segment_group: ['*'] }),
    ]
    expect(await cloud.sync(one)).toMatchObject({ summary: { new: 2 } })
    expect(await cloud.sync(other)).toMatchObject({ summary: { new: 0, sync: 2 } })
    const [gone] = nodes.splice(0, 1)
    expect(await cloud.sync(one)).toMatchObject({ summary: { sync: 1, released: 1 } })
    expect(await host(gone?.name ?? '')).toBeDefined()
  })
})

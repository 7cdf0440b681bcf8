import { createServer, type Server } from 'node:net'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressesOf } from '../../kernel/security/address-ranges.ts'
import { cloudClient } from '../../testing/cloud.ts'
import { directRun, startServer, type TestServer } from '../../testing/server.ts'
import { sweepExecutions } from './retention.ts'

let server: TestServer
let cloud: ReturnType<typeof cloudClient>
const listeners = new Map<string, Server>()
let port = 0

/** Somebody who accepts connections at an address of the loopback network. */
async function listen(host: string): Promise<void> {
  const one = createServer((socket) => socket.end())
  await new Promise<void>((done, fail) => one.once('error', fail).listen(port, host, done))
  port = (one.address() as { port: number }).port
  listeners.set(host, one)
}
const leave = (host: string) => new Promise<void>((done) => listeners.get(host)?.close(() => done()))

beforeAll(async () => {
  server = await startServer({ worker: true })
  cloud = cloudClient(server)
})
afterAll(async () => {
  await server.close()
  for (const one of listeners.values()) one.close()
})

const network = (more: object = {}) =>
  cloud.account('lan', {
    ip_group: ['127.0.77.0/27', ''],
    test_port: port,
    test_timeout: 2,
    hostname_prefix: 'lan-',
    ...more,
  })
const assets = (search: string) =>
  server.admin.request<{ name: string; address: string; is_active: boolean; nodes_display: string[] }[]>(
    'GET',
    `/api/v1/assets/hosts/?search=${search}&order=name`,
  )

describe('addresses', () => {
  it.each([
    ['10.0.0.7', '10.0.0.7', '10.0.0.7', 1],
    ['10.0.0.0/30', '10.0.0.1', '10.0.0.2', 2],
    ['10.0.0.5-10.0.1.4', '10.0.0.5', '10.0.1.4', 256],
    ['10.0.0.0/31', '10.0.0.0', '10.0.0.1', 2],
    ['2001:db8::/126', '2001:db8::', '2001:db8::3', 4],
  ])('%s are from %s to %s', (text, first, last, size) => {
    expect(addressesOf(text)).toMatchObject({ first, last, size })
  })

  it.each(['', 'x', '10.0.0', '10.0.0.9-10.0.0.1', '10.0.0.1-::1', '10.0.0.0/33', '1.1.1.1/8/8', '10.0.0.0/-1'])(
    '%j are none',
    (text) => expect(addressesOf(text)).toBeUndefined(),
  )
})

// Other systems have one loopback address.
describeWith('linux', 'a network range', () => {
  beforeAll(async () => {
    for (const host of ['127.0.77.3', '127.0.77.9', '127.0.77.20']) await listen(host)
  })

  it('becomes assets for what answers, and a second run changes nothing', async () => {
    const task = await cloud.task(await network())
    const before = await assets('lan-127.0.77')
    expect(before).toEqual([])
    const preview = await cloud.preview(task)
    expect(preview).toMatchObject({ status: 1, preview: { summary: { new: 3, released: 0 } } })
    expect(preview.preview?.samples.map(({ name }) => name)).toContain('lan-127.0.77.3')
    expect(await assets('lan-127.0.77')).toEqual([])
    expect(await cloud.instances(task)).toEqual([])

    expect(await cloud.sync(task)).toMatchObject({ status: 1, summary: { new: 3, sync: 0 } })
    const made = await assets('lan-127.0.77')
    expect(made.map(({ name }) => name)).toEqual(['lan-127.0.77.20', 'lan-127.0.77.3', 'lan-127.0.77.9'])
    expect(made[0]?.nodes_display[0]).toMatch(/\/made-\d+\/default$/)
    expect(await cloud.sync(task)).toMatchObject({ status: 1, summary: { new: 0, sync: 3, updated: 0, released: 0 } })
    expect(await assets('lan-127.0.77')).toEqual(made)
    expect((await cloud.instances(task)).map(({ status }) => status)).toEqual([2, 2, 2])
  })

  it('marks, disables or deletes the assets of machines that are gone, as the task says, and keeps their rows', async () => {
    await listen('127.0.77.25')
    const account = await network({ ip_group: ['127.0.77.25', '127.0.77.3'], hostname_prefix: 'gone-' })
    const tasks = new Map<string, string>()
    for (const action of ['mark', 'disable', 'remove']) {
      // An account of its own for each: tasks of one account share their assets.
      const own = await network({ ip_group: ['127.0.77.25', '127.0.77.3'], hostname_prefix: `${action}-` })
      tasks.set(action, await cloud.task(own, { released_action: action }))
    }
    for (const task of tasks.values()) expect(await cloud.sync(task)).toMatchObject({ summary: { new: 2 } })
    await leave('127.0.77.25')
    for (const task of tasks.values()) {
      expect(await cloud.preview(task)).toMatchObject({ preview: { summary: { sync: 1, released: 1 } } })
      expect(await cloud.sync(task)).toMatchObject({ summary: { sync: 1, released: 1 } })
      const gone = (await cloud.instances(task)).find(({ instance_id: id }) => id === '127.0.77.25')
      expect(gone?.status).toBe(3)
    }
    expect((await assets('mark-127.0.77.25'))[0]?.is_active).toBe(true)
    expect((await assets('disable-127.0.77.25'))[0]?.is_active).toBe(false)
    expect(await assets('remove-127.0.77.25')).toEqual([])
    // A second run releases nothing more, and who comes back is enabled again.
    await listen('127.0.77.25')
    expect(await cloud.sync(tasks.get('disable') ?? '')).toMatchObject({ summary: { updated: 1, released: 0 } })
    expect((await assets('disable-127.0.77.25'))[0]?.is_active).toBe(true)
    await leave('127.0.77.25')
    await cloud.api('DELETE', `accounts/${account}/`)
    const mark = tasks.get('mark') ?? ''
    expect(await cloud.api('DELETE', `sync-instance-tasks/${mark}/released-assets/`)).toEqual({ deleted: 1, left: 0 })
    expect(await assets('mark-127.0.77.25')).toEqual([])
    expect(await cloud.instances(mark)).toHaveLength(2)
  })

  it('that suddenly has nobody leaves the assets as they are', async () => {
    await listen('127.0.77.27')
    const task = await cloud.task(await network({ ip_group: ['127.0.77.27'], hostname_prefix: 'empty-' }), {
      released_action: 'remove',
    })
    await cloud.sync(task)
    await leave('127.0.77.27')
    const result = await cloud.sync(task)
    expect(result.summary.released).toBe(1)
    expect(await cloud.logOf(result.id)).toContain('no instances were found')
    expect(await assets('empty-')).toHaveLength(1)
  })

  it('is bounded, and no link-local address is scanned', async () => {
    const refused = (attrs: object) =>
      network(attrs).then(
        () => ({}),
        (error: { status: number; body: object }) => error,
      )
    for (const [attrs, text] of [
      [{ ip_group: ['10.0.0.0/8'] }, 'at most 65536'],
      [{ ip_group: ['10.0.0.0/17', '11.0.0.0/17', '12.0.0.0/24'] }, 'at most 65536'],
      [{ ip_group: ['2001:db8::/64'] }, 'at most 65536'],
      [{ ip_group: ['169.254.169.254'] }, 'link-local'],
      [{ ip_group: ['169.254.0.0/24'] }, 'link-local'],
      [{ ip_group: ['::ffff:169.254.169.254'] }, 'link-local'],
      [{ ip_group: ['nonsense'] }, 'not an address'],
      [{ ip_group: [] }, ''],
      [{ ip_group: [''] }, ''],
      [{ ip_group: 'x' }, 'list'],
      [{ test_port: 70_000 }, '65535'],
      [{ test_timeout: 60 }, '10'],
    ] as const) {
      const answer = (await refused(attrs)) as { status?: number; body?: object }
      expect(answer.status, JSON.stringify(attrs)).toBe(400)
      expect(JSON.stringify(answer.body)).toContain(text)
    }
  })

  it('has a history that is deleted after the configured days, while its machines remain', async () => {
    const task = await cloud.task(await network({ ip_group: ['127.0.77.3'], hostname_prefix: 'kept-' }))
    const { id } = await cloud.sync(task)
    const old = Date.now() - 200 * 86_400_000
    const { writer } = server.application.services.database
    await writer
      .updateTable('xpack_syncinstancetaskexecution')
      .set({ date_created: old })
      .where('id', '=', id)
      .execute()
    const { id: fresh } = await cloud.sync(task)
    await sweepExecutions.run(server.context(), {}, directRun())
    const history = await cloud.api<{ id: string }[]>('GET', `sync-instance-tasks/${task}/history/`)
    expect(history.map((one) => one.id)).toEqual([fresh])
    expect(await cloud.instances(task)).toHaveLength(1)
  })

  it('accepts every address without asking when the port is 0', async () => {
    const task = await cloud.task(await network({ ip_group: ['10.88.0.0/22'], test_port: 0, hostname_prefix: 'all-' }))
    expect(await cloud.sync(task)).toMatchObject({ status: 1, summary: { new: 1022 } })
    expect(await cloud.sync(task)).toMatchObject({ status: 1, summary: { new: 0, sync: 1022, updated: 0 } })
  })
})

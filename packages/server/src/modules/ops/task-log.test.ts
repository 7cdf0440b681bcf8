import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { defineTestJob } from '../../testing/jobs.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ worker: true })
})
afterAll(() => server.close())

const path = '/ws/ops/tasks/log/'
const nobodys = '8a6d6f0e-6d1f-4c1f-9a55-0f6a3f2a9d11'

/** A socket of one person, what it heard, and the code it was closed with. */
async function listen(client = server.admin) {
  const socket = new WebSocket(server.url.replace(/^http/, 'ws') + path, {
    headers: { ...client.proof('GET', path), 'accept-language': 'en' },
  })
  const heard: { message?: string; event?: string; task?: unknown }[] = []
  const state: { code?: number } = {}
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  socket.on('close', (code) => (state.code = code))
  await new Promise((open, fail) => socket.on('open', open).on('error', fail))
  return { socket, heard, state, say: (message: unknown) => socket.send(JSON.stringify(message)) }
}

const aTask = async () =>
  (await server.admin.request<{ task: string }>('POST', '/api/v1/assets/nodes/check_assets_amount_task/', {})).task

const endless = defineTestJob<object>({
  name: 'test.endless',
  delivery: 'idempotent',
  run: (_ctx, _payload, { signal }) => new Promise((_done, fail) => signal.addEventListener('abort', fail)),
})

describe('a run of a task', () => {
  it.each(['while it runs', 'before it began'])(
    'is stopped by who started it, and by nobody else: %s',
    async (timestamp) => {
      const starter = await server.person('starter', { org: [roleIds.orgUser] })
      const notBefore = timestamp === 'while it runs' ? Date.now() : Date.now() + 3_600_000
      const id = await server.context().enqueue(endless, {}, { creator: starter, orgId: defaultOrgId, notBefore })
      const address = `/api/v1/ops/task-executions/${id}/`
      const [own, other] = [await server.as(starter), await server.as(await server.person('other', {}))]
      const state = async () => (await own.request<{ state: string }>('GET', address)).state
      await expect.poll(state, { timeout: 10_000 }).toBe(notBefore > Date.now() ? 'PENDING' : 'RUNNING')
      await expect(other.request('POST', `${address}stop/`)).rejects.toMatchObject({ status: 404 })
      const colleague = await server.as(await server.person('colleague', { system: [roleIds.user] }))
      await expect(colleague.request('POST', `${address}stop/`)).rejects.toMatchObject({ status: 404 })
      const { socket, heard, say } = await listen(own)
      say({ task: id })
      await own.request('POST', `${address}stop/`)
      await expect.poll(() => heard.at(-1), { timeout: 5_000 }).toEqual({ event: 'end', task: id, message: '' })
      socket.close()
      expect(await state()).toBe('CANCELED')
      // Once more changes nothing.
      expect(await own.request('POST', `${address}stop/`)).toMatchObject({ state: 'CANCELED', is_finished: true })
    },
  )
})

describe('the log of a task over the WebSocket', () => {
  it('comes from its start to its end, and another may be asked for after it', async () => {
    const { socket, heard, say } = await listen()
    for (const type of [undefined, 'ansible']) {
      const task = await aTask()
      heard.length = 0
      say({ task, type })
      await expect.poll(() => heard.at(-1), { timeout: 10_000 }).toEqual({ event: 'end', task, message: '' })
      expect(heard).toContainEqual({ message: '\r\n' })
    }
    socket.close()
  })

  it('is waited for when there is none, and when it is somebody else’s', async () => {
    const other = await server.as(await server.person('other', {}))
    const task = await aTask()
    for (const [client, id] of [
      [server.admin, nobodys],
      [other, task],
    ] as const) {
      const { socket, heard, say } = await listen(client)
      say({ task: id })
      await expect.poll(() => heard.length, { timeout: 3_000 }).toBeGreaterThan(1)
      expect(heard.every((one) => one.message === '.' && one.task === id)).toBe(true)
      socket.close()
      const log = await client.request('GET', `/api/v1/ops/celery/task/${id}/task-execution/${id}/log/`)
      expect(log).toEqual({ data: 'Waiting for the log of this task …' })
      const again = `/api/v1/ops/celery/task/${id}/task-execution/${id}/log/?mark=undefined`
      expect(await client.request('GET', again)).toEqual({ data: '.' })
    }
  })

  it('is asked for so often by nobody: a socket with too many requests that wait ends', async () => {
    const { state, say } = await listen()
    for (let asked = 0; asked < 300; asked++) say({ task: nobodys })
    await expect.poll(() => state.code).toBe(1006)
  })

  it('is said not to be there for what is no id, without an end', async () => {
    const { socket, heard, say } = await listen()
    for (const task of ['nonsense', 7, null]) {
      heard.length = 0
      say({ task })
      await expect.poll(() => heard).toEqual([{ message: expect.stringContaining('not the ID of a task'), task }])
    }
    socket.close()
  })

  it('ends without a word on what is no request', async () => {
    for (const frame of ['no json', '', '[]', '"x"', 'null', Buffer.from('{}'), '{"type":"shell"}', '{"type":null}']) {
      const { socket, heard, state } = await listen()
      socket.send(frame)
      await expect.poll(() => state.code).toBe(1006)
      expect(heard).toEqual([])
    }
  })

  it('tells a client whose message is too long', async () => {
    const { socket, state } = await listen()
    socket.send('x'.repeat(17 * 1024 * 1024))
    await expect.poll(() => state.code, { timeout: 20_000 }).toBe(1009)
  })

  it('ends within a minute for somebody who may not sign in any more', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const id = await server.person('leaving', { org: [roleIds.orgUser] })
      const { state } = await listen(await server.as(id))
      await vi.advanceTimersByTimeAsync(60_000)
      await server.admin.request('PATCH', `/api/v1/users/users/${id}/`, { is_active: false })
      expect(state.code).toBeUndefined()
      await vi.advanceTimersByTimeAsync(60_000)
      await expect.poll(() => state.code).toBe(1008)
    } finally {
      vi.useRealTimers()
    }
  })

  it('chooses no protocol that a client offers', async () => {
    const socket = new WebSocket(server.url.replace(/^http/, 'ws') + path, ['first', 'second'], {
      headers: server.admin.proof('GET', path),
    })
    const answer = await new Promise<Record<string, unknown>>((settle, fail) =>
      socket
        .on('upgrade', (response) => settle(response.headers))
        .on('error', () => {})
        .on('unexpected-response', fail),
    )
    expect(answer['sec-websocket-protocol']).toBeUndefined()
    socket.terminate()
  })
})

import { roleIds } from '@castellan/contract/ids'
import type { ApiError } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startServer, type TestServer } from '../../testing/server.ts'
import { sendSiteMessage } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const socketPath = '/ws/notifications/site-msg/'
const address = () => server.url.replace(/^http/, 'ws') + socketPath
const send = (userIds: string[], subject: string) =>
  server.context().transaction((ctx) => sendSiteMessage(ctx, userIds, { subject, message: `<p>${subject}</p>` }))

/** The result of opening a socket with these headers. */
const opened = (headers: Record<string, string>) =>
  new Promise((settle) => {
    const socket = new WebSocket(address(), { headers })
    socket.on('unexpected-response', (_request, answer) => settle(answer.statusCode))
    socket.on('error', () => {})
    socket.on('open', () => {
      settle('open')
      socket.close()
    })
  })

describe('site messages', () => {
  it('are counted live in the browser, only for their reader', async () => {
    const [reader, other] = [
      await server.person('reader', { system: [roleIds.user] }),
      await server.person('other', { system: [roleIds.user] }),
    ]
    const client = await server.as(reader)
    const counts: number[] = []
    const socket = new WebSocket(address(), { headers: client.proof('GET', socketPath) })
    socket.on('message', (data) => counts.push(JSON.parse(String(data)).unread_count))
    await expect.poll(() => counts).toEqual([0])
    await send([other], 'not for you')
    await send([reader], 'one')
    await expect.poll(() => counts).toEqual([0, 1])
    await send([reader, other], 'two')
    await expect.poll(() => counts).toEqual([0, 1, 2])
    socket.close()
    expect(await opened({})).toBe(403)
  })

  it('are not sent to a page of another origin, even with the user’s cookies', async () => {
    const headers = (await server.as(await server.person('looker', { system: [roleIds.user] }))).proof(
      'GET',
      socketPath,
    )
    expect(await opened({ ...headers, origin: 'http://localhost:3000' })).toBe(403)
    expect(await opened({ ...headers, origin: server.url })).toBe('open')
  })

  it('belong to their reader', async () => {
    const id = await server.person('owner', { system: [roleIds.user] })
    await send([id], 'mine')
    const [message] = await (await server.as(id)).collection('notifications/site-messages').all()
    const stranger = await server.as(await server.person('stranger', { system: [roleIds.user] }))
    const answer = await stranger
      .collection('notifications/site-messages')
      .get(message?.id ?? '')
      .catch((error: ApiError) => error.status)
    expect(answer).toBe(404)
    await stranger.request('PATCH', '/api/v1/notifications/site-messages/mark-as-read/', { ids: [message?.id] })
    expect(await (await server.as(id)).request('GET', '/api/v1/notifications/site-messages/unread-total/')).toEqual({
      total: 1,
    })
  })

  it('are not delivered when their transaction fails', async () => {
    const id = await server.person('waiting', { system: [roleIds.user] })
    const failing = server.context().transaction(async (ctx) => {
      await sendSiteMessage(ctx, [id], { subject: 'never', message: '' })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await (await server.as(id)).collection('notifications/site-messages').all()).toEqual([])
  })
})

describe('the notification backends', () => {
  it('are a list of names', async () => {
    const id = await server.person('chooser', { system: [roleIds.user] })
    const user = await server.as(id)
    const put = (receive_backends: unknown) =>
      user
        .request('PUT', `/api/v1/notifications/user-msg-subscription/${id}/`, { receive_backends })
        .catch((error: ApiError) => error.body)
    expect(await put(['site_msg', 'nosuch'])).toMatchObject({ receive_backends: ['site_msg', 'nosuch'] })
    for (const wrong of ['email', null, [{}]]) expect(await put(wrong)).not.toHaveProperty('user_id')
    const own = [{ user_id: id, receive_backends: ['site_msg', 'nosuch'] }]
    const all = '/api/v1/notifications/user-msg-subscription/'
    expect(await user.request('GET', all)).toEqual(own)
    expect(await user.request('GET', `${all}?limit=15`)).toMatchObject({ count: 1, next: null, results: own })
  })
})

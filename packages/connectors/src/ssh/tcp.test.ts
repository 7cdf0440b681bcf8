import { getEventListeners, once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTcp } from './tcp.ts'

describe('A TCP connection with a signal', () => {
  const server = createServer((socket) => socket.resume())
  let port = 0
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  it('ends with it, while it is being opened and later', async () => {
    await expect(openTcp('127.0.0.1', port, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
    const controller = new AbortController()
    const socket = await openTcp('127.0.0.1', port, controller.signal)
    const failed = once(socket, 'error')
    controller.abort()
    expect(await failed).toMatchObject([{ name: 'AbortError' }])
    expect(socket.destroyed).toBe(true)
  })

  it('is forgotten by it once it has closed: a run of thousands of targets has one signal', async () => {
    const { signal } = new AbortController()
    const socket = await openTcp('127.0.0.1', port, signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    socket.end()
    await once(socket, 'close')
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    await expect(openTcp('127.0.0.1', 1, signal)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await new Promise(setImmediate)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})

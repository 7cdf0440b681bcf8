import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { accountTarget, startPeer } from '@castellan/testing/account-target'
import { expect, it } from 'vitest'
import { withLoopback } from './loopback.ts'

const options = { limit: 1000, connections: 1 }

it('leads sockets of this program to the target', async () => {
  await using peer = await startPeer((socket) => socket.pipe(socket))
  await withLoopback(accountTarget(peer.port), options, async ({ port }) => {
    const socket = connect(port, '127.0.0.1')
    socket.write('echo')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toBe('echo')
  })
})

it('closes connections of other programs, and leaves the place to our own', async () => {
  let dialed = 0
  await using peer = await startPeer((socket) => {
    dialed++
    socket.pipe(socket)
  })
  await withLoopback(accountTarget(peer.port), options, async ({ port }) => {
    const script = `const s = require('net').connect(${port}, '127.0.0.1', () => s.write('steal'));
      s.on('data', () => process.exit(1)).on('error', () => undefined).on('close', () => process.exit(0))`
    await promisify(execFile)(process.execPath, ['-e', script])
    expect(dialed).toBe(0)
    const socket = connect(port, '127.0.0.1')
    socket.write('ours')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toBe('ours')
  })
})

it('accepts no more connections than the library opens', async () => {
  await using peer = await startPeer((socket) => socket.pipe(socket))
  await withLoopback(accountTarget(peer.port), options, async ({ port }) => {
    const first = connect(port, '127.0.0.1')
    first.write('first')
    await once(first, 'data')
    const second = connect(port, '127.0.0.1')
    second.on('error', () => undefined)
    await once(second, 'close')
  })
})

it('is closed with its connections when the work is over', async () => {
  await using peer = await startPeer((socket) => socket.pipe(socket))
  const left = await withLoopback(accountTarget(peer.port), options, async ({ port }) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).write('open')
    await once(socket, 'data')
    return { port, socket }
  })
  if (!left.socket.closed) await once(left.socket, 'close')
  const late = connect(left.port, '127.0.0.1')
  await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

it('ends with what the target did wrong, not with what its client saw of it', async () => {
  await using endless = await startPeer((socket) => void socket.write(Buffer.alloc(10_000)))
  const attempt = withLoopback(accountTarget(endless.port), options, ({ port }) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    return new Promise<never>(() => undefined)
  })
  await expect(attempt).rejects.toMatchObject({ code: 'bad_answer' })
})

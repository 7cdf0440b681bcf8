import { once } from 'node:events'
import { connect } from 'node:net'
import ssh2 from 'ssh2'
import { expect, it, vi } from 'vitest'
import type { Broker } from '../../brokering/broker.ts'
import { startSshServer } from './server.ts'

/** What a connection meets before anybody has signed in asks the broker for the host key only. */
const broker = { config: () => ({}) } as unknown as Broker

it('closes whoever has not signed in after two minutes, however far they came', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ssh = await startSshServer(broker, { host: '127.0.0.1', port: 0, runSftp: () => undefined as never })
  try {
    const guests = ['', 'S', 'SSH-2.0-Somebody\r\n'].map((first) => {
      const guest = connect(ssh.port, '127.0.0.1', () => guest.write(first))
      return guest.on('error', () => undefined).resume()
    })
    await Promise.all(guests.map((guest) => once(guest, 'data')))
    await vi.advanceTimersByTimeAsync(119_000)
    expect(guests.map(({ destroyed }) => destroyed)).toEqual([false, false, false])
    const gone = guests.map((guest) => once(guest, 'close'))
    await vi.advanceTimersByTimeAsync(2000)
    await Promise.all(gone)
  } finally {
    vi.useRealTimers()
    ssh.close()
  }
})

it('leaves a client that has signed in and answers nothing any more after two minutes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const user = { id: 'p', name: 'Pia', username: 'pia' }
  const http = {
    key: { id: 'k', secret: 's' },
    now: 0,
    send: async () => ({ status: 201, body: { user }, setCookie: [] }),
  }
  const welcoming = { config: () => ({ TERMINAL_PASSWORD_AUTH: true }), api: { http } } as unknown as Broker
  const ssh = await startSshServer(welcoming, { host: '127.0.0.1', port: 0, runSftp: () => undefined as never })
  const sock = connect({ port: ssh.port, host: '127.0.0.1', allowHalfOpen: true })
  const client = new ssh2.Client().on('error', () => undefined)
  try {
    client.connect({ sock, username: 'pia', password: 'x' })
    await once(client, 'ready')
    sock.pause()
    for (let beats = 0; beats < 4; beats++) await vi.advanceTimersByTimeAsync(30_000)
    const gone = new Promise((settle) => sock.on('error', () => undefined).on('close', settle))
    // Only a connection that is no more refuses what is sent to it.
    for (const later of [200, 400]) setTimeout(() => sock.write('x'), later)
    await gone
  } finally {
    vi.useRealTimers()
    client.destroy()
    ssh.close()
  }
})

import { once } from 'node:events'
import { connect } from 'node:net'
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

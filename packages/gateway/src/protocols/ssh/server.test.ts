import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith } from '@castellan/testing/parts'
import ssh2 from 'ssh2'
import { expect, it, vi } from 'vitest'
import type { Broker } from '../../brokering/broker.ts'
import { startSshServer } from './server.ts'

/** Before sign-in, a connection uses only the host key of the broker. */
const broker = { config: () => ({}) } as unknown as Broker

it('closes a connection without sign-in after two minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ssh = await startSshServer(broker, { host: '127.0.0.1', port: 0, runSftp: () => undefined as never })
  const guest = new ssh2.Client().on('error', () => undefined)
  try {
    // A client that is prompted for the password, and sends nothing.
    const asked = new Promise<void>((settle) => {
      guest.connect({
        host: '127.0.0.1',
        port: ssh.port,
        username: 'pia',
        readyTimeout: 0,
        authHandler: () => settle(),
      })
    })
    await asked
    const gone = once(guest, 'close')
    await vi.advanceTimersByTimeAsync(119_000)
    expect((guest as unknown as { _sock: Socket })._sock.destroyed).toBe(false)
    await vi.advanceTimersByTimeAsync(2000)
    await gone
  } finally {
    vi.useRealTimers()
    ssh.close()
  }
})

it('closes a connection without a completed key exchange after twenty seconds, at any stage, and accepts a hundred of one address', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ssh = await startSshServer(broker, { host: '127.0.0.1', port: 0, runSftp: () => undefined as never })
  const open = () => connect(ssh.port, '127.0.0.1').on('error', () => undefined)
  try {
    const guests = Array.from({ length: 100 }, open)
    await Promise.all(guests.map((guest) => once(guest, 'data')))
    for (const [at, words] of ['S', 'SSH-2.0-Somebody\r\n'].entries()) guests[at]?.write(words)
    const oneMore = open()
    await once(oneMore.resume(), 'close')
    // Another address has its own limit.
    const neighbour = connect({ port: ssh.port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    await once(neighbour, 'data')
    await vi.advanceTimersByTimeAsync(19_000)
    expect(guests.some(({ destroyed }) => destroyed)).toBe(false)
    const gone = [...guests, neighbour].map((guest) => once(guest.resume(), 'close'))
    await vi.advanceTimersByTimeAsync(2000)
    await Promise.all(gone)
    const later = open()
    await once(later, 'data')
    later.destroy()
  } finally {
    vi.useRealTimers()
    ssh.close()
  }
})

it('limits the channels of one connection', async () => {
  const user = { id: 'p', name: 'Pia', username: 'pia' }
  const send = async () => ({ status: 201, body: { user }, setCookie: [] })
  const api = { http: { key: { id: 'k', secret: 's' }, now: 0, send } }
  const busy = { config: () => ({ TERMINAL_PASSWORD_AUTH: true }), api } as unknown as Broker
  const ssh = await startSshServer(busy, {
    host: '127.0.0.1',
    port: 0,
    // A handler that never ends keeps its channel open.
    runSftp: () => new Promise(() => undefined),
  })
  const client = new ssh2.Client().on('error', () => undefined)
  try {
    client.connect({ host: '127.0.0.1', port: ssh.port, username: 'pia', password: 'x' })
    await once(client, 'ready')
    const opened = await Promise.all(
      Array.from(
        { length: 70 },
        () =>
          new Promise<ssh2.ClientChannel | Error>((settle) => {
            client.subsys('sftp', (error, channel) => settle(error ?? channel))
          }),
      ),
    )
    const refused = opened.filter((one) => one instanceof Error)
    expect(refused).toHaveLength(6)
    expect(refused[0]?.message).toContain('too many channels')
    // A closed channel makes room for another.
    const [first] = opened.filter((one) => !(one instanceof Error))
    const left = once(first as ssh2.ClientChannel, 'close')
    ;(first as ssh2.ClientChannel).resume().close()
    await left
    const next = await new Promise((settle) => client.subsys('sftp', (error, channel) => settle(error ?? channel)))
    expect(next).not.toBeInstanceOf(Error)
  } finally {
    client.destroy()
    ssh.close()
  }
})

it('disconnects a signed-in client that does not respond for two minutes', async () => {
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
    // Only a connection that is closed rejects writes.
    for (const later of [200, 400]) setTimeout(() => sock.write('x'), later)
    await gone
  } finally {
    vi.useRealTimers()
    client.destroy()
    ssh.close()
  }
})

it.each<[string, ssh2.Algorithms, boolean]>([
  ['RSA host keys with SHA-1', { serverHostKey: ['ssh-rsa'] }, false],
  ['MACs with SHA-1', { hmac: ['hmac-sha1', 'hmac-sha1-etm@openssh.com' as never], cipher: ['aes256-ctr'] }, false],
  ['key exchanges with SHA-1', { kex: ['diffie-hellman-group14-sha1', 'diffie-hellman-group-exchange-sha1'] }, false],
  ['RSA host keys with SHA-2', { serverHostKey: ['rsa-sha2-256', 'ssh-ed25519'] }, true],
  ['MACs with SHA-2', { hmac: ['hmac-sha2-256'], cipher: ['aes256-ctr'] }, true],
])('agrees with no client on what is broken: %s', async (_what, algorithms, agrees) => {
  const ssh = await startSshServer(broker, { host: '127.0.0.1', port: 0, runSftp: () => undefined as never })
  const guest = new ssh2.Client()
  const handshake = new Promise<boolean>((settle) => {
    guest.on('handshake', () => settle(true)).on('error', () => settle(false))
  })
  guest.connect({ host: '127.0.0.1', port: ssh.port, username: 'pia', algorithms })
  expect(await handshake).toBe(agrees)
  guest.destroy()
  ssh.close()
})

describeWith(['ssh', 'ssh-keygen'], 'an RSA key of a user', () => {
  it.each([
    ['rsa-sha2-256', true],
    ['ssh-rsa', false],
  ])('signs with %s: %s', async (algorithm, isIn) => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-rsa-'))
    const user = { id: 'p', name: 'Pia', username: 'pia' }
    const send = async () => ({ status: 201, body: { user }, setCookie: [] })
    const api = { http: { key: { id: 'k', secret: 's' }, now: 0, send } }
    const open = { config: () => ({ TERMINAL_PUBLIC_KEY_AUTH: true }), api } as unknown as Broker
    const ssh = await startSshServer(open, { host: '127.0.0.1', port: 0, runSftp: () => new Promise(() => undefined) })
    execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-N', '', '-f', join(folder, 'key')])
    const options = ['BatchMode=yes', 'StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'IdentitiesOnly=yes']
    const words = [...options, `PubkeyAcceptedAlgorithms=${algorithm}`].flatMap((option) => ['-o', option])
    const port = String(ssh.port)
    const client = spawn('ssh', [
      '-v',
      ...words,
      '-F',
      'none',
      '-i',
      join(folder, 'key'),
      '-p',
      port,
      '-s',
      'pia@127.0.0.1',
      'sftp',
    ])
    let said = ''
    const outcome = await new Promise<string>((settle) => {
      client.stderr.on('data', (part: Buffer) => {
        said += part.toString()
        const [found] = /Authenticated to|Permission denied/.exec(said) ?? []
        if (found) settle(found)
      })
      client.on('close', () => settle(said))
    })
    client.kill()
    ssh.close()
    rmSync(folder, { recursive: true })
    expect(outcome).toBe(isIn ? 'Authenticated to' : 'Permission denied')
  })
})

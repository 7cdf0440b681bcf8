import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { itWith } from '@castellan/testing/parts'
import { afterEach, describe, expect, it } from 'vitest'
import type { SystemTarget } from '../account-system.ts'
import { byPassword, passwordFor, targetOn } from '../testing-target.ts'
import { windows } from './index.ts'
import { type FakeWindows, fakeWindows, type Peer, sshPeer, type WinRmOptions, winRmPeer } from './testing-peers.ts'

const open: Peer[] = []
afterEach(async () => {
  for (const peer of open.splice(0)) await peer.close()
})
const opened = (peer: Peer) => {
  open.push(peer)
  return peer
}
const overSsh = async (fake: FakeWindows) => targetOn(opened(await sshPeer(fake)).port, { protocol: 'ssh' })
const overWinRm = async (fake: FakeWindows, options?: WinRmOptions, more?: Partial<SystemTarget>) =>
  targetOn(opened(await winRmPeer(fake, options)).port, { protocol: 'winrm', ...more })
const admin = ({ administrator: { username, password } }: FakeWindows) => byPassword(username, password)

describe.each([
  ['OpenSSH', overSsh],
  ['WinRM', overWinRm],
] as const)('local users of Windows over %s', (_name, connect) => {
  it.each([
    [
      'every printable character',
      Array.from({ length: 95 }, (_none, index) => String.fromCharCode(32 + index)).join(''),
    ],
    ['CJK, emoji and quotes', `密码"'\`$(calc)🔑;&|%PATH%`],
    ['spaces at both ends', '  a:b  '],
  ])('get passwords as they are: %s', async (_what, secret) => {
    const fake = fakeWindows()
    const target = await connect(fake)
    const change = passwordFor('Müller 太郎', secret, {
      create: true,
      params: { groups: 'Users, Remote Desktop Users' },
    })
    await windows.change(target, admin(fake), change)
    expect(fake.users.get('Müller 太郎')).toEqual({
      password: secret,
      groups: ['Users', 'Remote Desktop Users'],
      enabled: true,
    })
    await windows.verify(target, byPassword('Müller 太郎', secret))
    await expect(windows.verify(target, byPassword('Müller 太郎', 'wrong'))).rejects.toMatchObject({
      code: 'auth_failed',
    })
    const { command = '', script = '', values = {} } = fake.received[0] ?? {}
    expect(values).toMatchObject({ username: 'Müller 太郎', create: true })
    expect(Object.keys(values).sort()).toEqual(['create', 'groups', 'nonce', 'username'])
    for (const sent of [command, script, JSON.stringify(values)]) expect(sent).not.toContain(secret)
    expect(command).toMatch(/^powershell\.exe -NoProfile -NonInteractive -EncodedCommand [A-Za-z0-9+/=]+$/)
    expect(Buffer.from(command.split(' ').at(-1) ?? '', 'base64').toString('utf16le')).toContain('[Console]::In')
    expect(script).not.toContain('Müller')
  })

  it('are listed and removed, and missing ones are a failure', async () => {
    const fake = fakeWindows()
    const target = await connect(fake)
    await expect(windows.change(target, admin(fake), passwordFor('ann', 'x'))).rejects.toMatchObject({
      code: 'account_missing',
    })
    await windows.change(target, admin(fake), passwordFor('ann', 'x', { create: true }))
    expect(await windows.list?.(target, admin(fake))).toEqual([{ username: 'ann', address: '', lastLogin: 1000 }])
    await windows.remove?.(target, admin(fake), 'ann')
    await windows.remove?.(target, admin(fake), 'ann')
    expect(fake.users.size).toBe(0)
    await expect(windows.list?.(target, admin(fake))).rejects.toMatchObject({ code: 'bad_answer' })
  })

  it('are refused before anything is sent when a value is wrong', async () => {
    const fake = fakeWindows()
    const target = await connect(fake)
    for (const username of [
      '',
      'a"b',
      'a\nb',
      'DOMAIN\\ann',
      'a*',
      'x'.repeat(21),
      '...',
      ' ann',
      "ann'; calc".repeat(2),
    ])
      await expect(windows.change(target, admin(fake), passwordFor(username, 'x'))).rejects.toMatchObject({
        code: 'bad_name',
      })
    for (const secret of ['', 'a\nb', 'a\0', 'x'.repeat(128)])
      await expect(windows.change(target, admin(fake), passwordFor('ann', secret))).rejects.toMatchObject({
        code: 'secret_rejected',
      })
    const key = passwordFor('ann', 'key', { secretType: 'ssh_key' })
    await expect(windows.change(target, admin(fake), key)).rejects.toMatchObject({ code: 'unsupported' })
    const groups = passwordFor('ann', 'x', { params: { groups: 'Users;calc' } })
    await expect(windows.change(target, admin(fake), groups)).rejects.toMatchObject({ code: 'bad_name' })
    expect(fake.received).toEqual([])
  })

  it('fail as the target says, without the secret, and in doubt when it says nothing', async () => {
    const fake = fakeWindows()
    const target = await connect(fake)
    const change = () => windows.change(target, admin(fake), passwordFor('ann', 'hunter2!', { create: true }))
    fake.answer = 'secret_rejected:the password hunter2! is too simple\u001b[2J'
    await expect(change()).rejects.toMatchObject({
      code: 'secret_rejected',
      message: 'the password *** is too simple [2J',
    })
    fake.answer = 'denied:Access is denied.'
    await expect(change()).rejects.toMatchObject({ code: 'denied' })
    fake.answer = 'no such code:x'
    await expect(change()).rejects.not.toHaveProperty('code')
    fake.answer = undefined
    fake.output = 'nothing of use'
    await expect(change()).rejects.not.toHaveProperty('code')
  })
})

describe('WinRM', () => {
  it('signs in with NTLM where the target names it so', async () => {
    const fake = fakeWindows()
    await windows.verify(await overWinRm(fake, { schemes: ['NTLM'] }), admin(fake))
  })

  it('never sends a password in the clear', async () => {
    const fake = fakeWindows()
    const target = await overWinRm(fake, { schemes: ['Basic'] })
    await expect(windows.verify(target, admin(fake))).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('accepts the secret of a user who may not use it, but lets that user change nothing', async () => {
    const fake = fakeWindows()
    fake.users.set('ann', { password: 'secret', groups: [], enabled: true })
    const target = await overWinRm(fake)
    await windows.verify(target, byPassword('ann', 'secret'))
    await expect(windows.change(target, byPassword('ann', 'secret'), passwordFor('bob', 'x'))).rejects.toMatchObject({
      code: 'denied',
    })
  })

  it('believes no target that does not know the password, and nobody in between', async () => {
    const fake = fakeWindows()
    for (const options of [{ isImpostor: true }, { inTheClear: true }])
      await expect(windows.verify(await overWinRm(fake, options), admin(fake))).rejects.toMatchObject({
        code: 'bad_answer',
      })
  })

  it.each([
    ['nothing of HTTP', 'SSH-2.0-x\r\n'],
    ['a page without sign-in', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'],
    ['a challenge that is none', 'HTTP/1.1 401 x\r\nwww-authenticate: Negotiate AAAA\r\ncontent-length: 0\r\n\r\n'],
    ['a page without end', `HTTP/1.1 401 x\r\n\r\n${'x'.repeat(3_000_000)}`],
  ])('fails on %s', async (_what, bytes) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(bytes))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as { port: number }
    const target = targetOn(port, { protocol: 'winrm' })
    await expect(windows.verify(target, byPassword('a', 'b'))).rejects.toThrow()
    await new Promise((resolve) => server.close(resolve))
  })

  it('ends at once when it is given up', async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as { port: number }
    const ending = new AbortController()
    const work = windows.verify(targetOn(port, { protocol: 'winrm', signal: ending.signal }), byPassword('a', 'b'))
    server.once('connection', () => ending.abort(new Error('given up')))
    await expect(work).rejects.toThrow('given up')
    await new Promise((resolve) => server.close(resolve))
  })

  itWith(
    'openssl',
    'over TLS needs a certificate that somebody vouches for, or a target that knows the password',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'castellan-winrm-'))
      const [keyFile, certFile] = [join(folder, 'key'), join(folder, 'cert')]
      const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
      const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', keyFile, '-out', certFile]
      execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' })
      const tls = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') }
      rmSync(folder, { recursive: true })
      const fake = fakeWindows()
      const change = passwordFor('ann', 'x', { create: true })
      for (const schemes of [['Negotiate'], ['Basic']] as const) {
        const connect = (settings: SystemTarget['tls']) => overWinRm(fake, { schemes, tls }, { tls: settings })
        await windows.change(await connect({ enabled: true, ca: tls.cert }), admin(fake), change)
        await windows.verify(await connect({ enabled: true, acceptInvalid: true }), byPassword('ann', 'x'))
        await expect(
          windows.verify(await connect({ enabled: true, ca: tls.cert }), byPassword('ann', 'y')),
        ).rejects.toMatchObject({ code: 'auth_failed' })
      }
      const unknown = { tls: { enabled: false }, settings: { use_ssl: true } }
      await windows.change(await overWinRm(fake, { tls }, unknown), admin(fake), change)
      const basic = await overWinRm(fake, { tls, schemes: ['Basic'] }, unknown)
      await expect(windows.verify(basic, admin(fake))).rejects.toThrow(/certificate/)
      for (const options of [{ isImpostor: true }, { inTheClear: true }])
        await expect(
          windows.change(await overWinRm(fake, { tls, ...options }, unknown), admin(fake), change),
        ).rejects.toMatchObject({ code: 'bad_answer' })
    },
  )
})

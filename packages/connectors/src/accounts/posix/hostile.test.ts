import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith } from '@castellan/testing/parts'
import { temporaryUsers } from '@castellan/testing/posix-users'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SystemLogin } from '../account-system.ts'
import { byPassword, passwordFor, targetOn } from '../testing-target.ts'
import { posix } from './index.ts'

describeWith(['sshd', 'ssh-keygen', 'root'], 'a hostile POSIX system', () => {
  /** The real OpenSSH, which runs the content of a file for every command. */
  let sshd: RealSshd
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-hostile-'))
    chmodSync(folder, 0o755)
    sshd = await startSshd({ config: [`ForceCommand /bin/sh ${join(folder, 'says')}`] })
  })
  afterAll(async () => {
    await sshd?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const says = (script: string) => writeFileSync(join(folder, 'says'), `${script}\n`)
  const login = (): SystemLogin => byPassword(sshd.username, sshd.password ?? '')
  const change = (by = login()) => posix.change(targetOn(sshd.port), by, passwordFor('ann', 'hunter2 hunter2'))
  const isReady =
    'nonce=$(echo "$SSH_ORIGINAL_COMMAND" | grep -o "castellan-[0-9a-f]*" | head -n 1); echo "$nonce:ready"'

  it.each([
    ['prints without end before its shell', 'yes', 'bad_answer'],
    ['prints one line without end', 'cat /dev/zero', 'bad_answer'],
    ['has no shell', 'echo This account is currently not available.; exit 1', 'bad_answer'],
    ['demands a new password', 'echo WARNING: Your password has expired.; exit 1', 'secret_expired'],
    ['prints without end instead of an answer', `${isReady}; yes`, 'bad_answer'],
    ['answers with a code that is none', `${isReady}; echo "$nonce:auth_failed:x"`, 'bad_answer'],
    ['repeats the secret', `${isReady}; read -r s; cat | while read -r l; do echo "$nonce:denied:$l"; done`, 'denied'],
  ])('that %s is a failure', async (_what, script, code) => {
    says(script)
    const failure: unknown = await change().catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'SystemFailure', code })
    expect((failure as Error).message).not.toContain('hunter2')
    expect((failure as Error).message.length).toBeLessThanOrEqual(300)
  })

  it('that ends after it got the secret leaves it in doubt', async () => {
    says(`${isReady}; read -r s; exit 0`)
    const failure: unknown = await change().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toMatchObject({ name: 'SystemFailure' })
    says(`${isReady}; kill -9 $PPID; sleep 1`)
    await expect(change()).rejects.not.toMatchObject({ name: 'SystemFailure' })
  })

  it('gets no secret before the script itself says that it runs', async () => {
    const file = join(folder, 'got')
    writeFileSync(file, '', { mode: 0o666 })
    chmodSync(file, 0o666)
    says(`timeout 2 cat >${file}; exit 1`)
    await expect(change()).rejects.toMatchObject({ code: 'bad_answer' })
    const become = { method: 'sudo', username: 'root', password: 'the login password' } as const
    await expect(change({ ...login(), become })).rejects.toMatchObject({ code: 'denied' })
    expect(readFileSync(file, 'utf8')).toBe('root\n')
  })

  it('is given up at once', async () => {
    says('sleep 60')
    const ending = new AbortController()
    const target = targetOn(sshd.port, {
      signal: ending.signal,
      verifyHostKey: async () => void setImmediate(() => ending.abort(new Error('given up'))),
    })
    await expect(posix.change(target, login(), passwordFor('ann', 'x'))).rejects.toThrow('given up')
  })

  it('whose host key is refused gets no password', async () => {
    const target = targetOn(sshd.port, { verifyHostKey: () => Promise.reject(new Error('another host key')) })
    await expect(posix.verify(target, login())).rejects.toThrow('another host key')
  })
})

describe('a hostile SSH server', () => {
  it.each([
    ['lines without end', 'welcome\r\n'],
    ['one line without end', 'x'.repeat(1000)],
  ])('that greets with %s is left', async (_what, piece) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      const more = () => {
        while (!socket.destroyed && socket.write(piece.repeat(100)));
      }
      socket.on('drain', more)
      more()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as { port: number }
    await expect(posix.verify(targetOn(port), byPassword('a', 'b'))).rejects.toThrow()
    await new Promise((resolve) => server.close(resolve))
  })
})

describeWith(['sshd', 'ssh-keygen', 'root'], 'an SSH server with PAM', () => {
  const users = temporaryUsers()
  afterAll(() => users.removeAll())

  it('that asks for a new password at sign-in makes the secret expired', async () => {
    const config = ['UsePAM yes', 'KbdInteractiveAuthentication yes', 'PasswordAuthentication no']
    const sshd = await startSshd({ config })
    try {
      const { username, password } = users.add()
      await posix.verify(targetOn(sshd.port), byPassword(username, password))
      execFileSync('chage', ['-d', '0', username])
      await expect(posix.verify(targetOn(sshd.port), byPassword(username, password))).rejects.toMatchObject({
        code: 'secret_expired',
      })
      await posix.change(
        targetOn(sshd.port),
        { username: 'root', secretType: 'ssh_key', secret: sshd.privateKey },
        passwordFor(username, 'another one'),
      )
      await posix.verify(targetOn(sshd.port), byPassword(username, 'another one'))
    } finally {
      await sshd.stop()
    }
  })
})

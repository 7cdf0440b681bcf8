import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith } from '@castellan/testing/parts'
import { temporaryUsers } from '@castellan/testing/posix-users'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { byPassword, passwordFor, targetOn } from '../testing-target.ts'
import { device } from './index.ts'

/** A command line that writes down each line it reads, on the real OpenSSH. */
let sshd: RealSshd
let plain: RealSshd
let folder: string
const users = temporaryUsers()
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-device-'))
  chmodSync(folder, 0o777)
  const script = join(folder, 'line')
  writeFileSync(
    script,
    `#!/bin/sh\n[ -f ${folder}/greeting ] && cat ${folder}/greeting\n` +
      `while IFS= read -r line; do printf '%s\\n' "$line" >>${folder}/typed; printf 'switch> '; done\n`,
    { mode: 0o755 },
  )
  sshd = await startSshd({ config: [`ForceCommand ${script}`] })
  plain = await startSshd()
})
afterAll(async () => {
  await sshd?.stop()
  await plain?.stop()
  users.removeAll()
  rmSync(folder, { recursive: true, force: true })
})

const typed = () => {
  const file = join(folder, 'typed')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  rmSync(file)
  return lines
}
const login = () => byPassword(sshd.username, sshd.password ?? '')
const change = (commands: unknown, secret = 'p"w {username} $(x)', username = 'oper') =>
  device.change(targetOn(sshd.port), login(), passwordFor(username, secret, { params: { commands } }))

describeWith(['sshd', 'ssh-keygen', 'root'], 'devices', () => {
  it('get the commands in order, each placeholder replaced once', async () => {
    await change(['', 'configure', 'user {username} password {password}', 'login {login_password} {unknown}'])
    expect(typed()).toEqual(['configure', 'user oper password p"w {username} $(x)', `login ${sshd.password} {unknown}`])
  })

  it.each([
    ['a password of two lines', 'a\nreload', 'oper', 'secret_rejected'],
    ['a password with a carriage return', 'a\rreload', 'oper', 'secret_rejected'],
    ['a password with a control character', 'a\u0003', 'oper', 'secret_rejected'],
    ['no password', '', 'oper', 'secret_rejected'],
    ['a username of two lines', 'a', 'oper\nreload', 'bad_name'],
    ['no username', 'a', '', 'bad_name'],
  ])('never get %s', async (_what, secret, username, code) => {
    await expect(change(['user {username} {password}'], secret, username)).rejects.toMatchObject({ code })
    expect(typed).toThrow()
  })

  it('need commands', async () => {
    for (const commands of [[''], [], undefined, 'configure', Array(31).fill('x')])
      await expect(change(commands)).rejects.toMatchObject({ code: 'unsupported' })
  })

  it('that demand a new password get no commands', async () => {
    writeFileSync(join(folder, 'greeting'), 'You must change your password now.\n')
    await expect(change(['user {username} {password}'])).rejects.toMatchObject({ code: 'secret_expired' })
    rmSync(join(folder, 'greeting'))
    expect(typed).toThrow()
  })

  it('that close the shell, or are given up, end the change', async () => {
    writeFileSync(join(folder, 'greeting'), 'bye\n')
    const { username, password } = users.add({ shell: '/usr/sbin/nologin' })
    const target = targetOn(plain.port)
    const commands = passwordFor('oper', 'x', { params: { commands: ['a', 'b'] } })
    await expect(device.change(target, byPassword(username, password), commands)).rejects.toThrow(/closed the shell/)
    rmSync(join(folder, 'greeting'))
    const ending = new AbortController()
    const work = device.change(targetOn(sshd.port, { signal: ending.signal }), login(), commands)
    ending.abort(new Error('given up'))
    await expect(work).rejects.toThrow('given up')
  })

  it('are verified by signing in', async () => {
    await device.verify(targetOn(sshd.port), login())
    await expect(device.verify(targetOn(sshd.port), byPassword(sshd.username, 'x'))).rejects.toMatchObject({
      code: 'auth_failed',
    })
  })
})

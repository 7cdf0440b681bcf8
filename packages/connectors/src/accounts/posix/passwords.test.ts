import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { describeWith } from '@castellan/testing/parts'
import { passwdLine, temporaryUsers } from '@castellan/testing/posix-users'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SystemFailureCode, SystemLogin } from '../account-system.ts'
import { byPassword, passwordFor, targetOn } from '../testing-target.ts'
import { posix } from './index.ts'

let sshd: RealSshd
const users = temporaryUsers()
const root = (): SystemLogin => ({ username: 'root', secretType: 'ssh_key', secret: sshd.privateKey })
const target = () => targetOn(sshd.port)
const fails = (work: Promise<unknown>, code: SystemFailureCode, detail = /./) =>
  expect(work).rejects.toMatchObject({ name: 'SystemFailure', code, message: expect.stringMatching(detail) })

beforeAll(async () => {
  sshd = await startSshd({ config: ['PermitRootLogin yes'], readsProfiles: true })
})
afterAll(async () => {
  await sshd?.stop()
  users.removeAll()
})

const parts = ['sshd', 'ssh-keygen', 'root', 'sudo'] as const

describeWith(parts, 'passwords of POSIX systems', () => {
  const everyPrintable = Array.from({ length: 95 }, (_none, index) => String.fromCharCode(32 + index)).join('')
  it.each([
    ['every printable character', everyPrintable],
    ['quotes, variables and commands', `'"\`$(touch /tmp/castellan-was-here)\${IFS}\\n\\0101%s%%;|&<>*?[a]{b,c}~!#`],
    ['spaces at both ends', '  a secret  '],
    ['separators of the list of accounts', ':a:b::$6$x$y:'],
    ['CJK and emoji', '密码パスワード🔑é'],
    ['a backslash at the end', 'ends with \\'],
    ['a dash at the beginning', '-e --help'],
    ['511 bytes', 'x'.repeat(511)],
  ])('are set as they are: %s', async (_what, secret) => {
    const { username } = users.add()
    await posix.change(target(), root(), passwordFor(username, secret))
    await posix.verify(target(), byPassword(username, secret))
    await posix.change(target(), root(), passwordFor(username, secret))
    await posix.verify(target(), byPassword(username, secret))
    await fails(posix.verify(target(), byPassword(username, `y${secret.slice(1)}`)), 'auth_failed')
    expect(existsSync('/tmp/castellan-was-here')).toBe(false)
  })

  it.each([
    ['512 bytes', 'x'.repeat(512)],
    ['512 characters of three bytes', '密'.repeat(512)],
    ['a line end', 'a\nroot:owned'],
    ['a carriage return', 'a\rb'],
    ['a null character', 'a\0b'],
    ['an escape character', 'a\u001b[2Jb'],
    ['nothing', ''],
  ])('are refused before anything is sent: %s', async (_what, secret) => {
    const { username } = users.add()
    const before = passwdLine(username, '/etc/shadow')
    await fails(posix.change(target(), root(), passwordFor(username, secret)), 'secret_rejected')
    expect(passwdLine(username, '/etc/shadow')).toEqual(before)
  })

  it.each([
    '',
    'a:b',
    'a b',
    'a\nb',
    '-oProxyCommand=touch /tmp/castellan-was-here',
    '--help',
    '+0',
    '0',
    "a'b",
    'a"b',
    '$(id)',
    '../etc',
    'a;b',
    'a'.repeat(300),
  ])('belong to no account with the name %j', async (username) => {
    for (const create of [false, true])
      await fails(posix.change(target(), root(), passwordFor(username, 'secret', { create })), 'bad_name')
    await fails(posix.remove?.(target(), root(), username) ?? Promise.resolve(), 'bad_name')
    expect(existsSync('/tmp/castellan-was-here')).toBe(false)
  })

  it('of missing accounts are a failure, unless they are to be created', async () => {
    const username = users.newName()
    await fails(posix.change(target(), root(), passwordFor(username, 'secret')), 'account_missing')
    expect(passwdLine(username)).toBeUndefined()
    const params = {
      sudo: '/bin/whoami,/bin/ls',
      shell: '/bin/bash',
      home: `/home/${username}`,
      groups: 'games, users',
    }
    await posix.change(target(), root(), passwordFor(username, 'secret', { create: true, params }))
    await posix.verify(target(), byPassword(username, 'secret'))
    expect(passwdLine(username)?.slice(5)).toEqual([`/home/${username}`, '/bin/bash'])
    expect(execFileSync('id', ['-nG', username], { encoding: 'utf8' }).trim().split(' ').sort()).toEqual(
      [username, 'games', 'users'].sort(),
    )
    expect(passwdLine(username, '/etc/shadow')?.[7]).toBe('')
    const rule = `/etc/sudoers.d/castellan-${username}`
    expect(readFileSync(rule, 'utf8')).toBe(`${username} ALL=(ALL) NOPASSWD: /bin/whoami,/bin/ls\n`)
    expect(statSync(rule).mode & 0o777).toBe(0o440)
    execFileSync('visudo', ['-c'])

    await posix.remove?.(target(), root(), username)
    await posix.remove?.(target(), root(), username)
    expect(passwdLine(username)).toBeUndefined()
    expect(existsSync(rule)).toBe(false)
    expect(existsSync(`/home/${username}`)).toBe(true)
    execFileSync('rm', ['-r', `/home/${username}`])
  })

  it.each([
    ['a home folder that is none', { home: 'relative' }, 'bad_name', 'absolute path'],
    ['a home folder with a separator', { home: '/home/a:0:0' }, 'bad_name', 'absolute path'],
    ['a home folder outside', { home: '/home/../etc' }, 'bad_name', 'absolute path'],
    ['a shell that is missing', { shell: '/bin/no-such-shell' }, 'unsupported', 'no-such-shell'],
    ['a group that is missing', { groups: 'no-such-group' }, 'bad_name', 'no-such-group'],
    ['a group that is an option', { groups: '-o' }, 'bad_name', 'group'],
    ['commands of two lines', { sudo: '/bin/ls\nroot ALL=(ALL) NOPASSWD: ALL' }, 'bad_name', 'one line'],
    ['commands that sudo cannot read', { sudo: 'ls (((' }, 'bad_name', ''],
  ] as const)('of new accounts are not set with %s', async (_what, params, code, detail) => {
    const username = users.newName()
    const change = passwordFor(username, 'secret', { create: true, params })
    await fails(posix.change(target(), root(), change), code, new RegExp(detail))
    expect(passwdLine(username)).toBeUndefined()
    expect(existsSync(`/etc/sudoers.d/castellan-${username}`)).toBe(false)
    expect(existsSync(`/etc/sudoers.d/.castellan-${username}.draft`)).toBe(false)
  })

  it('of accounts named like a list of sudo are not set', async () => {
    const change = passwordFor('ALL', 'secret', { create: true, params: { sudo: '/bin/ls' } })
    await fails(posix.change(target(), root(), change), 'bad_name', /capital letters/)
    expect(passwdLine('ALL')).toBeUndefined()
  })

  it('are set for many accounts of one system at once, and many are created', async () => {
    const names = Array.from({ length: 12 }, () => users.newName())
    const set = (secret: string) =>
      Promise.all(
        names.map((name) =>
          posix.change(
            target(),
            root(),
            passwordFor(name, `${secret} of ${name}`, { create: true, params: { sudo: '' } }),
          ),
        ),
      )
    await set('first')
    await set('second')
    await Promise.all(names.map((name) => posix.verify(target(), byPassword(name, `second of ${name}`))))
  })

  it('stay locked where the system locked them', async () => {
    const { username } = users.add()
    execFileSync('usermod', ['-L', username])
    const before = passwdLine(username, '/etc/shadow')
    await fails(posix.change(target(), root(), passwordFor(username, 'secret')), 'denied', /is locked/)
    expect(passwdLine(username, '/etc/shadow')).toEqual(before)
  })

  it('that have to be changed at the next sign-in are expired', async () => {
    const { username, password } = users.add()
    execFileSync('chage', ['-d', '0', username])
    await fails(posix.verify(target(), byPassword(username, password)), 'secret_expired')
    await fails(posix.change(target(), byPassword(username, password), passwordFor(username, 'x')), 'secret_expired')
    await posix.change(target(), root(), passwordFor(username, 'another'))
    await posix.verify(target(), byPassword(username, 'another'))
  })

  it('are verified of accounts without a shell', async () => {
    const { username, password } = users.add({ shell: '/usr/sbin/nologin' })
    await posix.verify(target(), byPassword(username, password))
    await fails(posix.verify(target(), byPassword(username, 'wrong')), 'auth_failed')
  })
})

describeWith(parts, 'logins that become root', () => {
  const changes = async (by: SystemLogin) => {
    const { username } = users.add()
    await posix.change(target(), by, passwordFor(username, 'new secret'))
    await posix.verify(target(), byPassword(username, 'new secret'))
  }
  const becoming = (method: 'sudo' | 'su', password: string, username = 'root') => ({ method, username, password })

  it('by sudo with their password, which is no argument of a program', async () => {
    const { username, password } = users.add({ sudo: 'ALL=(ALL) ALL' })
    await changes(byPassword(username, password, becoming('sudo', password)))
  })

  it('by sudo without a password, whatever was given', async () => {
    const { username, password } = users.add({ sudo: 'ALL=(ALL) NOPASSWD: ALL' })
    await changes(byPassword(username, password, becoming('sudo', 'not asked for')))
    await changes(byPassword(username, password, becoming('sudo', '')))
  })

  it('from a shell whose start files print', async () => {
    const { username, password, home } = users.add({ sudo: 'ALL=(ALL) NOPASSWD: ALL' })
    execFileSync('sh', ['-c', `printf 'echo Password: welcome; echo 1 >&2\\n' > ${home}/.bashrc`])
    await changes(byPassword(username, password, becoming('sudo', password)))
  })

  it('by su with the password of the other account', async () => {
    const { username, password } = users.add()
    const other = users.add({ sudo: 'ALL=(ALL) NOPASSWD: ALL' })
    await posix.verify(target(), byPassword(username, password, becoming('su', other.password, other.username)))
    await fails(
      posix.verify(target(), byPassword(username, password, becoming('su', 'wrong', other.username))),
      'denied',
      /uthentication failure|did not accept/,
    )
  })

  it('are refused by sudo with a wrong password after one attempt, without a rule, and for other accounts', async () => {
    const { username, password } = users.add({ sudo: 'ALL=(ALL) ALL' })
    await fails(posix.verify(target(), byPassword(username, password, becoming('sudo', 'wrong'))), 'denied', /accept/)
    const without = users.add()
    const login = byPassword(without.username, without.password, becoming('sudo', without.password))
    await fails(posix.change(target(), login, passwordFor(username, 'x')), 'denied', /sudoers|accept/)
    const nobody = byPassword(username, password, becoming('sudo', password, '-i; id'))
    await fails(posix.verify(target(), nobody), 'denied')
  })

  it('may change nothing when they become nobody', async () => {
    const { username, password } = users.add()
    await fails(posix.change(target(), byPassword(username, password), passwordFor(username, 'x')), 'denied', /root/)
    await fails(
      posix.change(
        target(),
        byPassword(username, password),
        passwordFor(users.newName(), 'x', { create: true, params: {} }),
      ),
      'denied',
      /root/,
    )
    await fails(posix.remove?.(target(), root(), 'root') ?? Promise.resolve(), 'denied', /root account/)
  })
})

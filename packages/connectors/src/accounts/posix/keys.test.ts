import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKeyPair } from '@castellan/testing/key-pair'
import { describeWith } from '@castellan/testing/parts'
import { type PosixUser, temporaryUsers } from '@castellan/testing/posix-users'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SecretChange, SystemFailureCode, SystemLogin } from '../account-system.ts'
import { byPassword, passwordFor, targetOn } from '../testing-target.ts'
import { posix } from './index.ts'

let sshd: RealSshd
const users = temporaryUsers()
const root = (): SystemLogin => ({ username: 'root', secretType: 'ssh_key', secret: sshd.privateKey })
const target = () => targetOn(sshd.port)
const fails = (work: Promise<unknown>, code: SystemFailureCode, detail = /./) =>
  expect(work).rejects.toMatchObject({ name: 'SystemFailure', code, message: expect.stringMatching(detail) })
const byKey = (username: string, secret: string): SystemLogin => ({ username, secretType: 'ssh_key', secret })
const newKey = () => newKeyPair().private
const keyFor = (username: string, secret: string, more: Partial<SecretChange> = {}) =>
  passwordFor(username, secret, { secretType: 'ssh_key', ...more })
const keysOf = ({ home }: PosixUser) => readFileSync(join(home, '.ssh/authorized_keys'), 'utf8').trimEnd().split('\n')
/** Somebody whose home folder has a `.ssh` of their own. */
function owner(): PosixUser & { ssh: string; uid: number } {
  const user = users.add()
  const { uid, gid } = statSync(user.home)
  const ssh = join(user.home, '.ssh')
  mkdirSync(ssh, { mode: 0o755 })
  chownSync(ssh, uid, gid)
  return { ...user, ssh, uid }
}

beforeAll(async () => {
  sshd = await startSshd({ config: ['PermitRootLogin yes'], acceptsOwnKeys: true, readsProfiles: true })
})
afterAll(async () => {
  await sshd?.stop()
  users.removeAll()
})

const parts = ['sshd', 'ssh-keygen', 'root', 'sudo'] as const

describeWith(parts, 'keys of POSIX systems', () => {
  it('are added, belong to the account, and can be read by nobody else', async () => {
    const user = users.add()
    const [first, second] = [newKey(), newKey()]
    for (const key of [first, first, second]) await posix.change(target(), root(), keyFor(user.username, key))
    await posix.verify(target(), byKey(user.username, first))
    await posix.verify(target(), byKey(user.username, second))
    expect(keysOf(user)).toHaveLength(2)
    const { uid, gid } = statSync(user.home)
    const [folder, file] = [statSync(join(user.home, '.ssh')), statSync(join(user.home, '.ssh/authorized_keys'))]
    expect([folder.mode & 0o777, folder.uid, folder.gid]).toEqual([0o700, uid, gid])
    expect([file.mode & 0o777, file.uid, file.gid]).toEqual([0o600, uid, gid])
    expect(execFileSync('ls', ['-A', join(user.home, '.ssh')], { encoding: 'utf8' })).toBe('authorized_keys\n')
    await fails(posix.verify(target(), byKey(user.username, newKey())), 'auth_failed')
  })

  it('replace all others, or only those that carry the comment of this product', async () => {
    const user = owner()
    const file = join(user.ssh, 'authorized_keys')
    const others = [
      'ssh-ed25519 AAAAC3 me@home',
      'command="x" ssh-rsa AAAAB3 notcastellan@test',
      '# a remark',
      'ssh-ed25519 AAAAC4 castellan@test  \r',
      'ssh-ed25519 AAAAC5 old castellan@test',
    ]
    writeFileSync(file, others.join('\n'))
    chownSync(file, user.uid, user.uid)
    const [first, second] = [newKey(), newKey()]
    await posix.change(target(), root(), keyFor(user.username, first, { keyStrategy: 'set_jms' }))
    expect(keysOf(user).slice(0, 3)).toEqual(others.slice(0, 3))
    expect(keysOf(user)).toHaveLength(4)
    await posix.change(target(), root(), keyFor(user.username, second, { keyStrategy: 'set_jms' }))
    expect(keysOf(user)).toHaveLength(4)
    await posix.verify(target(), byKey(user.username, second))
    await fails(posix.verify(target(), byKey(user.username, first)), 'auth_failed')
    await posix.change(target(), root(), keyFor(user.username, first, { keyStrategy: 'set' }))
    expect(keysOf(user)).toHaveLength(1)
    await posix.verify(target(), byKey(user.username, first))
    await fails(posix.verify(target(), byKey(user.username, second)), 'auth_failed')
  })

  it('are set by the account itself, by sudo, and for accounts that are created', async () => {
    const user = users.add()
    const key = newKey()
    await posix.change(target(), byPassword(user.username, user.password), keyFor(user.username, key))
    await posix.verify(target(), byKey(user.username, key))
    const admin = users.add({ sudo: 'ALL=(ALL) ALL' })
    const become = { method: 'sudo', username: 'root', password: admin.password } as const
    const login = byPassword(admin.username, admin.password, become)
    const created = users.newName()
    await posix.change(target(), login, keyFor(created, key, { create: true, params: { sudo: '' } }))
    await posix.verify(target(), byKey(created, key))
    const other = users.add()
    await fails(
      posix.change(target(), byPassword(user.username, user.password), keyFor(other.username, key)),
      'denied',
      /root/,
    )
  })

  it('that cannot be read, and comments of two lines, are refused', async () => {
    const { username } = users.add()
    await fails(posix.change(target(), root(), keyFor(username, 'no key')), 'secret_rejected')
    const change = keyFor(username, newKey(), { keyComment: 'a\nssh-rsa AAAA evil' })
    await fails(posix.change(target(), root(), change), 'bad_name')
  })

  it('are set for accounts whose shell runs no commands, and whose password is expired', async () => {
    const user = users.add({ shell: '/usr/sbin/nologin' })
    await posix.change(target(), root(), keyFor(user.username, newKey()))
    expect(keysOf(user)).toHaveLength(1)
    const expired = users.add()
    execFileSync('chage', ['-d', '0', expired.username])
    await posix.change(target(), root(), keyFor(expired.username, newKey()))
    expect(keysOf(expired)).toHaveLength(1)
  })
})

describeWith([...parts, 'mount'], 'a hostile home folder', () => {
  const valuable = '/etc/castellan-valuable'
  beforeAll(() => writeFileSync(valuable, 'root only\n', { mode: 0o600 }))
  afterAll(() => rmSync(valuable, { force: true }))

  const refused = async (user: PosixUser, code: SystemFailureCode, detail: RegExp) => {
    for (const keyStrategy of ['add', 'set', 'set_jms'] as const)
      await fails(posix.change(target(), root(), keyFor(user.username, newKey(), { keyStrategy })), code, detail)
    expect(readFileSync(valuable, 'utf8')).toBe('root only\n')
    expect(statSync(valuable)).toMatchObject({ uid: 0 })
  }

  it('with a symbolic link in place of the keys does not lead elsewhere', async () => {
    const user = owner()
    symlinkSync(valuable, join(user.ssh, 'authorized_keys'))
    await refused(user, 'unsupported', /authorized_keys is a symbolic link/)
    expect(lstatSync(join(user.ssh, 'authorized_keys')).isSymbolicLink()).toBe(true)
  })

  it('with a symbolic link in place of the folder does not lead elsewhere', async () => {
    const user = owner()
    rmSync(user.ssh, { recursive: true })
    symlinkSync('/etc', user.ssh)
    await refused(user, 'unsupported', /\.ssh is a symbolic link/)
    expect(existsSync('/etc/authorized_keys')).toBe(false)
    expect(statSync('/etc').mode & 0o777).toBe(0o755)
  })

  it('with a pipe, a folder or a huge file in place of the keys fails at once', async () => {
    const pipe = owner()
    execFileSync('mkfifo', ['-m', '666', join(pipe.ssh, 'authorized_keys')])
    await refused(pipe, 'unsupported', /not a regular file/)
    const folder = owner()
    mkdirSync(join(folder.ssh, 'authorized_keys'))
    await refused(folder, 'unsupported', /not a regular file/)
    const huge = owner()
    execFileSync('truncate', ['-s', '50G', join(huge.ssh, 'authorized_keys')])
    await refused(huge, 'bad_answer', /larger than 1 MB/)
  })

  it('that belongs to somebody else, or is missing, is not touched', async () => {
    const user = owner()
    chownSync(user.ssh, 0, 0)
    await refused(user, 'denied', /not permitted|denied/)
    const homeless = users.add()
    rmSync(homeless.home, { recursive: true })
    await refused(homeless, 'unsupported', /does not exist/)
  })

  it('that cannot be written, or is full, keeps the keys that it has', async () => {
    const user = owner()
    writeFileSync(join(user.ssh, 'authorized_keys'), 'ssh-ed25519 AAAAC3 me@home\n')
    execFileSync('chown', ['-R', user.username, user.ssh])
    execFileSync('mount', ['--bind', user.home, user.home])
    try {
      execFileSync('mount', ['-o', 'remount,bind,ro', user.home])
      await refused(user, 'read_only', /[Rr]ead-only/)
    } finally {
      execFileSync('umount', ['-l', user.home])
    }
    expect(keysOf(user)).toEqual(['ssh-ed25519 AAAAC3 me@home'])

    const full = owner()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=755', 'tmpfs', full.home])
    try {
      mkdirSync(full.ssh, { mode: 0o700 })
      writeFileSync(join(full.ssh, 'authorized_keys'), 'ssh-ed25519 AAAAC3 me@home\n')
      const { bavail, bsize } = statfsSync(full.home)
      writeFileSync(join(full.home, 'filler'), Buffer.alloc(bavail * bsize))
      execFileSync('chown', ['-R', full.username, full.home])
      await refused(full, 'disk_full', /./)
      expect(keysOf(full)).toEqual(['ssh-ed25519 AAAAC3 me@home'])
      expect(execFileSync('ls', ['-A', full.ssh], { encoding: 'utf8' })).toBe('authorized_keys\n')
    } finally {
      execFileSync('umount', ['-l', full.home])
    }
  })

  it('whose owner answers for the commands only harms the owner', async () => {
    // The shell's own start file is the owner's, and what it prints is not taken for a result of root.
    const user = owner()
    const scratch = mkdtempSync(join(tmpdir(), 'castellan-keys-'))
    writeFileSync(join(user.home, '.bashrc'), `touch ${scratch}/was-here; echo castellan:ok:; yes\n`)
    await posix.change(target(), root(), keyFor(user.username, newKey()))
    expect(existsSync(join(scratch, 'was-here'))).toBe(false)
    rmSync(scratch, { recursive: true })
  })
})

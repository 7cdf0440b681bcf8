import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { newKeyPair } from '@castellan/testing/key-pair'
import { describeWith, requirePart } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SystemFailureCode, SystemLogin } from '../account-system.ts'
import { passwordFor, targetOn } from '../testing-target.ts'
import { posix } from './index.ts'

/**
 * Systems whose programs do not run on this machine: a folder with busybox, in which the real OpenSSH locks its sessions,
 * with recorders in place of the programs that only the other systems have. They show what is sent to these programs, not
 * that the programs obey it.
 */
interface Variant {
  name: string
  /** What `uname -s` says. */
  system: string
  programs: Readonly<Record<string, string>>
  shadow: 'shadow' | 'master.passwd'
  created: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
}

const record = '{ echo "$(basename "$0") $*"; } >>/recorded\n'
const recordInput = '{ echo "$(basename "$0") $*"; cat; } >>/recorded\n'
const addTo = (name: string) =>
  `${record}if [ "$(grep -c "^${name}:" /etc/passwd)" = 0 ]; then echo "${name}:x:2000:2000::/home/${name}:/bin/sh" >>/etc/passwd; mkdir -p /home/${name}; chown 2000 /home/${name}; fi\n`

const variants: readonly Variant[] = [
  {
    name: 'busybox',
    system: 'Linux',
    programs: {
      adduser: addTo('newbie'),
      addgroup: record,
      deluser: `${record}sed -i /^newbie:/d /etc/passwd\n`,
      chpasswd: recordInput,
    },
    shadow: 'shadow',
    created: ['adduser -D -h /home/newbie -s /bin/sh newbie', 'addgroup newbie games', 'addgroup newbie staff'],
    changed: ['chpasswd ', 'newbie:a "secret" $x'],
    removed: ['deluser newbie'],
  },
  {
    name: 'FreeBSD',
    system: 'FreeBSD',
    programs: {
      pw: `case "$1" in
        useradd) ${addTo('newbie')} ;;
        userdel) ${record} sed -i /^newbie:/d /etc/passwd ;;
        *) ${recordInput} ;;
      esac\n`,
    },
    shadow: 'master.passwd',
    created: ['pw useradd -n newbie -m -d /home/newbie -s /bin/sh -h - -G games,staff'],
    changed: ['pw usermod -n newbie -h 0', 'a "secret" $x'],
    removed: ['pw userdel -n newbie'],
  },
  {
    name: 'OpenBSD',
    system: 'OpenBSD',
    programs: {
      useradd: addTo('newbie'),
      userdel: `${record}sed -i /^newbie:/d /etc/passwd\n`,
      usermod: record,
      encrypt: `${recordInput}echo '$2b$hash'\n`,
    },
    shadow: 'master.passwd',
    created: ['useradd -m -d /home/newbie -s /bin/sh -G games,staff -g =uid newbie'],
    changed: ['encrypt ', 'a "secret" $x', 'usermod -p $2b$hash newbie'],
    removed: ['userdel newbie'],
  },
  {
    name: 'AIX',
    system: 'AIX',
    programs: {
      mkgroup: record,
      mkuser: addTo('newbie'),
      rmuser: `${record}sed -i /^newbie:/d /etc/passwd\n`,
      chpasswd: recordInput,
    },
    shadow: 'shadow',
    created: [
      'mkgroup newbie',
      'mkuser pgrp=newbie home=/home/newbie shell=/bin/sh groups=newbie,games,staff expires=0 newbie',
    ],
    changed: ['chpasswd -c', 'newbie:a "secret" $x'],
    removed: ['rmuser -p newbie'],
  },
]

describeWith(['sshd', 'ssh-keygen', 'root', 'busybox'], 'variants of POSIX systems', () => {
  let folder: string
  let sshd: RealSshd
  beforeAll(async () => {
    // sshd demands that nobody else may write to any folder above.
    folder = mkdtempSync('/var/lib/castellan-chroot-')
    chmodSync(folder, 0o755)
    sshd = await startSshd({ config: ['PermitRootLogin yes', `ChrootDirectory ${folder}`], acceptsOwnKeys: true })
  })
  afterAll(async () => {
    await sshd?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const root = (): SystemLogin => ({ username: 'root', secretType: 'ssh_key', secret: sshd.privateKey })
  const target = () => targetOn(sshd.port)
  const program = (name: string, body: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}`, { mode: 0o755 })
  const recorded = () => {
    const file = join(folder, 'recorded')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
    rmSync(file, { force: true })
    return lines
  }
  function copyWithLibraries(from: string, to: string): void {
    rmSync(join(folder, to))
    copyFileSync(from, join(folder, to))
    const libraries = execFileSync('ldd', [from], { encoding: 'utf8' }).match(/\/\S+/g) ?? []
    for (const library of libraries) {
      mkdirSync(join(folder, dirname(library)), { recursive: true })
      copyFileSync(library, join(folder, library))
    }
  }
  function build({ system, programs, shadow }: Variant): void {
    for (const name of ['bin', 'etc', 'dev', 'home', 'root', 'tmp', 'usr'])
      rmSync(join(folder, name), { recursive: true, force: true })
    for (const name of ['bin', 'etc', 'dev', 'home', 'root', 'tmp', 'usr/sbin'])
      mkdirSync(join(folder, name), { recursive: true })
    copyFileSync(requirePart('busybox'), join(folder, 'bin/busybox'))
    execFileSync('chroot', [folder, '/bin/busybox', '--install', '-s', '/bin'])
    execFileSync('mknod', ['-m', '666', join(folder, 'dev/null'), 'c', '1', '3'])
    execFileSync('mknod', ['-m', '666', join(folder, 'dev/zero'), 'c', '1', '5'])
    for (const name of ['getent', 'adduser', 'deluser', 'addgroup', 'chpasswd', 'uname'])
      rmSync(join(folder, 'bin', name), { force: true })
    // The shell of busybox would not look for other programs than its own.
    if (system !== 'Linux') copyWithLibraries('/bin/dash', 'bin/sh')
    program('bin/bash', 'exec /bin/sh "$@"\n')
    program('bin/uname', `echo ${system}\n`)
    for (const [name, body] of Object.entries(programs)) program(join('usr/sbin', name), body)
    writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nold:x:1500:1500::/home/old:/bin/sh\n')
    writeFileSync(join(folder, 'etc/group'), 'root:x:0:\ngames:x:60:\nstaff:x:61:\n')
    writeFileSync(join(folder, `etc/${shadow}`), 'old:*LOCKED*$2b$x:0:0:99999:7:::\n')
  }

  it.each(variants)('$name: accounts are created, changed and removed by its own programs', async (variant) => {
    build(variant)
    const secret = 'a "secret" $x'
    const params = { shell: '/bin/sh', groups: 'games,staff', sudo: '/bin/ls' }
    await posix.change(target(), root(), passwordFor('newbie', secret, { create: true, params }))
    expect(recorded()).toEqual([...variant.created, ...variant.changed])
    await posix.change(target(), root(), passwordFor('newbie', secret, { create: true, params }))
    expect(recorded()).toEqual(variant.changed)

    const key = newKeyPair().private
    const change = passwordFor('newbie', key, { secretType: 'ssh_key' })
    await posix.change(target(), root(), change)
    expect(readFileSync(join(folder, 'home/newbie/.ssh/authorized_keys'), 'utf8')).toMatch(
      /^ecdsa-sha2-nistp256 \S+ castellan@test\n$/,
    )

    const fails = (work: Promise<unknown> | undefined, code: SystemFailureCode) =>
      expect(work).rejects.toMatchObject({ code })
    await fails(posix.change(target(), root(), passwordFor('old', 'x')), 'denied')
    await fails(posix.change(target(), root(), passwordFor('nobody-here', 'x')), 'account_missing')
    const listed = await posix.list?.(target(), root())
    expect(listed?.map(({ username }) => username)).toEqual(['root', 'old', 'newbie'])
    recorded()
    await posix.remove?.(target(), root(), 'newbie')
    expect(recorded()).toEqual(variant.removed)
    await posix.remove?.(target(), root(), 'newbie')
    expect(recorded()).toEqual([])
  })

  it('a system without any of the programs says so', async () => {
    build({ ...(variants[0] as Variant), programs: {} })
    const params = { shell: '/bin/sh', sudo: '' }
    const missing = expect.objectContaining({
      code: 'unsupported',
      message: expect.stringContaining('there is no program'),
    })
    await expect(posix.change(target(), root(), passwordFor('newbie', 'x', { create: true, params }))).rejects.toEqual(
      missing,
    )
    writeFileSync(join(folder, 'etc/shadow'), 'old:*:0:0:99999:7:::\n')
    await expect(posix.change(target(), root(), passwordFor('old', 'x'))).rejects.toEqual(missing)
    await expect(posix.remove?.(target(), root(), 'old')).rejects.toEqual(missing)
  })

  it.each([
    ['chpasswd: No space left on device', 'disk_full'],
    ['chpasswd: Read-only file system', 'read_only'],
    ['chpasswd: Permission denied.', 'denied'],
    ['BAD PASSWORD: it is too short', 'secret_rejected'],
    ['Authentication token manipulation error', 'secret_rejected'],
  ])('the words %j are understood', async (words, code) => {
    build({ ...(variants[0] as Variant), programs: { chpasswd: `echo '${words}' >&2; cat >/dev/null; exit 1\n` } })
    writeFileSync(join(folder, 'etc/shadow'), 'old:*:0:0:99999:7:::\n')
    const work = posix.change(target(), root(), passwordFor('old', 'the secret'))
    await expect(work).rejects.toMatchObject({ code, message: expect.stringContaining(words.slice(0, 12)) })
  })

  it('a secret that a program repeats is not shown', async () => {
    build({ ...(variants[0] as Variant), programs: { chpasswd: 'cat >&2; exit 1\n' } })
    writeFileSync(join(folder, 'etc/shadow'), 'old:*:0:0:99999:7:::\n')
    const work = posix.change(target(), root(), passwordFor('old', 'hunter2 hunter2'))
    await expect(work).rejects.toMatchObject({ code: 'secret_rejected', message: 'old:***' })
  })

  it('a full disk is found by looking where the program does not say it', async () => {
    build({ ...(variants[0] as Variant), programs: { chpasswd: 'cat >/dev/null; echo unable >&2; exit 1\n' } })
    const etc = join(folder, 'etc')
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=755', 'tmpfs', etc])
    try {
      writeFileSync(join(etc, 'passwd'), 'root:x:0:0::/root:/bin/sh\nold:x:1500:1500::/home/old:/bin/sh\n')
      writeFileSync(join(etc, 'shadow'), 'old:*:0:0:99999:7:::\n')
      execFileSync('sh', ['-c', `cat /dev/zero >${etc}/filler 2>/dev/null || true`])
      await expect(posix.change(target(), root(), passwordFor('old', 'x'))).rejects.toMatchObject({ code: 'disk_full' })
      rmSync(join(etc, 'filler'))
      execFileSync('mount', ['-o', 'remount,ro', etc])
      await expect(posix.change(target(), root(), passwordFor('old', 'x'))).rejects.toMatchObject({ code: 'read_only' })
    } finally {
      execFileSync('umount', ['-l', etc])
    }
  })
})

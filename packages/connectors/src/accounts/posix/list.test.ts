import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountTarget } from '@castellan/testing/account-target'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { posix } from './index.ts'

describeWith(['sshd', 'ssh-keygen'], 'the accounts of a POSIX system', () => {
  let folder: string
  let sshd: RealSshd
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-list-'))
    chmodSync(folder, 0o755)
    // Its programs are those in the folder, and what the shell itself can do.
    const command = join(folder, 'command')
    writeFileSync(command, `PATH=${folder}; export PATH; eval "$SSH_ORIGINAL_COMMAND"\n`)
    sshd = await startSshd({ config: [`ForceCommand /bin/sh ${command}`] })
  })
  afterAll(async () => {
    await sshd?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    for (const name of ['getent', 'lastlog', 'last', 'awk', 'cat']) rmSync(join(folder, name), { force: true })
    program('getent', 'echo "alice:x:1:1::/:/bin/sh"; echo "bob:x:2:2::/:/bin/sh"; echo "daemon:x:3:3::/:/bin/false"')
    symlinkSync('/bin/cat', join(folder, 'cat'))
  })

  const program = (name: string, script: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const listed = () => {
    const login = { username: sshd.username, secretType: 'ssh_key', secret: sshd.privateKey } as const
    return posix.list?.(accountTarget(sshd.port), login)
  }
  const log = [
    'echo "alice    pts/0   10.1.2.3   Mon Nov 23 08:00:00 2026   still logged in"',
    'echo "alice    pts/0   10.9.9.9   Sun Nov 22 08:00:00 2026 - gone"',
    'echo "wtmp begins Sun Nov  1 08:00:00 2026"',
  ].join('\n')
  const latest = [
    { username: 'alice', address: '10.1.2.3', lastLogin: Date.UTC(2026, 10, 23, 8) },
    { username: 'bob', address: '', lastLogin: null },
  ]

  it('come with the later of the sign-ins that lastlog and the log know', async () => {
    const dated = 'echo "alice  pts/1  10.4.5.6  Sat Nov 21 10:00:00 +0800 2026"'
    const later = 'echo "alice  pts/1  10.4.5.6  Tue Nov 24 10:00:00 +0800 2026"'
    program('last', log)
    program('lastlog', `echo "Username  Port  From  Latest"; ${dated}; echo "bob  **Never logged in**"`)
    expect(await listed()).toEqual(latest)
    symlinkSync('/usr/bin/awk', join(folder, 'awk'))
    expect(await listed()).toEqual(latest)
    program('lastlog', `echo "alice  **Never logged in**"; echo "bob  **Never logged in**"`)
    expect(await listed()).toEqual(latest)
    program('lastlog', later)
    const alice = { username: 'alice', address: '10.4.5.6', lastLogin: Date.UTC(2026, 10, 24, 2) }
    expect(await listed()).toEqual([alice, latest[1]])
  })

  it('come with the latest sign-in in the log where there is no lastlog, with and without awk', async () => {
    program('last', log)
    expect(await listed()).toEqual(latest)
    symlinkSync('/usr/bin/awk', join(folder, 'awk'))
    expect(await listed()).toEqual(latest)
  })

  it('come without sign-ins where nothing tells them', async () => {
    expect(await listed()).toEqual(latest.map(({ username }) => ({ username, address: '', lastLogin: null })))
  })

  it('are not taken for whole when the program that lists them fails', async () => {
    program('getent', 'echo "alice:x:1:1::/:/bin/sh"; exit 3')
    rmSync(join(folder, 'cat'))
    await expect(listed()).rejects.toMatchObject({ reason: 'no_list' })
  })
})

import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SystemLogin } from '../accounts/account-system.ts'
import { byPassword, targetOn } from '../accounts/testing-target.ts'
import { fetchFile, sendFiles } from './files.ts'

/** The real OpenSSH, which runs the content of a file for every command, in place of sudo. */
describeWith(['sshd', 'ssh-keygen', 'root'], 'files of a switched account on a hostile system', () => {
  let sshd: RealSshd
  let folder: string
  const local = () => join(folder, 'local')
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-hostile-'))
    chmodSync(folder, 0o755)
    sshd = await startSshd({ config: [`ForceCommand /bin/bash ${join(folder, 'says')}`] })
  })
  afterAll(async () => {
    await sshd?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const login = (): SystemLogin => ({
    ...byPassword(sshd.username, sshd.password ?? ''),
    become: { method: 'sudo', username: 'other', password: 'the login password' },
  })
  /** Takes the account, the script and the command, and knows the key of the answer; then it does `script`. */
  const says = (script: string) =>
    writeFileSync(
      join(folder, 'says'),
      `nonce=$(echo "$SSH_ORIGINAL_COMMAND" | grep -o "castellan-[0-9a-f]*" | head -n 1)
read -r u; echo "$nonce:ready"; read -r s; read -r c; read -r k
${script}
`,
    )
  const fetched = () => {
    rmSync(local(), { force: true })
    const given = { path: '/etc/hostname', to: local(), limit: 1000, takesRoom: () => true }
    return fetchFile(targetOn(sshd.port), login(), given)
  }
  const sent = () => {
    writeFileSync(local(), 'x'.repeat(300_000))
    const files = [{ name: 'a', path: local(), size: 300_000 }]
    return sendFiles(targetOn(sshd.port), login(), { folder: '/tmp', overwrite: false, files }, () => undefined)
  }

  it.each([
    ['answers without end', 'cat /dev/zero | tr "\\0" x', 'bad_answer'],
    ['answers for something else', "printf 'castellan-0:5:/\\0'", 'bad_answer'],
    ['names no size', `printf '%s:-1:/\\0' "$k"`, 'bad_answer'],
    ['names a size that is too large', `printf '%s:100000000000:/\\0' "$k"; sleep 5`, 'bad_answer'],
    ['sends less than it said', `printf '%s:900:/\\0' "$k"; read -r x; echo short`, 'bad_answer'],
    ['ends at once', 'exit 0', 'bad_answer'],
  ])('that %s is a failure of the fetch', async (_what, script, code) => {
    says(script)
    const failure: unknown = await fetched().catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'SystemFailure', code })
    expect(String(failure)).not.toContain('the login password')
  })

  it('that sends more than it said is cut at that', async () => {
    says(`printf '%s:900:/\\0' "$k"; read -r x; cat /dev/zero`)
    expect(await fetched()).toEqual({ path: '/etc/hostname', size: 900 })
    expect(statSync(local()).size).toBe(900)
  })

  it.each([
    ['reads nothing and ends', `printf '%s:go:/\\0' "$k"; exit 65`, 'disk_full'],
    ['answers without end after it has all', `printf '%s:go:/\\0' "$k"; cat >/dev/null; yes`, 'bad_answer'],
    ['does not say why', `printf '%s:go:/\\0' "$k"; cat >/dev/null; exit 3`, 'bad_answer'],
  ])('that %s is a failure of the transfer', async (_what, script, code) => {
    says(script)
    await expect(sent()).rejects.toMatchObject({ name: 'SystemFailure', code })
    expect(existsSync(local())).toBe(true)
  })
})

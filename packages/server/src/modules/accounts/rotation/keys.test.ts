import { execFileSync } from 'node:child_process'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RotationBench, startRotation } from '../../../testing/rotation.ts'

let bench: RotationBench
beforeAll(async () => {
  bench = await startRotation({ config: ['AuthorizedKeysFile .ssh/authorized_keys'] })
  await bench.work()
})
afterAll(() => bench.stop())

/** A host whose accounts are changed by one that may become root with its password. */
async function hostWithSudo(): Promise<string> {
  const asset = await bench.host({ accounts: [] })
  await bench.person(asset, { privileged: true })
  return asset
}

describeWith(['sshd', 'ssh-keygen', 'root', 'sudo'], 'on a machine whose accounts have keys', () => {
  it('each account gets an Ed25519 key of its own, verified, again and again', async () => {
    const asset = await hostWithSudo()
    const { username } = bench.sshd.addAccount()
    const { id } = await bench.account(asset, { username, secret_type: 'ssh_key' })
    const keys: string[] = []
    for (const ssh_key_change_strategy of ['add', 'set_jms', 'set']) {
      const body = { assets: [asset], accounts: [username], secret_type: 'ssh_key', ssh_key_change_strategy }
      const { summary } = await bench.run(await bench.plan(body))
      expect(summary, JSON.stringify(await bench.records(`account_id=${id}`))).toMatchObject({ success: 1 })
      keys.push(await bench.secretOf(id))
      expect(await bench.accepts(username, keys.at(-1) ?? '', 'ssh_key')).toBe(true)
    }
    expect(new Set(keys).size).toBe(3)
    expect(await bench.accepts(username, keys[0] ?? '', 'ssh_key')).toBe(false)
    const [row] = await bench.api<{ spec_info: { ssh_key_fingerprint?: string } }[]>(
      'GET',
      `accounts/?asset=${asset}&username=${username}`,
    )
    expect(row?.spec_info.ssh_key_fingerprint).toMatch(/^MD5:/)
  })

  it('an account is removed from the machine, and stays in the product with its secret', async () => {
    const asset = await hostWithSudo()
    const { id, username, password } = await bench.person(asset)
    const remove = async (account: string) => {
      const body = { action: 'remove', accounts: [account] }
      const { task } = await bench.api<{ task: string }>('POST', 'accounts/tasks/', body)
      await bench.taskEnded(task)
      return bench.itemsOf(task)
    }
    expect(await remove(id)).toMatchObject([{ status: { value: 'success' } }])
    expect(() => execFileSync('id', [username], { stdio: 'ignore' })).toThrow()
    expect(await bench.secretOf(id)).toBe(password)
    const [login] = await bench.api<{ id: string }[]>('GET', `accounts/?asset=${asset}&privileged=true`)
    expect(await remove(login?.id ?? '')).toMatchObject([{ error_code: 'remove_protected' }])
  })
})

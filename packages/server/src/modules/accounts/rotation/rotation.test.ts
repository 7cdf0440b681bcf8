import { execFileSync } from 'node:child_process'
import { roleIds } from '@castellan/contract/ids'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RotationBench, startRotation } from '../../../testing/rotation.ts'

let bench: RotationBench
beforeAll(async () => {
  bench = await startRotation()
  // Who is asked to confirm is in `authentication/step-up.test.ts`.
  await bench.server.confirmations(false)
  await bench.work()
})
afterAll(() => bench.stop())

const parts = ['sshd', 'ssh-keygen', 'root'] as const

describeWith(parts, 'changing secrets', () => {
  it('gives each account a password of its own, verified on the target, and keeps the one before', async () => {
    const asset = await bench.host()
    const people = [await bench.person(asset), await bench.person(asset)]
    const plan = await bench.plan({ assets: [asset], accounts: people.map(({ username }) => username) })
    const execution = await bench.run(plan)
    expect(execution).toMatchObject({ status: 'success', summary: { total: 2, success: 2, failed: 0, skipped: 0 } })
    expect(execution.snapshot.accounts.sort()).toEqual(people.map(({ id }) => id).sort())
    const records = await bench.records(`execution_id=${execution.id}`)
    expect(records).toHaveLength(2)
    const secrets = new Set<string>()
    for (const { id, username, password } of people) {
      const secret = await bench.secretOf(id)
      secrets.add(secret)
      expect(secret).toHaveLength(20)
      expect(await bench.accepts(username, secret)).toBe(true)
      expect(await bench.accepts(username, password)).toBe(false)
      const record = records.find(({ account }) => account?.id === id)
      expect(record).toMatchObject({ status: 'success', is_success: true, error: null, in_doubt: false })
      expect(await bench.secretsIn(record?.id ?? '')).toEqual({ before: password, after: secret })
      const row = await bench.api<{ connectivity: { value: string } }>('GET', `accounts/${id}/`)
      expect(row.connectivity.value).toBe('ok')
    }
    expect(secrets.size).toBe(2)
    // The list is counted by day.
    const page = await bench.server.admin.request<{ count: number; results: { id: string }[] }>(
      'GET',
      '/api/v1/accounts/change-secret-records/?limit=1&offset=1',
    )
    const all = await bench.records('')
    expect([page.count, page.results[0]?.id]).toEqual([all.length, all[1]?.id])
    const log = await bench.logOf(execution.id)
    expect(log).toContain('OK, the new secret works')
    for (const secret of [...secrets, ...people.map(({ password }) => password)]) expect(log).not.toContain(secret)
  })

  it('leaves privileged accounts and the one that signs in alone in secure mode, and says so', async () => {
    const asset = await bench.host()
    const { username } = await bench.person(asset)
    await bench.account(asset, { username: 'root', secret: 'unknown' })
    const plan = await bench.plan({ assets: [asset], accounts: ['root', username] })
    const execution = await bench.run(plan)
    expect(execution.summary).toMatchObject({ total: 2, success: 1, skipped: 1 })
    expect(await bench.logOf(execution.id)).toContain('secure mode')
  })

  it('reports to its recipients what was changed and what failed, without a secret', async () => {
    const [asset, away] = [await bench.host(), await bench.host({ protocols: [{ name: 'ssh', port: 1 }] })]
    const { id, username } = await bench.person(asset)
    await bench.account(away, { username, secret: 'x' })
    const reader = await bench.server.person('reader', { system: [roleIds.user], org: [roleIds.orgUser] })
    await bench.run(await bench.plan({ assets: [asset, away], accounts: [username], recipients: [reader] }))
    const messages = JSON.stringify(
      await (await bench.server.as(reader)).request('GET', '/api/v1/notifications/site-messages/'),
    )
    expect(messages).toContain('1 secret was changed and verified, 1 failed or are in doubt, 0 skipped')
    expect(messages).toContain('the connection was refused')
    expect(messages).not.toContain(await bench.secretOf(id))
  })

  it('fails with what to do where the target refuses, and keeps the secret that is valid', async () => {
    const asset = await bench.host({ accounts: [] })
    const { id, username, password } = await bench.person(asset)
    const other = await bench.person(asset)
    const plan = await bench.plan({ assets: [asset], accounts: [other.username] })
    await bench.api('PATCH', `accounts/${id}/`, { name: username, privileged: true })
    const execution = await bench.run(plan)
    expect(execution.summary).toMatchObject({ failed: 1 })
    const [record] = await bench.records(`execution_id=${execution.id}`)
    expect(record).toMatchObject({ status: 'failed', in_doubt: false, error_code: 'denied' })
    expect(record?.error).toContain('sudo')
    expect(record?.error).not.toContain(password)
    expect(await bench.secretOf(other.id)).toBe(other.password)
    expect(await bench.accepts(other.username, other.password)).toBe(true)
  })

  it('does one record again with the secret that it holds', async () => {
    const asset = await bench.host({ protocols: [{ name: 'ssh', port: 1 }] })
    const { id, username } = await bench.person(asset)
    const execution = await bench.run(await bench.plan({ assets: [asset], accounts: [username] }))
    const [record] = await bench.records(`execution_id=${execution.id}`)
    expect(record).toMatchObject({ status: 'failed', in_doubt: false, error_code: 'refused' })
    const { after } = await bench.secretsIn(record?.id ?? '')
    await bench.admin.collection('assets/hosts').change(asset, { protocols: [{ name: 'ssh', port: bench.sshd.port }] })
    const { task } = await bench.api<{ task: string }>('POST', 'change-secret-records/execute/', {
      record_id: record?.id,
    })
    await bench.taskEnded(task)
    const again = await bench.records(`execution_id=${execution.id}`)
    expect(again).toMatchObject([{ id: record?.id, status: 'success', error: null }])
    expect(await bench.secretOf(id)).toBe(after)
    expect(await bench.accepts(username, after)).toBe(true)
    expect(execution.summary).toMatchObject({ total: 1, success: 0, failed: 1 })
    expect(await bench.ended(execution.id), 'the totals follow').toMatchObject({
      summary: { total: 1, success: 1, failed: 0 },
    })
    expect(await bench.itemsOf(execution.id)).toMatchObject([{ status: { value: 'success' }, error: null }])
    await expect(bench.api('POST', 'change-secret-records/execute/', { record_id: record?.id })).rejects.toMatchObject({
      status: 400,
    })
  })
})

describeWith(parts, 'pushing accounts', () => {
  it('creates what an asset does not have, in the product and on the target', async () => {
    const asset = await bench.host()
    const { username } = bench.sshd.addAccount()
    execFileSync('userdel', ['-rf', username], { stdio: 'ignore' })
    const plan = await bench.plan({ assets: [asset], accounts: [username] }, 'push-account')
    const execution = await bench.run(plan, 'push-account')
    expect(execution.summary).toMatchObject({ total: 1, success: 1 })
    const [row] = await bench.api<{ id: string; name: string }[]>(
      'GET',
      `accounts/?asset=${asset}&username=${username}`,
    )
    expect(row?.name).toBe(`${username}-password`)
    expect(await bench.accepts(username, await bench.secretOf(row?.id ?? ''))).toBe(true)
    const records = await bench.api<unknown[]>('GET', `push-account-records/?execution_id=${execution.id}`)
    expect(records).toHaveLength(1)
  })
})

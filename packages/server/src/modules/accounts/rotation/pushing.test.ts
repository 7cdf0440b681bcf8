import { roleIds } from '@castellan/contract/ids'
import { orgPermissions, permissionByCode } from '@castellan/contract/permissions'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RotationBench, startRotation } from '../../../testing/rotation.ts'

let bench: RotationBench
beforeAll(async () => {
  bench = await startRotation()
  await bench.work()
})
afterAll(() => bench.stop())

const parts = ['sshd', 'ssh-keygen', 'root'] as const
const secret = 'Pushed-Secret-1'

/** Waits for the pushes that were queued, and returns how many there were. */
async function pushes(): Promise<number> {
  const { reader } = bench.server.application.services.database
  const jobs = await reader
    .selectFrom('kernel_job')
    .select('id')
    .where('name', '=', 'accounts.tasks.push_account.push_accounts_to_assets_task')
    .execute()
  for (const { id } of jobs) await bench.taskEnded(id)
  return jobs.length
}

describeWith(parts, 'accounts that are saved', () => {
  it('with `push_now` are set on their asset at once, and verified', async () => {
    const asset = await bench.host()
    const { username } = bench.sshd.addAccount()
    const before = await pushes()
    const { id } = await bench.account(asset, { username, secret, push_now: true })
    expect(await pushes()).toBe(before + 1)
    expect(await bench.accepts(username, secret)).toBe(true)
    const row = await bench.api<{ connectivity: { value: string } }>('GET', `accounts/${id}/`)
    expect(row.connectivity.value).toBe('ok')
    expect(await bench.records(`account_id=${id}`)).toMatchObject([{ status: 'success' }])
    expect(await bench.api<unknown[]>('GET', 'push-account-records/')).toEqual([])
  })

  it('on many assets at once are one task, and those that were there are pushed too', async () => {
    const [first, second] = [await bench.host(), await bench.host()]
    const { username } = bench.sshd.addAccount()
    await bench.account(first, { username, secret: 'Old-Secret-1' })
    const before = await pushes()
    const body = { assets: [first, second], username, secret: 'Old-Secret-1', on_invalid: 'skip', push_now: true }
    await bench.api('POST', 'accounts/bulk/', body)
    expect(await pushes()).toBe(before + 1)
    expect(await bench.accepts(username, 'Old-Secret-1')).toBe(true)
  })

  it('from a template that says so are pushed, and others are not', async () => {
    const asset = await bench.host()
    const template = async (auto_push: boolean) => {
      const { username } = bench.sshd.addAccount()
      const body = { name: username, username, secret_strategy: 'random', password_rules: { length: 16 }, auto_push }
      const { id } = await bench.api<{ id: string }>('POST', 'account-templates/', body)
      const made = await bench.account(asset, { template: id, name: null })
      await pushes()
      return bench.accepts(username, await bench.secretOf(String(made.id)))
    }
    expect(await template(true)).toBe(true)
    expect(await template(false)).toBe(false)
  })

  it('by somebody who may not push are stored, and they are told', async () => {
    const asset = await bench.host()
    const { username, password } = bench.sshd.addAccount()
    const permissions = orgPermissions
      .filter((code) => code !== 'accounts.push_account')
      .map((code) => permissionByCode(code)?.id)
    const role = await bench.admin.collection('rbac/org-roles').create({ name: 'no push', scope: 'org', permissions })
    const client = await bench.server.as(
      await bench.server.person('storing', { system: [roleIds.user], org: [String(role.id)] }),
    )
    const before = await pushes()
    const { id } = await bench.account(asset, { username, secret, push_now: true }, client)
    expect(await pushes()).toBe(before)
    expect(await bench.accepts(username, password)).toBe(true)
    const messages = await client.request('GET', '/api/v1/notifications/site-messages/')
    expect(JSON.stringify(messages)).toContain('not pushed')
    const push = { action: 'push', accounts: [id] }
    await expect(bench.api('POST', 'accounts/tasks/', push, client)).rejects.toMatchObject({ status: 401 })
  })
})

describeWith(parts, 'accounts that are chosen', () => {
  it('are pushed with their stored secret, and verified as they are', async () => {
    const asset = await bench.host()
    const { username, password } = bench.sshd.addAccount()
    const { id } = await bench.account(asset, { username, secret })
    const act = async (action: string) => {
      const { task } = await bench.api<{ task: string }>('POST', 'accounts/tasks/', { action, accounts: [id] })
      await bench.taskEnded(task)
      return bench.itemsOf(task)
    }
    expect(await act('verify')).toMatchObject([{ status: { value: 'failed' }, error_code: 'auth_failed' }])
    expect(await bench.accepts(username, password)).toBe(true)
    expect(await act('push')).toMatchObject([{ status: { value: 'success' } }])
    expect(await act('verify')).toMatchObject([{ status: { value: 'success' } }])
    expect(await bench.accepts(username, secret)).toBe(true)
  })

  it('have an earlier secret made the current one again, which a push then sets', async () => {
    const asset = await bench.host()
    const { id, username, password } = await bench.person(asset)
    await bench.run(await bench.plan({ assets: [asset], accounts: [username] }))
    const changed = await bench.secretOf(id)
    const { settings, events } = bench.server.application.services
    await bench.server
      .context()
      .transaction(({ rawDb }) => settings.store(rawDb, events, { SECURITY_VIEW_AUTH_NEED_MFA: false }))
    await settings.load()
    const earlier = () =>
      bench.api<{ id: number; secret: string; version: number }[]>('GET', `account-secrets/${id}/histories/`)
    const [first] = await earlier()
    expect(first?.secret).toBe(password)
    await bench.api('POST', `accounts/${id}/restore-secret/`, { history: first?.id })
    expect(await bench.secretOf(id)).toBe(password)
    expect((await earlier()).map((one) => one.secret)).toEqual([changed, password])
    for (const history of [0, -1, 1e9, '1', null, {}])
      await expect(bench.api('POST', `accounts/${id}/restore-secret/`, { history })).rejects.toMatchObject({
        status: 400,
      })
    const other = await bench.person(asset)
    await expect(
      bench.api('POST', `accounts/${other.id}/restore-secret/`, { history: first?.id }),
    ).rejects.toMatchObject({ status: 400 })
    await bench.server
      .context()
      .transaction(({ rawDb }) => settings.store(rawDb, events, { SECURITY_VIEW_AUTH_NEED_MFA: true }))
    await settings.load()
    await expect(bench.api('POST', `accounts/${id}/restore-secret/`, { history: first?.id })).rejects.toMatchObject({
      status: 412,
    })
  })
})

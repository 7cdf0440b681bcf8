import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleIds } from '@castellan/contract/ids'
import { type PermissionCode, permissionByCode } from '@castellan/contract/permissions'
import { type Client, clientWith, registerComponent } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { declaredTables } from '../../../kernel/resource/schema.ts'
import { modules } from '../../../modules.ts'
import { type RotationBench, startRotation } from '../../../testing/rotation.ts'

let bench: RotationBench
let folder: string
/** What the target does for every command instead of the command itself; empty: the command. */
const says = (script: string) => writeFileSync(join(folder, 'says'), `${script}\n`)
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-says-'))
  const command = join(folder, 'command')
  says('')
  const script = `if [ -s ${folder}/says ] && [ "$(cat ${folder}/says)" ]; then . ${folder}/says; else exec sh -c "$SSH_ORIGINAL_COMMAND"; fi`
  writeFileSync(command, `${script}\n`)
  bench = await startRotation({ config: [`ForceCommand /bin/sh ${command}`], targetReadyTimeout: 10_000 })
  await bench.work()
})
afterAll(async () => {
  await bench.stop()
  rmSync(folder, { recursive: true, force: true })
})

const parts = ['sshd', 'ssh-keygen', 'root'] as const
const status = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  )
let count = 0
async function withCodes(...codes: PermissionCode[]): Promise<{ id: string; client: Client }> {
  const permissions = codes.map((code) => permissionByCode(code)?.id)
  const name = `role-${++count}`
  const role = await bench.admin.collection('rbac/org-roles').create({ name, scope: 'org', permissions })
  const id = await bench.server.person('custom', { system: [roleIds.user], org: [String(role.id)] })
  return { id, client: await bench.server.as(id) }
}
async function confirmations(isNeeded: boolean): Promise<void> {
  const { settings, events } = bench.server.application.services
  const SECURITY_VIEW_AUTH_NEED_MFA = isNeeded
  await bench.server
    .context()
    .transaction(({ rawDb }) => settings.store(rawDb, events, { SECURITY_VIEW_AUTH_NEED_MFA }))
  await settings.load()
}
/** Everything that the database holds, as text. */
async function everything(): Promise<string> {
  const { reader } = bench.server.application.services.database
  const tables = ['kernel_job', 'kernel_job_item', 'kernel_job_log', ...declaredTables(modules).map(({ name }) => name)]
  const rows = await Promise.all(
    [...new Set(tables)].map((table) =>
      reader
        .selectFrom(table)
        .selectAll()
        .execute()
        .catch(() => []),
    ),
  )
  return JSON.stringify(rows)
}

describeWith(parts, 'secrets of rotations', () => {
  it('are in no table, log, item, snapshot or answer in clear', async () => {
    const asset = await bench.host()
    const { id, username, password } = await bench.person(asset)
    const chosen = 'Chosen-By-Plan-77'
    const plan = await bench.plan({
      assets: [asset],
      accounts: [username],
      secret_strategy: 'specific',
      secret: chosen,
    })
    const { id: task, summary } = await bench.run(plan)
    expect(summary.success).toBe(1)
    expect(await bench.secretOf(id)).toBe(chosen)
    const stored = await everything()
    expect(stored).toContain(username)
    const answers = JSON.stringify([
      await bench.api('GET', `change-secret-automations/${plan}/`),
      await bench.api('GET', `change-secret-executions/${task}/`),
      await bench.records(`execution_id=${task}`),
      await bench.itemsOf(task),
      await bench.logOf(task),
      await bench.admin.collection('audits/operate-logs').all(),
    ])
    for (const secret of [chosen, password]) {
      expect(stored.includes(secret)).toBe(false)
      expect(answers.includes(secret)).toBe(false)
    }
  })

  it('are not repeated where a hostile target repeats them', async () => {
    const asset = await bench.host()
    const { username } = await bench.person(asset)
    says('cat >&2; exit 1')
    const plan = await bench.plan({ assets: [asset], accounts: [username] })
    const { id: task } = await bench.run(plan)
    says('')
    const [record] = await bench.records(`execution_id=${task}`)
    const { after } = await bench.secretsIn(record?.id ?? '')
    expect(record).toMatchObject({ status: 'failed', in_doubt: false })
    const shown = JSON.stringify([record, await bench.itemsOf(task), await bench.logOf(task), await everything()])
    expect(after).toHaveLength(20)
    expect(shown.includes(after)).toBe(false)
  })

  it('of a record open only for whoever may see secrets, after a confirmation, and that is logged', async () => {
    const asset = await bench.host()
    const { username, password } = await bench.person(asset)
    const { id: task } = await bench.run(await bench.plan({ assets: [asset], accounts: [username] }))
    const [record] = await bench.records(`execution_id=${task}`)
    const path = `change-secret-records/${record?.id}/secret/`
    expect(await status(bench.api('GET', path))).toBe(412)
    await confirmations(false)
    const { client: few } = await withCodes('accounts.view_changesecretrecord', 'accounts.add_changesecretexecution')
    const { client: sees } = await withCodes('accounts.view_accountsecret')
    expect(await status(bench.api('GET', path, undefined, few))).toBe(403)
    expect(await bench.api('GET', path, undefined, sees)).toMatchObject({ old_secret: password })
    await confirmations(true)
    expect(await status(bench.api('GET', path, undefined, sees))).toBe(412)
    const log = await bench.admin.collection('audits/operate-logs').all({ search: username })
    expect(log.map(({ action }) => (action as { value: string }).value)).toContain('view')
  })

  it('that go to a new address are an event, though a plan and not a user sends them', async () => {
    const asset = await bench.host()
    const { username } = await bench.person(asset)
    const plan = await bench.plan({ assets: [asset], accounts: [username] })
    await bench.run(plan)
    await bench.admin.collection('assets/hosts').change(asset, { address: 'localhost' })
    await bench.run(plan)
    const notices = await bench.admin.collection('audits/operate-logs').all({ action: 'notice', search: username })
    expect(notices.length).toBeGreaterThanOrEqual(2)
  })
})

describeWith(parts, 'what belongs to another organization', () => {
  it('can be neither seen, retried, nor opened; nor by a member of both who asks from the other one', async () => {
    const asset = await bench.host()
    const { username } = await bench.person(asset)
    const { id: task } = await bench.run(await bench.plan({ assets: [asset], accounts: [username] }))
    const [record] = await bench.records(`execution_id=${task}`)
    const orgId = await bench.server.organization('elsewhere')
    const stranger = await bench.server.as(
      await bench.server.person('stranger', { system: [roleIds.user], org: [roleIds.orgAdmin], orgId }),
      orgId,
    )
    const member = await bench.server.person('both', { system: [roleIds.user], org: [roleIds.orgAdmin], orgId })
    await confirmations(false)
    for (const client of [stranger, await bench.server.as(member, orgId)]) {
      expect(await bench.api('GET', 'change-secret-records/', undefined, client)).toEqual([])
      expect(await bench.api('GET', `change-secret-records/?execution_id=${task}`, undefined, client)).toEqual([])
      for (const kind of ['change-secret', 'push-account'])
        expect(await status(bench.api('POST', `${kind}-records/execute/`, { record_id: record?.id }, client))).toBe(404)
      expect(await status(bench.api('GET', `change-secret-records/${record?.id}/secret/`, undefined, client))).toBe(404)
      const body = { assets: [asset], accounts: [username] }
      expect(await status(bench.plan(body, 'push-account', client))).toBe(400)
    }
    await confirmations(true)
  })
})

describeWith(parts, 'permissions', () => {
  it('are those of each call, for everybody', async () => {
    const asset = await bench.host({ protocols: [{ name: 'ssh', port: 1 }] })
    const { username, id } = await bench.person(asset)
    const plan = await bench.plan({ assets: [asset], accounts: [username] })
    const { id: task } = await bench.run(plan)
    const [record] = await bench.records(`execution_id=${task}`)
    const { url, bootstrapToken } = bench.server
    const nobody = clientWith({ url, token: 'none' })
    const component = await registerComponent(url, bootstrapToken, 'rotation-component')
    const auditor = await bench.server.as(
      await bench.server.person('auditor', { system: [roleIds.user], org: [roleIds.orgAuditor] }),
    )
    const member = await bench.server.as(
      await bench.server.person('member', { system: [roleIds.user], org: [roleIds.orgUser] }),
    )
    const { client: viewer } = await withCodes(
      'accounts.view_changesecretautomation',
      'accounts.view_changesecretexecution',
      'accounts.view_changesecretrecord',
    )
    for (const [who, client] of Object.entries({ nobody, auditor, member, viewer }))
      for (const [method, path, body] of [
        ['POST', 'change-secret-executions/', { automation: plan }],
        ['POST', `change-secret-executions/${task}/retry/`, {}],
        ['POST', `change-secret-executions/${task}/stop/`, {}],
        ['PATCH', `change-secret-automations/${plan}/`, { secret: 'Mine-Now-1' }],
        ['PATCH', `change-secret/${plan}/asset/add/`, { assets: [asset] }],
        ['POST', 'change-secret-records/execute/', { record_id: record?.id }],
        ['GET', `change-secret-records/${record?.id}/secret/`, undefined],
        ['POST', `accounts/${id}/restore-secret/`, { history: 1 }],
        ['POST', 'accounts/tasks/', { action: 'push', accounts: [id] }],
        ['POST', 'accounts/tasks/', { action: 'remove', accounts: [id] }],
      ] as const)
        expect([401, 403], `${who} ${method} ${path}`).toContain(await status(bench.api(method, path, body, client)))
    // Components hold this permission, but nobody who could confirm.
    expect(await status(bench.api('GET', `change-secret-records/${record?.id}/secret/`, undefined, component))).toBe(
      412,
    )
    expect(await status(bench.api('GET', 'change-secret-records/', undefined, viewer))).toBe(200)
    expect(await status(bench.api('GET', 'change-secret-records/', undefined, member))).toBe(403)
    const { client: starter } = await withCodes('accounts.add_changesecretexecution')
    expect(await status(bench.api('GET', 'change-secret-records/', undefined, starter))).toBe(403)
  })

  it('that are withdrawn while it runs end it before the next account', async () => {
    const asset = await bench.host()
    const people = [await bench.person(asset), await bench.person(asset)]
    const plan = await bench.plan({ assets: [asset], accounts: people.map(({ username }) => username) })
    const { id, client } = await withCodes('accounts.add_changesecretexecution')
    says('sleep 3; exec sh -c "$SSH_ORIGINAL_COMMAND"')
    const task = await bench.start(plan, 'change-secret', client)
    await expect.poll(() => bench.records(`execution_id=${task}`), { timeout: 20_000 }).toHaveLength(1)
    await bench.admin.request('PATCH', `/api/v1/users/users/${id}/`, { is_active: false })
    const { summary } = await bench.ended(task)
    says('')
    expect(summary).toMatchObject({ success: 1, failed: 1 })
    expect((await bench.itemsOf(task)).map(({ error_code }) => error_code).toSorted()).toEqual(['not_permitted', null])
    expect(await bench.records(`execution_id=${task}`)).toMatchObject([{ status: 'success' }])
  })
})

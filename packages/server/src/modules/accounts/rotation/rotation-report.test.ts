import { roleIds } from '@castellan/contract/ids'
import { type PermissionCode, permissionByCode } from '@castellan/contract/permissions'
import type { Client } from '@castellan/testing/client'
import { type MailServer, startMailServer } from '@castellan/testing/mail-server'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTable } from '../../../kernel/files/table-files.ts'
import { attachedTo, unlocked } from '../../../testing/archives.ts'
import { type RotationBench, startRotation } from '../../../testing/rotation.ts'

let bench: RotationBench
let mails: MailServer
beforeAll(async () => {
  ;[bench, mails] = await Promise.all([startRotation(), startMailServer()])
  await bench.server.changeSettings('email', mails.settings)
  // Who is asked to confirm is in `authentication/step-up.test.ts`.
  await bench.server.confirmations(false)
  await bench.work()
})
afterAll(async () => {
  await bench?.stop()
  await mails?.[Symbol.asyncDispose]()
})

let count = 0
/** A member of the organization; with a password for files, if one is given. */
async function recipient(filePassword?: string): Promise<{ id: string; email: string }> {
  const id = await bench.server.person(`receiver-${count++}`, { system: [roleIds.user], org: [roleIds.orgUser] })
  const { email } = await bench.admin.request<{ email: string }>('GET', `/api/v1/users/users/${id}/`)
  if (filePassword) {
    const basic = { secret_key: filePassword, secret_key_again: filePassword }
    await (await bench.server.as(id)).request('PATCH', '/api/v1/users/preference/?category=lina', { basic })
  }
  return { id, email }
}

async function withCodes(...codes: PermissionCode[]): Promise<{ id: string; client: Client }> {
  const permissions = codes.map((code) => permissionByCode(code)?.id)
  const role = await bench.admin
    .collection('rbac/org-roles')
    .create({ name: `right-${++count}`, scope: 'org', permissions })
  const id = await bench.server.person('planner', { system: [roleIds.user], org: [String(role.id)] })
  return { id, client: await bench.server.as(id) }
}

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ status, body }: { status: number; body: unknown }) => ({ status, body: JSON.stringify(body) }),
  )

describeWith(['sshd', 'ssh-keygen', 'root', 'msoffcrypto'], 'the mail of a password change', () => {
  it('has the secrets before and after, for those alone who have a password for files', async () => {
    const [asset, away] = [await bench.host(), await bench.host({ protocols: [{ name: 'ssh', port: 1 }] })]
    const { id, username, password } = await bench.person(asset)
    await bench.account(away, { username, secret: 'Still-there-1' })
    const [one, other] = [await recipient('Zip#pass 12'), await recipient()]
    const execution = await bench.run(
      await bench.plan({ assets: [asset, away], accounts: [username], recipients: [one.id, other.id] }),
    )
    const secret = await bench.secretOf(id)

    const zip = attachedTo(mails, one.email) as Buffer
    const [header = [], ...rows] = await readTable('xlsx', await unlocked(zip, 'Zip#pass 12'), 'en')
    expect(header).toEqual(['ID', 'Asset', 'Account', 'Old secret', 'New secret', 'Status', 'Error'])
    const [done, failed] = ['success', 'failed'].map((state) => rows.find((cells) => cells[5] === state))
    expect(done?.slice(3)).toEqual([password, secret, 'success'])
    // The secret that a retry sets.
    expect(failed?.slice(3, 5)).toEqual(['Still-there-1', expect.stringMatching(/^.{20}$/)])
    expect(failed?.[6]).toContain('refused')
    expect(attachedTo(mails, other.email), 'without a password there is no file').toBeUndefined()
    expect(mails.received.find(({ to }) => to.includes(other.email))?.text).toContain('file encryption password')
    for (const { to } of [one, other].map(({ email }) => ({ to: email })))
      expect(
        mails.received.filter((mail) => mail.to.includes(to)),
        'one mail for each',
      ).toHaveLength(1)
    expect(JSON.stringify(mails.received)).not.toContain(secret)

    const log = await bench.logOf(execution.id)
    expect(log).toContain('has set no file encryption password')
    expect(log).not.toContain(secret)
    const views = await bench.admin.request<unknown[]>(
      'GET',
      `/api/v1/audits/operate-logs/?action=view&resource_type=Account`,
    )
    expect(JSON.stringify(views)).toContain(username)
    const shown = await bench.admin.request<{ snapshot: { recipients: Record<string, [string, boolean]> } }>(
      'GET',
      `/api/v1/accounts/change-secret-executions/${execution.id}/`,
    )
    expect(
      Object.values(shown.snapshot.recipients)
        .map(([, hasPassword]) => hasPassword)
        .sort(),
    ).toEqual([false, true])

    const [record] = (await bench.records(`execution_id=${execution.id}`)).filter(({ status }) => status === 'failed')
    const { task } = await bench.api<{ task: string }>('POST', 'change-secret-records/execute/', {
      record_id: record?.id,
    })
    await bench.taskEnded(task)
    expect(
      mails.received.filter(({ to }) => to.includes(one.email)),
      'a retry sends none',
    ).toHaveLength(1)
  })

  it('goes to nobody whom somebody chose who may not see secrets', async () => {
    const asset = await bench.host()
    const { username } = await bench.person(asset)
    const codes = ['add', 'change', 'view'].map((verb) => `accounts.${verb}_changesecretautomation` as PermissionCode)
    const others = ['assets.view_asset', 'users.view_user', 'accounts.add_changesecretexecution'] as const
    const { id: planner, client } = await withCodes(...codes, ...others)
    const own = { assets: [asset], accounts: [username] }
    const refused = { status: 403, body: expect.stringContaining('permission to view account secrets') }
    expect(await refusal(bench.plan({ ...own, recipients: [planner] }, 'change-secret', client))).toEqual(refused)
    const plan = await bench.plan(own, 'change-secret', client)
    const change = (id: string, body: object) => bench.api('PATCH', `change-secret-automations/${id}/`, body, client)
    expect(await refusal(change(plan, { recipients: [planner] }))).toEqual(refused)
    await change(plan, { comment: 'without recipients', accounts: [username, 'somebody'] })

    const theirs = await bench.plan({ ...own, recipients: [planner] })
    for (const body of [{ accounts: ['root'] }, { assets: [asset] }, { nodes: [] }, { secret_type: 'ssh_key' }])
      expect(await refusal(change(theirs, body)), Object.keys(body)[0]).toEqual(refused)
    expect(
      await refusal(bench.api('PATCH', `change-secret/${theirs}/asset/add/`, { assets: [asset] }, client)),
    ).toEqual(refused)
    await change(theirs, { comment: 'another comment' })
    await change(theirs, { recipients: [] })
    const { client: able } = await withCodes(...codes, ...others, 'accounts.view_accountsecret')
    await bench.plan({ ...own, recipients: [planner] }, 'change-secret', able)
  })
})

describeWith(['sshd', 'ssh-keygen'], 'a push plan without a license', () => {
  it('is stored without its schedule', async () => {
    const asset = await bench.host()
    const body = { assets: [asset], accounts: ['deploy'], is_periodic: true, interval: 24 }
    const periodic = async (id: string, kind: string) =>
      (await bench.api<{ is_periodic: boolean }>('GET', `${kind}-automations/${id}/`)).is_periodic
    const licensed = await bench.plan(body, 'push-account')
    expect(await periodic(licensed, 'push-account')).toBe(true)
    const { database, settings } = bench.server.application.services
    await database.writer.updateTable('settings_setting').set({ value: '""' }).where('name', '=', 'LICENSE').execute()
    await settings.load()
    const plan = await bench.plan(body, 'push-account')
    expect(await periodic(plan, 'push-account')).toBe(false)
    const isScheduled = async (id: string) => {
      const schedules = database.reader.selectFrom('kernel_schedule').selectAll().where('owner_id', '=', id)
      return (await schedules.execute()).some(({ enabled }) => Boolean(enabled))
    }
    expect([await isScheduled(licensed), await isScheduled(plan)]).toEqual([true, false])
    await bench.api('PATCH', `push-account-automations/${licensed}/`, { is_periodic: true, interval: 12 })
    expect(await periodic(licensed, 'push-account'), 'the next change ends the schedule').toBe(false)
    expect(await isScheduled(licensed)).toBe(false)
    expect(await periodic(await bench.plan(body), 'change-secret'), 'others keep theirs').toBe(true)
  })
})

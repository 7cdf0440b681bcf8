import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { permissionByCode } from '@castellan/contract/permissions'
import type { AnyRow, Client } from '@castellan/testing/client'
import { makeHost } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let sshd: RealSshd
let host: AnyRow
let other: AnyRow
let runnerId: string
let runner: Client

const api = '/api/v1/ops/'

interface Execution {
  id: string
  is_finished: boolean
  is_success: boolean
  summary: { ok: string[]; failures: Record<string, string>; excludes: Record<string, string>; error?: string }
}

const started = async (args: string, more: object = {}, by: Client = runner) =>
  (
    await by.request<{ task_id: string }>('POST', `${api}jobs/`, {
      assets: [host.id],
      args,
      runas: sshd.username,
      instant: true,
      ...more,
    })
  ).task_id

async function ended(id: string, by: Client = runner): Promise<Execution> {
  const read = () => by.request<Execution>('GET', `${api}job-executions/${id}/`)
  await expect.poll(async () => (await read()).is_finished, { timeout: 20_000, interval: 50 }).toBe(true)
  return read()
}
const run = async (args: string, more: object = {}, by: Client = runner) => ended(await started(args, more, by), by)

const permit = (user: string, assets: AnyRow[], accounts = ['@ALL']) =>
  server.admin.collection('perms/asset-permissions').create({
    name: `permission ${crypto.randomUUID()}`,
    users: [user],
    assets: assets.map(({ id }) => id),
    accounts,
    protocols: ['all'],
    actions: ['all'],
  })

const rule = async (action: string, content: string, more: object = {}) => {
  const group = await server.admin
    .collection('acls/command-groups')
    .create({ name: `group ${content}`, type: 'command', content })
  return server.admin.collection('acls/command-filter-acls').create({
    name: `rule ${content}`,
    action,
    priority: 50,
    command_groups: [group.id],
    users: { type: 'all' },
    assets: { type: 'all' },
    accounts: ['*'],
    ...more,
  })
}

const commandsOf = (execution: string) =>
  server.admin.request<AnyRow[]>('GET', `/api/v1/terminal/commands/?session_id=${execution}`)

describeWith(['sshd', 'ssh-keygen'], 'a job may run', () => {
  beforeAll(async () => {
    server = await startServer({ worker: true })
    sshd = await startSshd()
    host = await makeHost(server.admin, sshd, 'granted')
    other = await makeHost(server.admin, sshd, 'other')
    runnerId = await server.person('runner', { system: [roleIds.user], org: [roleIds.orgUser] })
    runner = await server.as(runnerId)
    await permit(runnerId, [host])
  })
  afterAll(async () => {
    await server?.close()
    await sshd?.stop()
  })

  it('only on assets that its owner is permitted, whoever named them', async () => {
    const both = await run('echo here', { assets: [host.id, other.id] })
    expect(both).toMatchObject({
      is_success: false,
      summary: {
        ok: ['granted'],
        excludes: { other: expect.stringContaining('not permitted') },
        error: expect.any(String),
      },
    })
    const administrator = await run('echo here', {}, server.admin)
    expect(administrator).toMatchObject({ is_success: false, summary: { ok: [] } })
  })

  it('only with accounts that are permitted, and by the policy', async () => {
    const id = await server.person('of one account', { system: [roleIds.user], org: [roleIds.orgUser] })
    const limited = await server.as(id)
    const named = await server.admin.request<AnyRow>('POST', '/api/v1/accounts/accounts/', {
      name: 'named',
      username: 'somebody',
      asset: host.id,
      secret_type: 'password',
      secret: 'never sent',
    })
    await permit(id, [host], [String(named.username)])
    expect((await run('id', { runas_policy: 'privileged_first' }, limited)).summary).not.toHaveProperty('ok.0')
    expect((await run('id', { runas: 'nobody' })).summary.excludes.granted).toContain('Run as')
    expect((await run('id', { runas: 'nobody', runas_policy: 'privileged_only' })).summary.ok).toEqual([])
    expect((await run('id', { runas: `nobody, ${sshd.username.toUpperCase()}` })).is_success).toBe(true)
  })

  it('nothing that a rule rejects or reviews, or that the settings forbid; each attempt is in the command log', async () => {
    await rule('reject', 'rm -rf')
    const review = await rule('reject', 'restart-it')
    // Reviews need a license, which this installation does not have.
    await server
      .context()
      .acrossOrganizations.updateTable('acls_commandfilteracl')
      .set({ action: 'review' })
      .where('id', '=', review.id)
      .execute()
    await rule('warning', 'careful', {
      reviewers: [(await server.admin.request<AnyRow>('GET', '/api/v1/users/profile/')).id],
    })
    const mark = `/tmp/castellan-rejected-${process.pid}`
    for (const [args, risk] of [
      [`touch ${mark}; rm -rf /nothing`, 5],
      [`touch ${mark}; rm \\\n -rf /nothing`, 5],
      [`touch ${mark}; r''m -rf /nothing`, 5],
      [`touch ${mark}; r\\m "-rf" /nothing`, 5],
      [`touch ${mark}; restart-it`, 6],
    ] as const) {
      const refused = await run(args)
      expect(refused, args).toMatchObject({
        is_success: false,
        summary: { ok: [], excludes: { granted: expect.any(String) } },
      })
      expect(await commandsOf(refused.id)).toMatchObject([{ risk_level: { value: risk }, asset: 'granted' }])
    }
    // With --help, so that a defect here reboots no machine.
    const refusedWords = ['reboot', 'sudo /sbin/reboot', 'true && reboot', 'A=1 reboot', `touch ${mark}; (reboot`]
    for (const words of refusedWords) {
      const args = `${words} --help${words.includes('(') ? ')' : ''}`
      const refused = await run(args)
      expect(refused.summary.error, args).toContain('"reboot"')
      expect(await commandsOf(refused.id)).toMatchObject([{ risk_level: { value: 5 } }])
    }
    expect(existsSync(mark)).toBe(false)
    const warned = await run('echo careful')
    expect(warned.is_success).toBe(true)
    expect(await commandsOf(warned.id)).toMatchObject([
      { risk_level: { value: 4 }, output: expect.stringContaining('careful') },
    ])
    // What a variable becomes is judged, not its name.
    const saved = await runner.request<AnyRow>('POST', `${api}jobs/`, {
      name: 'with a variable',
      args: `touch ${mark}; {{ word }} --help {{ word }}-x`,
      runas: sshd.username,
      assets: [host.id],
      is_periodic: false,
    })
    for (const word of ['reboot', 'restart-it']) {
      const parameters = { word }
      const { task_id } = await runner.request<{ task_id: string }>('POST', `${api}job-executions/`, {
        job: saved.id,
        parameters,
      })
      expect((await ended(task_id)).summary.ok, word).not.toContain('granted')
    }
    expect(existsSync(mark)).toBe(false)
  })

  it('rejected commands tell their subscribers once for all assets, and warnings the reviewers of the rule', async () => {
    const me = await server.admin.request<AnyRow>('GET', '/api/v1/users/profile/')
    const beside = await makeHost(server.admin, sshd, 'granted beside')
    await permit(runnerId, [beside])
    await rule('reject', 'never-this')
    await rule('warning', 'mind-this', { reviewers: [me.id] })
    await server.admin.request('PATCH', '/api/v1/notifications/system-msg-subscription/CommandExecutionAlert/', {
      users: [me.id],
    })
    interface Message extends AnyRow {
      content: { message: string }
    }
    const told = async (word: string) => {
      const all = await server.admin.collection<Message>('notifications/site-messages').all()
      return all.map(({ content }) => content.message).filter((message) => message.includes(word))
    }
    const assets = [host.id, beside.id]
    await run('echo never-this', { assets })
    const rejected = await told('never-this')
    expect(rejected).toHaveLength(1)
    expect(rejected[0]).toMatch(/granted, granted beside|granted beside, granted/)
    await run('echo mind-this', { assets })
    expect(await told('mind-this')).toHaveLength(1)
    // Hosts of a repetition are decided one by one.
    const failed = await run('echo mind-this-again; exit 3', { assets })
    expect(await told('mind-this-again')).toHaveLength(1)
    const { task_id } = await runner.request<{ task_id: string }>('POST', `${api}job-executions/${failed.id}/retry/`)
    expect(Object.keys((await ended(task_id)).summary.failures)).toHaveLength(2)
    expect(await told('mind-this-again')).toHaveLength(2)
    // What the settings forbid is told as well, and what nothing is about is not.
    await run('reboot --help told-of-the-settings', { assets })
    expect(await told('told-of-the-settings')).toHaveLength(1)
    await run('echo harmless-one', { assets })
    expect(await told('harmless-one')).toEqual([])
  })

  it('no words of others: a value that a shell would interpret leaves the host out', async () => {
    const mark = `/tmp/castellan-injected-${process.pid}`
    const named = await makeHost(server.admin, sshd, `evil$(touch ${mark})`)
    await permit(runnerId, [named])
    const injected = await run('echo {{ jms_asset.name }} {{jms_asset.address}}', { assets: [named.id, host.id] })
    expect(Object.values(injected.summary.excludes).join()).toContain('jms_asset.name')
    expect(injected.summary.ok).toEqual(['granted'])
    expect(existsSync(mark)).toBe(false)
  })

  it('only for its owner, with the rights that it needs', async () => {
    const saved = await runner.request<AnyRow>('POST', `${api}jobs/`, {
      name: 'mine',
      args: 'id',
      assets: [],
      is_periodic: false,
    })
    const stranger = await server.as(
      await server.person('stranger', { system: [roleIds.user], org: [roleIds.orgUser] }),
    )
    for (const by of [stranger, server.admin]) {
      await expect(by.request('POST', `${api}job-executions/`, { job: saved.id })).rejects.toMatchObject({
        status: 400,
      })
      for (const method of ['GET', 'PATCH', 'DELETE'])
        await expect(
          by.request(method, `${api}jobs/${saved.id}/`, method === 'PATCH' ? {} : undefined),
        ).rejects.toMatchObject({ status: 404 })
    }
    const elsewhere = await server.organization('Elsewhere')
    const member = await server.person('of both', { system: [roleIds.user], org: [roleIds.orgUser], orgId: elsewhere })
    await server.admin.request('POST', '/api/v1/users/users/invite/', { users: [member], org_roles: [roleIds.orgUser] })
    const [here, there] = [await server.as(member), await server.as(member, elsewhere)]
    const job = await here.request<AnyRow>('POST', `${api}jobs/`, {
      name: 'both',
      args: 'id',
      assets: [],
      is_periodic: false,
    })
    await expect(there.request('GET', `${api}jobs/${job.id}/`)).rejects.toMatchObject({ status: 404 })
    await expect(there.request('POST', `${api}job-executions/`, { job: job.id })).rejects.toMatchObject({ status: 400 })
    expect((await there.request<AnyRow[]>('GET', `${api}jobs/`)).length).toBe(0)
    const role = await server.admin.request<AnyRow>('POST', '/api/v1/rbac/org-roles/', {
      name: 'one right too few',
      scope: 'org',
      permissions: ['ops.view_job', 'ops.add_job', 'ops.view_jobexecution'].map((code) => permissionByCode(code)?.id),
    })
    const weak = await server.as(await server.person('weak', { system: [], org: [String(role.id)] }))
    const own = await weak.request<AnyRow>('POST', `${api}jobs/`, {
      name: 'weak',
      args: 'id',
      assets: [],
      is_periodic: false,
    })
    await expect(weak.request('POST', `${api}job-executions/`, { job: own.id })).rejects.toMatchObject({ status: 403 })
    await expect(started('id', { assets: [] }, weak)).rejects.toMatchObject({ status: 403 })
  })

  it('while its owner belongs to the organization, and the permission lasts', async () => {
    const id = await server.person('leaver', { system: [roleIds.user], org: [roleIds.orgUser] })
    const leaver = await server.as(id)
    const permission = await permit(id, [host])
    const saved = await leaver.request<AnyRow>('POST', `${api}jobs/`, {
      name: 'scheduled',
      args: 'id',
      runas: sshd.username,
      assets: [host.id],
      is_periodic: true,
      crontab: '0 3 * * *',
    })
    expect(await leaver.request('GET', `${api}jobs/${saved.id}/next-runs/`)).toHaveLength(5)
    const tick = async () => {
      const { runJob } = await import('./kinds.ts')
      return server.context(defaultOrgId).enqueue(runJob, { job: String(saved.id) }, { creator: id })
    }
    expect((await ended(await tick(), leaver)).is_success).toBe(true)
    await server.admin.request('DELETE', `/api/v1/perms/asset-permissions/${permission.id}/`)
    expect(await ended(await tick(), leaver)).toMatchObject({ is_success: false, summary: { ok: [] } })
    await server.admin.request('POST', `/api/v1/users/users/${id}/remove/`)
    const last = await tick()
    const read = () => server.admin.request<{ state: string }>('GET', `${api}task-executions/${last}/`)
    await expect.poll(async () => (await read()).state, { timeout: 10_000 }).toBe('FAILURE')
  })

  it('with secret parameters that no list, log and process list shows', async () => {
    const saved = await runner.request<AnyRow>('POST', `${api}jobs/`, {
      name: 'asking',
      args: "ps axww | grep -c '{{ word }}' || true; echo size $(printf %s {{ word }} | wc -c) {{ place }}",
      runas: sshd.username,
      assets: [host.id],
      is_periodic: false,
      use_parameter_define: true,
      parameters_define: JSON.stringify({
        word: { label: 'Word', type: 'secret', required: true },
        place: { label: 'Place', type: 'select', options: [{ label: 'Here', value: 'here' }], default: 'here' },
      }),
    })
    const begin = (parameters: unknown) =>
      runner.request<{ task_id: string }>('POST', `${api}job-executions/`, { job: saved.id, parameters })
    await expect(begin({})).rejects.toMatchObject({ status: 400 })
    await expect(begin({ word: 'x', place: 'there' })).rejects.toMatchObject({ status: 400 })
    const secret = 'Zk8-secret-word'
    const { task_id } = await begin(JSON.stringify({ word: secret }))
    const row = await ended(task_id)
    expect(row.is_success).toBe(true)
    expect(JSON.stringify([row, await commandsOf(task_id)])).not.toContain(secret)
    const { data } = await runner.request<{ data: string }>('GET', `${api}ansible/job-execution/${task_id}/log/`)
    expect(data).toContain(`size ${secret.length} here`)
    expect(execFileSync('ps', ['axww']).toString()).not.toContain(secret)
  })

  it('not at all when the administrator has switched it off', async () => {
    const set = (on: boolean) =>
      server.admin.request('PATCH', '/api/v1/settings/setting/?category=ops', { SECURITY_COMMAND_EXECUTION: on })
    await set(false)
    for (const method of ['GET', 'POST', 'OPTIONS'])
      await expect(
        runner.request(method, `${api}jobs/`, method === 'POST' ? {} : undefined),
        method,
      ).rejects.toMatchObject({ status: 403 })
    expect(await runner.request('GET', `${api}job-executions/`)).toBeInstanceOf(Array)
    await set(true)
  })
})

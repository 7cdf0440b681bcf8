import { existsSync, rmSync } from 'node:fs'
import { roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client } from '@castellan/testing/client'
import { makeHost } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let sshd: RealSshd
let hosts: AnyRow[]
let runner: Client
let reviewer: Client
let bystander: Client
let ruleId: string

const api = '/api/v1/ops/'
const tickets = '/api/v1/tickets/apply-command-tickets/'
const mark = `/tmp/castellan-reviewed-${process.pid}`

interface Execution extends AnyRow {
  is_finished: boolean
  is_success: boolean
  summary: { ok: string[]; excludes: Record<string, string> }
}

const start = async (args: string, more: object = {}) =>
  (
    await runner.request<{ task_id: string }>('POST', `${api}jobs/`, {
      assets: hosts.map(({ id }) => id),
      args,
      runas: sshd.username,
      instant: true,
      ...more,
    })
  ).task_id
const read = (id: string) => runner.request<Execution>('GET', `${api}job-executions/${id}/`)
async function ended(id: string): Promise<Execution> {
  await expect.poll(async () => (await read(id)).is_finished, { timeout: 20_000, interval: 50 }).toBe(true)
  return read(id)
}
/** The open tickets about a command, as soon as there are so many. */
async function asked(command: string, count = 1): Promise<AnyRow[]> {
  let found: AnyRow[] = []
  await expect
    .poll(
      async () => {
        const all = await reviewer.request<AnyRow[]>('GET', `${tickets}?status=open`)
        found = all.filter((ticket) => ticket.apply_run_command === command)
        return found.length
      },
      { timeout: 20_000, interval: 50 },
    )
    .toBe(count)
  return found
}
const decide = (ticket: AnyRow | undefined, decision: string, by: Client = reviewer) =>
  by.request('PUT', `${tickets}${ticket?.id}/${decision}/`, {}).then(
    () => 200,
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return error.status
    },
  )
const commandsOf = (execution: string) =>
  server.admin.request<AnyRow[]>('GET', `/api/v1/terminal/commands/?session_id=${execution}`)
const levelsOf = async (execution: string) =>
  (await commandsOf(execution)).map(({ risk_level }) => (risk_level as { value: number }).value)

describeWith(['sshd', 'ssh-keygen'], 'the command of a job that a rule wants to be reviewed', () => {
  beforeAll(async () => {
    server = await startServer({ worker: true })
    sshd = await startSshd()
    hosts = [await makeHost(server.admin, sshd, 'first'), await makeHost(server.admin, sshd, 'second')]
    const person = (name: string) => server.person(name, { system: [roleIds.user], org: [roleIds.orgUser] })
    const [runnerId, reviewerId] = [await person('runner'), await person('reviewer')]
    ;[runner, reviewer] = [await server.as(runnerId), await server.as(reviewerId)]
    bystander = await server.as(await person('bystander'))
    const collection = (path: string) => server.admin.collection(path)
    await collection('perms/asset-permissions').create({
      name: 'both',
      users: [runnerId],
      assets: hosts.map(({ id }) => id),
      accounts: ['@ALL'],
      protocols: ['all'],
      actions: ['all'],
    })
    const group = await collection('acls/command-groups').create({
      name: 'guarded',
      type: 'command',
      content: 'guarded',
    })
    const rule = await collection('acls/command-filter-acls').create({
      name: 'reviewed',
      action: 'warning',
      priority: 50,
      command_groups: [group.id],
      users: { type: 'all' },
      assets: { type: 'all' },
      accounts: ['*'],
      reviewers: [reviewerId],
    })
    ruleId = rule.id
    // Reviews need a license, which this installation does not have.
    await server
      .context()
      .acrossOrganizations.updateTable('acls_commandfilteracl')
      .set({ action: 'review' })
      .where('id', '=', ruleId)
      .execute()
  })
  afterAll(async () => {
    rmSync(mark, { force: true })
    await server?.close()
    await sshd?.stop()
  })

  it('waits, runs nowhere meanwhile, and runs once when its reviewer approves', async () => {
    const command = `echo guarded >> ${mark}`
    const id = await start(command)
    const [ticket] = await asked(command)
    expect(ticket).toMatchObject({ apply_run_asset: 'first\nsecond', apply_run_account: sshd.username })
    expect((await read(id)).is_finished).toBe(false)
    expect(await decide(ticket, 'approve', runner)).toBe(403)
    expect(await decide(ticket, 'approve', bystander)).toBe(404)
    expect(existsSync(mark)).toBe(false)
    expect(await decide(ticket, 'approve')).toBe(200)
    expect(await ended(id)).toMatchObject({ is_success: true, summary: { ok: ['first', 'second'] } })
    expect(await levelsOf(id)).toEqual([7, 7])
    expect(await decide(ticket, 'approve')).toBe(400)
  })

  it('waits without occupying a worker: others run meanwhile', async () => {
    const waiting = await Promise.all(Array.from({ length: 6 }, (_, at) => start(`echo guarded ${at}`)))
    for (const [at] of waiting.entries()) await asked(`echo guarded ${at}`)
    expect((await ended(await start('echo free'))).is_success).toBe(true)
    for (const id of waiting) await runner.request('POST', `${api}job-executions/${id}/stop/`)
    for (const id of waiting) expect((await ended(id)).summary.ok).toEqual([])
  })

  it('does not run when it is refused, and says by whom', async () => {
    const command = `touch ${mark}.refused; echo guarded`
    const id = await start(command)
    expect(await decide((await asked(command))[0], 'reject')).toBe(200)
    const execution = await ended(id)
    expect(execution).toMatchObject({ is_success: false, summary: { ok: [] } })
    expect(execution.summary.excludes.first).toContain('reviewer')
    expect(existsSync(`${mark}.refused`)).toBe(false)
    expect(await levelsOf(id)).toEqual([6, 6])
  })

  it('is approved for nobody after it was stopped', async () => {
    const command = `touch ${mark}.stopped; echo guarded`
    const id = await start(command)
    const [ticket] = await asked(command)
    await runner.request('POST', `${api}job-executions/${id}/stop/`)
    await ended(id)
    expect(await decide(ticket, 'approve')).toBe(400)
    expect(existsSync(`${mark}.stopped`)).toBe(false)
  })

  it('does not run as something else than what was approved', async () => {
    const id = await start('echo guarded {{ jms_asset.name }}', { assets: [hosts[0]?.id] })
    const [ticket] = await asked('echo guarded first')
    await server.admin.request('PATCH', `/api/v1/assets/hosts/${hosts[0]?.id}/`, { name: 'renamed' })
    expect(await decide(ticket, 'approve')).toBe(200)
    const execution = await ended(id)
    await server.admin.request('PATCH', `/api/v1/assets/hosts/${hosts[0]?.id}/`, { name: 'first' })
    expect(execution).toMatchObject({ is_success: false, summary: { ok: [] } })
  })

  it('does not run with words that reviewers do not see', async () => {
    const job = await runner.request<AnyRow>('POST', `${api}jobs/`, {
      name: 'with a secret',
      args: 'echo {{ word }}',
      runas: sshd.username,
      assets: hosts.map(({ id }) => id),
      is_periodic: false,
      use_parameter_define: true,
      parameters_define: { word: { label: 'Word', type: 'secret', required: true } },
    })
    const { task_id } = await runner.request<{ task_id: string }>('POST', `${api}job-executions/`, {
      job: job.id,
      parameters: { word: 'guarded' },
    })
    expect((await ended(task_id)).summary.excludes.first).toContain('secret parameters')
    const long = await ended(await start(`echo guarded ${'x'.repeat(5000)}`))
    expect(long.summary.excludes.first).toContain('too long')
  })

  it('does not run when all of its reviewers have left', async () => {
    const id = await start('echo guarded by nobody', { assets: [] })
    await ended(id)
    await server
      .context()
      .acrossOrganizations.deleteFrom('acls_commandfilteracl_reviewers')
      .where('commandfilteracl_id', '=', ruleId)
      .execute()
    const execution = await ended(await start('echo guarded by nobody'))
    expect(execution).toMatchObject({ is_success: false, summary: { ok: [] } })
    expect(execution.summary.excludes.first).toContain('none of its reviewers')
  })
})

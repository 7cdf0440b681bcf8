import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import { type AnyRow, ApiError, type Client, registerComponent } from '@castellan/testing/client'
import { makeHost } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { runJob } from './kinds.ts'

/** Every way in which a user makes us use an account of an asset × every rule about it: one decision, the same answer. */
let server: TestServer
let sshd: RealSshd
let host: AnyRow
let account: AnyRow
let permission: AnyRow
let userId: string
let user: Client
let reviewer: Client
let reviewerId: string
let gateway: Client
let playbook: string
let uploaded: string

type Outcome = 'used' | 'refused' | 'waits'
const tokens = '/api/v1/authentication/connection-token/'
const supers = '/api/v1/authentication/super-connection-token/'
const ops = '/api/v1/ops/'

async function answered(call: Promise<unknown>): Promise<Outcome> {
  try {
    await call
    return 'used'
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return 'refused'
  }
}

const wanted = (more: object = {}) => ({
  ...{ asset: host.id, account: 'person', protocol: 'ssh', connect_method: 'ssh_client' },
  ...more,
})
const token = (more: object = {}) => user.request<AnyRow>('POST', tokens, wanted(more))
const secretOf = ({ id }: AnyRow) => gateway.request('POST', `${supers}secret/`, { id })

/** How an execution of a job went, or that it waits for somebody. */
async function jobOutcome(id: string): Promise<Outcome> {
  const read = () =>
    server
      .context()
      .acrossOrganizations.selectFrom('ops_jobexecution')
      .select(['date_finished', 'summary', 'snapshot'])
      .where('id', '=', id)
      .executeTakeFirst()
  let outcome: Outcome | undefined
  const look = async () => {
    const row = await read()
    if (!row) return undefined
    const { ok = [], excludes = {}, failures = {}, dark = {} } = JSON.parse(String(row.summary))
    if (row.date_finished !== null) {
      expect([failures, dark]).toEqual([{}, {}])
      outcome = ok.length > 0 ? 'used' : 'refused'
      if (outcome === 'refused')
        expect(Object.values(excludes)).toEqual([expect.stringMatching(/rule|permit|user|accounts/i)])
    } else if (JSON.parse(String(row.snapshot)).reviews?.length > 0) outcome = 'waits'
    return outcome
  }
  await expect.poll(look, { timeout: 25_000, interval: 50 }).toBeDefined()
  return outcome as unknown as Outcome
}
const begun = async (path: string, body: object, by = user) =>
  (await by.request<{ task_id: string }>('POST', path, body)).task_id
const job = (more: object = {}) => ({
  ...{ name: `job ${crypto.randomUUID()}`, args: 'true', assets: [host.id], runas: sshd.username, is_periodic: false },
  ...more,
})
const stored = (more: object = {}) => user.request<AnyRow>('POST', `${ops}jobs/`, job(more))

/** How a task of an administrator went. */
async function taskOutcome(id: string): Promise<Outcome> {
  const read = () =>
    server
      .context()
      .rawDb.selectFrom('kernel_job_item as i')
      .innerJoin('kernel_job as j', 'j.id', 'i.job_id')
      .select(['i.state', 'i.error_code'])
      .where('j.id', '=', id)
      .where('j.date_finished', 'is not', null)
      .executeTakeFirst()
  await expect.poll(read, { timeout: 25_000, interval: 50 }).toBeDefined()
  const item = await read()
  return ['login_rejected', 'login_review'].includes(String(item?.error_code)) ? 'refused' : 'used'
}
const task = async (path: string, body: object) =>
  taskOutcome((await server.admin.request<{ task: string }>('POST', path, body)).task)

/** What is begun before a rule is there, and what is done when it is. */
const ways: Record<string, () => Promise<() => Promise<Outcome>>> = {
  'a connection token': async () => () => answered(token()),
  'a connection token for files': async () => () => answered(token({ protocol: 'sftp', connect_method: 'web_sftp' })),
  'a connection token that waits': async () => async () => {
    const made = await user.request<AnyRow>('POST', `${tokens}?create_ticket=1`, wanted()).catch((error: unknown) => {
      if (error instanceof ApiError) return undefined
      throw error
    })
    if (!made) return 'refused'
    return made.is_active ? answered(secretOf(made)) : 'waits'
  },
  'a connection token of a component': async () => () =>
    answered(gateway.request('POST', supers, { ...wanted(), user: userId, remote_addr: '127.0.0.1' })),
  'an exchanged connection token': async () => {
    const { id } = await token()
    return () => answered(user.request('POST', `${tokens}exchange/`, { id }))
  },
  'a connection token that was made before': async () => {
    const made = await token()
    return () => answered(secretOf(made))
  },
  'the check of components of older versions': async () => async () => {
    const body = { user_id: userId, asset_id: host.id, account_username: sshd.username }
    const call = gateway.request<{ need_review: boolean }>('POST', '/api/v1/acls/login-asset/check/', body)
    return (await answered(call)) === 'refused' ? 'refused' : (await call).need_review ? 'waits' : 'used'
  },
  'a quick command': async () => async () => jobOutcome(await begun(`${ops}jobs/`, job({ instant: true }))),
  'a stored job': async () => {
    const { id } = await stored()
    return async () => jobOutcome(await begun(`${ops}job-executions/`, { job: id }))
  },
  'a scheduled job': async () => {
    const { id } = await stored({ is_periodic: true, crontab: '0 3 1 1 *' })
    return async () => {
      const context = server.context(defaultOrgId)
      return jobOutcome(await context.enqueue(runJob, { job: String(id) }, { creator: userId }))
    }
  },
  'the repetition of a job': async () => {
    const task_id = await begun(`${ops}jobs/`, job({ instant: true, args: 'exit 3' }))
    const read = () => user.request<AnyRow>('GET', `${ops}job-executions/${task_id}/`)
    await expect.poll(async () => (await read()).is_finished, { timeout: 25_000, interval: 50 }).toBe(true)
    await server
      .context()
      .acrossOrganizations.updateTable('ops_job')
      .set({ args: 'true' })
      .where('id', '=', (await read()).job && ((await read()).job as AnyRow).id)
      .execute()
    return async () => jobOutcome(await begun(`${ops}job-executions/${task_id}/retry/`, {}))
  },
  'a playbook': async () => async () =>
    jobOutcome(await begun(`${ops}jobs/`, job({ instant: true, type: 'playbook', playbook, args: '' }))),
  'an upload': async () => async () =>
    jobOutcome(
      await begun(`${ops}file-transfers/upload/`, {
        ...{ assets: [host.id], runas: sshd.username, files: [uploaded], folder: '/tmp', overwrite: true },
      }),
    ),
  'a fetched file': async () => async () =>
    jobOutcome(
      await begun(`${ops}file-transfers/fetch/`, { assets: [host.id], runas: sshd.username, file: '/etc/hostname' }),
    ),
  'a test of the asset': async () => () => task(`/api/v1/assets/assets/${host.id}/tasks/`, { action: 'test' }),
  'collected facts': async () => () => task(`/api/v1/assets/assets/${host.id}/tasks/`, { action: 'refresh' }),
  'a verified account': async () => () =>
    task('/api/v1/accounts/accounts/tasks/', { action: 'verify', accounts: [account.id] }),
  'a pushed account': async () => () =>
    task('/api/v1/accounts/accounts/tasks/', { action: 'push', accounts: [account.id] }),
  'a removed account': async () => () =>
    task('/api/v1/accounts/accounts/tasks/', { action: 'remove', accounts: [account.id] }),
  'collected accounts': async () => {
    const plan = await server.admin.collection('accounts/gather-account-automations').create({
      ...{ name: `gather ${crypto.randomUUID()}`, assets: [host.id], nodes: [], is_periodic: false },
    })
    return () => task('/api/v1/accounts/gather-account-executions/', { automation: plan.id })
  },
}
const automations = Object.keys(ways).slice(Object.keys(ways).indexOf('a test of the asset'))
/** Ways in which nobody knows where the user is. */
const withoutAddress = ['a scheduled job', 'the check of components of older versions']

/** Does everything, before and with a rule. */
async function outcomes(begin: () => Promise<() => Promise<unknown>>): Promise<Record<string, Outcome>> {
  const names = Object.keys(ways)
  const prepared = await Promise.all(names.map((name) => ways[name]?.()))
  const end = await begin()
  try {
    const found = await Promise.all(prepared.map((way) => way?.()))
    return Object.fromEntries(names.map((name, at) => [name, found[at] as Outcome]))
  } finally {
    await end()
  }
}
const expected = (usual: Outcome, but: Readonly<Record<string, Outcome>> = {}) => ({
  ...Object.fromEntries(Object.keys(ways).map((name) => [name, usual])),
  ...but,
})
const each = (names: readonly string[], outcome: Outcome) => Object.fromEntries(names.map((name) => [name, outcome]))

let count = 0
const rule = (more: object) => async () => {
  const { action, ...body } = { action: 'reject', ...more }
  const row = await server.admin.collection('acls/login-asset-acls').create({
    ...{ name: `rule ${++count}`, priority: 50, users: { type: 'all' }, assets: { type: 'all' }, accounts: ['@ALL'] },
    ...{ rules: { ip_group: ['*'], time_period: [] }, reviewers: [reviewerId], action: 'notice' },
    ...body,
  })
  // Reviews need a license, which this installation does not have.
  await server
    .context()
    .acrossOrganizations.updateTable('acls_loginassetacl')
    .set({ action })
    .where('id', '=', row.id)
    .execute()
  return () => server.admin.collection('acls/login-asset-acls').delete(row.id)
}
const rulesOf = (ip_group: string[], time_period: object[] = []) => ({ rules: { ip_group, time_period } })
const both = (one: ReturnType<typeof rule>, other: ReturnType<typeof rule>) => async () => {
  const ends = [await one(), await other()]
  return async () => {
    for (const end of ends) await end()
  }
}
const changed = (path: string, id: unknown, body: object, back: object) => async () => {
  await server.admin.request('PATCH', `/api/v1/${path}/${id}/`, body)
  return () => server.admin.request('PATCH', `/api/v1/${path}/${id}/`, back)
}

const parts = ['sshd', 'ssh', 'ssh-keygen', 'ansible', 'root', 'mount'] as const
describeWith(parts, 'every way to use an account', () => {
  beforeAll(async () => {
    server = await startServer({ worker: true })
    sshd = await startSshd()
    host = await makeHost(server.admin, sshd, 'used')
    account = (await server.admin.collection('accounts/accounts').all({ asset: host.id }))[0] as AnyRow
    gateway = (await registerComponent(server.url, server.bootstrapToken, 'gateway-uses')).in('ROOT')
    const person = (name: string) => server.person(name, { system: [roleIds.user], org: [roleIds.orgUser] })
    ;[userId, reviewerId] = [await person('uses'), await person('reviews')]
    ;[user, reviewer] = [await server.as(userId, defaultOrgId), await server.as(reviewerId, defaultOrgId)]
    permission = await server.admin.collection('perms/asset-permissions').create({
      ...{ name: 'uses', users: [userId], assets: [host.id], accounts: ['@ALL'], protocols: ['all'], actions: ['all'] },
    })
    const made = await user.request<AnyRow>('POST', `${ops}playbooks/`, { name: 'nothing' })
    playbook = String(made.id)
    const content = '- hosts: all\n  gather_facts: false\n  tasks:\n    - ping:\n'
    await user.request('PATCH', `${ops}playbook/${playbook}/file/`, { key: 'main.yml', content })
    const form = new FormData()
    form.append('file', new Blob(['x']), `castellan-uses-${process.pid}`)
    const path = `${ops}file-uploads/`
    const headers = { ...user.proof('POST', path), connection: 'close' }
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: form, headers })
    uploaded = ((await answer.json()) as { id: string }).id
  })
  afterAll(async () => {
    await server?.close()
    await sshd?.stop()
  })

  const elsewhere = rulesOf(['203.0.113.0/24'])
  const anotherDay = [{ id: (new Date().getDay() + 3) % 7, value: '00:00~00:00' }]
  const everyDay = [0, 1, 2, 3, 4, 5, 6].map((id) => ({ id, value: '00:00~00:00' }))
  const table: [string, () => Promise<() => Promise<unknown>>, Record<string, Outcome>][] = [
    ['no rule', async () => async () => undefined, expected('used')],
    ['a rule that rejects', rule({}), expected('refused')],
    ['one that rejects this address', rule(rulesOf(['127.0.0.1', '::1'])), expected('refused')],
    ['one that rejects others', rule(elsewhere), expected('used', each(withoutAddress, 'refused'))],
    [
      'one that accepts this address, above one that rejects',
      both(rule({ ...rulesOf(['127.0.0.1', '::1']), action: 'accept', priority: 60 }), rule({})),
      expected('used', each(withoutAddress, 'refused')),
    ],
    ['one that rejects every day', rule(rulesOf(['*'], everyDay)), expected('refused')],
    ['one that rejects another day', rule(rulesOf(['*'], anotherDay)), expected('used')],
    ['one about another account', rule({ accounts: ['nobody-else'] }), expected('used')],
    ['one that tells somebody', rule({ action: 'notice' }), expected('used')],
    [
      'one that wants a review',
      rule({ action: 'review' }),
      expected('waits', {
        ...each(['a connection token', 'a connection token for files', 'a connection token of a component'], 'refused'),
        ...each(['an exchanged connection token', 'a connection token that was made before'], 'refused'),
        // An approval counts for one execution.
        'the repetition of a job': 'refused',
        ...each(automations, 'refused'),
      }),
    ],
  ]
  for (const [name, begin, outcome] of table)
    it(`is decided alike with ${name}`, async () => {
      expect(await outcomes(begin)).toEqual(outcome)
    })

  const byPermission = { ...each(automations, 'used'), 'the check of components of older versions': 'used' as const }
  it.each([
    ['is switched off', { is_active: false }, { is_active: true }],
    ['has another protocol', { protocols: ['rdp'] }, { protocols: ['all'] }],
    ['has another account', { accounts: ['nobody-else'] }, { accounts: ['@ALL'] }],
    ['has expired', { date_expired: '2020-01-01T00:00:00Z' }, { date_expired: '2099-01-01T00:00:00Z' }],
  ])('is decided alike when the permission %s', async (_name, body, back) => {
    const begin = changed('perms/asset-permissions', permission.id, body, back)
    expect(await outcomes(begin)).toEqual(expected('refused', byPermission))
  })

  it('goes on when its review is approved, and not when it is refused; reviewers see what runs', async () => {
    const end = await rule({ action: 'review' })()
    const tickets = '/api/v1/tickets/apply-login-asset-tickets/'
    const open = await reviewer.request<AnyRow[]>('GET', `${tickets}?status=open`)
    const before = new Set(open.map(({ id }) => id))
    for (const [decision, outcome] of [
      ['approve', 'used'],
      ['reject', 'refused'],
    ] as const) {
      const id = await begun(`${ops}jobs/`, job({ instant: true, args: 'echo seen', chdir: '/tmp', module: 'shell' }))
      expect(await jobOutcome(id)).toBe('waits')
      const asked = (await reviewer.request<AnyRow[]>('GET', `${tickets}?status=open`)).find(
        (one) => !before.has(one.id),
      )
      expect(asked).toMatchObject({ comment: expect.stringContaining('[chdir="/tmp"] echo seen') })
      await reviewer.request('PUT', `${tickets}${asked?.id}/${decision}/`, {})
      const read = () => user.request<AnyRow>('GET', `${ops}job-executions/${id}/`)
      await expect.poll(async () => (await read()).is_finished, { timeout: 25_000, interval: 50 }).toBe(true)
      expect(((await read()).summary as { ok: string[] }).ok.length > 0).toBe(outcome === 'used')
    }
    await end()
  })
})

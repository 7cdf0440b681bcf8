import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import type { Client } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { JobWorker } from '../../../kernel/jobs/worker.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let worker: JobWorker
/** The target of executions; what starts none needs none. */
let sshd: RealSshd | undefined
let folder: string
/** What the target does for every command; unless it ends there, its list of accounts is whole then. */
const says = (script: string) =>
  writeFileSync(join(folder, 'says'), `${script}\necho; echo castellan-logins\n`, { mode: 0o755 })
const anAccount = 'echo "alice:x:1:1::/:/bin/sh"'
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-gather-'))
  chmodSync(folder, 0o755)
  says(anAccount)
  server = await startServer()
  worker = new JobWorker(server.application.services, () => undefined, { pollMs: 100 })
})
afterAll(async () => {
  await worker.stop()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const accounts = (path: string) => `/api/v1/accounts/${path}`
const plans = accounts('gather-account-automations/')
const executions = accounts('gather-account-executions/')
const status = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  )

let count = 0
const make = async (client: Client, path: string, body: object) =>
  (await client.request<{ id: string }>('POST', path, { name: `made-${count++}`, ...body })).id
const host = (client = server.admin) =>
  make(client, '/api/v1/assets/hosts/', {
    address: '127.0.0.1',
    platform: 1,
    protocols: [{ name: 'ssh', port: sshd?.port ?? 1 }],
    accounts: [
      sshd
        ? { username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey, privileged: true }
        : { username: 'root', secret_type: 'password', secret: 'of-nobody', privileged: true },
    ],
  })
const plan = (body: object = {}, client = server.admin) => make(client, plans, { is_periodic: false, ...body })
const start = async (automation: string, client = server.admin) =>
  (await client.request<{ task: string }>('POST', executions, { automation })).task

interface Execution {
  status: string
  trigger: { value: string }
  automation: string | null
  date_finished: string | null
  summary: { success: number; reason: { value: string } | null }
}
const executionOf = (id: string) => server.admin.request<Execution>('GET', `${executions}${id}/`)
const itemsOf = (id: string) =>
  server.admin.request<{ status: { value: string }; error_code: string; attempts: number }[]>(
    'GET',
    `${executions}${id}/items/`,
  )
async function ended(id: string): Promise<Execution> {
  await expect.poll(async () => (await executionOf(id)).date_finished, { timeout: 30_000, interval: 50 }).not.toBeNull()
  return executionOf(id)
}
/** Somebody with a role of their own that holds these permissions in the Default organization. */
async function withCodes(...codes: string[]): Promise<{ id: string; client: Client }> {
  const role = await make(server.admin, '/api/v1/rbac/org-roles/', { scope: 'org', permissions: [] })
  const all = await server.admin.request<{ id: number; codename: string; content_type: { app_label: string } }[]>(
    'GET',
    '/api/v1/rbac/permissions/',
  )
  const ids = all.filter(({ content_type, codename }) => codes.includes(`${content_type.app_label}.${codename}`))
  await server.admin.request('PATCH', `/api/v1/rbac/org-roles/${role}/`, { permissions: ids.map(({ id }) => id) })
  const id = await server.person('custom', { system: [roleIds.user], org: [role] })
  return { id, client: await server.as(id) }
}

describe('a plan', () => {
  it('needs times that it names itself, and no wrong ones', async () => {
    const refusal = (body: object) =>
      server.admin.request('POST', plans, { name: `wrong-${count++}`, ...body }).then(
        () => ({}),
        (error: { status: number; body: object }) => ({ status: error.status, fields: Object.keys(error.body) }),
      )
    expect(await refusal({})).toEqual({ status: 400, fields: ['is_periodic'] })
    expect(await refusal({ is_periodic: true })).toEqual({ status: 400, fields: ['is_periodic'] })
    expect(await refusal({ crontab: '* * *' })).toEqual({ status: 400, fields: ['crontab'] })
    expect(await refusal({ crontab: '99 * * * *' })).toEqual({ status: 400, fields: ['crontab'] })
    expect(await refusal({ is_periodic: false, interval: 0 })).toEqual({ status: 400, fields: ['interval'] })
    expect(await refusal({ is_periodic: false, accounts: 'root' })).toEqual({ status: 400, fields: ['accounts'] })
    expect(await refusal({ is_periodic: false, accounts: [{}] })).toEqual({ status: 400, fields: ['accounts'] })
    const id = await make(server.admin, plans, { crontab: '0 2 * * *', interval: 12 })
    const display = async () =>
      (await server.admin.request<{ periodic_display: string }>('GET', `${plans}${id}/`)).periodic_display
    expect(await display()).toBe('Crontab ( 0 2 * * * )')
    await server.admin.request('PATCH', `${plans}${id}/`, { crontab: null })
    expect(await display()).toBe('Interval ( 12 h )')
    await server.admin.request('PATCH', `${plans}${id}/`, { is_periodic: false })
    expect(await display()).toBe('-')
  })

  it('starts nothing for what is no plan', async () => {
    for (const body of [
      {},
      { automation: '' },
      { automation: 'x' },
      { automation: {} },
      { automation: defaultOrgId },
      [],
      null,
      7,
    ])
      expect(await status(server.admin.request('POST', executions, body)), JSON.stringify(body)).toBe(400)
  })

  it('has its assets and nodes changed some at a time', async () => {
    const id = await plan()
    const [first, second] = [await host(), await host()]
    const root = await server.admin.request<{ id: string }[]>('GET', '/api/v1/assets/nodes/')
    const at = (path: string) => accounts(`gather-account/${id}/${path}`)
    const change = (path: string, body: unknown) => server.admin.request<object>('PATCH', at(path), body)
    expect(await change('asset/add/', { assets: [first] })).toEqual({ msg: 'ok' })
    expect(await change('asset/add/', { assets: [second, first] })).toEqual({ msg: 'ok' })
    expect(await server.admin.request('GET', at('asset/add/'))).toEqual({
      id,
      assets: expect.toSatisfy((ids: string[]) => ids.sort().join() === [first, second].sort().join()),
    })
    expect(await change('asset/remove/', { assets: [first] })).toEqual({ msg: 'ok' })
    const shown = () => server.admin.request<{ id: string; name: string; address: string }[]>('GET', at('assets/'))
    expect((await shown()).map((one) => one.id)).toEqual([second])
    expect(Object.keys((await shown())[0] ?? {}).sort()).toEqual(['address', 'id', 'name'])
    expect(await change('nodes/?action=add', { nodes: [root[0]?.id] })).toEqual({ msg: 'ok' })
    expect((await shown()).map((one) => one.id)).toContain(first)
    expect(await change('nodes/?action=remove', { nodes: [root[0]?.id] })).toEqual({ msg: 'ok' })
    expect((await shown()).map((one) => one.id)).toEqual([second])
    // Clients read these errors in an answer that succeeded.
    for (const [path, body] of [
      ['asset/add/', {}],
      ['asset/add/', { assets: ['nonsense'] }],
      ['asset/add/', { assets: [defaultOrgId] }],
      ['nodes/', { nodes: [root[0]?.id] }],
      ['nodes/?action=explode', { nodes: [root[0]?.id] }],
    ] as const)
      expect(await change(path, body), `${path} ${JSON.stringify(body)}`).toHaveProperty('error')
    expect((await shown()).map((one) => one.id)).toEqual([second])
  })
})

describe('what belongs to another organization', () => {
  it('can be neither a target nor be seen, started, stopped or repeated', async () => {
    const orgId = await make(server.admin, '/api/v1/orgs/orgs/', {})
    const stranger = await server.as(
      await server.person('stranger', { system: [roleIds.user], org: [roleIds.orgAdmin], orgId }),
      orgId,
    )
    const theirHost = await host(stranger)
    const theirNodes = await stranger.request<{ id: string }[]>('GET', '/api/v1/assets/nodes/')
    const ours = await plan()
    const refused = { assets: [theirHost] }
    expect(await status(server.admin.request('PATCH', `${plans}${ours}/`, refused))).toBe(400)
    expect(await status(server.admin.request('PATCH', `${plans}${ours}/`, { nodes: [theirNodes[0]?.id] }))).toBe(400)
    const added = await server.admin.request('PATCH', accounts(`gather-account/${ours}/asset/add/`), refused)
    expect(added).toHaveProperty('error')

    const task = await start(ours)
    expect(await status(stranger.request('POST', executions, { automation: ours }))).toBe(400)
    expect(await stranger.request('GET', executions)).toEqual([])
    expect(await stranger.request('GET', `${executions}?automation_id=${ours}`)).toEqual([])
    for (const [method, path] of [
      ['GET', `${executions}${task}/`],
      ['GET', `${executions}${task}/items/`],
      ['POST', `${executions}${task}/stop/`],
      ['POST', `${executions}${task}/retry/`],
      ['GET', accounts(`gather-account/${ours}/assets/`)],
      ['PATCH', accounts(`gather-account/${ours}/asset/add/`)],
      ['GET', `/api/v1/ops/task-executions/${task}/`],
    ] as const)
      expect(await status(stranger.request(method, path, method === 'GET' ? undefined : {})), path).toBe(404)
    const log = await stranger.request('GET', `/api/v1/ops/celery/task/${task}/task-execution/${task}/log/`)
    expect(log).toEqual({ data: 'Waiting for the log of this task …' })
    expect((await executionOf(task)).status).toBe('pending')
    await server.admin.request('POST', `${executions}${task}/stop/`)
    expect(await executionOf(task)).toMatchObject({ status: 'canceled', summary: { reason: { value: 'canceled' } } })
  })
})

describe('permissions', () => {
  it('of auditors and of custom roles are those of each call', async () => {
    const automation = await plan()
    const task = await start(automation)
    const auditor = await server.as(
      await server.person('auditor', { system: [roleIds.user], org: [roleIds.orgAuditor] }),
    )
    const { client: viewer } = await withCodes('accounts.view_gatheraccountsexecution')
    const { client: starter } = await withCodes('accounts.add_gatheraccountsexecution')
    const log = (client: Client) =>
      client.request<{ end?: boolean }>('GET', `/api/v1/ops/celery/task/${task}/task-execution/${task}/log/`)
    expect(await status(viewer.request('GET', `${executions}${task}/items/`))).toBe(200)
    // Whoever may see the execution may follow its log.
    expect((await log(viewer)).end).toBe(false)
    for (const client of [auditor, viewer]) {
      for (const path of ['stop', 'retry'])
        expect(await status(client.request('POST', `${executions}${task}/${path}/`))).toBe(403)
      expect(await status(client.request('POST', executions, { automation }))).toBe(403)
      expect(await status(client.request('PATCH', accounts(`gather-account/${automation}/asset/add/`), {}))).toBe(403)
      expect(await status(client.request('POST', accounts('gathered-accounts/sync-accounts/'), {}))).toBe(403)
    }
    expect(await status(starter.request('GET', `${executions}${task}/`))).toBe(403)
    expect(await status(starter.request('POST', `${executions}${task}/stop/`))).toBe(200)
  })
})

describeWith(['sshd', 'ssh-keygen'], 'an execution', () => {
  beforeAll(async () => {
    sshd = await startSshd({ config: [`ForceCommand /bin/sh ${join(folder, 'says')}`] })
  })
  afterAll(() => sshd?.stop())

  it('of a schedule acts as the system for the organization of its plan', async () => {
    await worker.start()
    const asset = await host()
    const id = await make(server.admin, plans, { assets: [asset], interval: 24 })
    const { writer, reader } = server.application.services.database
    await writer.updateTable('kernel_schedule').set({ date_next: Date.now() }).where('owner_id', '=', id).execute()
    const ofPlan = () =>
      server.admin.request<(Execution & { id: string })[]>('GET', `${executions}?automation_id=${id}`)
    await expect.poll(async () => (await ofPlan()).length, { timeout: 20_000 }).toBe(1)
    const [first] = await ofPlan()
    expect(await ended(first?.id ?? '')).toMatchObject({
      status: 'success',
      trigger: { value: 'timing' },
      automation: id,
      summary: { success: 1 },
    })
    expect(await server.admin.request('GET', `${executions}?trigger=timing&automation_id=${id}`)).toHaveLength(1)
    expect(await server.admin.request('GET', `${executions}?trigger=manual&automation_id=${id}`)).toEqual([])
    await server.admin.request('DELETE', `${plans}${id}/`)
    expect(await reader.selectFrom('kernel_schedule').select('id').where('owner_id', '=', id).execute()).toEqual([])
    // The record of what was done remains.
    expect(await executionOf(first?.id ?? '')).toMatchObject({ automation: null, status: 'success' })
    await expect(server.admin.request('POST', `${executions}${first?.id}/retry/`)).rejects.toMatchObject({
      status: 400,
    })
  })

  it('does nothing for somebody who may not start it any more, and says so', async () => {
    says('sleep 20')
    const [asset, other] = [await host(), await host()]
    const { id, client } = await withCodes('accounts.add_gatheraccountsexecution')
    // One user does not have all four slots of a worker.
    const { client: another } = await withCodes('accounts.add_gatheraccountsexecution')
    const starters = [server.admin, server.admin, server.admin, another]
    const held = await Promise.all(starters.map(async (one) => start(await plan({ assets: [asset] }), one)))
    const states = () => Promise.all(held.map(async (task) => (await executionOf(task)).status))
    await expect.poll(states, { timeout: 20_000 }).toEqual(held.map(() => 'running'))
    // No worker takes a fifth one, so that its starter is disabled before it begins.
    const late = await start(await plan({ assets: [other] }), client)
    await server.admin.request('PATCH', `/api/v1/users/users/${id}/`, { is_active: false })
    for (const task of held) await server.admin.request('POST', `${executions}${task}/stop/`)
    expect(await ended(late)).toMatchObject({ status: 'failed', summary: { reason: { value: 'not_permitted' } } })
    expect(await itemsOf(late)).toEqual([])
  })

  it('stops at the target at which its starter lost the permission', async () => {
    says('sleep 20')
    const asset = await host()
    const { id, client } = await withCodes('accounts.add_gatheraccountsexecution')
    const holder = await start(await plan({ assets: [asset] }))
    await expect.poll(async () => (await itemsOf(holder))[0]?.status.value, { timeout: 20_000 }).toBe('running')
    const waiting = await start(await plan({ assets: [asset] }), client)
    await expect.poll(async () => (await itemsOf(waiting))[0]?.status.value, { timeout: 20_000 }).toBe('pending')
    await server.admin.request('PATCH', `/api/v1/users/users/${id}/`, { is_active: false })
    // What was found a moment ago still holds for two seconds: by this clock they are over.
    const clock = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => clock() + 2100)
    says(anAccount)
    await server.admin.request('POST', `${executions}${holder}/stop/`)
    await ended(waiting)
    expect(await itemsOf(waiting)).toMatchObject([{ status: { value: 'failed' }, error_code: 'not_permitted' }])
  })

  it('is continued by another worker when its own is killed', async () => {
    await worker.stop()
    says('sleep 60')
    const asset = await host()
    const task = await start(await plan({ assets: [asset] }))
    const { databaseUrl } = server.application.services.config
    const child = spawn(process.execPath, [fileURLToPath(new URL('../../../main.ts', import.meta.url))], {
      env: {
        ...process.env,
        CASTELLAN_ROLE: 'worker',
        CASTELLAN_DATA_DIR: server.dataDir,
        CASTELLAN_LOG_LEVEL: 'silent',
        CASTELLAN_HTTP_PORT: '0',
        ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      },
      stdio: 'inherit',
    })
    await expect.poll(async () => (await itemsOf(task))[0]?.status.value, { timeout: 30_000 }).toBe('running')
    child.kill('SIGKILL')
    await once(child, 'exit')
    says(anAccount)
    // The lease of a dead worker ends after a minute; the test shortens it.
    await server.application.services.database.writer
      .updateTable('kernel_job')
      .set({ date_lease: 0 })
      .where('id', '=', task)
      .execute()
    worker = new JobWorker(server.application.services, () => undefined, { pollMs: 100 })
    await worker.start()
    await ended(task)
    expect(await itemsOf(task)).toMatchObject([{ attempts: 2, status: { value: 'success' }, error: null }])
    expect(await server.admin.request('GET', accounts(`gathered-accounts/?asset_id=${asset}`))).toHaveLength(1)
  })

  it('tells its recipients what differs, once, and nobody who left', async () => {
    const asset = await host()
    const member = await server.person('reader', { system: [roleIds.user], org: [roleIds.orgUser] })
    const left = await server.person('left', { system: [roleIds.user], org: [roleIds.orgUser] })
    const id = await plan({ assets: [asset], recipients: [member, left] })
    await server.admin.request('PATCH', `/api/v1/users/users/${left}/`, { is_active: false })
    const inbox = async (user: string) => {
      const { database } = server.application.services
      return database.reader
        .selectFrom('notifications_sitemessage as s')
        .innerJoin('notifications_messagecontent as c', 'c.id', 's.content_id')
        .select(['c.subject', 'c.message'])
        .where('s.user_id', '=', user)
        .where('c.subject', 'like', 'Accounts changed%')
        .execute()
    }
    const run = async () => ended(await start(id))
    const all = `${anAccount}; echo "${sshd?.username}:x:1:1::/:/bin/sh"`
    says(all)
    await run()
    const before = (await inbox(member)).length
    await run()
    expect((await inbox(member)).length).toBe(before)
    says(`${all}; echo "mallory:x:1:1::/:/bin/sh"`)
    await run()
    const messages = await inbox(member)
    expect(messages.length).toBe(before + 1)
    expect(messages.at(-1)?.message).toContain('mallory')
    expect(messages.at(-1)?.message).toContain('/ui/#/console/accounts/account-gather/executions/')
    expect(await inbox(left)).toEqual([])
  })
})

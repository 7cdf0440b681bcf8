import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let sshd: RealSshd
/** The same program; every command prints the content of a file of the test. */
let hostile: RealSshd
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-gather-'))
  chmodSync(folder, 0o755)
  says('exit 0')
  server = await startServer({ worker: true })
  sshd = await startSshd()
  hostile = await startSshd({ config: [`ForceCommand /bin/sh ${join(folder, 'says')}`] })
})
afterAll(async () => {
  await server.close()
  await sshd?.stop()
  await hostile?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** What the hostile target does for every command; unless it ends there, its list of accounts is whole then. */
function says(script: string): void {
  writeFileSync(join(folder, 'says'), `${script}\necho; echo castellan-logins\n`, { mode: 0o755 })
}

interface Summary {
  total: number
  success: number
  failed: number
  skipped: number
  canceled: number
  lost: number
  reason: { value: string; label: string } | null
}
interface Execution {
  id: string
  automation: string | null
  status: string
  trigger: { value: string }
  date_start: string | null
  date_finished: string | null
  snapshot: { type: { value: string }; name: string; asset_amount: number; node_amount: number }
  summary: Summary
}
interface Item {
  target: { id: string; name: string }
  status: { value: string }
  error_code: string | null
  error: string | null
  attempts: number
}
interface Gathered {
  id: string
  asset: { id: string }
  username: string
  present: boolean
}

const api = <T>(method: string, path: string, body?: unknown) =>
  server.admin.request<T>(method, `/api/v1/accounts/${path}`, body)

let count = 0
const host = async (target: RealSshd, more: object = {}) =>
  (
    await server.admin.request<{ id: string }>('POST', '/api/v1/assets/hosts/', {
      name: `gathered-${count++}`,
      address: target.host,
      platform: 1,
      protocols: [{ name: 'ssh', port: target.port }],
      accounts: [{ username: target.username, secret_type: 'ssh_key', secret: target.privateKey, privileged: true }],
      ...more,
    })
  ).id
const plan = (more: object) =>
  api<{ id: string; executed_amount: number; periodic_display: string }>('POST', 'gather-account-automations/', {
    name: `plan-${count++}`,
    is_periodic: false,
    ...more,
  })
const start = async (automation: string) =>
  (await api<{ task: string }>('POST', 'gather-account-executions/', { automation })).task
const executionOf = (id: string) => api<Execution>('GET', `gather-account-executions/${id}/`)
const itemsOf = (id: string) => api<Item[]>('GET', `gather-account-executions/${id}/items/`)
async function ended(id: string): Promise<Execution> {
  await expect.poll(async () => (await executionOf(id)).date_finished, { timeout: 30_000, interval: 50 }).not.toBeNull()
  return executionOf(id)
}
const run = async (automation: string) => ended(await start(automation))
const gatheredOn = (asset: string) => api<Gathered[]>('GET', `gathered-accounts/?asset_id=${asset}`)
const namesOn = async (asset: string) => (await gatheredOn(asset)).map(({ username }) => username).sort()
const logOf = async (id: string) =>
  (await server.admin.request<{ data: string }>('GET', `/api/v1/ops/celery/task/${id}/task-execution/${id}/log/`)).data

describeWith(['sshd', 'ssh-keygen'], 'collecting accounts', () => {
  it('reads the accounts of every asset, chosen directly and by node, and records each of them', async () => {
    const [first, second] = [await host(sshd), await host(sshd)]
    const root = await server.admin.request<{ id: string }[]>('GET', '/api/v1/assets/nodes/')
    const node = await server.admin.request<{ id: string }>('POST', `/api/v1/assets/nodes/${root[0]?.id}/children/`, {
      value: 'gathered',
    })
    await server.admin.request('PUT', `/api/v1/assets/nodes/${node.id}/assets/add/`, { assets: [second] })
    const { id } = await plan({ assets: [first], nodes: [node.id] })
    const execution = await run(id)
    expect(execution).toMatchObject({
      automation: id,
      status: 'success',
      trigger: { value: 'manual' },
      snapshot: { type: { value: 'gather_accounts' }, asset_amount: 1, node_amount: 1 },
      summary: { total: 2, success: 2, failed: 0, reason: null },
    })
    for (const asset of [first, second]) {
      const found = await gatheredOn(asset)
      expect(found.map(({ username }) => username)).toContain('root')
      expect(found.every(({ present }) => present)).toBe(true)
      expect(found.map(({ username }) => username)).not.toContain('daemon')
    }
    expect(await itemsOf(execution.id)).toMatchObject([
      { status: { value: 'success' }, attempts: 1, error: null },
      { status: { value: 'success' }, attempts: 1, error: null },
    ])
    expect(await logOf(execution.id)).toContain('Done: 2 succeeded, 0 failed, 0 skipped')
    expect((await api<{ executed_amount: number }>('GET', `gather-account-automations/${id}/`)).executed_amount).toBe(1)
  })

  it('marks what is gone, and adds accounts where the plan says so', async () => {
    const asset = await host(hostile)
    const { id } = await plan({ assets: [asset], is_sync_account: true })
    says('echo "alice:x:1000:1000::/home/alice:/bin/sh"; echo "bob:x:1001:1001::/home/bob:/bin/sh"')
    expect((await run(id)).summary).toMatchObject({ success: 1 })
    says('echo "alice:x:1000:1000::/home/alice:/bin/sh"; echo "carol:x:1002:1002::/home/carol:/bin/sh"')
    expect((await run(id)).summary).toMatchObject({ success: 1 })
    const found = await gatheredOn(asset)
    expect(found.map(({ username, present }) => [username, present]).sort()).toEqual([
      ['alice', true],
      ['bob', false],
      ['carol', true],
    ])
    const accounts = await api<{ username: string; source: { value: string } }[]>('GET', `accounts/?asset=${asset}`)
    expect(accounts.flatMap(({ username, source }) => (source.value === 'collected' ? username : [])).sort()).toEqual([
      'alice',
      'bob',
      'carol',
    ])
  })

  it('reads last sign-ins in UTC with the address they came from', async () => {
    const asset = await host(hostile)
    const { id } = await plan({ assets: [asset] })
    says(
      'echo "alice:x:1:1::/:/bin/sh"; echo "bob:x:1:1::/:/bin/sh"; echo; echo castellan-logins; ' +
        'echo "alice    pts/0        10.1.2.3         Mon Nov 23 08:00:00 2026 - Mon Nov 23 09:00:00 2026  (01:00)"; ' +
        'echo "alice    pts/0        10.9.9.9         Sun Nov 22 08:00:00 2026 - gone"; ' +
        'echo "bob      pts/1    2001:db8::7   Mon Nov 23 10:00:00 +0800 2026"; exit',
    )
    await run(id)
    const found = await api<{ username: string; date_last_login: string; address_last_login: string }[]>(
      'GET',
      `gathered-accounts/?asset_id=${asset}`,
    )
    const of = (name: string) => found.find(({ username }) => username === name)
    expect(of('alice')?.address_last_login).toBe('10.1.2.3')
    expect(Date.parse(of('alice')?.date_last_login ?? '')).toBe(Date.UTC(2026, 10, 23, 8))
    expect(of('bob')?.address_last_login).toBe('2001:db8::7')
    expect(Date.parse(of('bob')?.date_last_login ?? '')).toBe(Date.UTC(2026, 10, 23, 2))
  })

  it('skips what it must not touch, with the reason, and says why it did nothing', async () => {
    const disabled = await host(sshd, { is_active: false })
    const empty = await host(sshd, { accounts: [] })
    const platform = await server.admin.request<{ id: number }>('POST', '/api/v1/assets/platforms/', {
      name: `without-${count++}`,
      category: 'host',
      type: 'linux',
      protocols: [{ name: 'ssh', port: 22, primary: true }],
      automation: { ansible_enabled: true, gather_accounts_enabled: false },
    })
    const off = await host(sshd, { platform: platform.id })
    const { id: sqlserver } = await server.admin.request<{ id: string }>('POST', '/api/v1/assets/databases/', {
      name: `gathered-${count++}`,
      address: sshd.host,
      platform: 21,
      protocols: [{ name: 'sqlserver', port: sshd.port }],
      db_name: 'unused',
    })
    const { id } = await plan({ assets: [disabled, empty, off, sqlserver] })
    const { summary, id: execution } = await run(id)
    expect(summary).toMatchObject({ total: 4, skipped: 4, reason: { value: 'all_skipped' } })
    const codes = new Map((await itemsOf(execution)).map(({ target, error_code }) => [target.id, error_code]))
    expect(Object.fromEntries(codes)).toEqual({
      [disabled]: 'asset_disabled',
      [empty]: 'no_ssh_account',
      [off]: 'platform_disabled',
      [sqlserver]: 'no_method',
    })
    const nothing = await run((await plan({})).id)
    expect(nothing).toMatchObject({ status: 'success', summary: { total: 0, reason: { value: 'no_targets' } } })
    expect(await logOf(nothing.id)).toContain('no assets are selected')
  })

  it('repeats what failed, and nothing else', async () => {
    const [good, bad] = [await host(hostile), await host(hostile, { protocols: [{ name: 'ssh', port: 1 }] })]
    says('echo "alice:x:1:1::/:/bin/sh"')
    const { id } = await plan({ assets: [good, bad] })
    const first = await run(id)
    expect(first.summary).toMatchObject({ success: 1, failed: 1 })
    expect((await itemsOf(first.id)).find(({ target }) => target.id === bad)).toMatchObject({
      status: { value: 'failed' },
      error_code: 'refused',
    })
    await server.admin.request('PATCH', `/api/v1/assets/hosts/${bad}/`, {
      protocols: [{ name: 'ssh', port: hostile.port }],
    })
    const { task } = await api<{ task: string }>('POST', `gather-account-executions/${first.id}/retry/`)
    expect((await ended(task)).summary).toMatchObject({ total: 1, success: 1 })
    expect(await namesOn(bad)).toEqual(['alice'])
    await expect(api('POST', `gather-account-executions/${task}/retry/`)).rejects.toMatchObject({ status: 400 })
  })

  it('is stopped in the middle of a target that does not answer', async () => {
    const asset = await host(hostile)
    says('sleep 60')
    const task = await start((await plan({ assets: [asset] })).id)
    await expect.poll(async () => (await itemsOf(task))[0]?.status.value, { timeout: 10_000 }).toBe('running')
    await api('POST', `gather-account-executions/${task}/stop/`)
    expect(await ended(task)).toMatchObject({
      status: 'canceled',
      summary: { canceled: 1, reason: { value: 'canceled' } },
    })
    expect(await gatheredOn(asset)).toEqual([])
  })
})

describeWith(['sshd', 'ssh-keygen'], 'a hostile target', () => {
  const refused = async (script: string, ...codes: string[]) => {
    const asset = await host(hostile)
    const { id } = await plan({ assets: [asset] })
    says(script)
    const execution = await run(id)
    expect(execution.summary).toMatchObject({ failed: 1 })
    expect(codes).toContain((await itemsOf(execution.id))[0]?.error_code)
    expect(await gatheredOn(asset)).toEqual([])
  }

  it('that prints 10 MB stores nothing', () => refused('head -c 10000000 /dev/zero | tr "\\0" "a"', 'too_much'))
  it('that prints without end stores nothing', () => refused('yes "a:x:1:1::/:/bin/sh:::"', 'too_much'))
  it('with too many accounts stores nothing', () =>
    refused('i=0; while [ $i -lt 10050 ]; do echo "u$i:x:1:1::/:/bin/sh"; i=$((i+1)); done', 'too_many'))
  it('whose list breaks off stores nothing', () => refused('echo "a:x:1:1::/:/bin/sh"; exit 3', 'no_list'))
  it('whose connection is lost stores nothing', () =>
    refused('echo "a:x:1:1::/:/bin/sh"; kill -9 $PPID; sleep 1', 'no_list', 'failed'))
  it('that lists nobody stores nothing', () => refused('exit 0', 'no_list'))

  it('cannot bring names into lists and logs that a terminal would obey', async () => {
    const asset = await host(hostile)
    const { id } = await plan({ assets: [asset] })
    says(
      [
        'printf "good:x:1:1::/:/bin/sh\\n"',
        'printf "\\033[2Jred:x:1:1::/:/bin/sh\\n"',
        'printf "a\\302\\233b:x:1:1::/:/bin/sh\\n"',
        'printf "\\342\\200\\256evil:x:1:1::/:/bin/sh\\n"',
        'printf "<b>:x:1:1::/:/bin/sh\\n"',
        'printf "a b:x:1:1::/:/bin/sh\\n"',
        'printf -- "-rf:x:1:1::/:/bin/sh\\n"',
        'printf "+::::::\\n"',
        `printf "${'n'.repeat(33)}:x:1:1::/:/bin/sh\\n"`,
        'printf "half:x\\n"',
      ].join('\n'),
    )
    const execution = await run(id)
    expect(await namesOn(asset)).toEqual(['good'])
    const log = await logOf(execution.id)
    expect(log).toContain('9 entries were ignored')
    expect(log).not.toContain('\u001b')
  })

  it('that shows another host key is not signed in to', async () => {
    const asset = await host(sshd)
    const { id } = await plan({ assets: [asset] })
    expect((await run(id)).summary).toMatchObject({ success: 1 })
    await sshd.changeHostKey()
    const execution = await run(id)
    expect(await itemsOf(execution.id)).toMatchObject([{ error_code: 'host_key_changed' }])
  })
})

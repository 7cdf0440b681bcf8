import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { makeHost } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let sshd: RealSshd
let runner: Client
let runnerId: string
let host: AnyRow
let second: AnyRow

const api = '/api/v1/ops/'

interface Execution {
  id: string
  is_finished: boolean
  is_success: boolean
  time_cost: number
  summary: {
    ok: string[]
    failures: Record<string, string>
    dark: Record<string, string>
    excludes: Record<string, string>
    error?: string
  }
}

/** Starts a quick command and waits for its end. */
async function run(args: string, more: object = {}, by: Client = runner) {
  const { task_id } = await by.request<{ task_id: string }>('POST', `${api}jobs/`, {
    assets: [host.id],
    module: 'shell',
    args,
    runas: sshd.username,
    runas_policy: 'skip',
    instant: true,
    is_periodic: false,
    timeout: -1,
    ...more,
  })
  return ended(task_id, by)
}

async function ended(id: string, by: Client = runner) {
  const read = () => by.request<Execution>('GET', `${api}job-executions/${id}/`)
  await expect.poll(async () => (await read()).is_finished, { timeout: 20_000, interval: 50 }).toBe(true)
  const { data: log } = await by.request<{ data: string }>('GET', `${api}celery/task/${id}/task-execution/${id}/log/`)
  return { ...(await read()), log }
}

const permit = (assets: AnyRow[], user = runnerId) =>
  server.admin.collection('perms/asset-permissions').create({
    name: `permission ${Math.random()}`,
    users: [user],
    assets: assets.map(({ id }) => id),
    accounts: ['@ALL'],
    protocols: ['all'],
    actions: ['all'],
  })

describeWith(['sshd', 'ssh-keygen'], 'a run of a command', () => {
  beforeAll(async () => {
    server = await startServer({ worker: true })
    sshd = await startSshd()
    host = await makeHost(server.admin, sshd, 'web one')
    second = await makeHost(server.admin, sshd, 'web two')
    runnerId = await server.person('runner', { system: [roleIds.user], org: [roleIds.orgUser] })
    runner = await server.as(runnerId)
    await permit([host, second])
  })
  afterAll(async () => {
    await server?.close()
    await sshd?.stop()
  })

  it('says what each host printed, and which failed with which status', async () => {
    const good = await run(
      "echo 'it works'; echo \"$0\" >&2; printf '%s\\n' 'back\\slash' \"tab\there\"\necho second line",
    )
    expect(good).toMatchObject({ is_success: true, summary: { ok: ['web_one'], failures: {} } })
    expect(good.log).toContain('web_one | SUCCESS | rc=0 >>')
    expect(good.log).toContain('back\\slash')
    expect(good.log).toContain('second line')
    const bad = await run('echo before; exit 7')
    expect(bad).toMatchObject({
      is_success: false,
      summary: { ok: [], failures: { web_one: expect.stringContaining('7') } },
    })
    expect(bad.log).toContain('rc=7')
  })

  it('runs in the folder, and takes a script of Python without a file', async () => {
    expect((await run('pwd', { chdir: '/usr/lib' })).log).toContain('/usr/lib')
    expect((await run('pwd', { chdir: '/missing folder' })).is_success).toBe(false)
    const python = await run('import sys\nfor i in range(2):\n    print("line", i, "\\\\n")\nsys.exit(3)', {
      module: 'python',
    })
    expect(python.log).toContain('line 1 \\n')
    expect(python.log).toContain('rc=3')
  })

  const output = (id: string, by = runner, query = '') =>
    by.request<{ parts: { asset: string; stream: string; text: string }[]; position: number }>(
      'GET',
      `${api}job-executions/${id}/output/${query}`,
    )
  const start = async (args: string, more: object = {}, by = runner) =>
    (
      await by.request<{ task_id: string }>('POST', `${api}jobs/`, {
        assets: [host.id],
        args,
        runas: sshd.username,
        instant: true,
        is_periodic: false,
        ...more,
      })
    ).task_id

  /** What the socket of executions says to one user. */
  async function follow(id: string, by: Client) {
    const path = '/ws/ops/job-executions/'
    const socket = new WebSocket(server.url.replace(/^http/, 'ws') + path, { headers: by.proof('GET', path) })
    const heard: AnyRow[] = []
    socket.on('message', (data) => heard.push(JSON.parse(String(data))))
    await new Promise((open, fail) => socket.on('open', open).on('error', fail))
    socket.send(JSON.stringify({ execution: id }))
    const over = () => heard.find(({ event }) => event === 'end' || event === 'denied')
    return { heard, over, close: () => socket.close() }
  }

  it('shows output while it is printed, to its owner and to auditors only', async () => {
    const id = await start('echo first; sleep 3; echo last')
    const stranger = await server.as(
      await server.person('stranger', { system: [roleIds.user], org: [roleIds.orgUser] }),
    )
    const auditor = await server.as(
      await server.person('auditor', { system: [roleIds.user], org: [roleIds.orgAuditor] }),
    )
    const elsewhere = await server.organization('Elsewhere')
    const foreign = await server.as(
      await server.person('foreign', { system: [roleIds.user], org: [roleIds.orgAdmin], orgId: elsewhere }),
      elsewhere,
    )
    const own = await follow(id, runner)
    const texts = () => own.heard.flatMap(({ parts }) => ((parts ?? []) as AnyRow[]).map((part) => part.text)).join('')
    await expect.poll(texts, { timeout: 10_000, interval: 20 }).toContain('first')
    expect(texts()).not.toContain('last')
    const watching = await follow(id, auditor)
    for (const other of [stranger, foreign]) {
      const denied = await follow(id, other)
      await expect.poll(denied.over, { timeout: 5000 }).toMatchObject({ event: 'denied' })
      expect(denied.heard).toHaveLength(1)
      denied.close()
      await expect(output(id, other)).rejects.toMatchObject({ status: 404 })
      await expect(other.request('POST', `${api}job-executions/${id}/stop/`)).rejects.toMatchObject({ status: 404 })
      const log = await other.request<{ data: string }>('GET', `${api}ansible/job-execution/${id}/log/`)
      expect(log.data).not.toContain('first')
    }
    await ended(id)
    await expect.poll(own.over, { timeout: 5000 }).toMatchObject({ event: 'end', status: 'success' })
    await expect.poll(watching.over, { timeout: 5000 }).toMatchObject({ event: 'end' })
    expect(texts()).toContain('last')
    own.close()
    watching.close()
    const logs = await auditor.request<AnyRow[]>('GET', '/api/v1/audits/job-logs/')
    expect(logs.find((row) => row.id === id)).toMatchObject({ creator_name: 'runner', is_success: true })
    expect(
      (await auditor.request<{ parts: unknown[] }>('GET', `/api/v1/audits/job-logs/${id}/output/`)).parts.length,
    ).toBeGreaterThan(0)
  })

  it('is stopped, and so is its command', async () => {
    const mark = `/tmp/castellan-stop-${process.pid}-${Date.now()}`
    const id = await start(`echo begun; sleep 3; echo still > ${mark}`)
    await expect.poll(async () => (await output(id)).parts.length, { timeout: 10_000 }).toBeGreaterThan(0)
    await runner.request('POST', `${api}job-executions/${id}/stop/`)
    expect(await ended(id)).toMatchObject({ is_success: false, summary: { excludes: { web_one: expect.any(String) } } })
    const { stdout } = await promisify(execFile)('sh', ['-c', `sleep 3.5; ls ${mark} || echo none`])
    expect(stdout.trim()).toBe('none')
  })

  it('ends late hosts, and says so', async () => {
    const late = await run('sleep 20', { timeout: 1 })
    expect(late.is_success).toBe(false)
    expect(await runner.request('GET', `${api}job-execution/task-detail/${late.id}/`)).toMatchObject({
      status: 'timeout',
      is_finished: true,
    })
  })

  it('bounds endless output, and keeps control sequences and binary bytes from pages', async () => {
    const hostile = await run("printf '\\033]52;c;ZXZpbA==\\007\\033[2J\\033[31mred\\033[0m\\000\\377end\\n'")
    const shown = (await output(hostile.id)).parts.map(({ text }) => text).join('')
    expect(shown).toContain('\u001b[31mred\u001b[0m')
    for (const word of ['ZXZp', '\u0007', '\u001b[2J', '\0']) expect(shown).not.toContain(word)
    for (const word of ['ZXZp', '\u001b[2J']) expect(hostile.log).not.toContain(word)
    const endless = await run('yes endless | head -c 12000000')
    const parts = []
    for (let position = 0; ; ) {
      const read = await output(endless.id, runner, `?after=${position}`)
      if (read.parts.length === 0) break
      parts.push(...read.parts)
      position = read.position
    }
    expect(parts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(263_000)
    expect(JSON.parse(parts.at(-1)?.text ?? '{}')).toMatchObject({ rest: 'cut' })
    expect(endless.log).toContain('too long')
    const file = await fetch(`${server.url}${api}job-executions/${endless.id}/output-file/?asset=${host.id}`, {
      headers: {
        ...runner.proof('GET', `${api}job-executions/${endless.id}/output-file/?asset=${host.id}`),
        connection: 'close',
      },
    })
    expect((await file.arrayBuffer()).byteLength).toBe(10 * 1_048_576)
  })
})

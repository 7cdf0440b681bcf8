import { existsSync, rmSync } from 'node:fs'
import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { makeHost } from '@castellan/testing/granted-host'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'
import type { JobSnapshot } from '../job-execution.ts'
import { readingsOf } from './command-rules.ts'
import { operationOf } from './operation.ts'

const snapshot = (more: Partial<JobSnapshot>): JobSnapshot => ({
  ...{ job: 'j', name: 'n', type: 'adhoc', module: 'shell', args: '', playbook: null, runas: 'root' },
  ...{ runas_policy: 'skip', timeout: -1, chdir: '' },
  ...more,
})
const operation = (more: Partial<JobSnapshot>, own: Record<string, string> = {}, shown = own) =>
  operationOf(snapshot(more), { own, shown }, {}, 'material')

describe('an operation', () => {
  it.each([
    [{ args: 'id' }, 'id'],
    [{ args: 'id', chdir: '/a b' }, '[chdir="/a b"] id'],
    [{ args: 'print(1)', module: 'python' }, '[python] print(1)'],
    [{ args: 'select 1', module: 'mysql', chdir: '/ignored' }, '[mysql] select 1'],
    [{ args: 'id', module: 'raw', chdir: '/ignored' }, '[raw] id'],
    // A command cannot look like one of another module, or in another folder.
    [{ args: '[python] print(1)' }, '[shell] [python] print(1)'],
  ] as const)('is one text: %j', (more, shown) => {
    expect(operation(more).shown).toBe(shown)
  })

  it.each(['r\0m', 'a\u0007', 'a\u001b[2K', 'a\rb', '\u202efdp', 'x\u2066y', 'a\u2028b', '\ud800', 'a\u0085b'])(
    'has no characters that hide something: %j',
    (args) => {
      expect(() => operation({ args: `echo ${args}` })).toThrow()
      expect(() => operation({ args: 'echo {{ c }}' }, { c: args })).toThrow()
      expect(() => operation({ args: 'id', chdir: `/${args}` })).toThrow()
      expect(() => operation({ type: 'playbook' }, { c: args })).toThrow()
    },
  )

  it('hides secret words, and nothing that runs', () => {
    const hidden = (args: string, c: string, module = 'shell') =>
      operation({ args, module }, { c, d: 'plain' }, { c: '******', d: 'plain' }).shown
    expect(hidden('login -p {{ c }} {{ d }}', 'pass-W0rd!')).toBe('login -p ****** plain')
    for (const value of ['x; id', 'x y', '$(id)', '`id`', "'", '"', '\\', '<x', '#x', 'a\nb', '*', '{a,b}'])
      expect(() => hidden('login -p {{ c }}', value), value).toThrow('c')
    for (const args of ['{{ c }}', 'sudo {{ c }}', 'true; {{c}}', 'sh -c "{{ c }}"', '>x {{ c }}', 'x/{{ c }} now'])
      expect(() => hidden(args, 'reboot'), args).toThrow('c')
    expect(hidden('no use of it', 'x; id')).toBe('no use of it')
  })

  it('is read as its lines, as PowerShell reads it, and as the folder is entered', () => {
    expect(readingsOf(operation({ args: 'id\r\n  rm -rf /', chdir: '/etc' }))).toEqual([
      ...['id\n  rm -rf /', 'id', 'rm -rf /', 'cd /etc'],
    ])
    const powershell = readingsOf(operation({ module: 'win_shell', args: "Re`move-'Item' \u2013Recurse `\n x" }))
    expect(powershell).toContain('Remove-Item -Recurse   x')
  })
})

let server: TestServer
let sshd: RealSshd
let host: AnyRow
let runner: Client
const api = '/api/v1/ops/'
const mark = `/tmp/castellan-operation-${process.pid}`

interface Execution extends AnyRow {
  is_finished: boolean
  material: string
  summary: { ok: string[]; failures: Record<string, string>; excludes: Record<string, string>; error?: string }
}

async function ended(id: string): Promise<Execution> {
  const read = () => runner.request<Execution>('GET', `${api}job-executions/${id}/`)
  await expect.poll(async () => (await read()).is_finished, { timeout: 25_000, interval: 50 }).toBe(true)
  return read()
}
/** Runs a job with parameters, and returns everything that is kept of it. */
async function run(job: object, parameters: object = {}) {
  const { id } = await runner.request<AnyRow>('POST', `${api}jobs/`, {
    ...{ name: `job ${crypto.randomUUID()}`, assets: [host.id], runas: sshd.username, is_periodic: false },
    ...job,
  })
  const { task_id } = await runner.request<{ task_id: string }>('POST', `${api}job-executions/`, {
    job: id,
    parameters,
  })
  const row = await ended(task_id)
  const { data: log } = await runner.request<{ data: string }>('GET', `${api}ansible/job-execution/${task_id}/log/`)
  const commands = await server.admin.request<{ input: string; risk_level: { value: number } }[]>(
    'GET',
    `/api/v1/terminal/commands/?session_id=${task_id}`,
  )
  return { ...row, log, inputs: commands.map(({ input }) => input), risks: commands.map((one) => one.risk_level.value) }
}
const rejects = async (content: string, type = 'command') => {
  const group = await server.admin.collection('acls/command-groups').create({ name: `group ${content}`, type, content })
  const filters = server.admin.collection('acls/command-filter-acls')
  const { id } = await filters.create({
    ...{ name: `rule ${content}`, action: 'reject', priority: 50, command_groups: [group.id] },
    ...{ users: { type: 'all' }, assets: { type: 'all' }, accounts: ['*'] },
  })
  return () => filters.delete(id)
}

describeWith(['sshd', 'ssh', 'ssh-keygen', 'ansible', 'root', 'mount'], 'what a job runs', () => {
  beforeAll(async () => {
    server = await startServer({ worker: true })
    sshd = await startSshd()
    host = await makeHost(server.admin, sshd, 'operated')
    const id = await server.person('operates', { system: [roleIds.user], org: [roleIds.orgUser] })
    runner = await server.as(id)
    await server.admin.collection('perms/asset-permissions').create({
      ...{ name: 'operated', users: [id], assets: [host.id], accounts: ['@ALL'], protocols: ['all'], actions: ['all'] },
    })
  })
  afterAll(async () => {
    rmSync(mark, { force: true })
    await server?.close()
    await sshd?.stop()
  })

  it('is in the command log, the log of the job and the list of executions as it runs, with module and folder', async () => {
    const hidden = await run({ args: '{{ c }}' }, { c: 'echo HIDDEN; id' })
    expect(hidden).toMatchObject({ inputs: ['echo HIDDEN; id'], material: 'shell:echo HIDDEN; id' })
    expect(hidden.log).toContain('Runs: echo HIDDEN; id')
    const python = await run(
      { module: 'python', args: 'import os; print(os.getcwd(), "{{ c }}")', chdir: '/tmp' },
      { c: 'x' },
    )
    const text = '[python chdir="/tmp"] import os; print(os.getcwd(), "x")'
    expect(python).toMatchObject({ inputs: [text], summary: { ok: ['operated'] } })
    expect(python.material).toBe('python:[chdir="/tmp"] import os; print(os.getcwd(), "x")')
    expect(python.log).toContain(`Runs: ${text}`)
    // What a value contains is not filled in again.
    const nested = await run({ args: "echo '{{ c }}'" }, { c: '{{ d }}', d: 'second' })
    expect(nested).toMatchObject({ inputs: ["echo '{{ d }}'"], log: expect.not.stringContaining('second') })
    const folder = await run({ args: 'id', chdir: `$(touch ${mark})` })
    expect([folder.summary.ok, existsSync(mark)]).toEqual([[], false])
  })

  it('is nothing that a log would not show', async () => {
    for (const c of [`x\u0001; touch ${mark}`, `\u202e; touch ${mark}`, `x\r; touch ${mark}`]) {
      const { summary } = await run({ args: 'echo {{ c }}' }, { c })
      expect(summary.excludes.operated).toContain('would hide')
    }
    const definitions = { c: { label: 'C', type: 'secret', required: true } }
    const secret = { use_parameter_define: true, parameters_define: definitions }
    for (const [args, c] of [
      ['{{ c }}', 'uptime'],
      ['echo {{ c }}', `x;touch ${mark}`],
      ['sh -c {{ c }}', '/tmp/x'],
    ])
      expect((await run({ args, ...secret }, { c })).summary.excludes.operated).toContain('"c"')
    const plain = await run({ args: 'echo {{ c }}', ...secret }, { c: 'Pass-W0rd!' })
    expect(plain).toMatchObject({
      inputs: ['echo ******'],
      material: 'shell:echo ******',
      summary: { ok: ['operated'] },
    })
    expect(existsSync(mark)).toBe(false)
  })

  it('has values within bounds, also of jobs that define none', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`v${at}`, 'x']))
    for (const parameters of [{ c: 'x'.repeat(5000) }, many, { c: 'a\0b' }])
      await expect(run({ args: '{{ c }}' }, parameters)).rejects.toMatchObject({ status: 400 })
    const { summary } = await run({ args: 'echo {{c}}'.repeat(30) }, { c: 'x'.repeat(4000) })
    expect(summary.excludes.operated).toContain('too long')
  })

  it('is decided line by line, with its folder, and with the values of its parameters', async () => {
    const ends = [await rejects('^touch', 'regex'), await rejects('cd /etc'), await rejects('second-word')]
    expect(await run({ args: `echo x\ntouch ${mark}` })).toMatchObject({ risks: [5], summary: { ok: [] } })
    expect(await run({ args: 'id', chdir: '/etc' })).toMatchObject({ risks: [5], inputs: ['[chdir="/etc"] id'] })
    expect(await run({ args: 'echo {{ c }}' }, { c: "second''-word" })).toMatchObject({
      risks: [5],
      summary: { ok: [] },
    })
    expect(existsSync(mark)).toBe(false)
    for (const end of ends) await end()
  })

  it('has the values of a playbook beside its name, and none that the settings forbid', async () => {
    const { id } = await runner.request<AnyRow>('POST', `${api}playbooks/`, { name: 'with values' })
    const content = '- hosts: all\n  gather_facts: false\n  tasks:\n    - raw: "{{ c }}"\n'
    await runner.request('PATCH', `${api}playbook/${id}/file/`, { key: 'main.yml', content })
    const play = { type: 'playbook', playbook: id, args: '' }
    const definitions = { c: { label: 'C', type: 'text' }, p: { label: 'P', type: 'secret' } }
    const asking = { use_parameter_define: true, parameters_define: definitions }
    const shown = await run({ ...play, ...asking }, { c: 'echo HIDDEN', p: 'pass word' })
    expect(shown).toMatchObject({ summary: { ok: ['operated'] } })
    // Beside it stands what the worker saw on its way to the host.
    expect(shown.inputs.toSorted()).toEqual([
      expect.stringMatching(/:with values c="echo HIDDEN" p="?\*{6}"?$/),
      expect.stringContaining('echo HIDDEN'),
    ])
    expect(shown.log).toContain('c="echo HIDDEN"')
    expect((await run(play, { c: 'reboot --help' })).summary.error).toContain('"reboot"')
  })
})

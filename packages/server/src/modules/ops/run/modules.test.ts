import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { makeHost, permit } from '@castellan/testing/granted-host'
import { startHangingTarget } from '@castellan/testing/hanging-target'
import { type MariaDb, startMariaDb } from '@castellan/testing/mariadb'
import { describeWith, itWith } from '@castellan/testing/parts'
import { type Postgres, startPostgres } from '@castellan/testing/postgres'
import { startScriptedSqlServer } from '@castellan/testing/scripted-sqlserver'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let sshd: RealSshd
let mariadb: MariaDb
let postgres: Postgres
let runner: Client
let user: AnyRow
const api = '/api/v1/ops/'

interface Execution {
  id: string
  is_finished: boolean
  is_success: boolean
  summary: { ok: string[]; failures: Record<string, string>; dark: Record<string, string>; error?: string }
}

/** A database that the runner may use. */
async function database(name: string, type: string, port: number, login: { username: string; secret: string }) {
  const platforms = await server.admin.collection('assets/platforms').all({ type })
  const asset = await server.admin.collection('assets/databases').create({
    ...{
      name,
      address: '127.0.0.1',
      platform: platforms[0]?.id,
      db_name: type === 'postgresql' ? 'postgres' : 'mysql',
    },
    ...{ protocols: [{ name: type, port }], nodes_display: ['/Default'] },
    accounts: [{ name: 'login', username: login.username, secret_type: 'password', secret: login.secret }],
  })
  await permit(server.admin, user, [asset])
  return asset
}

async function run(assets: AnyRow[], module: string, args: string, runas: string, more: object = {}) {
  const { task_id } = await runner.request<{ task_id: string }>('POST', `${api}jobs/`, {
    ...{ assets: assets.map(({ id }) => id), module, args, runas, runas_policy: 'skip' },
    ...{ instant: true, is_periodic: false, timeout: -1, ...more },
  })
  const read = () => runner.request<Execution>('GET', `${api}job-executions/${task_id}/`)
  await expect.poll(async () => (await read()).is_finished, { timeout: 30_000, interval: 50 }).toBe(true)
  const { parts } = await runner.request<{ parts: AnyRow[] }>('GET', `${api}job-executions/${task_id}/output/`)
  const text = parts.flatMap((part) => (part.stream === 'end' ? [] : [String(part.text)])).join('')
  return { ...(await read()), text }
}

describeWith(['sshd', 'ssh-keygen', 'mariadb', 'postgresql'], 'the modules of jobs', () => {
  beforeAll(async () => {
    server = await startServer({ worker: true })
    ;[sshd, mariadb, postgres] = [await startSshd(), await startMariaDb(), await startPostgres()]
    const id = await server.person('runner', { system: [roleIds.user], org: [roleIds.orgUser] })
    user = { id, username: 'runner' } as never
    runner = await server.as(id)
  })
  afterAll(async () => {
    await server?.close()
    await sshd?.stop()
    await mariadb?.stop()
    await postgres?.stop()
  })

  it('run SQL on MariaDB as it is, with rows, counts and the words of its errors', async () => {
    const asset = await database('maria', 'mariadb', mariadb.port, {
      username: mariadb.username,
      secret: mariadb.password,
    })
    const sql = (text: string) => run([asset], 'mysql', text, mariadb.username)
    expect(await sql("select 1 as one, 'é`$(id)' as two, null as three")).toMatchObject({
      ...{ is_success: true, text: 'one\ttwo\tthree\n1\té`$(id)\tNULL\n' },
    })
    const wrong = await sql('select * from nowhere.nothing')
    expect([wrong.is_success, wrong.summary.failures.maria]).toEqual([false, expect.stringContaining('nothing')])
    const long = await sql('select seq, repeat("x", 900) from seq_1_to_1000000')
    expect(long.is_success).toBe(false)
  })

  it('run SQL on PostgreSQL', async () => {
    const { username, password } = new URL(postgres.url('postgres'))
    const { port } = new URL(postgres.url('postgres'))
    const asset = await database('pg', 'postgresql', Number(port), { username, secret: password })
    const sql = (text: string, more = {}) => run([asset], 'postgresql', text, username, more)
    expect(await sql("select 1 as one; select 'two' as two")).toMatchObject({
      ...{ is_success: true, text: 'one\n1\ntwo\ntwo\n' },
    })
    expect(await sql('create temporary table t as select 1')).toMatchObject({ is_success: true })
    expect((await sql('select 1/0')).summary.failures.pg).toContain('zero')
    const late = await sql('select pg_sleep(60)', { timeout: 1 })
    expect(late.is_success).toBe(false)
  })

  it('run SQL on SQL Server by its client library, and pass on what it refuses', async () => {
    await using peer = await startScriptedSqlServer()
    peer.logins.set('sa', 'Its-password-1')
    peer.refusal = { number: 18456, message: 'Login failed for user sa' }
    const asset = await database('mssql', 'sqlserver', peer.port, { username: 'sa', secret: 'Its-password-1' })
    const refused = await run([asset], 'sqlserver', 'select 1', 'sa')
    expect(refused.is_success).toBe(false)
    expect(JSON.stringify(refused.summary)).not.toContain('Its-password-1')
  })

  it('are left out where an asset has no protocol for them', async () => {
    const host = await makeHost(server.admin, sshd, 'plain host')
    await permit(server.admin, user, [host])
    expect((await run([host], 'mysql', 'select 1', sshd.username)).is_success).toBe(false)
    const raw = await run([host], 'raw', 'echo "$SSH_CONNECTION" | wc -w', sshd.username)
    expect([raw.is_success, raw.text.trim()]).toEqual([true, '4'])
    // There is no PowerShell on it.
    expect((await run([host], 'win_shell', 'Get-Date', sshd.username)).is_success).toBe(false)
  })

  itWith(['sshd', 'ssh-keygen'], 'end on hosts that never answer, while the others are done', async () => {
    await using silent = await startHangingTarget('greeting')
    const good = await makeHost(server.admin, sshd, 'answers')
    const hangs = await makeHost(server.admin, sshd, 'hangs', { protocols: [{ name: 'ssh', port: silent.port }] })
    const gone = await makeHost(server.admin, sshd, 'gone', { protocols: [{ name: 'ssh', port: 1 }] })
    await permit(server.admin, user, [good, hangs, gone])
    const result = await run([good, hangs, gone], 'shell', 'echo here', sshd.username, { timeout: 5 })
    expect(result.is_success).toBe(false)
    expect(result.summary.ok).toEqual(['answers'])
    expect({ ...result.summary.failures, ...result.summary.dark }).toEqual({
      hangs: expect.any(String),
      gone: expect.any(String),
    })
  })
})

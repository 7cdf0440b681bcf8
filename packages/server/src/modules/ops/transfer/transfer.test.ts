import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { makeHost, permit } from '@castellan/testing/granted-host'
import { describeWith, itWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { onceOn } from '../../../testing/this-run.ts'

let server: TestServer
let sshd: RealSshd
let runner: Client
let runnerId: string
let host: AnyRow
let second: AnyRow
/** Sends only, fetches only. */
let upOnly: AnyRow
let downOnly: AnyRow
const api = '/api/v1/ops/'
/** A folder of the hosts, which are this machine. */
const there = mkdtempSync(join(tmpdir(), 'castellan-transfer-'))
chmodSync(there, 0o777)
const folderThere = (name: string): string => {
  const path = join(there, name)
  mkdirSync(path)
  // The person who signs in to the host may be another one than who runs the test.
  chmodSync(path, 0o777)
  return path
}

interface Execution {
  id: string
  is_finished: boolean
  is_success: boolean
  material: string
  job_type: string
  summary: {
    ok: string[]
    failures: Record<string, string>
    excludes: Record<string, string>
    error?: string
  }
}

async function upload(name: string, content: Blob | string, by: Client = runner) {
  const path = `${api}file-uploads/`
  const form = new FormData()
  form.append('file', typeof content === 'string' ? new Blob([content]) : content, name)
  const answer = await fetch(`${server.url}${path}`, {
    ...{ method: 'POST', body: form, headers: { ...by.proof('POST', path), connection: 'close' } },
  })
  return { status: answer.status, body: (await answer.json()) as { id: string; name: string; size: number } }
}

async function ended(id: string, by: Client = runner): Promise<Execution> {
  const read = () => by.request<Execution>('GET', `${api}job-executions/${id}/`)
  await expect.poll(async () => (await read()).is_finished, { timeout: 30_000, interval: 50 }).toBe(true)
  return read()
}
async function transfer(kind: 'upload' | 'fetch', body: object, by: Client = runner): Promise<Execution> {
  const { task_id } = await by.request<{ task_id: string }>('POST', `${api}file-transfers/${kind}/`, {
    ...{ assets: [host.id, second.id], runas: sshd.username, runas_policy: 'skip' },
    ...body,
  })
  return ended(task_id, by)
}
async function fetched(id: string, asset: AnyRow, by: Client = runner) {
  const path = `${api}job-executions/${id}/fetched-file/?asset=${asset.id}`
  const answer = await fetch(`${server.url}${path}`, { headers: { ...by.proof('GET', path), connection: 'close' } })
  return { status: answer.status, name: answer.headers.get('content-disposition'), text: await answer.text() }
}
const logged = () => server.admin.request<AnyRow[]>('GET', '/api/v1/audits/ftp-logs/')

describeWith(['sshd', 'ssh-keygen'], 'a transfer of files with many hosts', () => {
  beforeAll(async () => {
    server = await startServer({ worker: true })
    sshd = await startSshd()
    host = await makeHost(server.admin, sshd, 'files one')
    second = await makeHost(server.admin, sshd, 'files two')
    upOnly = await makeHost(server.admin, sshd, 'files up')
    downOnly = await makeHost(server.admin, sshd, 'files down')
    const id = await server.person('runner', { system: [roleIds.user], org: [roleIds.orgUser] })
    runner = await server.as(id)
    runnerId = id
    const user = { id, username: 'runner' } as never
    await permit(server.admin, user, [host, second])
    await permit(server.admin, user, [upOnly], ['connect', 'upload'])
    await permit(server.admin, user, [downOnly], ['connect', 'download'])
  })
  afterAll(async () => {
    await server?.close()
    await sshd?.stop()
    rmSync(there, { recursive: true, force: true })
  })

  it('sends files as they are, replaces only when it is told to, and is in the log of file transfers', async () => {
    const bytes = Buffer.alloc(3_000_000, 'a\0é')
    const big = await upload('big file é.bin', new Blob([bytes]))
    const empty = await upload('empty', '')
    expect([big.status, big.body.size, empty.status]).toEqual([201, bytes.length, 201])
    const folder = folderThere('in')
    const files = [big.body.id, empty.body.id]
    const sent = await transfer('upload', { assets: [host.id], files, folder })
    expect(sent).toMatchObject({
      is_success: true,
      job_type: 'upload',
      summary: { ok: ['files_one'] },
    })
    expect(sent.material).toContain('big file é.bin')
    expect(readFileSync(join(folder, 'big file é.bin')).equals(bytes)).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['big file é.bin', 'empty'])
    const again = await transfer('upload', { assets: [host.id], files, folder })
    expect(again.summary.failures.files_one).toContain('exists')
    writeFileSync(join(folder, 'empty'), 'no longer')
    const over = await transfer('upload', { assets: [host.id], files, folder, overwrite: true })
    expect(over.is_success).toBe(true)
    expect(statSync(join(folder, 'empty')).size).toBe(0)
    const rows = (await logged()).filter(({ asset }) => String(asset).startsWith('files one'))
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{
            user: expect.stringMatching(/^runner\(/),
            account: sshd.username,
            filename: `${folder}/empty`,
            is_success: true,
          },
          operate: { value: 'upload', label: expect.any(String) },
        }),
        expect.objectContaining({ filename: `${folder}/empty`, is_success: false }),
      ]),
    )
  })

  it('fetches a file of each host, which its owner alone saves', async () => {
    const path = join(there, 'report "1".txt')
    writeFileSync(path, 'what is in it')
    const run = await transfer('fetch', { file: path })
    expect(run).toMatchObject({ is_success: true, job_type: 'fetch' })
    for (const one of [host, second])
      expect(await fetched(run.id, one)).toEqual({
        ...{ status: 200, text: 'what is in it' },
        name: "attachment; filename*=UTF-8''report%20%221%22.txt",
      })
    const other = await server.as(await server.person('stranger', { system: [roleIds.user], org: [roleIds.orgUser] }))
    const auditor = await server.as(
      await server.person('auditor', { system: [roleIds.user], org: [roleIds.orgAuditor] }),
    )
    for (const by of [other, auditor, server.admin]) expect((await fetched(run.id, host, by)).status).toBe(404)
    expect((await fetched(run.id, upOnly)).status).toBe(404)
    expect((await fetched(run.id, { id: '../../../etc/passwd' } as never)).status).toBe(404)
    expect((await logged()).some(({ filename, is_success }) => filename === path && is_success)).toBe(true)
  })

  describeWith('root', 'with switched accounts', () => {
    for (const method of ['sudo', 'su'] as const)
      itWith(
        method === 'sudo' ? 'sudo' : [],
        `goes as the account that is switched to by ${method}, which alone has the files`,
        async () => {
          const platform = await server.admin.collection('assets/platforms').create({
            ...{ name: `Files-by-${method}`, su_enabled: true, su_method: method, category: 'host', type: 'linux' },
            protocols: [{ name: 'ssh', port: 22, primary: true, default: true }],
            automation: { ansible_enabled: true },
          })
          const from = sshd.addAccount({ sudo: method === 'sudo' })
          const into = sshd.addAccount()
          const target = await makeHost(server.admin, sshd, `files by ${method}`, {
            ...{ platform: platform.id, protocols: [{ name: 'ssh', port: sshd.port }] },
            accounts: [{ name: 'from', username: from.username, secret_type: 'password', secret: from.password }],
          })
          const accounts = server.admin.collection('accounts/accounts')
          const [stored] = await accounts.all({ asset: target.id })
          const secret = method === 'su' ? into.password : 'never asked for'
          await accounts.create({
            ...{ asset: target.id, name: 'into', username: into.username, secret_type: 'password', secret },
            su_from: stored?.id,
          })
          await permit(server.admin, { id: runnerId, username: `runner by ${method}` } as never, [target])
          const asInto = { assets: [target.id], runas: into.username }
          const folder = folderThere(`own ' $(id) ${method}`)
          execFileSync('chown', [into.username, folder])
          chmodSync(folder, 0o700)
          const bytes = Buffer.concat([Buffer.alloc(1_000_000, 'a\0é\n\\'), Buffer.from('end')])
          const name = "-f 'é' $(id).bin"
          const files = [(await upload(name, new Blob([bytes]))).body.id, (await upload('empty', '')).body.id]
          const sent = await transfer('upload', { ...asInto, files, folder })
          expect(sent).toMatchObject({ is_success: true })
          const [first = ''] = readdirSync(folder).sort()
          const there = join(folder, first)
          expect(readdirSync(folder).sort()).toEqual([name, 'empty'])
          expect(readFileSync(there).equals(bytes)).toBe(true)
          expect(execFileSync('stat', ['-c', '%U', there], { encoding: 'utf8' }).trim()).toBe(into.username)
          const again = await transfer('upload', { ...asInto, files, folder })
          expect(JSON.stringify(again.summary)).toContain('exists')
          writeFileSync(there, 'no longer')
          expect((await transfer('upload', { ...asInto, files, folder, overwrite: true })).is_success).toBe(true)
          expect(statSync(there).size).toBe(bytes.length)
          const got = await transfer('fetch', { ...asInto, file: there })
          expect(got.is_success).toBe(true)
          expect((await fetched(got.id, target)).text).toBe(bytes.toString())
          // What this account may not read or write, links to devices, and folders.
          symlinkSync('/dev/zero', join(folder, 'endless'))
          for (const file of ['/etc/shadow', join(folder, 'endless'), folder, join(folder, 'missing')])
            expect((await transfer('fetch', { ...asInto, file })).is_success, file).toBe(false)
          for (const path of ['/', join(folder, 'missing'), '/etc/passwd'])
            expect((await transfer('upload', { ...asInto, files, folder: path })).is_success, path).toBe(false)
          expect(readdirSync(folder).some((one) => one.endsWith('.part'))).toBe(false)
          const rows = (await logged()).filter(({ asset }) => String(asset).startsWith(`files by ${method}(`))
          expect(rows.every(({ account }) => account === into.username)).toBe(true)
          expect(JSON.stringify([sent, again, got, rows])).not.toContain(from.password)
        },
      )
  })

  it('fetches nothing that is no regular file, is missing, or may not be read', async () => {
    symlinkSync('/dev/zero', join(there, 'endless'))
    for (const file of [there, '/dev/zero', join(there, 'endless'), join(there, 'missing')]) {
      const run = await transfer('fetch', { file, assets: [host.id] })
      expect(run.is_success, file).toBe(false)
      expect((await fetched(run.id, host)).status, file).toBe(404)
    }
  })

  it('goes only where a permission has the action', async () => {
    const { body } = await upload('action.txt', 'x')
    const assets = [upOnly.id, downOnly.id]
    const folder = folderThere('actions')
    const up = await transfer('upload', { assets, files: [body.id], folder })
    expect(up).toMatchObject({
      is_success: false,
      summary: { ok: ['files_up'], excludes: { files_down: expect.any(String) } },
    })
    const down = await transfer('fetch', { assets, file: join(folder, 'action.txt') })
    expect(down.summary).toMatchObject({ ok: ['files_down'], excludes: { files_up: expect.any(String) } })
    const { id } = await makeHost(server.admin, sshd, 'files of others')
    expect((await transfer('fetch', { assets: [id], file: '/etc/hostname' })).summary.ok).toEqual([])
  })

  it('takes no names and uploads that are not the caller’s own', async () => {
    for (const name of ['..', 'a\u0001b', 'invoice\u202efdp.exe', 'a\u200bb', 'x'.repeat(256)])
      expect((await upload(name, 'x')).status, name).toBe(400)
    const tricky = await upload('../../etc/cron.d/evil', 'x')
    expect(tricky).toMatchObject({ status: 201, body: { name: 'evil' } })
    const other = await server.as(await server.person('second', { system: [roleIds.user], org: [roleIds.orgUser] }))
    const body = { assets: [host.id], runas: sshd.username, folder: there }
    const start = (more: object, by = runner) =>
      by.request('POST', `${api}file-transfers/upload/`, { ...body, ...more })
    for (const [files, by] of [
      [[tricky.body.id], other],
      [[], runner],
      [['../../../etc'], runner],
      [[tricky.body.id, (await upload('evil', 'y')).body.id], runner],
    ] as const)
      await expect(start({ files }, by), String(files)).rejects.toMatchObject({ status: 400 })
    await expect(start({ files: [tricky.body.id], folder: 'a\0b' })).rejects.toMatchObject({ status: 400 })
    await expect(other.request('DELETE', `${api}file-uploads/${tricky.body.id}/`)).resolves.toBeDefined()
    expect(await runner.request('GET', `${api}file-uploads/`)).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: tricky.body.id })]),
    )
    await runner.request('DELETE', `${api}file-uploads/${tricky.body.id}/`)
    await expect(start({ files: [tricky.body.id] })).rejects.toMatchObject({ status: 400 })
  })

  onceOn('sqlite')('sends a hundred megabytes, and leaves nothing on a host that has stopped it', async () => {
    const { body } = await upload('large', new Blob(Array.from({ length: 100 }, () => new Uint8Array(1_048_576))))
    expect(body.size).toBe(104_857_600)
    const folder = folderThere('large')
    const run = await transfer('upload', { assets: [host.id], files: [body.id], folder })
    expect(run).toMatchObject({ is_success: true })
    expect(statSync(join(folder, 'large')).size).toBe(104_857_600)
    rmSync(folder, { recursive: true })
    expect(existsSync(folder)).toBe(false)
    const gone = await transfer('upload', { assets: [host.id], files: [body.id], folder })
    expect(gone.summary.failures.files_one).toContain('no such')
  })

  it('runs for nobody without the rights of jobs', async () => {
    const { id: role } = await server.admin
      .collection('rbac/org-roles')
      .create({ name: 'starts nothing', scope: 'org', permissions: [] })
    const weak = await server.as(await server.person('weak', { org: [role] }))
    expect((await upload('x', 'x', weak)).status).toBe(403)
    for (const kind of ['upload', 'fetch'])
      await expect(weak.request('POST', `${api}file-transfers/${kind}/`, {})).rejects.toMatchObject({ status: 403 })
    await server.admin.request('PATCH', '/api/v1/settings/setting/?category=ops', { SECURITY_COMMAND_EXECUTION: false })
    expect((await upload('x', 'x')).status).toBe(403)
    await expect(transfer('fetch', { file: '/etc/hostname' })).rejects.toMatchObject({ status: 403 })
    await server.admin.request('PATCH', '/api/v1/settings/setting/?category=ops', { SECURITY_COMMAND_EXECUTION: true })
  })
})

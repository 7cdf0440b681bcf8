import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { type GitServer, startGitServer } from '@castellan/testing/git-server'
import { describeWith } from '@castellan/testing/parts'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

/** Private repositories: over https with a token, over SSH with a key. */
let server: TestServer
let git: GitServer
let sshd: RealSshd
let owner: Client
const login = { username: 'deploy', password: 'tok-"en $(id) é' }
const api = '/api/v1/ops/'
let count = 0

const made = (vcs_url: string) =>
  owner.request<AnyRow>('POST', `${api}playbooks/`, { name: `site ${count++}`, create_method: 'vcs', vcs_url })
const refresh = (id: unknown) => owner.request('POST', `${api}playbooks/${id}/refresh/`)
const access = (id: unknown, body?: object, by = owner) =>
  by.request<AnyRow>(body ? 'PUT' : 'GET', `${api}playbooks/${id}/vcs-access/`, body)
const names = async (id: unknown) =>
  (await owner.request<AnyRow[]>('GET', `${api}playbook/${id}/file/`)).map((node) => node.id)
const refused = (code: string) => ({ status: 400, body: expect.objectContaining({ code }) })
const wrong = (field: string) => ({ status: 400, body: { [field]: expect.anything() } })

/** A bare copy of the repository in the home folder of the person who signs in by SSH. */
function shareBySsh(): string {
  const path = join(sshd.home, 'site.git')
  execFileSync('git', ['clone', '--quiet', '--bare', git.folder, path])
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', sshd.username, path])
  return path
}

describeWith(['git', 'prlimit', 'openssl', 'sshd', 'ssh', 'ssh-keygen'], 'a private Git repository', () => {
  beforeAll(async () => {
    git = await startGitServer(login)
    process.env.PLAYBOOK_VCS_ON_SERVER = 'true'
    process.env.PLAYBOOK_VCS_CA_FILE = git.caFile
    server = await startServer({ worker: true })
    sshd = await startSshd()
    owner = await server.as(await server.person('owner', { system: [roleIds.user], org: [roleIds.orgUser] }))
    writeFileSync(join(git.folder, 'main.yml'), '- hosts: all\n  roles: [web]\n')
    writeFileSync(join(git.folder, 'second.yml'), '- command: uptime\n')
    git.git('add', '--all')
    git.git('commit', '--quiet', '--message', 'state')
    execFileSync('git', ['push', '--quiet', join(git.folder, '../site.git'), 'HEAD:main'], { cwd: git.folder })
  })
  afterAll(async () => {
    delete process.env.PLAYBOOK_VCS_ON_SERVER
    delete process.env.PLAYBOOK_VCS_CA_FILE
    await server?.close()
    await sshd?.stop()
    await git?.stop()
  })

  it('is read over https with a token, which nothing shows, and at the host for which it was entered only', async () => {
    const { id } = await made(git.url)
    await expect(refresh(id)).rejects.toMatchObject(refused('vcs_failed'))
    expect(await access(id)).toEqual({
      ...{ method: 'none', username: '', has_secret: false, host_key: '', scheme: 'https' },
    })
    const { username, password: secret } = login
    await access(id, { method: 'password', username, secret: 'wrong-token' })
    const failure = await refresh(id).then(
      () => 'read',
      (error: { body: object }) => JSON.stringify(error.body),
    )
    expect([failure, failure.includes('wrong-token')]).toEqual([expect.stringContaining('vcs_failed'), false])
    const saved = await access(id, { method: 'password', username, secret })
    expect(saved).toEqual({ method: 'password', username, has_secret: true, host_key: '', scheme: 'https' })
    await refresh(id)
    expect(await names(id)).toContain('second.yml')
    // Kept where it is not sent again.
    await access(id, { method: 'password', username })
    await refresh(id)
    const logs = await server.admin.request<AnyRow[]>('GET', '/api/v1/audits/operate-logs/?limit=50')
    const shown = JSON.stringify([
      await owner.request('GET', `${api}playbooks/${id}/`),
      await owner.request('GET', `${api}playbooks/`),
      await owner.request('OPTIONS', `${api}playbooks/`),
      await access(id),
      logs,
    ])
    expect(shown).not.toContain('tok-')
    expect(shown).not.toContain('vcs_access')
    // To another host it is not sent.
    const change = { name: 'moved', create_method: 'vcs', vcs_url: git.url.replace('127.0.0.1', 'localhost') }
    await owner.request('PUT', `${api}playbooks/${id}/`, change)
    expect(await access(id)).toMatchObject({ method: 'none', has_secret: false })
    await expect(refresh(id)).rejects.toMatchObject(refused('vcs_failed'))
  })

  it('is read over SSH with a key, and pins the host key that was seen first', async () => {
    const path = shareBySsh()
    const { id } = await made(`ssh://${sshd.username}@127.0.0.1:${sshd.port}${path}`)
    await expect(refresh(id)).rejects.toMatchObject(refused('vcs_key_needed'))
    await access(id, { method: 'ssh_key', secret: sshd.privateKey })
    await refresh(id)
    expect(await names(id)).toContain('second.yml')
    expect(await access(id)).toMatchObject({ method: 'ssh_key', has_secret: true, host_key: sshd.fingerprint() })
    await sshd.changeHostKey()
    await expect(refresh(id)).rejects.toMatchObject(refused('vcs_host_key'))
    await access(id, { method: 'ssh_key', forget_host_key: true })
    await refresh(id)
    expect(await access(id)).toMatchObject({ host_key: sshd.fingerprint() })
    const row = await owner.request('GET', `${api}playbooks/${id}/`)
    expect(JSON.stringify([row, await access(id)])).not.toContain('PRIVATE KEY')
  })

  it('is read by several at the same time, and none is in the way of another', async () => {
    const { id } = await made(git.url)
    await access(id, { method: 'password', username: login.username, secret: login.password })
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 3 }, () => refresh(id)))
    expect((await names(id)).filter((name) => name === 'second.yml')).toHaveLength(1)
  })

  it('takes only what its address can use', async () => {
    const { id } = await made(git.url)
    for (const [field, body] of [
      ['method', { method: 'ssh_key', secret: sshd.privateKey }],
      ['method', { method: 'agent' }],
      ['method', {}],
      ['username', { method: 'password', username: '', secret: 'x' }],
      ['username', { method: 'password', username: 'a:b', secret: 'x' }],
      ['username', { method: 'password', username: 'a\nquit=1', secret: 'x' }],
      ['secret', { method: 'password', username: 'a' }],
      ['secret', { method: 'password', username: 'a', secret: 'x\nquit=1' }],
    ] as const)
      await expect(access(id, body), JSON.stringify(body)).rejects.toMatchObject(wrong(field))
    const { id: bySsh } = await made('git@git.example.com:team/site.git')
    for (const [field, body] of [
      ['method', { method: 'password', username: 'a', secret: 'x' }],
      ['secret', { method: 'ssh_key', secret: 'no key' }],
      ['secret', { method: 'ssh_key' }],
    ] as const)
      await expect(access(bySsh, body), JSON.stringify(body)).rejects.toMatchObject(wrong(field))
    const blank = await owner.request<AnyRow>('POST', `${api}playbooks/`, { name: 'blank one' })
    await expect(access(blank.id)).rejects.toMatchObject(refused('vcs_none'))
  })

  it('is its owner’s alone', async () => {
    const { id } = await made(git.url)
    const roles = { system: [roleIds.user], org: [roleIds.orgUser] }
    const stranger = await server.as(await server.person('stranger', roles))
    const auditor = await server.as(await server.person('auditor', { org: [roleIds.orgAuditor] }))
    const body = { method: 'none' }
    for (const by of [stranger, server.admin]) {
      await expect(access(id, undefined, by)).rejects.toMatchObject({ status: 404 })
      await expect(access(id, body, by)).rejects.toMatchObject({ status: 404 })
    }
    await expect(access(id, body, auditor)).rejects.toMatchObject({ status: expect.toSatisfy((code) => code >= 403) })
  })
})

import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleIds } from '@castellan/contract/ids'
import { newCertificate } from '@castellan/testing/certificates'
import type { AnyRow, Client } from '@castellan/testing/client'
import { type GitServer, startGitServer } from '@castellan/testing/git-server'
import { describeWith } from '@castellan/testing/parts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let git: GitServer
let owner: Client
let stranger: Client
const api = '/api/v1/ops/'
let count = 0

const made = (vcs_url: string, by = owner) =>
  by.request<AnyRow>('POST', `${api}playbooks/`, { name: `site ${count++}`, create_method: 'vcs', vcs_url })
const refresh = (id: unknown, by = owner) => by.request('POST', `${api}playbooks/${id}/refresh/`)
const nodes = async (id: unknown) =>
  (await owner.request<AnyRow[]>('GET', `${api}playbook/${id}/file/`)).map((node) => node.id)
const put = (path: string, content: string) => writeFileSync(join(git.folder, path), content)
const refused = (code: string) => ({ status: 400, body: expect.objectContaining({ code }) })

describeWith(['git', 'prlimit', 'openssl'], 'a playbook from a Git repository', () => {
  beforeAll(async () => {
    git = await startGitServer()
    process.env.PLAYBOOK_VCS_ON_SERVER = 'true'
    process.env.PLAYBOOK_VCS_CA_FILE = git.caFile
    server = await startServer({ worker: true })
    const roles = { system: [roleIds.user], org: [roleIds.orgUser] }
    owner = await server.as(await server.person('owner', roles))
    stranger = await server.as(await server.person('stranger', roles))
    put('main.yml', '- hosts: all\n  roles: [web]\n')
    mkdirSync(join(git.folder, 'roles/web/tasks'), { recursive: true })
    put('roles/web/tasks/main.yml', '- command: uptime\n')
    git.push()
  })
  afterAll(async () => {
    delete process.env.PLAYBOOK_VCS_ON_SERVER
    delete process.env.PLAYBOOK_VCS_CA_FILE
    await server?.close()
    await git?.stop()
  })

  it('has the files of its latest state, which only the repository changes', async () => {
    // What a killed process left; no process has this number.
    mkdirSync(join(tmpdir(), 'castellan-git-99999999-left'), { recursive: true })
    const { id } = await made(git.url)
    await expect.poll(() => nodes(id), { timeout: 20_000 }).toContain('roles')
    expect(await nodes(id)).toEqual([
      ...['root', 'roles', 'roles/web', 'roles/web/tasks', 'roles/web/tasks/main.yml', 'main.yml'],
    ])
    put('second.yml', '- command: date\n')
    git.push()
    await refresh(id)
    expect(await nodes(id)).toContain('second.yml')
    const file = `${api}playbook/${id}/file/`
    for (const [method, path, body] of [
      ['POST', file, { key: 'root', name: 'mine.yml' }],
      ['PATCH', file, { key: 'main.yml', content: 'x' }],
      ['DELETE', `${file}?key=second.yml`, undefined],
    ] as const)
      await expect(owner.request(method, path, body), method).rejects.toMatchObject(refused('vcs_read_only'))
    await expect(refresh(id, stranger)).rejects.toMatchObject({ status: 404 })
    const blank = await owner.request<AnyRow>('POST', `${api}playbooks/`, { name: 'blank one' })
    await expect(refresh(blank.id)).rejects.toMatchObject(refused('vcs_none'))
    const mine = new RegExp(`^castellan-git-(${process.pid}|99999999)-`)
    expect(readdirSync(tmpdir()).filter((name) => mine.test(name))).toEqual([])
  })

  it('keeps the files that were asked for last, whichever arrive last', async () => {
    const { id } = await made(git.url)
    await expect.poll(() => nodes(id), { timeout: 20_000 }).toContain('main.yml')
    const held = git.holdNext()
    const early = refresh(id)
    await held.reached
    put('later.yml', '- command: date\n')
    git.push()
    await refresh(id)
    held.release()
    await early
    expect(await nodes(id)).toContain('later.yml')
    git.git('rm', '--quiet', 'later.yml')
    git.push()
    await refresh(id)
    expect(await nodes(id)).not.toContain('later.yml')
  })

  it('keeps its files when the repository has links, no entry file, or is gone', async () => {
    const { id } = await made(git.url)
    await refresh(id)
    const before = await nodes(id)
    symlinkSync('/etc/passwd', join(git.folder, 'passwd'))
    git.push()
    await expect(refresh(id)).rejects.toMatchObject({ status: 400 })
    rmSync(join(git.folder, 'passwd'))
    git.git('mv', 'main.yml', 'other.yml')
    git.push()
    await expect(refresh(id)).rejects.toMatchObject({ status: 400 })
    git.git('mv', 'other.yml', 'main.yml')
    git.push()
    expect(await nodes(id)).toEqual(before)
    const gone = await made(git.url.replace('site.git', 'missing.git'))
    await expect(refresh(gone.id)).rejects.toMatchObject(refused('vcs_failed'))
  })

  it('gets its files as they are: placeholders, which could grow to any size, are not filled in', async () => {
    const { id } = await made(git.url)
    const content = '- debug: { msg: "$Format:%<(16000)%H$" }\n'
    put('filled.yml', content)
    put('.gitattributes', '* export-subst\n')
    git.push()
    await refresh(id)
    const { content: taken } = await owner.request<AnyRow>('GET', `${api}playbook/${id}/file/?key=filled.yml`)
    expect(taken).toBe(content)
    git.git('rm', '--quiet', 'filled.yml', '.gitattributes')
    git.push()
  })

  it('leaves a place of the four for others, however slow the servers of one user are', async () => {
    const { id } = await made(git.url)
    const foreign = await made(git.url, stranger)
    const filesOf = (by: Client, of: unknown) => by.request<AnyRow[]>('GET', `${api}playbook/${of}/file/`)
    // Until their first reading is over, it could be the one that is held.
    for (const [by, of] of [
      [owner, id],
      [stranger, foreign.id],
    ] as const)
      await expect.poll(async () => JSON.stringify(await filesOf(by, of)), { timeout: 20_000 }).toContain('roles')
    const slow = []
    for (let place = 0; place < 3; place++) {
      const held = git.holdNext()
      const done = refresh(id)
      await held.reached
      slow.push({ held, done })
    }
    await expect(refresh(id)).rejects.toMatchObject(refused('vcs_busy'))
    await refresh(foreign.id, stranger)
    for (const { held } of slow) held.release()
    await Promise.all(slow.map(({ done }) => done))
    await refresh(id)
  })

  it('has an address that is nothing but an https or SSH address', async () => {
    for (const vcs_url of [
      ...['--upload-pack=touch /tmp/evil', 'file:///etc', '/etc', 'ext::sh -c evil', 'git+ssh://git@example.com/x.git'],
      ...['http://example.com/x.git', 'https://user:word@example.com/x.git', 'https://user@example.com/x.git'],
      ...['ssh://git:word@example.com/x.git', 'ssh://-oProxyCommand=evil/x.git', 'ssh://a%20b@example.com/x.git'],
      ...['ssh://example.com', 'ssh://git@exa%0Ample.com/x.git', 'git@-oProxyCommand=evil:x.git', 'git@example.com:-x'],
      ...[
        'git@example.com::evil',
        '-oProxyCommand=evil@example.com:x',
        'https://',
        '',
        'https://example.com/x.git?a=b',
        // With a sign before it, libcurl takes a name for an instruction, and resolves it again by itself.
        'https://+example.com/x.git',
        'https://-example.com/x.git',
        'https://*.example.com/x.git',
        'https://example.com./x.git',
      ],
    ])
      await expect(made(vcs_url), vcs_url).rejects.toMatchObject({ status: 400, body: { vcs_url: expect.anything() } })
    const { id } = await made(git.url)
    const change = { name: 'site changed', create_method: 'vcs', vcs_url: 'file:///etc' }
    await expect(owner.request('PUT', `${api}playbooks/${id}/`, change)).rejects.toMatchObject({ status: 400 })
  })

  it('is not read at addresses of the machine and of clouds’ credentials, nor elsewhere than it says', async () => {
    for (const url of [
      'https://169.254.169.254/x.git',
      'ssh://git@169.254.169.254/x.git',
      'git@169.254.169.254:x.git',
    ]) {
      const metadata = await made(url)
      await expect(refresh(metadata.id), url).rejects.toMatchObject(refused('vcs_forbidden'))
    }
    let reached = 0
    const { certificate, key, remove } = newCertificate()
    const other = createServer({ cert: certificate, key }, (_request, response) => {
      reached++
      response.writeHead(302, { location: git.url }).end()
    })
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready))
    const at = `https://127.0.0.1:${(other.address() as AddressInfo).port}/x.git`
    const unknown = await made(at)
    // Its authority is not known, and it would lead elsewhere.
    await expect(refresh(unknown.id)).rejects.toMatchObject(refused('vcs_failed'))
    expect(reached).toBe(0)
    other.close()
    remove()
  })

  it('is not read on the server itself, unless that is allowed', async () => {
    delete process.env.PLAYBOOK_VCS_ON_SERVER
    await using closed = await startServer()
    const by = await closed.as(await closed.person('owner', { system: [roleIds.user], org: [roleIds.orgUser] }))
    const own = [git.url, git.url.replace('127.0.0.1', 'localhost'), git.url.replace('127.0.0.1', '[::1]')]
    for (const url of [...own, 'ssh://git@127.0.0.1/x.git', 'ssh://git@[::1]/x.git', 'git@localhost:x.git']) {
      const { id } = await made(url, by)
      await expect(refresh(id, by), url).rejects.toMatchObject(refused('vcs_forbidden'))
    }
  })
})

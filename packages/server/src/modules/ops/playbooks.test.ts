import { roleIds } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let owner: Client

const api = '/api/v1/ops/'

beforeAll(async () => {
  server = await startServer()
  owner = await server.as(await server.person('owner', { system: [roleIds.user], org: [roleIds.orgUser] }))
})
afterAll(() => server.close())

const made = (name: string) => owner.request<AnyRow>('POST', `${api}playbooks/`, { name })
const filesOf = (id: unknown) => `${api}playbook/${id}/file/`
const read = async (id: unknown, key: string) =>
  (await owner.request<{ content: string }>('GET', `${filesOf(id)}?key=${encodeURIComponent(key)}`)).content

interface Entry {
  content: string
  attributes?: number
}

async function zipOf(entries: Readonly<Record<string, Entry | string>>): Promise<Blob> {
  const zip = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false })
  for (const [name, entry] of Object.entries(entries)) {
    const { content, attributes } = typeof entry === 'string' ? { content: entry, attributes: undefined } : entry
    await zip.add(
      name,
      new TextReader(content),
      attributes ? { externalFileAttributes: attributes, versionMadeBy: 0x314 } : {},
    )
  }
  return zip.close()
}

async function upload(archive: Blob, name = 'of site.zip') {
  const form = new FormData()
  form.set('path', archive, name)
  const path = `${api}playbooks/`
  const answer = await fetch(server.url + path, { method: 'POST', headers: owner.proof('POST', path), body: form })
  return { status: answer.status, body: (await answer.json()) as AnyRow }
}

describe('the files of a playbook', () => {
  it('are a tree, in which files are added, written, renamed, moved and deleted', async () => {
    const { id } = await made('tree')
    const nodes = async () =>
      (await owner.request<AnyRow[]>('GET', filesOf(id))).map((node) => `${node.pId}>${node.id}`)
    expect(await nodes()).toEqual(['>root', 'root>main.yml'])
    await owner.request('POST', filesOf(id), { key: 'root', is_directory: true, name: 'roles' })
    const task = { key: 'roles', name: 'task.yml', content: '- hosts: all' }
    expect(await owner.request('POST', filesOf(id), task)).toMatchObject({ id: 'roles/task.yml', pId: 'roles' })
    expect(await owner.request('POST', filesOf(id), task)).toMatchObject({ id: 'roles/task.yml(1)' })
    expect(await owner.request('POST', filesOf(id), {})).toMatchObject({ id: 'new_file.yml' })
    expect(await nodes()).toEqual([
      '>root',
      'root>roles',
      'roles>roles/task.yml',
      'roles>roles/task.yml(1)',
      'root>main.yml',
      'root>new_file.yml',
    ])
    await owner.request('PATCH', filesOf(id), { key: 'roles/task.yml', content: 'changed: 名' })
    await owner.request('PATCH', filesOf(id), { key: 'roles', new_name: 'parts' })
    expect(await read(id, 'root/parts/task.yml')).toBe('changed: 名')
    await owner.request('DELETE', `${filesOf(id)}?key=parts`)
    expect(await nodes()).toEqual(['>root', 'root>main.yml', 'root>new_file.yml'])
    await expect(read(id, 'parts/task.yml')).rejects.toMatchObject({ status: 404 })
  })

  it('are inside of it, whatever a path says', async () => {
    const { id } = await made('tricks')
    for (const key of ['../x', '/etc/passwd', 'a/../../x', 'root/../x', '..', 'a//b', 'a\\b', '.\u0000', './main.yml'])
      await expect(read(id, key), key).rejects.toMatchObject({ status: 400 })
    for (const name of ['../x', 'a/b', '..', 'x\ny', 'n'.repeat(200)])
      await expect(owner.request('POST', filesOf(id), { key: 'root', name }), name).rejects.toMatchObject({
        status: 400,
      })
    await owner.request('POST', filesOf(id), { key: 'root', name: 'mine.yml' })
    for (const new_name of ['../x', '/x', 'missing/x', 'main.yml'])
      await expect(owner.request('PATCH', filesOf(id), { key: 'mine.yml', new_name }), new_name).rejects.toMatchObject({
        status: 400,
      })
    for (const key of ['root', 'main.yml'])
      await expect(owner.request('DELETE', `${filesOf(id)}?key=${key}`), key).rejects.toMatchObject({ status: 400 })
    await expect(owner.request('PATCH', filesOf(id), { key: 'main.yml', new_name: 'x.yml' })).rejects.toMatchObject({
      status: 400,
    })
  })

  it('are nobody else’s', async () => {
    const { id } = await made('private')
    const stranger = await server.as(
      await server.person('stranger', { system: [roleIds.user], org: [roleIds.orgUser] }),
    )
    for (const by of [stranger, server.admin])
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', {}],
        ['PATCH', { key: 'main.yml', content: 'x' }],
        ['DELETE', undefined],
      ] as const)
        await expect(by.request(method, filesOf(id), body), method).rejects.toMatchObject({ status: 404 })
  })

  it('come from an archive without links, paths that lead out, and bombs', async () => {
    const good = await upload(await zipOf({ 'main.yml': '- hosts: all', 'roles/a/tasks/main.yml': 'x' }))
    expect(good).toMatchObject({ status: 201, body: { name: 'of site', path: null } })
    expect(await read(good.body.id, 'roles/a/tasks/main.yml')).toBe('x')
    const link = 0o120777 * 65_536
    for (const [what, archive] of Object.entries({
      'no entry': await zipOf({ 'other.yml': 'x' }),
      'a path that leads out': await zipOf({ 'main.yml': 'x', '../../evil.yml': 'x' }),
      'an absolute path': await zipOf({ 'main.yml': 'x', '/etc/cron.d/evil': 'x' }),
      'a link': await zipOf({ 'main.yml': 'x', link: { content: '/etc/passwd', attributes: link } }),
      'a bomb': await zipOf({ 'main.yml': 'x', 'bomb.txt': '0'.repeat(30 * 1_048_576) }),
      'too many files': await zipOf(
        Object.fromEntries(Array.from({ length: 1100 }, (_, at) => [at ? `${at}.yml` : 'main.yml', 'x'])),
      ),
      'no archive': new Blob(['not a zip']),
    })) {
      const answer = await upload(archive, `${what}.zip`)
      expect(answer.status, what).toBe(400)
    }
    const names = (await owner.request<AnyRow[]>('GET', `${api}playbooks/`)).map(({ name }) => name)
    expect(names).not.toContain('a link')
  })

  it('stay while a job uses the playbook', async () => {
    const { id } = await made('used')
    const job = { name: 'uses it', type: 'playbook', playbook: id, assets: [], is_periodic: false }
    const saved = await owner.request<AnyRow>('POST', `${api}jobs/`, job)
    await expect(owner.request('DELETE', `${api}playbooks/${id}/`)).rejects.toMatchObject({ status: 400 })
    await owner.request('DELETE', `${api}jobs/${saved.id}/`)
    await owner.request('DELETE', `${api}playbooks/${id}/`)
  })
})

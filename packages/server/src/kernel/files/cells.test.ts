import { randomUUID } from 'node:crypto'
import { defaultOrgId, roleIds, rootOrgId } from '@castellan/contract/ids'
import type { AnyRow, Client } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Converts the cells of one file row for a collection. */
async function read(
  cells: Record<string, string>,
  collection = 'assets/hosts',
  { who = server.admin, org = defaultOrgId } = {},
): Promise<AnyRow> {
  const path = `/api/v1/${collection}/render-to-json/`
  const line = (texts: string[]) => texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')
  const answer = await fetch(new URL(path, server.url), {
    method: 'POST',
    headers: { ...who.proof('POST', path), 'content-type': 'text/csv', 'x-jms-org': org },
    body: `${line(Object.keys(cells))}\n${line(Object.values(cells))}\n`,
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { data: AnyRow[] }).data[0] as AnyRow
}

describe('a cell of a file', () => {
  it('lists protocols, words and rights as JSON or separated by commas', async () => {
    const both = [
      { name: 'ssh', port: '2222' },
      { name: 'sftp', port: '22' },
    ]
    for (const cell of ['["ssh/2222","sftp/22"]', 'ssh/2222, sftp/22', ' ssh/2222 ,sftp/22,'])
      expect(await read({ name: 'x', protocols: cell })).toEqual({ name: 'x', protocols: both })
    expect(await read({ protocols: 'ssh/2222' })).toEqual({ protocols: [both[0]] })
    for (const cell of ['["connect"]', 'connect'])
      expect(await read({ actions: cell }, 'perms/asset-permissions')).toEqual({ actions: ['connect'] })
    // Malformed JSON is passed on unchanged, so that the field rejects it.
    expect(await read({ protocols: '["ssh/22"' })).toEqual({ protocols: '["ssh/22"' })
  })

  it('refers to a row by its name, its id, or both', async () => {
    const linux = { pk: 1, name: 'Linux' }
    expect(await read({ platform: 'Linux' })).toEqual({ platform: linux })
    expect(await read({ platform: 'Linux(1)' })).toEqual({ platform: linux })
    expect(await read({ platform: '1' })).toEqual({ platform: '1' })
    const group = await server.admin.collection('users/groups').create({ name: 'Night (EU)' })
    const day = await server.admin.collection('users/groups').create({ name: 'Day' })
    expect(await read({ groups: 'Night (EU), Day' }, 'users/users')).toEqual({
      groups: [
        { pk: group.id, name: 'Night (EU)' },
        { pk: day.id, name: 'Day' },
      ],
    })
  })

  it('is read as an id where it may be one, whatever other rows are called', async () => {
    const other = await server.admin.collection('users/groups').create({ name: 'Evil' })
    const victim = await server.admin.collection('users/groups').create({ name: 'Victim' })
    for (const name of [victim.id, `Victim(${victim.id})`])
      await server.admin.collection('users/groups').change(other.id, { name })
    const cells = [victim.id, `Victim(${victim.id})`]
    expect(await read({ groups: cells.join(', ') }, 'users/users')).toEqual({
      groups: [victim.id, { pk: victim.id, name: 'Victim' }],
    })
  })

  it('is unchanged when no row or several rows have the name, and the error repeats that name', async () => {
    expect(await read({ platform: 'Lunix' })).toEqual({ platform: 'Lunix' })
    const refused = server.admin.request('POST', '/api/v1/assets/hosts/', {
      name: randomUUID(),
      address: '127.0.0.1',
      platform: 'Lunix',
    })
    await expect(refused).rejects.toMatchObject({ status: 400, body: { platform: expect.stringContaining('Lunix') } })
    const below = (id: unknown, value: string) =>
      server.admin.request<AnyRow>('POST', `/api/v1/assets/nodes/${id}/children/`, { value })
    const [root] = await server.admin.collection('assets/nodes').all()
    const first = await below(root?.id, 'twin')
    expect(await read({ nodes: 'twin' })).toEqual({ nodes: [{ pk: first.id, name: 'twin' }] })
    await below(first.id, 'twin')
    expect(await read({ nodes: 'twin' })).toEqual({ nodes: ['twin'] })
  })

  it('matches no name in other organizations, nor for a caller who may not list such rows', async () => {
    const elsewhere = await server.organization('elsewhere')
    const foreign = await server.admin.in(elsewhere).collection('users/groups').create({ name: 'Foreign' })
    expect(await read({ groups: 'Foreign' }, 'users/users')).toEqual({ groups: ['Foreign'] })
    expect(await read({ groups: 'Foreign' }, 'users/users', { org: elsewhere })).toEqual({
      groups: [{ pk: foreign.id, name: 'Foreign' }],
    })
    // Users of other organizations may be linked by id, but a name must not reveal that they exist.
    const stranger = `Stranger ${randomUUID()}`
    await server.person(stranger, { orgId: elsewhere, org: [roleIds.orgUser] })
    const hers = await server.as(await server.person('admin of Default', { org: [roleIds.orgAdmin] }))
    const permission = { name: 'x', users: stranger }
    expect(await read(permission, 'perms/asset-permissions', { who: hers })).toEqual({ name: 'x', users: [stranger] })
    const may = async (...codes: string[]): Promise<Client> => {
      const permissions = await server.admin.collection('rbac/permissions').all()
      const role = await server.admin
        .in(rootOrgId)
        .collection('rbac/org-roles')
        .create({
          name: randomUUID(),
          scope: 'org',
          permissions: permissions.filter(({ codename }) => codes.includes(String(codename))).map(({ id }) => id),
        })
      return server.as(await server.person('maker', { org: [role.id] }))
    }
    const all = await may('add_asset', 'view_platform')
    const blind = await may('add_asset')
    expect(await read({ platform: 'Linux' }, 'assets/hosts', { who: all })).toEqual({
      platform: { pk: 1, name: 'Linux' },
    })
    expect(await read({ platform: 'Linux' }, 'assets/hosts', { who: blind })).toEqual({ platform: 'Linux' })
  })
})

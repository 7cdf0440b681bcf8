import { defaultOrgId, rootOrgId, systemOrgId } from '@castellan/contract/ids'
import type { ApiError } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: ApiError) => error.status,
  )
const orgs = () => server.admin.collection('orgs/orgs')

describe('organizations', () => {
  it('are found by id, name, keyword and any spelling of the view over all of them', async () => {
    const { id } = await orgs().create({ name: 'Found' })
    const current = async (wanted: string) =>
      (await server.admin.in(wanted).request<{ id: string }>('GET', '/api/v1/orgs/orgs/current/')).id
    expect(await current(id)).toBe(id)
    expect(await current('Found')).toBe(id)
    expect(await current('default')).toBe(defaultOrgId)
    expect(await current('ROOT')).toBe(rootOrgId)
    expect(await current('nobody knows it')).toBe(defaultOrgId)
  })

  it('count their contents', async () => {
    const { id } = await orgs().create({ name: 'Counted' })
    await server.admin.in(id).collection('users/groups').create({ name: 'one' })
    const domain = await server.admin.in(id).collection('assets/domains').create({ name: 'apart' })
    await server.admin
      .in(id)
      .collection('assets/gateways')
      .create({
        name: 'way',
        address: '127.0.0.1',
        domain: domain.id,
        protocols: [{ name: 'ssh', port: 22 }],
      })
    expect(await orgs().get(id)).toMatchObject({
      resource_statistics: { groups_amount: 1, users_amount: 0, assets_amount: 1, gateways_amount: 1 },
    })
  })

  it('can be deleted only when empty, not current and not reserved', async () => {
    const { id } = await orgs().create({ name: 'Leaving' })
    const there = server.admin.in(id)
    expect(await status(there.collection('orgs/orgs').delete(id))).toBe(403)
    const group = await there.collection('users/groups').create({ name: 'in the way' })
    expect(await status(orgs().delete(id))).toBe(403)
    await there.collection('users/groups').delete(group.id)
    expect(await status(orgs().delete(id))).toBe(200)
    expect(await status(orgs().delete(systemOrgId))).toBe(400)
    expect(await status(orgs().get(rootOrgId))).toBe(404)
    expect(await status(server.admin.request('DELETE', `/api/v1/orgs/orgs/?ids=${defaultOrgId}`))).toBe(400)
  })

  it.each([
    ['an account template', 'accounts/account-templates', { name: 'kept', username: 'kept' }],
    ['a command group', 'acls/command-groups', { name: 'kept', type: 'command', content: 'rm' }],
    ['a node', 'assets/nodes', { value: 'kept' }],
  ])('are kept while they hold %s', async (_what, path, body) => {
    const { id } = await orgs().create({ name: `holds ${path}` })
    const there = server.admin.in(id)
    const row = await there.collection<{ id: string }, object>(path).create(body)
    expect(await status(orgs().delete(id))).toBe(403)
    await there.collection(path).delete(row.id)
    expect(await status(orgs().delete(id))).toBe(200)
    const tables = ['assets_node', 'accounts_virtualaccount', 'accounts_accounttemplate', 'acls_commandgroup']
    for (const table of tables)
      expect(
        await server.context().rawDb.selectFrom(table).select('id').where('org_id', '=', id).execute(),
        table,
      ).toEqual([])
  })

  it('keep nothing that was saved in none of them', async () => {
    expect(await status(server.admin.in(rootOrgId).collection('users/groups').create({ name: 'nowhere' }))).toBe(400)
  })
})

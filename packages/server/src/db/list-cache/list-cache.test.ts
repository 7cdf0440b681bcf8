import { roleIds } from '@castellan/contract/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertRows } from '../../kernel/resource/repository.ts'
import { organization } from '../../modules/orgs/index.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await server.context().transaction(async (ctx) => {
    const rows = Array.from({ length: 400 }, (_, at) => ({ name: `unit ${String(at).padStart(4, '0')}`, comment: 'x' }))
    await insertRows(ctx, organization, rows)
  })
})
afterAll(() => server.close())

interface Page {
  count: number
  results: { id: string; name: string }[]
}
const page = (query: string) => server.admin.request<Page>('GET', `/api/v1/orgs/orgs/?${query}`)
const names = async (query: string) => (await page(query)).results.map(({ name }) => name)

describe('a list that is requested repeatedly', () => {
  const deep = 'limit=5&offset=200&search=unit'

  it('answers the same, and differently as soon as a row was created, changed or deleted', async () => {
    const first = await names(deep)
    expect(first).toEqual([200, 201, 202, 203, 204].map((at) => `unit 0${at}`))
    for (let again = 0; again < 3; again++) expect(await names(deep)).toEqual(first)
    const organizations = server.admin.collection('orgs/orgs')
    const before = (await page(deep)).count

    const made = await organizations.create({ name: 'unit 0100b' })
    expect((await page(deep)).count).toBe(before + 1)
    for (let again = 0; again < 3; again++) expect((await names(deep))[0]).toBe('unit 0199')

    await organizations.change(made.id, { name: 'unit 0999' })
    for (let again = 0; again < 3; again++) expect(await names(deep)).toEqual(first)

    await organizations.change(made.id, { name: 'something else' })
    for (let again = 0; again < 3; again++) expect((await page(deep)).count).toBe(before)

    await organizations.delete(made.id)
    expect((await page('limit=1&search=something')).count).toBe(0)
  })

  it('counts added rows, also among others that do not belong to it, and after one of them was changed', async () => {
    const organizations = server.admin.collection('orgs/orgs')
    const broad = 'limit=1&search=team'
    const count = async () => (await page(broad)).count
    expect(await count()).toBe(0)
    const made: string[] = []
    for (const [name, expected] of [
      ['team one', 1],
      ['nothing of it', 1],
      ['team two', 2],
      ['team three', 3],
    ] as const) {
      made.push((await organizations.create({ name })).id as string)
      expect(await count()).toBe(expected)
    }
    await organizations.change(made[1] as string, { name: 'team four' })
    expect(await count()).toBe(4)
    await organizations.delete(made[3] as string)
    expect(await count()).toBe(3)
    made[3] = (await organizations.create({ name: 'team five' })).id as string
    expect(await count()).toBe(4)
    expect((await page(`limit=9&search=team&order=name`)).results.map(({ name }) => name)).toEqual([
      'team five',
      'team four',
      'team one',
      'team two',
    ])
    for (const id of made) await organizations.delete(id)
    expect(await count()).toBe(0)
  })

  it('reflects rows written outside the API', async () => {
    const before = (await page('limit=1')).count
    expect((await page('limit=1')).count).toBe(before)
    await server.context().rawDb.deleteFrom('orgs_organization').where('name', '=', 'unit 0399').execute()
    expect((await page('limit=1')).count).toBe(before - 1)
  })

  it('is the same inside and after a transaction that was rolled back', async () => {
    const before = (await page(deep)).count
    await expect(
      server.context().transaction(async (ctx) => {
        await insertRows(ctx, organization, [{ name: 'unit 0500', comment: '' }])
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect((await page(deep)).count).toBe(before)
  })

  it('of users reflects who joins and leaves the organization', async () => {
    const people = () => server.admin.request<{ count: number }>('GET', '/api/v1/users/users/?limit=1')
    const { count } = await people()
    expect((await people()).count).toBe(count)
    const id = await server.person('newcomer', { org: [roleIds.orgUser] })
    expect((await people()).count).toBe(count + 1)
    await server.admin.collection('users/users').delete(id)
    expect((await people()).count).toBe(count)
  })
})

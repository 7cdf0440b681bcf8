import { roleIds, rootOrgId } from '@castellan/contract/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { organization } from '../../modules/orgs/index.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { insertRows } from '../resource/repository.ts'

const names = [
  'Ältere Straße',
  'ältere strasse',
  'ÉCOLE École école',
  '100% sure',
  '100 sure',
  'under_score',
  'underXscore',
  'back\\slash',
  'say "hello" AND goodbye',
  "it's NOT near",
  'name:colon* -minus ^caret (round)',
  '東京データベース',
  '京デ',
  'emoji 🙂🙃🙂 face',
  'İstanbul ıstanbul istanbul',
  'ab',
  'Web-01.example.com',
  'web-02.EXAMPLE.com',
  'aaaa',
  'aa aa',
]
const searches = [
  ...['alt', 'ält', 'ÄLT', 'straße', 'STRASSE', 'école', 'École', 'ÉCOLE', '100%', '0%', '% s', 'r_s', 'rXs', 'k\\s'],
  ...['"hello"', 'AND', 'hello AND', 'NOT', "it's", 'name:', 'e:colon*', '-minus', '^caret', '(round)', '東京デ'],
  ...[
    '京デ',
    'データベース',
    '🙂🙃🙂',
    '🙂',
    'İst',
    'ist',
    'ıst',
    'ab',
    'a',
    'web,example',
    'WEB-0 .com',
    'example web-01',
  ],
  ...['aaa', 'aaaa', 'aaaaa', 'com,,', 'nothing at all', 'rack seven', 'x'.repeat(300)],
]

let server: TestServer
const ids = new Map<string, string>()

beforeAll(async () => {
  server = await startServer()
  const organizations = server.admin.collection('orgs/orgs')
  for (const name of names) ids.set(name, (await organizations.create({ name, comment: 'rack seven' })).id)
})
afterAll(() => server.close())

/** The result without any index: every term occurs in one of the columns. */
async function expected(search: string): Promise<string[]> {
  const rows: { name: string; comment: string }[] = await server
    .context()
    .rawDb.selectFrom('orgs_organization')
    .select(['name', 'comment'])
    .execute()
  const postgres = server.context().dialect === 'postgres'
  // SQLite folds case for ASCII letters only.
  const folded = (text: string) =>
    postgres ? text.toLowerCase() : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const terms = search.split(/[,\s]+/).filter(Boolean)
  return rows
    .filter(({ name, comment }) =>
      terms.every((term) => [name, comment ?? ''].some((text) => folded(text).includes(folded(term)))),
    )
    .map(({ name }) => name)
    .sort()
}

async function found(search: string): Promise<string[]> {
  const query = `search=${encodeURIComponent(search)}&limit=100`
  const { results, count } = await server.admin.request<{ results: { name: string }[]; count: number }>(
    'GET',
    `/api/v1/orgs/orgs/?${query}`,
  )
  expect(results.length).toBe(count)
  return results.map(({ name }) => name).sort()
}

describe('search', () => {
  // PostgreSQL folds dotless and dotted i by locale, so the result may differ.
  const sure = searches.filter((search) => !/[İı]/.test(search))

  it('finds exactly the rows that contain every term, whatever characters it has', async () => {
    for (const search of server.context().dialect === 'postgres' ? sure : searches)
      expect([search, await found(search)]).toEqual([search, await expected(search)])
  })

  it('reflects changes and deletions', async () => {
    const organizations = server.admin.collection('orgs/orgs')
    await organizations.change(ids.get('aaaa') ?? '', { name: 'renamed bbbb' })
    await organizations.delete(ids.get('100% sure') ?? '')
    for (const search of ['aaaa', 'bbbb', 'renamed', '100%', 'sure', 'rack'])
      expect([search, await found(search)]).toEqual([search, await expected(search)])
    expect(await found('bbbb')).toEqual(['renamed bbbb'])
    expect(await found('100%')).toEqual([])
  })

  it('keeps order and pages among many matching rows', async () => {
    const page = (offset: number, order: string) =>
      server.admin.request<{ count: number; results: { name: string }[] }>(
        'GET',
        `/api/v1/orgs/orgs/?search=rack&limit=5&offset=${offset}&order=${order}`,
      )
    const all = await expected('rack')
    for (const order of ['name', '-name']) {
      const seen: string[] = []
      for (let offset = 0; offset < all.length; offset += 5) {
        const { count, results } = await page(offset, order)
        expect(count).toBe(all.length)
        seen.push(...results.map(({ name }) => name))
      }
      expect(seen.toSorted()).toEqual(all)
    }
  })
})

describe('a long list', () => {
  it('has the same order page by page as at once, from its beginning or from its end', async () => {
    const server = await startServer()
    await server.context().transaction(async (ctx) => {
      // Every comment is the same, so that ids break the ties.
      const rows = Array.from({ length: 330 }, (_, at) => ({ name: `unit ${(at * 37) % 331}`, comment: '' }))
      await insertRows(ctx, organization, rows)
    })
    const list = <Answer>(query: string) => server.admin.request<Answer>('GET', `/api/v1/orgs/orgs/?${query}`)
    for (const order of ['name', '-name', 'comment', '-comment', 'comment,-name', '-date_created']) {
      const whole = (await list<{ id: string }[]>(`order=${order}`)).map(({ id }) => id)
      for (const offset of [0, 90, 100, 161, 168, 200, whole.length - 14, whole.length - 7, whole.length - 3]) {
        const page = await list<{ count: number; results: { id: string }[] }>(`order=${order}&limit=7&offset=${offset}`)
        expect(page.count).toBe(whole.length)
        expect(page.results.map(({ id }) => id)).toEqual(whole.slice(offset, offset + 7))
      }
    }
    await server.close()
  })

  it('of users counts only the members, whatever roles they hold', async () => {
    const server = await startServer()
    await server.person('both', { org: [roleIds.orgUser, roleIds.orgAuditor] })
    const elsewhere = await server.organization('elsewhere')
    await server.person('stranger', { org: [roleIds.orgUser], orgId: elsewhere })
    const component = await server.person('component', { org: [roleIds.orgUser] })
    await server
      .context()
      .rawDb.updateTable('users_user')
      .set({ is_service_account: server.context().dialect === 'postgres' ? true : 1 })
      .where('id', '=', component)
      .execute()
    for (const client of [server.admin, server.admin.in(elsewhere), server.admin.in(rootOrgId)]) {
      const all = await client.request<unknown[]>('GET', '/api/v1/users/users/')
      const page = await client.request<{ count: number }>('GET', '/api/v1/users/users/?limit=1')
      expect(page.count).toBe(all.length)
    }
    await server.close()
  })
})

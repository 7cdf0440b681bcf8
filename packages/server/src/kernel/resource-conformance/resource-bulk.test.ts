import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@castellan/contract/ids'
import { sampled } from '@castellan/testing/sample'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyRow } from '../../db/database.ts'
import { has, inRoot, manner, type ResourceTests, startResourceTests } from '../../testing/resources.ts'
import { samples } from '../../testing/samples.ts'
import { casesOfThisRun, onceOn } from '../../testing/this-run.ts'
import type { Resource } from '../resource/resource.ts'

/** Bulk calls of every resource and their errors. */
let tests: ResourceTests
const ask: ResourceTests['ask'] = (...words) => tests.ask(...words)
beforeAll(async () => {
  tests = await startResourceTests()
})
afterAll(() => tests[Symbol.asyncDispose]())

const amount = async (url: string) => ((await ask('GET', `${url}?limit=1`)).body.count ?? 0) as number
const isBulk = (resource: Resource) => resource.bulk ?? true
/** Resources whose list rows have an id. */
const countable = (resource: Resource) => has(resource, 'list') && !resource.noId

/** Collections whose bulk changes are routes of their own. */
const changedByOwnRoutes = new Set(['tickets/flows'])

describe('the only row of a collection', () => {
  /** Queries that filter nothing: no parameter, unknown and empty ones, and those without effect on the rows. */
  const nothing = ['', '?unknown=1', '?search=', '?limit=1', '?order=name', '?_rel=or', '?_rel=not']
  const alone = async (url: string, headers: Record<string, string>, selecting: string) => {
    const count = async () => (await ask('GET', `${url}?limit=1`, { headers })).body.count
    expect([url, await count()]).toEqual([url, 1])
    for (const query of nothing) {
      const { status, text } = await ask('DELETE', `${url}${query}`, { headers })
      expect([url, query, status, text]).toEqual([url, query, 400, ''])
    }
    expect([url, await count()]).toEqual([url, 1])
    const { status, text } = await ask('DELETE', `${url}${selecting}`, { headers })
    expect([url, selecting, status, text]).toEqual([url, selecting, 204, ''])
    expect([url, await count()]).toEqual([url, 0])
  }

  it('is not deleted without a selection, in an organization that has no other', async () => {
    const headers = { 'x-jms-org': tests.elsewhere }
    const paths = ['users/groups', 'assets/labels', 'assets/domains', 'acls/command-groups']
    for (const path of [...paths, 'accounts/account-templates', 'perms/asset-permissions', 'acls/login-asset-acls']) {
      const url = `/api/v1/${path}/`
      const { users: _users, ...body } = ((await samples[path]?.(tests.server.admin)) ?? {}) as AnyRow
      const whom = path.startsWith('acls/login') ? { users: { type: 'all' } } : {}
      const made = await ask('POST', url, { body: { ...body, ...whom }, headers })
      expect([path, made.status, made.text]).toEqual([path, 201, made.text])
      await alone(url, headers, `?search=${body.name}`)
    }
    const url = '/api/v1/perms/asset-permissions/'
    await ask('POST', url, { body: { name: 'one' }, headers })
    const { status } = await ask('DELETE', `${url}?account_id=${randomUUID()}`, { headers })
    expect(status).toBe(400)
  })

  it('is not deleted without a selection where it is a link', async () => {
    const all = async (url: string) => (await ask('GET', url)).body as AnyRow[]
    const links = ['users/users-groups-relations', 'perms/asset-permissions-users-relations']
    for (const url of links.map((one) => `/api/v1/${one}/`))
      for (const { id } of await all(url)) await ask('DELETE', `${url}${id}/`)
    await samples['users/users-groups-relations']?.(tests.server.admin)
    await samples['perms/asset-permissions-users-relations']?.(tests.server.admin)
    for (const [url, column] of [
      ['/api/v1/users/users-groups-relations/', 'usergroup'],
      ['/api/v1/perms/asset-permissions-users-relations/', 'assetpermission'],
    ] as const) {
      const [link] = await all(url)
      await alone(url, {}, `?${column}=${link?.[column]}&user=${link?.user}`)
    }
  })
})

describe.each(casesOfThisRun)(sampled('many rows of %s'), (address, resource) => {
  const { url } = resource
  const canMake = samples[address] && countable(resource)
  // A node is created by its path, in the Default organization when none is selected.
  const byPath = address === 'assets/nodes'

  it('require sign-in', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status } = await ask(method, url, { anonymous: true, ...(method === 'DELETE' ? {} : { body: [] }) })
      expect([method, status]).toEqual([method, 401])
    }
  })

  manner(!isBulk(resource))('are not changed or deleted through the collection', async () => {
    for (const method of changedByOwnRoutes.has(address) ? ['DELETE'] : ['PUT', 'PATCH', 'DELETE']) {
      const { status, body } = await ask(method, url, method === 'DELETE' ? {} : { body: [] })
      expect([method, status, body.code]).toEqual([method, 405, 'method_not_allowed'])
    }
  })

  manner(has(resource, 'create') && isBulk(resource) && samples[address])('are made all or none', async () => {
    const none = await ask('POST', url, { body: [] })
    expect([none.status, none.body]).toEqual([201, []])
    if (!countable(resource)) return
    const before = await amount(url)
    const good = await samples[address]?.(tests.server.admin)
    const related = (await amount(url)) - before
    const { status, body } = await ask('POST', url, { body: [good, 5, 'x', null] })
    expect(status).toBe(400)
    expect(body).toHaveLength(4)
    for (const entry of body.slice(1)) expect(entry).toEqual({ non_field_errors: [expect.any(String)] })
    expect(await amount(url)).toBe(before + related)
  })

  manner(has(resource, 'create') && samples[address])('are one when the body is no list', async () => {
    for (const raw of ['5', '"x"', 'true']) {
      const { status, body } = await ask('POST', url, { raw })
      expect([raw, status, Object.keys(body)]).toEqual([raw, 400, ['non_field_errors']])
    }
  })

  manner(canMake && isBulk(resource) && has(resource, 'update'))(
    'are changed together, aligned with what was sent',
    async () => {
      for (const method of ['PUT', 'PATCH']) {
        const none = await ask(method, url, { body: [] })
        expect([method, none.status, none.body]).toEqual([method, 200, []])
        const object = await ask(method, url, { body: {} })
        expect([object.status, Object.keys(object.body)]).toEqual([400, ['non_field_errors']])
      }
      const [first, second] = (await tests.make(address, resource, 2)) as [AnyRow, AnyRow]
      const unknown = resource.serialId ? 99_999_999 : randomUUID()
      const { status, body } = await ask('PATCH', url, {
        body: [{ id: first.id }, { comment: 'x' }, { id: unknown }, { id: 'not-an-id' }, 7],
      })
      expect(status).toBe(400)
      expect(body).toEqual([
        {},
        [expect.any(String)],
        expect.any(String),
        { id: [expect.any(String)] },
        { non_field_errors: [expect.any(String)] },
      ])
      const changed = await ask('PATCH', url, { body: [{ id: first.id }, { pk: second.id }, { id: first.id }] })
      expect([changed.status, (changed.body as never as AnyRow[]).map(({ id }) => id)]).toEqual([
        200,
        [first.id, second.id],
      ])

      const kept = await ask('POST', '/api/v1/common/resources/cache/', { body: { resources: [first.id] } })
      const outside = await ask('PATCH', `${url}?spm=${kept.body.spm}`, { body: [{ id: second.id }] })
      expect([outside.status, outside.body]).toEqual([400, [expect.any(String)]])
    },
  )

  manner(canMake && isBulk(resource) && has(resource, 'delete') && resource.bulkDelete !== 'never')(
    'are deleted by a selection, and never by accident',
    async () => {
      const made = await tests.make(address, resource, resource.bulkDelete === 'one' ? 1 : 2)
      const before = await amount(url)
      const absent = resource.serialId ? 99_999_999 : randomUUID()
      if (typeof resource.bulkDelete !== 'function')
        for (const query of ['', '?unknown=1', '?search=', `?ids=${absent}&_rel=not`]) {
          const { status, text } = await ask('DELETE', `${url}${query}`)
          expect([query, status, text]).toEqual([query, 400, ''])
        }
      const unknown = await ask('DELETE', `${url}?spm=${randomUUID()}`)
      expect([unknown.status, unknown.body]).toEqual([400, { spm: [expect.any(String)] }])
      expect(await amount(url)).toBe(before)
      const kept = await ask('POST', '/api/v1/common/resources/cache/', {
        body: { resources: made.map(({ id }) => id) },
      })
      const { status, text } = await ask('DELETE', `${url}?spm=${kept.body.spm}`)
      expect([status, text]).toEqual([204, ''])
      expect((await ask('GET', `${url}?ids=${made.map(({ id }) => id).join(',')}`)).body).toEqual([])
    },
  )

  manner(canMake && has(resource, 'create') && resource.idWritable && !byPath)(
    'keep the id a client gives, once',
    async () => {
      const id = resource.serialId ? 700_000 + Math.floor(Math.random() * 90_000) : randomUUID()
      const body = { ...(await samples[address]?.(tests.server.admin)), id }
      const made = await ask('POST', url, { body })
      expect([made.status, made.body.id]).toEqual([201, id])
      const again = await ask('POST', url, { body: { ...(await samples[address]?.(tests.server.admin)), id } })
      expect([again.status, again.body.id]).toEqual([400, [expect.any(String)]])
    },
  )

  manner(samples[address] && resource.scope === 'org' && !resource.organization && !byPath)(
    'are not made where no organization is chosen',
    async () => {
      const body = await samples[address]?.(tests.server.admin)
      const { status } = await ask('POST', url, { body, ...inRoot })
      expect(status).toBe(400)
      // An id in the body does not select the row, and every error is in the caller's language.
      const said: string[] = []
      for (const language of ['en', 'zh', 'ja']) {
        const headers = { ...inRoot.headers, 'accept-language': language }
        const named = await ask('POST', url, { body: { ...body, org_id: defaultOrgId }, headers })
        expect(named.status).toBe(400)
        said.push(named.text)
      }
      expect(new Set(said).size).toBe(3)
    },
  )

  manner(
    has(resource, 'create') && !resource.create && Object.values(resource.fields).some(({ required }) => required),
  )('say what is missing in three languages', async () => {
    const said: string[] = []
    for (const language of ['en', 'zh', 'ja']) {
      const { status, text } = await ask('POST', url, { body: {}, headers: { 'accept-language': language } })
      expect(status).toBe(400)
      said.push(text)
    }
    expect(new Set(said).size).toBe(3)
  })

  manner(has(resource, 'retrieve'))('that are not there are told of in three languages', async () => {
    const said: string[] = []
    for (const language of ['en', 'zh', 'ja']) {
      const { status, body } = await ask('GET', `${url}${randomUUID()}/`, { headers: { 'accept-language': language } })
      expect([status, body.code]).toEqual([404, 'object_does_not_exist'])
      said.push(String(body.detail))
    }
    expect(new Set(said).size).toBe(3)
  })
})

onceOn('sqlite')('too large a body gets a clear error', async () => {
  const { status, body } = await ask('POST', '/api/v1/users/groups/', { raw: `{"name":"${'x'.repeat(34_000_000)}"}` })
  expect([status, body.code]).toEqual([413, 'file_content_overflowed'])
})

it('many changes at once give every row its own values and do not touch fields that were not sent', async () => {
  const groups = Array.from({ length: 230 }, (_, at) => ({ name: `Many ${at}`, comment: `before ${at}` }))
  const made = (await ask('POST', '/api/v1/users/groups/', { body: groups })).body as unknown as AnyRow[]
  const changes = made.map(({ id }, at) =>
    at % 3 === 0 ? { id, name: `Renamed ${at}` } : { id, comment: `after ${at}` },
  )
  expect((await ask('PATCH', '/api/v1/users/groups/', { body: changes })).status).toBe(200)
  const rows = (await ask('GET', '/api/v1/users/groups/')).body as unknown as AnyRow[]
  const found = new Map(rows.map((row) => [row.id, [row.name, row.comment]]))
  expect(made.map(({ id }) => found.get(id))).toEqual(
    made.map((_row, at) => (at % 3 === 0 ? [`Renamed ${at}`, `before ${at}`] : [`Many ${at}`, `after ${at}`])),
  )
})

it('repeated changes and ids are reported at their positions', async () => {
  const url = '/api/v1/users/groups/'
  const [first, second] = (await ask('POST', url, { body: [{ name: 'Once' }, { name: 'Twice' }] }))
    .body as unknown as AnyRow[]
  const changes = [{ id: first?.id, name: '' }, { id: first?.id, name: '' }, { id: second?.id }]
  expect((await ask('PATCH', url, { body: changes })).body).toEqual([{}, { name: [expect.any(String)] }, {}])
  const id = randomUUID()
  const same = [{ id, name: 'A' }, { name: 'B' }, { id: id.toUpperCase(), name: 'C' }]
  const { status, body } = await ask('POST', url, { body: same })
  expect([status, body]).toEqual([400, [{}, {}, { id: [expect.any(String)] }]])
})

it('more ids than a statement may bind are all evaluated', async () => {
  const body = Array.from({ length: 33_000 }, () => ({ id: randomUUID() }))
  const { status } = await ask('POST', '/api/v1/users/groups/', { body })
  expect(status).toBe(400)
})

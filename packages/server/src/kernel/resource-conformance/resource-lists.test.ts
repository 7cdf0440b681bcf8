import { randomUUID } from 'node:crypto'
import { sampled } from '@castellan/testing/sample'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyRow } from '../../db/database.ts'
import { has, inRoot, manner, type ResourceTests, resourceCases, startResourceTests } from '../../testing/resources.ts'
import { samples } from '../../testing/samples.ts'
import { casesOfThisRun } from '../../testing/this-run.ts'
import { orderable } from '../lists/query.ts'

/** Pages, selections, fields and orders of every list. */
let tests: ResourceTests
const ask: ResourceTests['ask'] = (...words) => tests.ask(...words)
beforeAll(async () => {
  tests = await startResourceTests()
})
afterAll(() => tests[Symbol.asyncDispose]())

const idsOf = (rows: readonly AnyRow[]) => rows.map((row) => String(row.id)).sort()

const lists = resourceCases.filter(([, resource]) => has(resource, 'list'))

describe.each(lists.filter((one) => casesOfThisRun.includes(one)))(sampled('the list of %s'), (address, resource) => {
  const { url } = resource
  const canMake = samples[address] && !resource.noId

  it('has pages with next and previous links, and tolerates odd limits and offsets', async () => {
    for (const query of ['limit=0', 'limit=-3', 'limit=x', 'limit=1.5', 'limit=1e1', 'limit=0x10', 'offset=3'])
      expect([query, Array.isArray((await ask('GET', `${url}?${query}`)).body)]).toEqual([query, true])
    const { body } = await ask('GET', `${url}?limit=1&offset=-7&unknown=1`)
    expect(body.previous).toBeNull()
    const beyond = (await ask('GET', `${url}?limit=2&offset=${body.count + 10}&search=`)).body
    expect([beyond.results, beyond.next]).toEqual([[], null])
    expect(new URL(beyond.previous).searchParams.get('offset')).toBe(String(body.count + 8))
    const second = (await ask('GET', `${url}?limit=3&offset=1`)).body
    expect(new URL(second.previous).searchParams.has('offset')).toBe(false)
    if (body.count > 1) {
      const next = new URL(body.next)
      expect([next.searchParams.get('limit'), next.searchParams.get('unknown')]).toEqual(['1', '1'])
      expect((await ask('GET', `${next.pathname}${next.search}`)).status).toBe(200)
    }
    const most = (await ask('GET', `${url}?limit=1000`)).body
    expect(most.results.length).toBeLessThanOrEqual(100)
  })

  it('ignores unknown filters and orders', async () => {
    const plain = await ask('GET', `${url}?limit=5`)
    const strange = ['constructor=1', 'toString=1', '__proto__=1', 'hasOwnProperty=1']
    const unknown = ['nosuchfield=1', 'order=nosuch', 'ordering=id', 'display=1&draw=1', 'name__icontains=x']
    for (const query of [...unknown, ...strange]) {
      const { status, body } = await ask('GET', `${url}?limit=5&${query}`)
      expect([query, status, body.results]).toEqual([query, 200, plain.body.results])
    }
  })

  it('is empty for an unknown selection, and for one of rows of another resource', async () => {
    expect((await ask('GET', `${url}?spm=${randomUUID()}`)).body).toEqual([])
    const resources = [randomUUID(), 'x', 99_999_999]
    const { spm } = (await ask('POST', '/api/v1/common/resources/cache/', { body: { resources } })).body
    expect((await ask('GET', `${url}?spm=${spm}`)).body).toEqual([])
  })

  it('rejects malformed ids with the name of the parameter', async () => {
    for (const name of ['ids', 'id!']) {
      const { status, body } = await ask('GET', `${url}?${encodeURIComponent(name)}=not-an-id`)
      expect([status, Object.keys(body)]).toEqual([400, [name]])
    }
    expect((await ask('GET', `${url}?ids=`)).status).toBe(200)
  })

  manner(canMake)('finds rows by ids and by a kept selection, without some, and turned round', async () => {
    const made = await tests.make(address, resource, 3)
    const all = made.map((row) => row.id)
    expect(idsOf((await ask('GET', `${url}?ids=${all.join(',')}`)).body as never)).toEqual(idsOf(made))

    const kept = await ask('POST', '/api/v1/common/resources/cache/', { body: { resources: all.slice(0, 2) } })
    expect([kept.status, Object.keys(kept.body)]).toEqual([200, ['spm']])
    const selected = (await ask('GET', `${url}?spm=${kept.body.spm}`)).body as never
    expect(idsOf(selected)).toEqual(idsOf(made.slice(0, 2)))

    const without = `id${encodeURIComponent('!')}=${all[0]}`
    const rest = (await ask('GET', `${url}?ids=${all.join(',')}&${without}`)).body as never
    expect(idsOf(rest)).toEqual(idsOf(made.slice(1)))
    const others = (await ask('GET', `${url}?ids=${all.join(',')}&_rel=not`)).body as never
    expect(idsOf(others).filter((id) => all.map(String).includes(id))).toEqual([])
    if (resource.search?.includes('name') && typeof made[0]?.name === 'string') {
      const search = `search=${encodeURIComponent(made[0].name)}`
      const either = (await ask('GET', `${url}?ids=${all[1]}&${search}&_rel=or`)).body as never
      expect(idsOf(either)).toEqual(idsOf(made.slice(0, 2)))
      const unlike = idsOf((await ask('GET', `${url}?${search}&_rel=not`)).body as never)
      expect(all.map((id) => unlike.includes(String(id)))).toEqual([false, true, true])
    }

    for (const name of orderable(resource).slice(0, 4)) {
      const query = `ids=${all.join(',')}&order=`
      const up = (await ask('GET', `${url}?${query}${name}`)).body as never as AnyRow[]
      const down = (await ask('GET', `${url}?${query}-${name}`)).body as never as AnyRow[]
      expect([name, down.map(({ id }) => id)]).toEqual([name, up.map(({ id }) => id).reverse()])
    }
  })

  manner(canMake)('asks the database as often for many rows as for one', async () => {
    const made = await tests.make(address, resource, 5)
    const statements = async (rows: readonly AnyRow[]) => {
      const path = `${url}?limit=100&ids=${rows.map(({ id }) => id).join(',')}`
      // Fills caches for both measurements.
      await ask('GET', path)
      const { headers, body } = await ask('GET', path)
      return { rows: body.results.length, statements: Number(headers.get('x-jms-sql-count')) }
    }
    const one = await statements(made.slice(0, 1))
    expect(one).toEqual({ rows: 1, statements: expect.toSatisfy((count: number) => count > 0) })
    const all = await statements(made)
    expect(all.rows).toBe(5)
    // One more if a cached value expired in between; one query per row would be four more.
    expect(all.statements - one.statements).toBeLessThanOrEqual(1)
  })

  manner(canMake)('shows the fields that are asked for', async () => {
    const [row] = (await tests.make(address, resource, 1)) as [AnyRow]
    const fieldsOf = async (query: string) =>
      Object.keys(((await ask('GET', `${url}?ids=${row.id}&${query}`)).body as never as AnyRow[])[0] ?? {})
    const all = await fieldsOf('')
    const first = all.filter((name) => name !== 'id')[0] ?? ''
    const only = await fieldsOf(`fields=id,${first},nosuch`)
    const dropped = await fieldsOf(`fields${encodeURIComponent('!')}=${first}`)
    const mini = await fieldsOf('fields_size=mini')
    if (resource.wholeRows) {
      expect([only, dropped, mini]).toEqual([all, all, all])
      return
    }
    expect(only.toSorted()).toEqual(['id', first].sort())
    expect(dropped).toEqual(all.filter((name) => name !== first))
    expect(await fieldsOf('fields=nosuch')).toEqual([])
    expect(mini).toEqual(resource.mini ? all.filter((name) => resource.mini?.includes(name)) : all)
    expect(await fieldsOf('fields_size=odd')).toEqual(all)
  })

  manner(canMake && resource.scope === 'org' && resource.fields.org_name)(
    'names the organization of a row, also where all of them are looked at',
    async () => {
      const [row] = (await tests.make(address, resource, 1)) as [AnyRow]
      const [here] = (await ask('GET', `${url}?ids=${row.id}`)).body as never as AnyRow[]
      const [everywhere] = (await ask('GET', `${url}?ids=${row.id}`, inRoot)).body as never as AnyRow[]
      for (const found of [here, everywhere]) {
        expect(found?.org_id).toMatch(/^[0-9a-f-]{36}$/)
        expect(found?.org_name).toBeTruthy()
      }
    },
  )

  manner(resource.suggestions)('suggests at most ten rows', async () => {
    const { status, body } = await ask('GET', `${url}suggestions/`)
    expect([status, Array.isArray(body), body.length <= 10]).toEqual([200, true, true])
    const page = await ask('GET', `${url}suggestions/?limit=1`)
    expect(Object.keys(page.body)).toEqual(['count', 'next', 'previous', 'results'])
  })

  it('is found without its trailing slash, and answers only in supported types', async () => {
    const { status, headers } = await ask('GET', `${url.slice(0, -1)}?limit=1`)
    expect([status, headers.get('location')]).toEqual([301, `${url}?limit=1`])
    expect((await ask('GET', `${url}?format=odd`)).status).toBe(404)
  })
})

describe('complete rows', () => {
  it('are what these lists return, whatever fields are requested', () => {
    const whole = lists.filter(([, resource]) => resource.wholeRows).map(([, { url }]) => url.replace('/api/v1/', ''))
    expect(whole.toSorted()).toEqual([
      'accounts/virtual-accounts/',
      'assets/platforms/',
      'audits/ftp-logs/',
      'audits/login-logs/',
      'audits/my-login-logs/',
      'audits/password-change-logs/',
      'notifications/site-messages/',
      'orgs/orgs/',
      'perms/asset-permissions-assets-relations/',
      'perms/asset-permissions-nodes-relations/',
      'perms/asset-permissions-user-groups-relations/',
      'perms/asset-permissions-users-relations/',
      'rbac/org-role-bindings/',
      'rbac/org-roles/',
      'rbac/role-bindings/',
      'rbac/roles/',
      'rbac/system-role-bindings/',
      'rbac/system-roles/',
      'terminal/applet-host-deployments/',
      'terminal/applet-publications/',
      'terminal/command-storages/',
      'terminal/endpoint-rules/',
      'terminal/endpoints/',
      'terminal/replay-storages/',
      'terminal/tasks/',
      'terminal/terminals/',
      'users/users-groups-relations/',
    ])
  })
})

it('a selection of more rows than a statement may bind works like any other', async () => {
  const [address, resource] = lists.find(([name]) => name === 'users/groups') as (typeof lists)[number]
  const [row] = (await tests.make(address, resource, 1)) as [AnyRow]
  const resources = [...Array.from({ length: 40_000 }, () => randomUUID()), row.id]
  const { body } = await ask('POST', '/api/v1/common/resources/cache/', { body: { resources } })
  const found = await ask('GET', `${resource.url}?limit=5&spm=${body.spm}`)
  expect([found.status, found.body.count, found.body.results[0].id]).toEqual([200, 1, row.id])
})

import { randomInt, randomUUID } from 'node:crypto'
import { sample, sampled } from '@castellan/testing/sample'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyRow } from '../../db/database.ts'
import { has, manner, type ResourceTests, startResourceTests } from '../../testing/resources.ts'
import { marker, samples, withoutSample } from '../../testing/samples.ts'
import { casesOfThisRun, onceOn } from '../../testing/this-run.ts'
import { orderable } from '../lists/query.ts'
import { unlabelled } from '../module/texts.ts'

/** The behavior of every resource; lists, bulk calls and files have their own test files. */
let tests: ResourceTests
let server: ResourceTests['server']
let elsewhere: string
const ask: ResourceTests['ask'] = (...words) => tests.ask(...words)
beforeAll(async () => {
  tests = await startResourceTests()
  ;({ server, elsewhere } = tests)
})
afterAll(() => tests[Symbol.asyncDispose]())

const logged = (): Promise<AnyRow[]> =>
  server.context().acrossOrganizations.selectFrom('audits_operatelog').selectAll().orderBy('datetime').execute()

/** More than 2704 bytes, which an index of PostgreSQL takes only of what can be compressed. */
const incompressible = Array.from({ length: 1000 }, () => String.fromCodePoint(0x4e00 + randomInt(20_000))).join('')

/** Statuses other than server errors. */
const clear = (status: number) => status < 500

describe.each(casesOfThisRun)(sampled('%s'), (address, resource) => {
  const { url } = resource
  /** A third of the values for each field, not the same ones for all; without a seed every value for every field. */
  const someOf = <T>(values: readonly T[], field: string) =>
    sample([...values.entries()], 3, ([at]) => String(at), `${address} ${field}`).map(([, value]) => value)

  manner(has(resource, 'list'))('lists with pages, and as a bare array without them', async () => {
    const page = await ask('GET', `${url}?limit=2`)
    expect(page.status).toBe(200)
    expect(Object.keys(page.body)).toEqual(['count', 'next', 'previous', 'results'])
    expect(page.body.results.length).toBeLessThanOrEqual(2)
    const all = await ask('GET', url)
    expect(all.status).toBe(200)
    expect(Array.isArray(all.body)).toBe(true)
    const beyond = await ask('GET', `${url}?limit=2&offset=100000`)
    expect(beyond.body.results).toEqual([])
    expect(beyond.body.next).toBeNull()
  })

  onceOn('postgresql', has(resource, 'list'))('takes every filter, order and search without a fault', async () => {
    const names = new Set([
      ...Object.keys(resource.filters ?? {}),
      ...Object.keys(resource.fields).filter((name) => resource.fields[name]?.filter),
    ])
    const values = [
      'x',
      '1',
      'true',
      randomUUID(),
      '\'%_\\"',
      '\u0000',
      '\\',
      '9'.repeat(20),
      '2147483648',
      '99999-01-01',
    ]
    const queries = [
      ...[...names].flatMap((name) => someOf(values, name).map((value) => `${name}=${encodeURIComponent(value)}`)),
      ...['', '&_rel=or', '&_rel=not'].map((how) => `ids=${randomUUID()},${randomUUID()}${how}`),
      ...['spm=x', `id!=${randomUUID()}`, 'ids=x', 'attr_rules=%%%', 'date_from=x&date_to=2026-01-01'],
      ...["search=%25_'%20x", 'search=a,b', 'fields=id', 'fields!=id', 'fields_size=mini', 'fields_size=small'],
      ...['limit=-1', 'limit=x', 'limit=1&offset=-5', 'order=nosuch', 'search=%5C', 'search=%ff', 'search=%ed%a0%80'],
    ]
    const failed = []
    for (const query of queries) {
      const { status, text } = await ask('GET', `${url}?limit=1&${query}`)
      if (status !== 200 && status !== 400) failed.push(`${query}: ${status} ${text.slice(0, 120)}`)
    }
    for (const name of [...orderable(resource), 'date_updated'])
      for (const order of [name, `-${name}`]) {
        const { status, text } = await ask('GET', `${url}?limit=1&order=${order}`)
        if (status !== 200) failed.push(`order=${order}: ${status} ${text.slice(0, 120)}`)
      }
    expect(failed).toEqual([])
  })

  it('describes its fields in three languages', async () => {
    expect(unlabelled(resource)).toEqual([])
    const labels: string[][] = []
    for (const language of ['en', 'zh', 'ja']) {
      const { status, body } = await ask('OPTIONS', url, { headers: { 'accept-language': language } })
      expect(status).toBe(200)
      const infos = Object.values(body.actions as Record<string, Record<string, AnyRow>>).flatMap((fields) =>
        Object.values(fields),
      )
      expect(infos.length).toBeGreaterThan(0)
      for (const info of infos) expect(info).toMatchObject({ type: expect.any(String), label: expect.any(String) })
      labels.push(infos.map((info) => String(info.label)))
    }
    expect(labels[1]).not.toEqual(labels[0])
    expect(labels[2]).not.toEqual(labels[1])
  })

  it('requires sign-in', async () => {
    const methods = [has(resource, 'list') ? ['GET'] : [], has(resource, 'create') ? ['POST'] : [], ['OPTIONS']].flat()
    for (const method of methods) {
      const { status, body } = await ask(method, url, { anonymous: true, ...(method === 'POST' ? { body: {} } : {}) })
      expect([method, status, body.code]).toEqual([method, 401, 'not_authenticated'])
    }
  })

  manner(has(resource, 'retrieve'))('answers 404 for rows that are not there', async () => {
    for (const id of [randomUUID(), 'not-an-id', '999999999'])
      expect([id, (await ask('GET', `${url}${id}/`)).status]).toEqual([id, 404])
  })

  onceOn('postgresql', has(resource, 'create'))('refuses malformed bodies clearly', async () => {
    const failed = []
    for (const raw of [
      '{',
      '[',
      '"text"',
      'null',
      '1',
      '[1]',
      '[null]',
      '[[]]',
      '{"id":5}',
      '{"id":"x"}',
      '{"id":[]}',
    ]) {
      const { status, text } = await ask('POST', url, { raw })
      if (!clear(status) || (raw.length < 2 && status !== 400)) failed.push(`${raw}: ${status} ${text.slice(0, 120)}`)
    }
    const { password: _slow, ...plain } = (await samples[address]?.(server.admin)) ?? {}
    const values: unknown[] = [
      ...[null, {}, [], true, -1, 1e300, 2 ** 53, 'x\u0000y', 'a'.repeat(70_000), [{}], [null], ['x'], { type: 'ids' }],
      // Without a text form; half a character; a text that no index of PostgreSQL takes; NUL within.
      ...[{ toString: 1, valueOf: 1 }, '\ud800', incompressible, [incompressible], { '\u0000': '\u0000' }],
    ]
    for (const [name, field] of Object.entries(resource.fields)) {
      if (field.readOnly || !field.parse) continue
      for (const value of someOf(values, name)) {
        const { status, text } = await ask('POST', url, { body: { ...plain, [name]: value } })
        if (!clear(status))
          failed.push(`${name}=${JSON.stringify(value)?.slice(0, 40)}: ${status} ${text.slice(0, 120)}`)
      }
    }
    expect(failed).toEqual([])
  })

  manner(has(resource, 'create'))('can be made by its sample, or says why there is none', () => {
    const toChange = `packages/server/src/testing/samples.ts lacks ${address}, and the reason why it has none`
    expect(samples[address] ? 'sample' : withoutSample[address], toChange).toBeTruthy()
  })

  manner(samples[address])('makes, shows, logs and deletes a row, keeps its secrets and its organization', async () => {
    const body = await samples[address]?.(server.admin)
    const before = (await logged()).length
    const made = await ask('POST', url, { body })
    expect([made.status, made.text.slice(0, 300)]).toEqual([201, made.text.slice(0, 300)])
    const { id, name } = made.body
    if (resource.noId) return
    const shown = [made.text]
    if (has(resource, 'list')) {
      const list = await ask('GET', `${url}?ids=${id}`)
      expect(list.body.length, 'rows found by the id').toBe(1)
      shown.push(list.text)
    }
    if (has(resource, 'retrieve')) shown.push((await ask('GET', `${url}${id}/`)).text)
    for (const text of shown) expect(text).not.toContain(marker)

    const entries = (await logged()).slice(before)
    if (!resource.unlogged) expect(entries.length, 'entries in the operate log').toBeGreaterThan(0)
    expect(JSON.stringify(entries)).not.toContain(marker)

    if (resource.scope === 'org' && !resource.organization) {
      const there = { headers: { 'x-jms-org': elsewhere } }
      if (has(resource, 'list')) expect((await ask('GET', `${url}?ids=${id}`, there)).body).toEqual([])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect([
          method,
          (await ask(method, `${url}${id}/`, { ...there, ...(method === 'PATCH' ? { body: {} } : {}) })).status,
        ]).toEqual([method, 404])
    }
    if (has(resource, 'update')) {
      const changed = await ask('PATCH', `${url}${id}/`, {
        body: { ...(name ? { name } : {}), comment: 'changed', nosuchfield: 1 },
      })
      expect([changed.status, changed.text.slice(0, 300)]).toEqual([200, changed.text.slice(0, 300)])
      const wrong = await ask('PATCH', `${url}${id}/`, { raw: '[]' })
      expect(wrong.status).toBe(400)
    }
    if (has(resource, 'delete')) {
      expect((await ask('DELETE', `${url}${id}/`)).status).toBe(204)
      if (has(resource, 'retrieve')) expect((await ask('GET', `${url}${id}/`)).status).toBe(404)
    }
  })
})

import { mostSocketsOfSession, mostSocketsOfUser, OpenSockets } from '@castellan/ingress/open-sockets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type ResourceTests, resourceCases, startResourceTests } from '../../testing/resources.ts'
import { longestJson, longestText } from '../fields/scalars.ts'
import { mostParameters, mostValues, mostWords } from '../http/query-bounds.ts'
import { orderable } from '../lists/query.ts'
import type { Context } from '../module/context.ts'
import { Rejected } from '../module/errors.ts'
import { deepestJson } from '../untrusted/json.ts'

/** How much of anything a request may hold, for every route and field that there is. */
let tests: ResourceTests
const ask: ResourceTests['ask'] = (...words) => tests.ask(...words)
let ctx: Context
beforeAll(async () => {
  tests = await startResourceTests()
  ctx = tests.server.context()
})
afterAll(() => tests[Symbol.asyncDispose]())

const many = (count: number, one: (at: number) => string, between: string) =>
  Array.from({ length: count }, (_, at) => one(at)).join(between)
const words = (count: number) => `search=${many(count, (at) => `w${at}`, '+')}`
const rule = (attrs: unknown[]) => Buffer.from(JSON.stringify({ type: 'attrs', attrs })).toString('base64url')

const refusedQueries = {
  'more words than a search may have': words(mostWords + 1),
  'a thousand of them': words(1000),
  'a search of one very long word': `search=${'x'.repeat(5000)}`,
  'more values than one parameter may have': `ids=${many(mostValues + 1, String, ',')}`,
  'more parameters than a list has': many(mostParameters + 1, (at) => `p${at}=1`, '&'),
}

describe('a request for a list', () => {
  it.each(Object.entries(refusedQueries))('is refused with a text for %s, on every route', async (_what, query) => {
    const paths = tests.server.application.routes
      .filter(
        ({ method, path }) => [method].flat().includes('GET') && path.startsWith('/api/v1/') && !path.includes(':'),
      )
      .map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(100)
    for (const path of paths) {
      const { status, text } = await ask('GET', `${path}?${query}`)
      expect([path, status, text.length > 2]).toEqual([path, 400, true])
    }
  })

  it('finds what it may hold at most, and what repeats an order, on every list', async () => {
    for (const [, resource] of resourceCases) {
      const { url } = resource
      const name = orderable(resource)[0] ?? 'name'
      const conditions = Array.from({ length: 100 }, () => ({ name: 'name', match: 'not', value: 'x' }))
      for (const query of [
        words(mostWords),
        `order=${many(mostValues, (at) => (at % 2 ? name : `-${name}`), ',')}`,
        `${many(mostParameters - 2, (at) => `p${at}=1`, '&')}&_rel=or`,
        `attr_rules=${rule(conditions)}`,
        `id!=${many(mostValues - 1, () => '8a6d6f0e', ',')}`,
      ]) {
        const { status } = await ask('GET', `${url}?limit=1&${query}`)
        expect([url, query.slice(0, 30), status < 500]).toEqual([url, query.slice(0, 30), true])
      }
    }
  })

  it('is refused for a rule of more conditions', async () => {
    const one = { name: 'name', match: 'not', value: 'x' }
    const long = { name: 'user_groups', match: 'm2m_all', value: Array.from({ length: 101 }, String) }
    for (const attrs of [Array.from({ length: 101 }, () => one), [long]]) {
      const { status, body } = await ask('GET', `/api/v1/users/users/?attr_rules=${rule(attrs)}`)
      expect([status, body.attr_rules]).toEqual([400, [expect.stringContaining('100')]])
    }
  })
})

/** Every field that is sent as text or JSON. */
const fields = resourceCases.flatMap(([address, resource]) =>
  Object.entries(resource.fields)
    .filter(([, field]) => field.parse && ['string', 'url', 'email', 'slug', 'json', 'list'].includes(field.type))
    .map(([name, field]) => [`${address} ${name}`, field] as const),
)

describe('a field', () => {
  it('takes no text, list or JSON without a bound', () => {
    expect(fields.length).toBeGreaterThan(200)
    const text = `https://${'x'.repeat(longestText)}`
    const values = [text, [text], { deep: 'x'.repeat(longestJson) }, Array.from({ length: 300_000 }, () => 'x')]
    /** Characters that are left of a value; 0 when it is refused. */
    const taken = (field: (typeof fields)[number][1], value: unknown): number => {
      try {
        return JSON.stringify(field.parse?.(value, ctx) ?? '').length
      } catch (error) {
        if (error instanceof Rejected) return 0
        throw error
      }
    }
    const unbounded = fields.filter(
      ([, field]) =>
        values.some((value) => taken(field, value) > longestJson) ||
        (field.column?.type === 'text' && taken(field, text) > longestText),
    )
    expect(unbounded.map(([name]) => name)).toEqual([])
  })

  it('of eight megabytes is refused with its name', async () => {
    const body = { name: 'Long', comment: 'x'.repeat(8 * 1024 * 1024) }
    const { status, body: answer } = await ask('POST', '/api/v1/users/groups/', { body })
    expect([status, answer]).toEqual([400, { comment: [expect.stringContaining(String(longestText))] }])
  })

  it('nested too deep is refused, wherever it is', async () => {
    for (const depth of [deepestJson + 1, 200_000])
      for (const raw of [
        `{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`,
        `${'['.repeat(depth)}${']'.repeat(depth)}`,
      ]) {
        const { status, text } = await ask('POST', '/api/v1/users/groups/', { raw })
        expect([depth, status, text]).toEqual([depth, 400, expect.stringContaining(String(deepestJson))])
      }
    const quoted = `{"name":"${'['.repeat(100)}"}`
    expect((await ask('POST', '/api/v1/users/groups/', { raw: quoted })).status).toBe(201)
  })
})

describe('WebSockets of one user', () => {
  const path = '/ws/notifications/site-msg/'
  /** Opens one; false when it is refused with a text. */
  const open = (headers: Record<string, string>, sockets: WebSocket[]) =>
    new Promise<boolean>((resolve, reject) => {
      const socket = new WebSocket(tests.server.url.replace(/^http/, 'ws') + path, { headers })
      socket.on('open', () => {
        sockets.push(socket)
        resolve(true)
      })
      socket.on('unexpected-response', (_request, answer) => {
        let body = ''
        answer
          .on('data', (part) => (body += String(part)))
          .on('end', () => {
            expect([answer.statusCode, JSON.parse(body).code]).toEqual([429, 'too_many_sockets'])
            resolve(false)
          })
      })
      socket.on('error', reject)
    })
  const opened = async (count: number, headers: () => Record<string, string>) => {
    const sockets: WebSocket[] = []
    for (let at = 0; at < count; at++) if (!(await open(headers(), sockets))) break
    return sockets
  }

  it('are so many at most, and closed ones make room', async () => {
    const headers = () => ({ ...tests.server.admin.proof('GET', path), 'accept-language': 'en' })
    const sockets = await opened(mostSocketsOfUser + 1, headers)
    expect(sockets.length).toBe(mostSocketsOfUser)
    const [first] = sockets
    await new Promise((resolve) => first?.on('close', resolve).close())
    await expect.poll(() => open(headers(), sockets)).toBe(true)
    for (const socket of sockets) socket.terminate()
  })

  it('are fewer of one browser, whose other sockets count for the user too', () => {
    const sockets = new OpenSockets()
    const browser = (name: string) =>
      [
        ['user', mostSocketsOfUser],
        [name, mostSocketsOfSession],
      ] as const
    const first = Array.from({ length: mostSocketsOfSession + 1 }, () => sockets.take(browser('one')))
    expect(first.filter((taken) => taken).length).toBe(mostSocketsOfSession)
    const second = Array.from({ length: mostSocketsOfUser }, () => sockets.take(browser('two')))
    expect(second.filter((taken) => taken).length).toBe(mostSocketsOfUser - mostSocketsOfSession)
    // Given back twice, it is one place.
    first[0]?.()
    first[0]?.()
    expect([sockets.take(browser('three')) !== undefined, sockets.take(browser('three'))]).toEqual([true, undefined])
  })
})

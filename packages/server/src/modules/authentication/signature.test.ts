import { request } from 'node:http'
import { roleIds } from '@castellan/contract/ids'
import type { AnyRow } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { digestOf, signedHeaders, type TestKey } from '../../testing/signed-request.ts'
import { createAccessKey } from './access-key.ts'

let server: TestServer
let key: { id: string; secret: string }
beforeAll(async () => {
  server = await startServer()
  const answer = await fetch(`${server.url}/api/v1/terminal/terminal-registrations/`, {
    method: 'POST',
    headers: { authorization: `BootstrapToken ${server.bootstrapToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'signs its requests', type: 'koko', comment: '' }),
  })
  key = ((await answer.json()) as { service_account: { access_key: typeof key } }).service_account.access_key
})
afterAll(() => server.close())

const profile = '/api/v1/users/profile/'

/** Sends a request whose target is not normalized, as fetch would do. */
function send(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise<{ status: number | undefined; json: AnyRow }>((settle, fail) => {
    const { hostname, port } = new URL(server.url)
    const sent = request({ hostname, port, method, path, headers: { 'content-type': 'application/json', ...headers } })
    sent.on('error', fail).on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => settle({ status: answer.statusCode, json: JSON.parse(text || '{}') }))
    })
    sent.end(content)
  })
}

/** Headers of a request signed by the component's key. */
const signed = (target: string, names?: string, more: Record<string, string> = {}, method = 'get') =>
  signedHeaders(key, method, target, { ...(names !== undefined && { names }), more })

describe('a signed request', () => {
  it('whose target ends in a `?` without a query is signed without it', async () => {
    const path = '/api/v1/authentication/super-connection-token/'
    for (const target of [path, `${path}?`]) {
      const { status, json } = await send('POST', target, signed(path, undefined, {}, 'post'), {})
      expect([target, status, Object.keys(json)]).toEqual([target, 400, expect.arrayContaining(['user', 'asset'])])
    }
    for (const target of [profile, `${profile}?`]) {
      expect([target, (await send('GET', target, signed(profile))).status]).toEqual([target, 200])
      expect([target, (await send('GET', `${target}`, signed(`${profile}?x=1`))).status]).toEqual([target, 401])
    }
  })

  it('is bound to its complete query, in its order and encoding', async () => {
    const target = `${profile}?a=%2F&b=1?`
    expect((await send('GET', target, signed(target))).status).toBe(200)
    for (const other of [
      profile,
      `${profile}?`,
      `${profile}?a=%2f&b=1?`,
      `${profile}?a=%2F&b=1`,
      `${profile}?b=1?&a=%2F`,
    ])
      expect([other, (await send('GET', target, signed(other))).status]).toEqual([other, 401])
    for (const other of [`${profile}??`, `${profile}?&`, `${profile}?#`])
      expect([other, (await send('GET', other, signed(profile))).status]).toEqual([other, 401])
  })

  it('is bound to the path as sent, even if the same path can be written otherwise', async () => {
    for (const other of ['/api/v1/users/%70rofile/', '/api/v1/users//profile/', '/api/v1/users/./profile/'])
      expect([other, (await send('GET', other, signed(profile))).status]).not.toEqual([other, 200])
    expect((await send('GET', '/api/v1/users/%70rofile/', signed('/api/v1/users/%70rofile/'))).status).toBe(200)
  })

  it('may list headers in any case, each of which must have been sent', async () => {
    const names = '(Request-Target) Date Accept X-JMS-ORG'
    const more = { accept: 'application/json', 'x-jms-org': 'ROOT' }
    expect((await send('GET', profile, signed(profile, names, more))).status).toBe(200)
    const { accept: _left, ...rest }: Record<string, string> = signed(profile, names, more)
    expect((await send('GET', profile, rest)).status).toBe(401)
    expect((await send('GET', profile, signed(profile, '(request-target) date x-never-sent'))).status).toBe(401)
    for (const names of ['date', '(request-target)', ''])
      expect([names, (await send('GET', profile, signed(profile, names))).status]).toEqual([names, 401])
  })
})

describe('a signature', () => {
  let own: TestKey
  beforeAll(async () => {
    const person = await server.person('signs', { system: [roleIds.systemAdmin] })
    const { row, secret } = await server.context().transaction((ctx) => createAccessKey(ctx, person))
    own = { id: row.id, secret }
  })

  const groups = '/api/v1/users/groups/'
  const covered = '(request-target) date digest'
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toUTCString()
  let made = 0
  const body = () => JSON.stringify({ name: `signed-${++made}` })
  /** The outcome of creating a group with a signature. */
  const create = async (text: string, headers: Record<string, string>) => {
    const { status, json } = await send('POST', groups, { 'accept-language': 'en', ...headers }, text)
    return status === 201 ? 'created' : `${status} ${/Date|Digest|before|wrong/.exec(String(json.detail))?.[0]}`
  }
  const bySelf = (text: string, names = covered, date = minutes(0), more: Record<string, string> = {}) =>
    signedHeaders(own, 'POST', groups, { names, date, more: { digest: digestOf(text), ...more } })

  it.each([
    ['yesterday', minutes(-24 * 60)],
    ['six minutes ago', minutes(-6)],
    ['in six minutes', minutes(6)],
    ['at no time', 'x'],
    ['twice', `${minutes(0)}, ${minutes(0)}`],
  ])('of persons and components is of now, not %s', async (_when, date) => {
    for (const one of [own, key])
      expect((await send('GET', profile, signedHeaders(one, 'GET', profile, { date }))).status).toBe(401)
    expect(await create(body(), bySelf(body(), covered, date))).toBe('401 Date')
  })

  it.each([
    ['four minutes ago', minutes(-4)],
    ['in four minutes', minutes(4)],
    ['in another form', new Date().toISOString()],
  ])('may be of %s', async (_when, date) => {
    for (const one of [own, key])
      expect((await send('GET', profile, signedHeaders(one, 'GET', profile, { date }))).status).toBe(200)
  })

  it('of a person covers the body', async () => {
    const [mine, other] = [body(), body()]
    expect(await create(mine, bySelf(mine))).toBe('created')
    expect(await create(other, bySelf(mine, '(request-target) date'))).toBe('401 Digest')
    const sha512 = { digest: digestOf(other, 'sha512') }
    expect(await create(other, bySelf(other, covered, minutes(0), sha512))).toBe('created')
    for (const digest of [
      '',
      'SHA-256=',
      'SHA-256=x',
      'MD5=x',
      'constructor=x',
      digestOf(body()),
      `${digestOf(other)},${digestOf('x', 'sha512')}`,
    ])
      expect([digest, await create(other, bySelf(other, covered, minutes(0), { digest }))]).toEqual([
        digest,
        '401 Digest',
      ])
    // The bytes count, not what they say.
    expect(await create(` ${other}`, bySelf(other))).toBe('401 Digest')
    expect(await create(other, { ...bySelf(other), digest: digestOf(body()) })).toBe('401 wrong')
  })

  it('of a person covers a form with a file, which is read as a stream', async () => {
    const target = '/api/v1/xpack/license/import/'
    const form = (text: string) =>
      `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${text}\r\n--b--\r\n`
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    const sign = (text: string, names = covered) =>
      signedHeaders(own, 'POST', target, { names, more: { digest: digestOf(text) } })
    const mine = form('x'.repeat(300_000))
    expect((await send('POST', target, { ...sign(mine), ...type }, mine)).status).toBe(200)
    for (const headers of [sign(form('other')), sign(mine, '(request-target) date')])
      expect((await send('POST', target, { ...headers, ...type }, mine)).status).toBe(401)
  })

  it('of a person is used once where something is changed, by whichever server process', async () => {
    const mine = body()
    const headers = bySelf(mine)
    const both = await Promise.all([create(mine, headers), create(mine, headers)])
    expect(both.sort()).toEqual(['401 before', 'created'])
    // The same signature, spelled otherwise.
    const spelled = { ...headers, authorization: `${headers.authorization?.replace('Signature ', 'signature ')},x="y"` }
    expect(await create(mine, spelled)).toBe('401 before')
    const again = { 'x-request-id': 'another' }
    const text = body()
    const more = await Promise.all(
      [{}, again].map((extra) =>
        create(text, bySelf(text, Object.keys(extra).length ? `${covered} x-request-id` : covered, minutes(0), extra)),
      ),
    )
    // The second says what the first did: the group exists. It was not refused for its signature.
    expect(more.filter((one) => one === 'created')).toHaveLength(1)
    expect(more.filter((one) => one.startsWith('401'))).toHaveLength(0)
    const read = signedHeaders(own, 'GET', profile)
    expect([(await send('GET', profile, read)).status, (await send('GET', profile, read)).status]).toEqual([200, 200])
  })

  it('of a component needs neither: original ones sign target and date, and may send a report again', async () => {
    const path = '/api/v1/terminal/terminals/status/'
    const headers = signedHeaders(key, 'POST', path)
    const report = { cpu_load: 0.5, memory_used: 1, disk_used: 1, sessions: [] }
    for (const _again of [1, 2]) expect((await send('POST', path, headers, report)).status).toBe(201)
    const listed = signedHeaders(key, 'POST', path, { names: covered, more: { digest: digestOf('other') } })
    expect((await send('POST', path, listed, report)).status).toBe(401)
  })

  it('may leave out the digest where the installation has old scripts', async () => {
    const { services, rawDb } = server.context()
    await services.settings.store(rawDb, services.events, { ACCESS_KEY_BODY_DIGEST: false })
    await services.settings.load()
    const text = body()
    expect(await create(text, bySelf(text, '(request-target) date'))).toBe('created')
    await services.settings.store(rawDb, services.events, { ACCESS_KEY_BODY_DIGEST: true })
    await services.settings.load()
  })
})

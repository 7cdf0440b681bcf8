import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import type { AnyRow } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

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
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Headers of a request signed by the access key; `names` as listed, `values` as signed. */
function signed(target: string, names = '(request-target) date', more: Record<string, string> = {}, method = 'get') {
  const date = new Date().toUTCString()
  const values: Record<string, string> = { '(request-target)': `${method} ${target}`, date, ...more }
  const text = names
    .toLowerCase()
    .split(' ')
    .map((name) => `${name}: ${values[name] ?? ''}`)
    .join('\n')
  const signature = createHmac('sha256', key.secret).update(text).digest('base64')
  const fields = `keyId="${key.id}",algorithm="hmac-sha256",headers="${names}",signature="${signature}"`
  return { date, authorization: `Signature ${fields}`, ...more }
}

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

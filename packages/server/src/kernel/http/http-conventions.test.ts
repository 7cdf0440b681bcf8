import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type Server } from 'node:http'
import { connect } from 'node:net'
import { errors } from '@castellan/contract/messages/errors'
import { type AnyRow, registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

/** Conventions that every URL of the API follows. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const groups = '/api/v1/users/groups/'

async function send(
  method: string,
  path: string,
  init: { headers?: Record<string, string>; body?: string | Buffer | FormData } = {},
) {
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...server.admin.proof(method, path), 'accept-language': 'en', ...init.headers },
    ...(init.body === undefined ? {} : { body: init.body }),
  })
  const text = await answer.text()
  const type = answer.headers.get('content-type') ?? ''
  return { status: answer.status, type, body: type.includes('json') ? JSON.parse(text) : text }
}

describe('a request', () => {
  const upgrade = 'HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade'
  const hosts = (values: string[]) => values.map((host) => `host: ${host}\r\n`).join('')
  it.each<[string, string[], RegExp]>([
    ['GET /api/health/ HTTP/1.1', ['one.example', 'evil.example'], /^HTTP\/1\.1 400 /],
    [`GET /ws/notifications/ ${upgrade}`, ['one.example', 'evil.example'], /^HTTP\/1\.1 400 /],
    [`GET /koko/ws/terminal/ ${upgrade}`, ['one.example', 'evil.example'], /^HTTP\/1\.1 400 /],
    ['GET /core/auth/login/ HTTP/1.1', ['one.example/@evil.example'], /^HTTP\/1\.1 400 /],
    ['GET /core/auth/login/ HTTP/1.1', ['user@evil.example'], /^HTTP\/1\.1 400 /],
    ['GET /core/auth/login/ HTTP/1.1', ['one example'], /^HTTP\/1\.1 400 /],
    ['GET /core/auth/login/ HTTP/1.1', ['[::'], /^HTTP\/1\.1 400 /],
    ['GET /core/auth/login/ HTTP/1.1', ['[::1]:8080'], /^HTTP\/1\.1 200 /],
    ['GET /core/auth/login/ HTTP/1.0', [], /^HTTP\/1\.[01] 200 /],
  ])('is for one host: %s, %j', async (line, named, answered) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.write(`${line}\r\n${hosts(named)}\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect(answer.toString()).toMatch(answered)
  })

  it('is answered in the language of its cookie, else in the preferred one of its header', async () => {
    const spoken = async (headers: Record<string, string>) => {
      const { status, body } = await send('GET', `${groups}nobody/`, { headers })
      expect([status, body.code]).toEqual([404, 'object_does_not_exist'])
      return /[ぁ-ん]/.test(body.detail) ? 'ja' : /[一-龥]/.test(body.detail) ? 'zh' : 'en'
    }
    for (const [header, language] of [
      ['en', 'en'],
      ['ja-JP,en;q=0.8', 'ja'],
      ['ja;q=0.2, en;q=0.9', 'en'],
      ['zh-TW', 'zh'],
      ['fr, ja;q=0.1', 'ja'],
      ['en;q=0', 'zh'],
      ['fr', 'en'],
      ['fr-CH, de;q=0.7, *;q=0.5', 'en'],
      ['*', 'zh'],
    ] as const)
      expect([header, await spoken({ 'accept-language': header })]).toEqual([header, language])
    for (const [header, expected] of [
      ['zh-TW', 'zh-hant'],
      ['zh-CN', 'zh-hans'],
      ['fr', 'en'],
      ['ja, zh-TW;q=0.5', 'ja'],
    ] as const) {
      const { headers } = await fetch(`${server.url}/api/health/`, { headers: { 'accept-language': header } })
      expect([header, headers.get('content-language')]).toEqual([header, expected])
    }
    for (const language of ['en', 'ja'])
      expect(await spoken({ 'accept-language': 'zh', cookie: `django_language=${language}` })).toBe(language)
    expect(await spoken({ 'accept-language': 'en', cookie: 'django_language=zh-hans' })).toBe('zh')
  })

  it('may be a multipart form; a truncated one is reported as unreadable', async () => {
    const form = new FormData()
    form.set('name', 'from a form')
    expect(await send('POST', groups, { body: form })).toMatchObject({ status: 201, body: { name: 'from a form' } })
    const lists = [
      ['name', 'with lists'],
      ['accounts', '@ALL'],
      ['actions', 'connect'],
      ['actions', 'upload'],
      ['users', ''],
    ]
    const parts = new FormData()
    for (const [name, value] of lists) parts.append(String(name), String(value))
    const typed = String(new URLSearchParams(lists)).replace('with', 'typed')
    const inUrl = { body: typed, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    for (const init of [{ body: parts }, inUrl]) {
      const { status, body } = await send('POST', '/api/v1/perms/asset-permissions/', init)
      const actions = body.actions?.map(({ value }: AnyRow) => value)
      expect([status, body.accounts, actions, body.users]).toEqual([201, ['@ALL'], ['connect', 'upload'], []])
    }
    for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data'])
      expect(await send('POST', groups, { body: 'cut off', headers: { 'content-type': type } })).toMatchObject({
        status: 400,
        body: { code: 'parse_error' },
      })
  })

  it('gets what it accepts, or 406', async () => {
    const asked = async (accept: string, path = `${groups}?limit=1`) => {
      const { status, type } = await send('GET', path, { headers: { accept } })
      return [status, type.split(';')[0]]
    }
    for (const accept of ['*/*', 'application/json; q=0.9', 'text/html, */*;q=0.1'])
      expect(await asked(accept)).toEqual([200, 'application/json'])
    expect(await asked('text/csv, */*')).toEqual([200, 'text/csv'])
    expect(await asked('application/xml')).toEqual([406, 'application/json'])
    expect(await asked('application/json', `${groups}?format=csv`)).toEqual([406, 'application/json'])
    const backends = '/api/v1/notifications/backends/'
    expect(await asked('application/xml', backends)).toEqual([406, 'application/json'])
    expect(await asked('*/*', `${backends}?format=yaml`)).toEqual([404, 'application/json'])
    expect(await asked('application/xml', '/api/health/')).toEqual([200, 'application/json'])
  })

  it('for a file, when rejected with a `detail`, gets the error in the type of the file', async () => {
    const missing = `${groups}${randomUUID()}/`
    for (const [path, accept, status, type] of [
      [`${missing}?format=csv`, '*/*', 404, 'text/csv'],
      [missing, 'text/csv', 404, 'text/csv'],
      [`${missing}?format=xlsx`, '*/*', 404, 'application/xlsx'],
      [missing, '*/*', 404, 'application/json'],
      [`${groups}?format=yaml`, '*/*', 404, 'application/json'],
      [`${groups}?format=csv&ids=x`, '*/*', 400, 'application/json'],
    ] as const) {
      const answer = await send('GET', path, { headers: { accept } })
      expect([path, answer.status, answer.type.split(';')[0]]).toEqual([path, status, type])
    }
  })

  it('for an unknown URL, or one without its trailing slash, gets the common headers', async () => {
    for (const [path, status] of [
      ['/api/v1/users/nobody/', 404],
      ['/nowhere', 404],
      ['/api/v1/users/users?limit=1', 301],
    ] as const) {
      const { status: got, headers } = await fetch(server.url + path, { redirect: 'manual' })
      expect([path, got, headers.get('x-frame-options')]).toEqual([path, status, 'DENY'])
      expect(headers.getSetCookie().map((cookie) => cookie.split(';')[0])).toEqual(['SESSION_COOKIE_NAME_PREFIX=jms_'])
    }
  })

  it('from a browser for an unknown URL gets a page in its language with a link', async () => {
    const pageIn = async (language: string) => {
      const headers = { accept: 'text/html', 'accept-language': language }
      const answer = await fetch(`${server.url}/core/auth/nowhere/`, { headers })
      return [answer.status, answer.headers.get('content-type'), await answer.text()] as const
    }
    for (const [language, tag] of [
      ['en', 'en'],
      ['zh', 'zh-CN'],
      ['ja', 'ja'],
    ] as const) {
      const [status, type, text] = await pageIn(tag)
      expect([status, type]).toEqual([404, 'text/html; charset=utf-8'])
      expect(text).toContain(`<html lang="${tag}">`)
      expect(text).toContain(errors.no_such_page[language])
      expect(text).toMatch(/<meta name="viewport".*color-scheme.*<a href="\/ui\/">/)
    }
    // A console asks for JSON "or anything" and would display the text of a page.
    for (const accept of ['application/json, text/plain, */*', 'text/html', '*/*'])
      for (const path of ['/api/v1/users/nowhere/', '/api/v2/', '/api/nowhere', '/api?x', '/api/%zz'])
        expect([accept, path, await send('GET', path, { headers: { accept } })]).toEqual([
          ...[accept, path, { status: 404, type: 'application/json; charset=utf-8', body: { error: 'Not found' } }],
        ])
    const program = await fetch(`${server.url}/nowhere`, { headers: { 'content-type': 'application/json' } })
    expect([program.status, await program.json()]).toEqual([404, { error: 'Not found' }])
  })

  it('for a URL that cannot be decoded, or has too long a segment, is one for an unknown URL', async () => {
    for (const path of [`${groups}%zz/`, `${groups}%ff/`, `${groups}${'x'.repeat(501)}/`, '/%']) {
      const type = path === '/%' ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
      expect([path, await send('GET', path)]).toMatchObject([path, { status: 404, type }])
      const json = await send('GET', path, { headers: { 'content-type': 'application/json' } })
      expect([path, json.status, json.body]).toEqual([path, 404, { error: 'Not found' }])
    }
  })

  it('ignores NUL in its parameters', async () => {
    const plain = await send('GET', groups)
    for (const name of ['search', 'spm', 'name', 'ids', 'oid', 'order', 'fields', 'date_from'])
      expect([name, await send('GET', `${groups}?${name}=%00`)]).toEqual([name, plain])
  })

  it('with text that is not UTF-8, or a number out of range, is rejected with the name of the field', async () => {
    const bad = Buffer.from([0x61, 0xff])
    const json = { 'content-type': 'application/json' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const part = { 'content-type': 'multipart/form-data; boundary=x' }
    const around = (start: string, end: string) => Buffer.concat([Buffer.from(start), bad, Buffer.from(end)])
    const inPart = around('--x\r\ncontent-disposition: form-data; name="name"\r\n\r\n', '\r\n--x--\r\n')
    const before = (await send('GET', `${groups}?limit=1`)).body.count
    const infinite = (value: string) => Buffer.from(`{"name": "n", "comment": ${value}}`)
    for (const [body, headers, problem] of [
      [around('{"name": "', '"}'), json, { name: ['utf8'] }],
      [around('{"name": "n", "comment": {"a": ["', '"]}}'), json, { comment: ['utf8'] }],
      [around('{"name": "n", "', '": 1}'), json, { non_field_errors: ['utf8'] }],
      [around('"', '"'), json, { non_field_errors: ['utf8'] }],
      [around('[{"name": "good é"}, {"name": "', '"}]'), json, [{}, { name: ['utf8'] }]],
      [around('name=', '&comment=x'), form, { name: ['utf8'] }],
      ['name=n&comment=%e3%81', form, { comment: ['utf8'] }],
      ['name%ff=n', form, { non_field_errors: ['utf8'] }],
      [inPart, part, { name: ['utf8'] }],
      [infinite('1e999'), json, { comment: ['number'] }],
      [infinite('[{"a": -1E+999}]'), json, { comment: ['number'] }],
      [infinite('9'.repeat(400)), json, { comment: ['number'] }],
      [Buffer.from('1e999'), json, { non_field_errors: ['number'] }],
      [Buffer.from('[{"name": "x"}, {"name": 1e999}]'), json, [{}, { name: ['number'] }]],
    ] as const) {
      const answer = await send('POST', groups, { headers, body: body as string })
      const said = JSON.stringify(answer.body)
        .replaceAll('This is not valid UTF-8 text. Send it in UTF-8.', 'utf8')
        .replaceAll('This number is too large.', 'number')
      expect([String(body), answer.status, JSON.parse(said)]).toEqual([String(body), 400, problem])
    }
    for (const [query, name] of [
      ['search=%ff', 'search'],
      ['limit=1&name=%c3%28', 'name'],
      ['x=%ed%a0%80', 'x'],
    ] as const)
      expect([query, await send('GET', `${groups}?${query}`)]).toMatchObject([
        ...[query, { status: 400, body: { [name]: [expect.stringContaining('UTF-8')] } }],
      ])
    for (const query of ['search=%e3%81%82', 'search=%ef%bf%bd', 'search=%zz', 'search=1e999', 'a=b=c&&+'])
      expect([query, (await send('GET', `${groups}?${query}`)).status]).toEqual([query, 200])
    expect((await send('GET', `${groups}?limit=1`)).body.count).toBe(before)
    const deep = `{"name": "n", "comment": ${'['.repeat(20_000)}1e999${']'.repeat(20_000)}}`
    expect(await send('POST', groups, { headers: json, body: deep })).toMatchObject({ status: 400 })
  })

  it('has its characters counted as code points, and must not contain lone surrogates', async () => {
    const created = async (name: string) => {
      const { status, body } = await send('POST', groups, {
        body: JSON.stringify({ name }),
        headers: { 'content-type': 'application/json' },
      })
      return status === 201 ? body.name : Object.keys(body)
    }
    expect(await created('🙂'.repeat(128))).toBe('🙂'.repeat(128))
    expect(await created('🙂'.repeat(129))).toEqual(['name'])
    expect(await created('half \ud83d')).toEqual(['name'])
  })

  it('accepts only timestamps that exist', async () => {
    const { body: admin } = await send('GET', '/api/v1/users/profile/')
    const path = `/api/v1/users/users/${admin.id}/`
    const kept = async (date_expired: string) => {
      const { status, body } = await send('PATCH', path, {
        body: JSON.stringify({ date_expired }),
        headers: { 'content-type': 'application/json', 'x-tz': 'UTC' },
      })
      return status === 200 ? body.date_expired : Object.keys(body)
    }
    expect(await kept('2090-01-31')).toBe('2090/01/31 00:00:00 +0000')
    expect(await kept('2090/01/31 08:00:00 +0800')).toBe('2090/01/31 00:00:00 +0000')
    for (const none of ['0001-01-01', '0099-12-31', '2090-01-31T00:00:00+99:00', '2090-01-31T00:00:00+08:60'])
      expect([none, await kept(none)]).toEqual([none, ['date_expired']])
  })

  it('with a method that no route has is answered with the allowed methods', async () => {
    // Browsers do not send these, and fetch refuses to.
    const sent = (method: string, path: string) =>
      new Promise<unknown[]>((resolve, reject) => {
        const options = { method, headers: server.admin.proof(method, path) }
        const asked = request(new URL(path, server.url), options, (answer) => {
          answer.resume()
          resolve([answer.statusCode, answer.headers.allow])
        })
        asked.on('error', reject).end()
      })
    for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH']) {
      expect(await sent(method, groups)).toEqual([405, 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS'])
      expect(await sent(method, `${groups}${randomUUID()}/`)).toEqual([405, 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'])
      expect(await sent(method, '/api/v1/users/nobody/')).toEqual([404, undefined])
    }
  })

  it('that cannot be parsed gets an API error in its language', async () => {
    const { hostname, port } = new URL(server.url)
    const sent = (text: string) =>
      new Promise<[number, string | undefined, AnyRow]>((settle, fail) => {
        let answer = ''
        const guest = connect(Number(port), hostname, () => guest.write(text))
        guest.setEncoding('utf8').on('error', fail)
        guest.on('data', (part) => {
          answer += part
        })
        guest.on('close', () => {
          const [head = '', body = ''] = answer.split('\r\n\r\n')
          settle([Number(head.split(' ')[1]), /^allow: (.*)$/m.exec(head)?.[1], JSON.parse(body || '{}')])
        })
      })
    const rest = `${groups} HTTP/1.1\r\nhost: x\r\naccept-language: en\r\n`
    const methods = 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS'
    for (const method of ['FOO', 'get', 'BREW'])
      expect(await sent(`${method} ${rest}\r\n`)).toEqual([
        ...[405, methods, { code: 'method_not_allowed', detail: `Method “${method}” is not allowed here.` }],
      ])
    expect(await sent(`CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n`)).toMatchObject([405, methods, {}])
    for (const text of ['\u0016\u0003\u0001', ' / HTTP/1.1\r\n\r\n', `GET ${rest}a b: c\r\n\r\n`])
      expect([text, await sent(text)]).toMatchObject([text, [400, undefined, { code: 'parse_error' }]])
    const long = await sent(`GET ${rest}cookie: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(long).toMatchObject([431, undefined, { code: 'error' }])
  })

  it('whose head arrives slowly times out, while other clients are answered', async () => {
    const { server: http } = server.application.http as { server: Server }
    expect(http.headersTimeout).toBeLessThanOrEqual(60_000)
    const usual = http.headersTimeout
    http.headersTimeout = 500
    const { hostname, port } = new URL(server.url)
    const guests = Array.from({ length: 200 }, () => connect(Number(port), hostname))
    const answers = guests.map(
      (guest) =>
        new Promise<string>((settle) => {
          let text = ''
          guest.on('data', (part) => {
            text += String(part)
          })
          guest.on('error', () => undefined).on('close', () => settle(text))
          guest.write('GET /api/health/ HTTP/1.1\r\nhost: x\r\nx-slow: ')
        }),
    )
    const dripping = setInterval(() => guests.map((guest) => guest.writable && guest.write('a')), 200)
    expect((await fetch(`${server.url}/api/health/`)).status).toBe(200)
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 408 |^$/)
    clearInterval(dripping)
    http.headersTimeout = usual
  })

  it('may name fields in several parameters', async () => {
    const { body } = await send('GET', `${groups}?limit=1&fields=id&fields=name`)
    expect(Object.keys(body.results[0])).toEqual(['id', 'name'])
  })

  it('for metadata gets the fields it names, or those of another action', async () => {
    const fieldsOf = async (path: string) => {
      const { body } = await send('OPTIONS', `/api/v1/${path}`)
      return Object.fromEntries(
        Object.entries(body.actions).map(([method, info]) => [method, Object.keys(info as object)]),
      )
    }
    const few = ['id', 'name', 'username']
    expect((await fieldsOf('users/users/?fields_size=mini')).GET).toEqual(few)
    expect((await fieldsOf('users/users/?fields=username,name')).GET).toEqual(['name', 'username'])
    expect((await fieldsOf('users/users/?fields_size=mini')).POST).toContain('password')
    expect(await fieldsOf('users/users/?action=suggestion')).toEqual({ POST: few, PUT: few, PATCH: few, GET: few })
    expect((await fieldsOf('rbac/roles/?fields=name')).GET).toContain('builtin')
    expect((await fieldsOf('accounts/accounts/')).GET).not.toContain('has_secret')
    expect((await fieldsOf('accounts/accounts/?action=retrieve')).GET).toContain('has_secret')
  })

  it('for a list may ask for the fields of a detail, but never for those shown only once', async () => {
    const asset = { name: 'asked', address: '10.0.0.9', platform: 1, accounts: [{ username: 'root', secret: 'x' }] }
    await server.admin.collection('assets/hosts').create(asset)
    const [account] = (await send('GET', '/api/v1/accounts/accounts/?action=retrieve')).body
    expect(account).toMatchObject({ username: 'root', has_secret: true })
    expect(account).not.toHaveProperty('secret')
    expect((await send('GET', '/api/v1/accounts/accounts/')).body[0]).not.toHaveProperty('has_secret')
    const [host] = (await send('GET', '/api/v1/assets/hosts/?action=retrieve')).body
    expect(host.accounts).toMatchObject([{ username: 'root' }])
  })

  it('for a file gets an error for a wrong filter before the file begins', async () => {
    const answer = await send('GET', '/api/v1/users/users/?format=csv&source=nowhere')
    expect(answer).toMatchObject({ status: 400, body: { source: [expect.any(String)] } })
  })

  it('for rows linked to an object is rejected when that object does not exist', async () => {
    const bindings = '/api/v1/rbac/org-role-bindings/'
    for (const path of [`${bindings}?user=nobody`, `${bindings}?user=${randomUUID()}`])
      expect(await send('GET', path)).toMatchObject({ status: 400, body: { user: [expect.any(String)] } })
    const links = `/api/v1/users/users-groups-relations/?usergroup=${randomUUID()}`
    expect(await send('GET', links)).toMatchObject({ status: 400, body: { usergroup: [expect.any(String)] } })
  })

  it('for rows linked to a component finds them, although no user list contains the component', async () => {
    await registerComponent(server.url, server.bootstrapToken, 'linked')
    for (const path of ['rbac/system-role-bindings', 'users/users-groups-relations']) {
      const { body: rows } = await send('GET', `/api/v1/${path}/`)
      const people: string[] = (await send('GET', '/api/v1/users/users/?fields=id')).body.map(({ id }: AnyRow) => id)
      const users: string[] = rows.map(({ user }: { user: string | AnyRow }) =>
        typeof user === 'string' ? user : String(user.id),
      )
      const [hidden] = users.filter((id) => !people.includes(id))
      const { status, body } = await send('GET', `/api/v1/${path}/?user=${hidden}`)
      expect([path, status, body.length]).toEqual([path, 200, users.filter((id) => id === hidden).length])
    }
  })

  it('with an unknown type of rule is not narrowed by it', async () => {
    const rules = (rule: unknown) => encodeURIComponent(Buffer.from(JSON.stringify(rule)).toString('base64'))
    const all = await send('GET', '/api/v1/users/users/')
    expect(await send('GET', `/api/v1/users/users/?attr_rules=${rules({ type: 'later' })}`)).toEqual(all)
    expect((await send('GET', `/api/v1/users/users/?attr_rules=${rules({ type: 'attrs' })}`)).status).toBe(400)
    for (const name of ['__proto__', 'constructor', 'password_hash'])
      expect(
        await send(
          'GET',
          `/api/v1/users/users/?attr_rules=${rules({ type: 'attrs', attrs: [{ name, match: 'startswith', value: '' }] })}`,
        ),
      ).toMatchObject({ status: 200, body: [] })
  })

  it('finds rows by rules of every type and value, and never by hidden fields', async () => {
    const found = async (name: string, match: string, value: unknown) => {
      const rule = Buffer.from(JSON.stringify({ type: 'attrs', attrs: [{ name, match, value }] })).toString('base64')
      const path = `/api/v1/users/users/?fields=username&attr_rules=${encodeURIComponent(rule)}`
      const { status, body } = await send('GET', path)
      if (status !== 200 && status !== 400) throw new Error(`${name} ${match} ${JSON.stringify(value)}: ${status}`)
      return status === 200 ? body.length : 0
    }
    expect(await found('username', 'regex', '^ad.in$')).toBe(1)
    expect(await found('email', 'ip_in', ['10.', '*'])).toBe(1)
    expect(await found('is_active', 'exact', true)).toBe(1)
    expect(await found('date_joined', 'gte', '2020-01-01')).toBe(1)
    expect(await found('name', 'not', 'Somebody')).toBe(1)
    for (const name of ['password_hash', 'otp_secret', 'public_key', 'nosuch'])
      for (const match of ['contains', 'not', 'regex']) expect([name, await found(name, match, '')]).toEqual([name, 0])
    const matches = ['exact', 'not', 'in', 'contains', 'regex', 'gte', 'ip_in', 'm2m', 'm2m_all', 'later']
    for (const name of ['id', 'name', 'is_active', 'mfa_level', 'date_joined', 'groups', 'org_roles'])
      for (const match of matches)
        for (const value of [[], {}, [null], 5, 1e30, '%_\\', '(', '\0'])
          expect([name, match, value, await found(name, match, value)]).toEqual([
            name,
            match,
            value,
            expect.any(Number),
          ])
  })

  it('for the metadata of a route without any is rejected', async () => {
    expect((await send('OPTIONS', '/api/v1/rbac/permissions/')).status).toBe(405)
    expect((await send('OPTIONS', '/api/v1/authentication/access-keys/')).status).toBe(200)
  })
})

import { SoftwareKey, type Twist } from '@castellan/testing/authenticator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

const base = '/api/v1/authentication/'
const password = 'Own-1-password'

let server: TestServer
let origin: string
beforeAll(async () => {
  server = await startServer()
  origin = server.url.replace('127.0.0.1', 'localhost')
  await settings('passkey', { AUTH_PASSKEY: true })
})
afterAll(() => server.close())

const settings = (category: string, values: object) => server.changeSettings(category, values)

interface Answer {
  status: number
  location: string | null
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many routes, which the assertions describe
  body: any
}

/** A browser: it keeps cookies and sends the CSRF token. */
class Browser {
  readonly #cookies = new Map<string, string>()

  async send(method: string, path: string, sent?: object, host = origin): Promise<Answer> {
    const answer = await fetch(host + path, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-csrftoken': this.#cookies.get('jms_csrftoken') ?? '',
        'content-type': 'application/json',
        'accept-language': 'en',
      },
      ...(sent && method !== 'GET' ? { body: JSON.stringify(sent) } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      text,
      body: isJson && text ? JSON.parse(text) : {},
    }
  }

  get = (path: string, host?: string) => this.send('GET', path, undefined, host)
  post = (path: string, body: object, host?: string) => this.send('POST', path, body, host)

  async signIn(username: string): Promise<this> {
    await this.get('/core/auth/login/')
    await this.post('/core/auth/login/', { username, password })
    await this.get('/core/auth/login/guard/')
    return this
  }

  /** Registers a key; the answer of the last call. */
  async register(key: SoftwareKey, twist: Twist = {}, name = 'Laptop'): Promise<Answer> {
    await this.post(`${base}confirm/`, { confirm_type: 'password', secret_key: password })
    const asked = await this.get(`${base}passkeys/register/?name=${name}`)
    if (asked.status !== 200) return asked
    return this.post(`${base}passkeys/register/`, { ...key.create(asked.body.publicKey, twist), key_name: name })
  }

  /** What becomes of an answer to a fresh challenge: `in`, or the reason in the log. */
  async by(key: SoftwareKey, twist: Twist = {}): Promise<string> {
    await this.get(`${base}passkeys/login/`)
    const asked = await this.get(`${base}passkeys/auth/`)
    return this.answer(key.get(asked.body.publicKey, twist))
  }

  async answer(assertion: object): Promise<string> {
    const { location } = await this.post(`${base}passkeys/auth/`, { passkeys: JSON.stringify(assertion) })
    if (location !== '/core/auth/login/guard/') return (await lastLog()).reason
    const guarded = await this.get(location)
    return guarded.location === '/' ? 'in' : String(guarded.location)
  }

  me = async () => (await this.get('/api/v1/users/profile/')).body.username as string | undefined
}

const lastLog = async () =>
  (await server
    .context()
    .rawDb.selectFrom('audits_userloginlog')
    .select(['username', 'backend', 'status', 'reason'])
    .orderBy('datetime', 'desc')
    .executeTakeFirst()) as { username: string; backend: string; status: unknown; reason: string }

let made = 0
async function person(values: object = {}): Promise<{ id: string; username: string }> {
  const username = `person-${++made}`
  const { id } = await server.admin.collection('users/users').create({
    name: username,
    username,
    email: `${username}@example.com`,
    password_strategy: 'custom',
    password,
    need_update_password: false,
    ...values,
  })
  return { id, username }
}

async function withKey(): Promise<{ id: string; username: string; browser: Browser; key: SoftwareKey }> {
  const user = await person()
  const browser = await new Browser().signIn(user.username)
  const key = new SoftwareKey(origin)
  const { status, text } = await browser.register(key)
  expect([status, text]).toEqual([200, expect.any(String)])
  return { ...user, browser, key }
}

describe('registering a passkey', () => {
  it('demands a confirmation, then gives the options of the contract', async () => {
    const { username, id } = await person()
    const browser = await new Browser().signIn(username)
    expect((await browser.get(`${base}passkeys/register/?name=x`)).status).toBe(412)
    await browser.post(`${base}confirm/`, { confirm_type: 'password', secret_key: password })
    const { body } = await browser.get(`${base}passkeys/register/?name=x`)
    expect(body.publicKey).toMatchObject({
      rp: { id: 'localhost', name: 'Castellan' },
      user: { id: Buffer.from(id).toString('base64url'), name: `${username}(x)` },
      authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false },
      excludeCredentials: [],
    })
    expect(body.publicKey.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([
      -7, -8, -35, -36, -37, -257,
    ])
  })

  it('stores the key, which its owner alone sees, switches and deletes', async () => {
    const { browser } = await withKey()
    const [row] = (await browser.get(`${base}passkeys/`)).body
    expect(row).toMatchObject({ name: 'Laptop', is_active: true, platform: 'Key', date_last_used: null })
    const path = `${base}passkeys/${row.id}/`
    const other = await new Browser().signIn((await person()).username)
    expect((await other.get(`${base}passkeys/`)).body).toEqual([])
    expect((await other.send('DELETE', path)).status).toBe(404)
    await expect(server.admin.request('GET', path)).rejects.toMatchObject({ status: 404 })
    const changed = await browser.send('PATCH', path, { is_active: false, name: 'Other', user: 'x' })
    expect(changed.body).toMatchObject({ is_active: false, name: 'Laptop' })
    expect((await browser.send('DELETE', path)).status).toBe(204)
    const entries = await server.admin.request<{ action: { value: string } }[]>(
      'GET',
      '/api/v1/audits/operate-logs/?resource_type=passkey&limit=3',
    )
    expect(JSON.stringify(entries)).toContain('Laptop')
  })

  it.each([
    ['of another origin', { origin: 'https://localhost.evil.example' }],
    ['for another domain', { rpId: 'evil.example' }],
  ])('rejects a key %s', async (_what, twist) => {
    const browser = await new Browser().signIn((await person()).username)
    expect((await browser.register(new SoftwareKey(origin), twist)).status).toBe(400)
    expect((await browser.get(`${base}passkeys/`)).body).toEqual([])
  })

  it('accepts an answer once, from the session that was asked, and a key once', async () => {
    const { browser, key } = await withKey()
    const asked = await browser.get(`${base}passkeys/register/?name=x`)
    expect(asked.body.publicKey.excludeCredentials).toMatchObject([{ id: key.id, transports: ['internal'] }])
    const fresh = new SoftwareKey(origin)
    const answer = fresh.create(asked.body.publicKey)
    const other = await new Browser().signIn((await person()).username)
    await other.post(`${base}confirm/`, { confirm_type: 'password', secret_key: password })
    expect((await other.post(`${base}passkeys/register/`, answer)).status).toBe(400)
    const twice = await Promise.all([1, 2].map(() => browser.post(`${base}passkeys/register/`, answer)))
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
    const again = await browser.register(key)
    expect(again.status).toBe(400)
    expect((await browser.get(`${base}passkeys/`)).body).toHaveLength(2)
  })

  it('says what is wrong: off, another source, an address without a name, too many, nonsense', async () => {
    const { username, id } = await person()
    const browser = await new Browser().signIn(username)
    for (let count = 0; count < 10; count += 1)
      expect((await browser.register(new SoftwareKey(origin))).status).toBe(200)
    const full = await browser.register(new SoftwareKey(origin))
    expect([full.status, full.body.error]).toEqual([400, expect.stringContaining('already have 10 keys')])
    // Options at an address without a name are of no use: the browser refuses them there, and so does the server.
    const byAddress = await browser.get(`${base}passkeys/register/`, server.url)
    expect([byAddress.status, byAddress.body.publicKey.rp.id]).toEqual([200, 'localhost'])
    for (const made of [{}, { origin: 'http://localhost' }, { origin: server.url }]) {
      const { publicKey } = (await browser.get(`${base}passkeys/register/`, server.url)).body
      const body = new SoftwareKey(origin).create(publicKey, made)
      const refused = await browser.post(`${base}passkeys/register/`, body, server.url)
      expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('domain name')])
    }
    for (const body of [{}, { id: 5, response: [] }, { id: 'x', rawId: 'x', type: 'public-key', response: {} }]) {
      await browser.get(`${base}passkeys/register/`)
      expect((await browser.post(`${base}passkeys/register/`, body)).status).toBe(400)
    }
    await settings('passkey', { AUTH_PASSKEY: false })
    expect((await new Browser().get(`${base}passkeys/login/`)).text).toContain('switched off')
    await settings('passkey', { AUTH_PASSKEY: true })
    await server.admin.collection('users/users').change(id, { source: 'ldap' })
    expect((await browser.get(`${base}passkeys/register/`)).body.error).toContain('Only local users')
  })
})

describe('a sign-in by passkey', () => {
  it('opens a session, and the log says by what', async () => {
    const { username, key, browser } = await withKey()
    const visitor = new Browser()
    expect(await visitor.by(key)).toBe('in')
    expect(await visitor.me()).toBe(username)
    expect(await lastLog()).toMatchObject({ username, backend: 'Passkey', reason: '' })
    expect((await browser.get(`${base}passkeys/`)).body[0].date_last_used).not.toBeNull()
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['a user whom the device did not verify', { unverified: true }],
    ['a key that the device made for somebody else', { userHandle: 'somebody-else' }],
  ])('stops at %s', async (_what, twist) => {
    const { key } = await withKey()
    expect(await new Browser().by(key, twist)).toBe('passkey_failed')
    expect(await lastLog()).toMatchObject({ username: 'unknown', backend: 'Passkey' })
  })

  it('accepts a key that names the user who registered it', async () => {
    const { browser, key } = await withKey()
    const asked = await browser.get(`${base}passkeys/register/?name=x`)
    const userHandle = Buffer.from(asked.body.publicKey.user.id, 'base64url').toString()
    expect(await new Browser().by(key, { userHandle })).toBe('in')
  })

  it('stops at a copy of the key, whose counter is behind', async () => {
    const { key } = await withKey()
    expect(await new Browser().by(key, { counter: 9 })).toBe('in')
    expect(await new Browser().by(key, { counter: 9 })).toBe('passkey_failed')
    expect(await new Browser().by(key, { counter: 10 })).toBe('in')
  })

  it('accepts an answer once, and only from the browser that was asked', async () => {
    const { key } = await withKey()
    const visitor = new Browser()
    await visitor.get(`${base}passkeys/login/`)
    const { body } = await visitor.get(`${base}passkeys/auth/`)
    expect(body.publicKey.allowCredentials).toEqual([])
    const answer = key.get(body.publicKey)
    const thief = new Browser()
    await thief.get(`${base}passkeys/login/`)
    await thief.get(`${base}passkeys/auth/`)
    expect(await thief.answer(answer)).toBe('passkey_failed')
    const send = () => visitor.post(`${base}passkeys/auth/`, { passkeys: JSON.stringify(answer) })
    const results = await Promise.all([send(), send()])
    expect(results.map(({ status }) => status).sort()).toEqual([200, 302])
  })

  it('stops at an unknown key, a disabled one, a disabled user, another source and a deleted user', async () => {
    expect(await new Browser().by(new SoftwareKey(origin))).toBe('passkey_failed')
    const { id, username, key, browser } = await withKey()
    const [{ id: keyId }] = (await browser.get(`${base}passkeys/`)).body
    const toggle = (is_active: boolean) => browser.send('PATCH', `${base}passkeys/${keyId}/`, { is_active })
    await toggle(false)
    expect(await new Browser().by(key)).toBe('passkey_failed')
    await toggle(true)
    const users = server.admin.collection('users/users')
    await users.change(id, { is_active: false })
    expect(await new Browser().by(key)).toBe('user_inactive')
    expect(await lastLog()).toMatchObject({ username })
    await users.change(id, { is_active: true, source: 'ldap' })
    expect(await new Browser().by(key)).toBe('passkey_failed')
    await users.change(id, { source: 'local' })
    expect(await new Browser().by(key)).toBe('in')
    await users.delete(id)
    expect(await new Browser().by(key)).toBe('passkey_failed')
  })

  it('answers nonsense with the page, and a missing token with the login page', async () => {
    const visitor = new Browser()
    await visitor.get(`${base}passkeys/login/`)
    for (const passkeys of ['', 'null', '[]', '{"id":5}', '{"id":"x"}', 'x'.repeat(100_000)]) {
      await visitor.get(`${base}passkeys/auth/`)
      const answer = await visitor.post(`${base}passkeys/auth/`, { passkeys })
      expect(answer.status).toBe(200)
    }
    const forged = await fetch(`${origin}${base}passkeys/auth/`, { method: 'POST', redirect: 'manual' })
    expect(forged.headers.get('location')).toContain('csrf_failure')
  })

  it('belongs to the domain that the settings name', async () => {
    const { key } = await withKey()
    await settings('passkey', { FIDO_SERVER_ID: 'pam.example.com' })
    const visitor = new Browser()
    await visitor.get(`${base}passkeys/login/`)
    const { body } = await visitor.get(`${base}passkeys/auth/`)
    // The machine itself stays usable; any other host has to be within the named domains.
    expect(body.publicKey.rpId).toBe('localhost')
    expect(await visitor.answer(key.get(body.publicKey))).toBe('in')
    await settings('passkey', { FIDO_SERVER_ID: '' })
  })
})

describe('a passkey as second factor', () => {
  it('names only the keys of the user, lets in once, and is no one else’s', async () => {
    const { id, username, key } = await withKey()
    const other = await withKey()
    await server.admin.collection('users/users').change(id, { mfa_level: 2 })
    const visitor = new Browser()
    const asks = async () => (await visitor.post(`${base}auth/`, { username, password })).body
    expect(await asks()).toMatchObject({ error: 'mfa_required', data: { choices: ['passkey'] } })
    const challenge = async () => (await visitor.get(`${base}passkeys/auth/`)).body.publicKey
    const verify = (answer: object) =>
      visitor.post(`${base}mfa/challenge/`, { type: 'passkey', code: JSON.stringify(answer) })
    const asked = await challenge()
    expect(asked.allowCredentials).toMatchObject([{ id: key.id }])
    expect((await verify(other.key.get(asked))).body).toMatchObject({ error: 'mfa_failed' })
    const used = key.get(asked)
    expect((await verify(used)).body).toMatchObject({ error: 'mfa_failed' })
    expect((await verify(key.get(await challenge(), { unverified: true }))).body).toEqual({ msg: 'ok' })
    expect((await visitor.post(`${base}auth/`, {})).status).toBe(201)
  })

  it('confirms, and is off after an administrator took the factors away', async () => {
    const { id, username, key } = await withKey()
    await server.admin.collection('users/users').change(id, { mfa_level: 1 })
    const browser = new Browser()
    await browser.get('/core/auth/login/')
    await browser.post('/core/auth/login/', { username, password })
    const challenge = async () => (await browser.get(`${base}passkeys/auth/`)).body.publicKey
    await browser.post('/core/auth/login/mfa/', {
      mfa_type: 'passkey',
      code: JSON.stringify(key.get(await challenge())),
    })
    await browser.get('/core/auth/login/guard/')
    expect(await browser.me()).toBe(username)
    const wanted = (await browser.get(`${base}confirm/?confirm_type=mfa`)).body
    expect(wanted.content).toContainEqual(expect.objectContaining({ name: 'passkey', disabled: false }))
    const confirm = (answer: object) =>
      browser.post(`${base}confirm/`, { confirm_type: 'mfa', mfa_type: 'passkey', secret_key: JSON.stringify(answer) })
    expect((await confirm({})).status).toBe(400)
    expect((await confirm(key.get(await challenge()))).status).toBe(200)
    expect((await browser.get(`${base}confirm/check/?confirm_type=mfa`)).status).toBe(200)
    await server.admin.request('GET', `/api/v1/users/users/${id}/mfa/reset/`)
    expect(await new Browser().by(key)).toBe('passkey_failed')
  })
})

import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A minimal cookie jar of a browser. */
class Jar {
  readonly cookies = new Map<string, string>()

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(server.url + path, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0(;|$)/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }
}

/** `rsa:aes`, as a browser encrypts typed secrets. */
function sealed(cookie: string, value: string): string {
  const key = randomBytes(8).toString('hex')
  const plain = Buffer.from(value)
  const padded = Buffer.alloc(Math.ceil(plain.length / 16) * 16)
  plain.copy(padded)
  const cipher = createCipheriv('aes-128-ecb', Buffer.from(key), null).setAutoPadding(false)
  const rsa = publicEncrypt(
    { key: Buffer.from(cookie, 'base64').toString(), padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(key),
  )
  return `${rsa.toString('base64')}:${Buffer.concat([cipher.update(padded), cipher.final()]).toString('base64')}`
}

describe('the metadata of sign-in calls', () => {
  it('names their fields', async () => {
    const described = async (path: string) =>
      Object.entries(
        (
          await server.admin.request<{ actions: { POST: Record<string, { required: boolean }> } }>(
            'OPTIONS',
            `/api/v1/authentication/${path}`,
          )
        ).actions.POST,
      ).map(([name, { required }]) => (required ? `${name}!` : name))
    expect(await described('password/reset-code/')).toEqual(['form_type', 'email!', 'sms!'])
    expect(await described('auth/')).toEqual(expect.arrayContaining(['username', 'password', 'public_key']))
  })
})

describe('the sign-in page', () => {
  it('ignores body values that are not text', async () => {
    const jar = new Jar()
    await jar.fetch('/core/auth/login/')
    const send = (body: object, headers = {}) =>
      jar.fetch('/core/auth/login/', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const forged = await send({ username: ['admin'], csrfmiddlewaretoken: 5 })
    expect([forged.status, forged.headers.get('location')]).toEqual([302, expect.stringContaining('csrf_failure')])
    const odd = await send(
      { username: ['admin'], password: {} },
      { 'x-csrftoken': jar.cookies.get('jms_csrftoken') ?? '' },
    )
    expect(odd.status).toBe(200)
  })

  it('gives the browser a key, and decrypts values with it before and after the sign-in', async () => {
    const jar = new Jar()
    await jar.fetch('/core/auth/login/')
    const key = jar.cookies.get('jms_public_key') ?? ''
    expect(Buffer.from(key, 'base64').toString()).toMatch(/^-----BEGIN PUBLIC KEY-----/)
    const form = new URLSearchParams({
      username: 'admin',
      password: sealed(key, server.adminPassword),
      csrfmiddlewaretoken: jar.cookies.get('jms_csrftoken') ?? '',
    })
    const signedIn = await jar.fetch('/core/auth/login/', { method: 'POST', body: form })
    expect(signedIn.headers.get('location')).toMatch(/^\/core\/auth\/login\/guard\//)
    await jar.fetch('/core/auth/login/guard/')
    expect(jar.cookies.get('jms_public_key')).toBe(key)
    const answer = await jar.fetch('/api/v1/authentication/confirm/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrftoken': jar.cookies.get('jms_csrftoken') ?? '' },
      body: JSON.stringify({ confirm_type: 'password', secret_key: sealed(key, server.adminPassword) }),
    })
    expect(await answer.text()).toBe('"ok"')
    expect(answer.headers.getSetCookie().join()).not.toContain('jms_public_key')
    // Such a session may create access keys; concurrent requests create no more than ten.
    const headers = { 'x-csrftoken': jar.cookies.get('jms_csrftoken') ?? '' }
    const made = await Promise.all(
      Array.from({ length: 14 }, () => jar.fetch('/api/v1/authentication/access-keys/', { method: 'POST', headers })),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(made.filter(({ status }) => status === 400)).toHaveLength(4)
  })

  it('changes the session id at the password step, and does not change keys for a page of another site', async () => {
    const jar = new Jar()
    await jar.fetch('/core/auth/login/')
    const planted = jar.cookies.get('jms_sessionid') ?? ''
    const form = new URLSearchParams({
      username: 'admin',
      password: sealed(jar.cookies.get('jms_public_key') ?? '', server.adminPassword),
      csrfmiddlewaretoken: jar.cookies.get('jms_csrftoken') ?? '',
    })
    await jar.fetch('/core/auth/login/', { method: 'POST', body: form })
    const other = new Jar()
    other.cookies.set('jms_sessionid', planted)
    const stolen = await other.fetch('/core/auth/login/guard/')
    expect(stolen.headers.get('location')).toBe('/core/auth/login/')
    await jar.fetch('/core/auth/login/guard/')
    const profile = '/api/v1/users/profile/'
    expect((await jar.fetch(profile, { method: 'PATCH', headers: { origin: 'no address' } })).status).toBe(403)
    const generate = '/core/auth/profile/pubkey/generate/'
    expect((await jar.fetch(generate, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    const own = { headers: { 'sec-fetch-site': 'same-origin' } }
    const asked = `/core/auth/password/verify/?next=${encodeURIComponent(generate)}`
    expect((await jar.fetch(generate, own)).headers.get('location')).toBe(asked)
    const csrfmiddlewaretoken = jar.cookies.get('jms_csrftoken') ?? ''
    const proof = new URLSearchParams({ password: server.adminPassword, csrfmiddlewaretoken })
    expect((await jar.fetch(asked, { method: 'POST', body: proof })).headers.get('location')).toBe(generate)
    expect((await jar.fetch(generate, own)).status).toBe(200)
  })

  it('is not affected when a window without a session signs out', async () => {
    // Sent before the page's session existed, answered after it.
    const answer = await fetch(`${server.url}/core/auth/logout/`, { redirect: 'manual' })
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith('jms_sessionid'))).toEqual([])
  })

  it('changes the key after sign-out, and does not generate one per page', async () => {
    const jar = new Jar()
    await jar.fetch('/core/auth/login/')
    const first = jar.cookies.get('jms_public_key') ?? ''
    const strangers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const stranger = new Jar()
        await stranger.fetch('/core/auth/login/')
        return stranger.cookies.get('jms_public_key')
      }),
    )
    expect(new Set([first, ...strangers]).size).toBe(1)
    const body = new URLSearchParams({
      username: 'admin',
      password: sealed(first, server.adminPassword),
      csrfmiddlewaretoken: jar.cookies.get('jms_csrftoken') ?? '',
    })
    await jar.fetch('/core/auth/login/', { method: 'POST', body })
    await jar.fetch('/core/auth/login/guard/')
    await jar.fetch('/core/auth/logout/')
    await jar.fetch('/core/auth/login/')
    expect(jar.cookies.get('jms_public_key')).not.toBe(first)
  })
})

describe('the page that asks for the own password', () => {
  const path = '/core/auth/password/verify/'
  const post = (jar: Jar, address: string, body: Record<string, string>, origin = server.url) => {
    const token = jar.cookies.get('jms_csrftoken') ?? ''
    return jar.fetch(address, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ ...body, csrfmiddlewaretoken: token }),
    })
  }

  it('is for who is signed in, limits guesses, and leads to a page of ours', async () => {
    expect((await new Jar().fetch(path)).headers.get('location')).toBe(
      `/core/auth/login/?next=${encodeURIComponent(path)}`,
    )
    const { id } = await server.admin.collection('users/users').create({
      ...{ name: 'verifier', username: 'verifier', email: 'verifier@example.com', need_update_password: false },
      ...{ password_strategy: 'custom', password: 'Own-1-password' },
    })
    const jar = new Jar()
    await jar.fetch('/core/auth/login/')
    await post(jar, '/core/auth/login/', { username: 'verifier', password: 'Own-1-password' })
    await jar.fetch('/core/auth/login/guard/')
    const from = await jar.fetch(path, { headers: { referer: `${server.url}/core/auth/profile/mfa/` } })
    const asked = from.headers.get('location') ?? ''
    expect(asked).toBe(`${path}?next=%2Fcore%2Fauth%2Fprofile%2Fmfa%2F`)
    for (const referer of ['https://evil.example/x', 'x'])
      expect((await jar.fetch(path, { headers: { referer } })).headers.get('location')).toBe(`${path}?next=%2F`)
    expect(await (await jar.fetch(asked)).text()).toContain('"page":"password-verify"')
    const forged = await post(jar, asked, { password: 'Own-1-password' }, 'https://evil.example')
    expect(forged.headers.get('location')).toContain('csrf_failure')
    const right = await post(jar, asked, { password: 'Own-1-password' })
    expect(right.headers.get('location')).toBe('/core/auth/profile/mfa/')
    const away = await post(jar, `${path}?next=//evil.example`, { password: 'Own-1-password' })
    expect(away.headers.get('location')).toBe('/')
    for (let tries = 0; tries < 7; tries++)
      expect(await (await post(jar, asked, { password: 'wrong' })).text()).toContain('"errors"')
    expect((await post(jar, asked, { password: 'Own-1-password' })).status).toBe(200)
    expect(await server.admin.request('GET', `/api/v1/users/users/${id}/`)).toMatchObject({ username: 'verifier' })
  })
})

describe('the page that waits for an approval', () => {
  it('says so where nothing waits', async () => {
    const answer = await new Jar().fetch('/core/auth/login/wait-confirm/')
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"page":"message"')])
  })
})

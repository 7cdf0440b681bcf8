import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OidcServer, startOidcServer } from '@castellan/testing/oidc-server'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pixel } from '../../../testing/applets.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let provider: OidcServer
const change = (values: object) =>
  server.admin.request<Record<string, unknown>>('PATCH', '/api/v1/settings/setting/?category=oauth2', values)

beforeAll(async () => {
  server = await startServer()
  provider = await startOidcServer(
    [`${server.url}/core/auth/oauth2/callback/`],
    [`${server.url}/core/auth/login/`],
    'client_secret_post',
  )
  await change({
    AUTH_OAUTH2: true,
    AUTH_OAUTH2_PROVIDER: 'Staff login',
    AUTH_OAUTH2_CLIENT_ID: provider.clientId,
    AUTH_OAUTH2_CLIENT_SECRET: provider.clientSecret,
    AUTH_OAUTH2_SCOPE: 'openid profile email',
    AUTH_OAUTH2_PROVIDER_AUTHORIZATION_ENDPOINT: `${provider.url}/auth`,
    AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT: `${provider.url}/token`,
    AUTH_OAUTH2_ACCESS_TOKEN_METHOD: 'POST',
    AUTH_OAUTH2_PROVIDER_USERINFO_ENDPOINT: `${provider.url}/me`,
    AUTH_OAUTH2_PROVIDER_END_SESSION_ENDPOINT: `${provider.url}/session/end`,
    AUTH_OAUTH2_USER_ATTR_MAP: { username: 'preferred_username', name: 'name', email: 'email' },
  })
})
afterAll(async () => {
  await server.close()
  await provider.stop()
})

const login = () => `${server.url}/core/auth/oauth2/login/`
const profileOf = async (visitor: Visitor): Promise<{ status: number; username?: string }> => {
  const answer = await visitor.open(`${server.url}/api/v1/users/profile/`)
  return { status: answer.status, ...((await answer.json()) as object) }
}

describe('an OAuth2 provider', () => {
  it('signs in, and is told of the sign-out', async () => {
    provider.user = { sub: '1', preferred_username: 'otto', name: 'Otto', email: 'otto@example.com' }
    const visitor = new Visitor()
    const { url } = await visitor.follow(`${login()}?next=/ui/x`, `${server.url}/ui/`)
    expect(url).toBe(`${server.url}/ui/x`)
    expect(await profileOf(visitor)).toMatchObject({ username: 'otto', name: 'Otto', source: { value: 'oauth2' } })
    const out = await visitor.open(`${server.url}/core/auth/logout/`)
    expect(out.headers.get('location')).toContain(`${provider.url}/session/end?`)
    expect((await profileOf(visitor)).status).toBe(401)
  })

  it('has its name on the button of the sign-in page', async () => {
    const page = await (await new Visitor().open(`${server.url}/core/auth/login/?admin=1`)).text()
    expect(page).toContain('"label":"Staff login"')
  })

  it('has an uploaded logo on its button, which is a picture', async () => {
    const path = '/api/v1/settings/setting/?category=oauth2'
    const upload = async (bytes: Buffer) => {
      const form = new FormData()
      form.append('AUTH_OAUTH2_LOGO_PATH', new Blob([new Uint8Array(bytes)]), 'logo.png')
      const headers = { ...server.admin.proof('PATCH', path), 'accept-language': 'en' }
      const answer = await fetch(server.url + path, { method: 'PATCH', headers, body: form })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    const { status, body } = await upload(pixel)
    expect([status, body.AUTH_OAUTH2_LOGO_PATH]).toEqual([200, expect.stringMatching(/^\/media\/settings\/.*\.png$/)])
    const logo = String(body.AUTH_OAUTH2_LOGO_PATH)
    const file = await fetch(server.url + logo)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(await (await new Visitor().open(`${server.url}/core/auth/login/?admin=1`)).text()).toContain(
      `"logo":"${logo}"`,
    )
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    for (const wrong of [script, Buffer.alloc(600 * 1024), Buffer.from('x')])
      expect(await upload(wrong)).toMatchObject({ status: 400, body: { AUTH_OAUTH2_LOGO_PATH: [expect.any(String)] } })
    for (const AUTH_OAUTH2_LOGO_PATH of ['https://evil.example/x.png', '//evil.example', '/media/settings/../x'])
      await expect(change({ AUTH_OAUTH2_LOGO_PATH })).rejects.toMatchObject({ status: 400 })
    // The interface has pictures of its own.
    await server.admin.request('PUT', '/api/v1/xpack/interface/setting/restore/', {})
    expect((await fetch(server.url + logo)).status).toBe(200)
    expect(await change({ AUTH_OAUTH2_LOGO_PATH: null })).toMatchObject({ AUTH_OAUTH2_LOGO_PATH: null })
  })

  it('takes no local user over', async () => {
    provider.user = { sub: '2', preferred_username: 'admin' }
    const visitor = new Visitor()
    expect((await visitor.follow(login(), `${server.url}/ui/`)).answer?.status).toBe(200)
    expect((await profileOf(visitor)).status).toBe(401)
  })

  it('gives a code that is good once, for the browser that asked', async () => {
    provider.user = { sub: '1', preferred_username: 'otto' }
    const { url } = await new Visitor().follow(login(), `${server.url}/core/auth/oauth2/callback/`)
    const thief = new Visitor()
    const left = new URL((await thief.open(login())).headers.get('location') ?? '')
    const stolen = new URL(url)
    stolen.searchParams.set('state', left.searchParams.get('state') ?? '')
    expect((await thief.open(stolen.href)).status).toBe(200)
    expect((await profileOf(thief)).status).toBe(401)
  })

  it('gets the secret only at the address for which it was entered', async () => {
    const moved = change({ AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT: 'https://evil.example/token' })
    await expect(moved).rejects.toMatchObject({ status: 400, body: { AUTH_OAUTH2_CLIENT_SECRET: [expect.anything()] } })
  })
})

describe('a provider with answers of its own', () => {
  let odd: Server
  const answers: { token: unknown; user: unknown } = { token: {}, user: {} }
  beforeAll(async () => {
    odd = createServer((request, response) => {
      const found = request.url?.startsWith('/token') ? answers.token : answers.user
      response.end(typeof found === 'string' ? found : JSON.stringify(found))
    })
    await new Promise<void>((listening) => odd.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`
    await change({
      AUTH_OAUTH2_CLIENT_SECRET: 'another',
      AUTH_OAUTH2_ACCESS_TOKEN_METHOD: 'GET',
      AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT: `${url}/token`,
      AUTH_OAUTH2_PROVIDER_USERINFO_ENDPOINT: `${url}/user`,
    })
  })
  afterAll(() => {
    odd.closeAllConnections()
    odd.close()
  })

  async function signIn(token: unknown, user: unknown) {
    Object.assign(answers, { token, user })
    const visitor = new Visitor()
    const left = new URL((await visitor.open(login())).headers.get('location') ?? '')
    const state = left.searchParams.get('state')
    const { answer } = await visitor.follow(
      `${server.url}/core/auth/oauth2/callback/?code=c&state=${state}`,
      `${server.url}/ui/`,
    )
    if (answer) expect(answer.status).toBe(200)
    return (await profileOf(visitor)).username
  }

  it('may wrap them', async () => {
    const user = { data: { preferred_username: 'wrapped' } }
    expect(await signIn({ data: { access_token: 't' } }, user)).toBe('wrapped')
  })

  it.each<[unknown, unknown]>([
    ['text', {}],
    [{}, {}],
    [{ access_token: 'a\r\nx: y' }, { preferred_username: 'wrapped' }],
    [{ access_token: ['t'] }, { preferred_username: 'wrapped' }],
    [{ access_token: 't' }, []],
    [{ access_token: 't' }, { preferred_username: { toString: 'wrapped' } }],
    [{ access_token: 't' }, { preferred_username: ' ' }],
    [{ access_token: 't' }, null],
  ])('is not believed: %j, %j', async (token, user) => {
    expect(await signIn(token, user)).toBe(undefined)
  })
})

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OidcServer, startOidcServer } from '@castellan/testing/oidc-server'
import { Visitor } from '@castellan/testing/visitor'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let oidc: OidcServer
/** A provider that answers as the test says. */
let hostile: Server
let hostileUrl: string
const script: { token: () => Promise<unknown>; keys: JWK[]; userinfo: object; asked: string[] } = {
  token: async () => ({}),
  keys: [],
  userinfo: {},
  asked: [],
}

beforeAll(async () => {
  server = await startServer()
  oidc = await startOidcServer([`${server.url}/core/auth/openid/callback/`], [`${server.url}/core/auth/login/`])
  hostile = createServer((request, answer) => {
    let body = ''
    request.on('data', (part) => {
      body += String(part)
    })
    request.on('end', async () => {
      script.asked.push(`${request.url} ${body}`)
      const found =
        request.url === '/token'
          ? await script.token()
          : request.url === '/jwks'
            ? { keys: script.keys }
            : request.url === '/userinfo'
              ? script.userinfo
              : undefined
      answer.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
      answer.end(JSON.stringify(found ?? {}))
    })
  })
  await new Promise<void>((listening) => hostile.listen(0, '127.0.0.1', listening))
  hostileUrl = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`
})
afterAll(async () => {
  await server.close()
  await oidc.stop()
  hostile.closeAllConnections()
  hostile.close()
})

const change = (values: object, category = 'oidc') => server.changeSettings<Record<string, unknown>>(category, values)

/** Settings of a provider that is not Keycloak. */
const provider = (url: string, values: object = {}) => ({
  AUTH_OPENID: true,
  AUTH_OPENID_KEYCLOAK: false,
  AUTH_OPENID_CLIENT_ID: 'castellan',
  AUTH_OPENID_CLIENT_SECRET: url === oidc.url ? oidc.clientSecret : 'shared-secret-of-the-client-and-provider',
  AUTH_OPENID_PROVIDER_ENDPOINT: url,
  AUTH_OPENID_PROVIDER_AUTHORIZATION_ENDPOINT: `${url}/auth`,
  AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT: `${url}/token`,
  AUTH_OPENID_PROVIDER_JWKS_ENDPOINT: `${url}/jwks`,
  AUTH_OPENID_PROVIDER_USERINFO_ENDPOINT: `${url}${url === oidc.url ? '/me' : '/userinfo'}`,
  AUTH_OPENID_PROVIDER_END_SESSION_ENDPOINT: `${url}/session/end`,
  AUTH_OPENID_PROVIDER_SIGNATURE_ALG: 'RS256',
  AUTH_OPENID_PKCE: true,
  ...values,
})

const login = () => `${server.url}/core/auth/openid/login/`
const isIn = async (visitor: Visitor) => (await visitor.open(`${server.url}/api/v1/users/profile/`)).status === 200
const profileOf = async (visitor: Visitor) =>
  (await (await visitor.open(`${server.url}/api/v1/users/profile/`)).json()) as Record<string, unknown>
const lastLog = async () =>
  (await server.context().rawDb.selectFrom('audits_userloginlog').selectAll().orderBy('datetime', 'desc').execute())[0]

describe('a certified OpenID provider', () => {
  beforeAll(async () => {
    await change(provider(oidc.url))
  })

  it('signs in, creates the user with the source, follows changes, and signs out', async () => {
    oidc.user = { sub: '1', preferred_username: 'olga', name: 'Olga', email: 'olga@example.com' }
    const visitor = new Visitor()
    const { url } = await visitor.follow(`${login()}?next=/ui/%23/console/assets`, `${server.url}/ui/`)
    expect(url).toBe(`${server.url}/ui/#/console/assets`)
    expect(await profileOf(visitor)).toMatchObject({
      username: 'olga',
      name: 'Olga',
      email: 'olga@example.com',
      source: { value: 'openid', label: 'OpenID' },
    })
    expect(await lastLog()).toMatchObject({ username: 'olga', backend: 'OpenID', type: 'W' })
    const out = await visitor.open(`${server.url}/core/auth/logout/`)
    const end = new URL(out.headers.get('location') ?? '')
    expect(end.href).toContain(`${oidc.url}/session/end`)
    expect(end.searchParams.get('id_token_hint')).toMatch(/^ey/)
    expect(await isIn(visitor)).toBe(false)
    oidc.user = { sub: '1', preferred_username: 'olga', name: 'Olga B.', email: 'olga@example.com' }
    const again = new Visitor()
    await again.follow(login(), `${server.url}/ui/`)
    expect(await profileOf(again)).toMatchObject({ name: 'Olga B.' })
    await change({ AUTH_OPENID_ALWAYS_UPDATE_USER: false })
    oidc.user = { sub: '1', preferred_username: 'olga', name: 'Olga C.' }
    const third = new Visitor()
    await third.follow(login(), `${server.url}/ui/`)
    expect(await profileOf(third)).toMatchObject({ name: 'Olga B.' })
    await change({ AUTH_OPENID_ALWAYS_UPDATE_USER: true })
  })

  it('ends the session here when the provider ended its own, and not while it does not answer', async () => {
    oidc.user = { sub: '77', preferred_username: 'renata', name: 'Renata' }
    const visitor = new Visitor()
    await visitor.follow(login(), `${server.url}/ui/`)
    const { rawDb } = server.context()
    /** Makes the tokens of all sessions end now. */
    const age = async () => {
      await rawDb
        .updateTable('authentication_providersession')
        .set({ date_renewal: 1 })
        .where('date_renewal', 'is not', null)
        .execute()
      await server.context().kv.deletePrefix('sign-in:renewal:')
    }
    const stored = async () =>
      (await rawDb.selectFrom('authentication_providersession').select('at_provider').execute())
        .map(({ at_provider }) => at_provider)
        .join()
    await age()
    const before = await stored()
    expect(await isIn(visitor)).toBe(true)
    expect(await stored()).not.toBe(before)
    await change({
      AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT: 'http://127.0.0.1:9/token',
      AUTH_OPENID_CLIENT_SECRET: oidc.clientSecret,
    })
    await age()
    expect(await isIn(visitor)).toBe(true)
    await change({
      AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT: `${oidc.url}/token`,
      AUTH_OPENID_CLIENT_SECRET: oidc.clientSecret,
    })
    oidc.revokeAll()
    await age()
    expect(await isIn(visitor)).toBe(false)
    expect(await isIn(visitor)).toBe(false)
    oidc.restore()
  })

  it('keeps its tokens sealed', async () => {
    const { rawDb } = server.context()
    const rows = await rawDb.selectFrom('authentication_providersession').select('at_provider').execute()
    const sessions = await rawDb.selectFrom('authentication_session').select('data').execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(/eyJhbGciOi|refreshToken/.test(JSON.stringify([rows, sessions]))).toBe(false)
  })

  it('takes no local user over, by name or by address', async () => {
    const names = { name: 'local-owner', username: 'local-owner', email: 'local-owner@example.com' }
    await server.admin
      .collection('users/users')
      .create({ ...names, password_strategy: 'custom', password: 'Own-1-pass' })
    for (const user of [
      { sub: '2', preferred_username: 'local-owner', name: 'x', email: 'x@example.com' },
      { sub: '3', preferred_username: 'admin', name: 'x', email: 'y@example.com' },
    ]) {
      oidc.user = user
      const visitor = new Visitor()
      const { answer } = await visitor.follow(login(), `${server.url}/ui/`)
      expect(await answer?.text()).toContain('"kind":"error"')
      expect(await isIn(visitor)).toBe(false)
      expect(await lastLog()).toMatchObject({ reason: 'provider_refused', backend: 'OpenID' })
    }
    const { email } = await server.admin.request<{ email: string }>('GET', '/api/v1/users/profile/')
    oidc.user = { sub: '4', preferred_username: 'mallory', name: 'Mallory', email }
    const visitor = new Visitor()
    await visitor.follow(login(), `${server.url}/ui/`)
    expect(await profileOf(visitor)).toMatchObject({ username: 'mallory', is_superuser: false })
    expect((await profileOf(visitor)).email).not.toBe(email)
  })

  it('uses a code once, and shows its own refusals as a page', async () => {
    oidc.user = { sub: '5', preferred_username: 'codes' }
    const visitor = new Visitor()
    const { url } = await visitor.follow(login(), `${server.url}/core/auth/openid/callback/`)
    expect((await visitor.open(url)).status).toBe(302)
    const replayed = await visitor.open(url)
    expect([replayed.status, (await replayed.text()).includes('"kind":"error"')]).toEqual([200, true])
    const denied = new Visitor()
    const left = new URL((await denied.open(login())).headers.get('location') ?? '')
    const query = new URLSearchParams({ error: 'access_denied', state: left.searchParams.get('state') ?? '' })
    const page = await denied.open(`${server.url}/core/auth/openid/callback/?${query}`)
    expect(await page.text()).toContain('"kind":"error"')
    // A code of another browser's sign-in, with a state of one's own.
    const thief = new Visitor()
    const own = new URL((await thief.open(login())).headers.get('location') ?? '').searchParams.get('state')
    const { url: foreign } = await new Visitor().follow(login(), `${server.url}/core/auth/openid/callback/`)
    const stolen = new URL(foreign)
    stolen.searchParams.set('state', own ?? '')
    expect((await thief.open(stolen.href)).status).toBe(200)
    expect(await isIn(thief)).toBe(false)
  })

  it('is on the sign-in page, which redirects to it by itself unless asked not to', async () => {
    const page = async (path: string) => (await new Visitor().open(`${server.url}${path}`)).text()
    expect(await page('/core/auth/login/?admin=1')).toContain('"url":"/core/auth/openid/login/"')
    expect(await page('/core/auth/login/?next=/ui/x')).toContain('/core/auth/openid/login/?next=%2Fui%2Fx')
    await change({ LOGIN_REDIRECT_MSG_ENABLED: false }, 'auth')
    const sent = await new Visitor().open(`${server.url}/core/auth/login/`)
    expect(sent.headers.get('location')).toBe('/core/auth/openid/login/')
    await change({ LOGIN_REDIRECT_MSG_ENABLED: true }, 'auth')
  })

  it('gets the secret only at the address for which it was entered', async () => {
    const moved = change({ AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT: `${hostileUrl}/token` })
    await expect(moved).rejects.toMatchObject({ status: 400, body: { AUTH_OPENID_CLIENT_SECRET: [expect.anything()] } })
    const read = JSON.stringify(await server.admin.request('GET', '/api/v1/settings/setting/?category=oidc'))
    expect(read).not.toContain(oidc.clientSecret)
  })
})

describe('the paths of Keycloak', () => {
  it('follow from its address and the realm', async () => {
    await change(provider(oidc.url, { AUTH_OPENID_KEYCLOAK: true }))
    await change({
      AUTH_OPENID_SERVER_URL: `${hostileUrl}/`,
      AUTH_OPENID_REALM_NAME: 'staff',
      AUTH_OPENID_CLIENT_SECRET: 'other',
    })
    const left = new URL((await new Visitor().open(login())).headers.get('location') ?? '')
    expect(left.origin + left.pathname).toBe(`${hostileUrl}/realms/staff/protocol/openid-connect/auth`)
    expect(left.searchParams.get('redirect_uri')).toBe(`${server.url}/core/auth/openid/callback/`)
  })
})

describe('a hostile OpenID provider', () => {
  const now = () => Math.floor(Date.now() / 1000)
  let key: Awaited<ReturnType<typeof generateKeyPair>>
  let publicKey: JWK
  beforeAll(async () => {
    key = await generateKeyPair('RS256', { extractable: true })
    publicKey = { ...(await exportJWK(key.publicKey)), alg: 'RS256', use: 'sig', kid: 'k' }
    await change(provider(hostileUrl))
  })
  afterEach(() => {
    script.userinfo = {}
    script.keys = [publicKey]
  })

  const claims = (more: object = {}) => ({
    iss: hostileUrl,
    aud: 'castellan',
    sub: '7',
    iat: now(),
    exp: now() + 60,
    preferred_username: 'victim-7',
    ...more,
  })
  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (payload: object) =>
    new SignJWT(payload as Record<string, unknown>).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(key.privateKey)

  /** Whether a sign-in is accepted whose ID token is made from the nonce of the request. */
  async function accepts(idToken: (nonce: string) => Promise<string> | string, query: Record<string, string> = {}) {
    script.keys = [publicKey]
    const visitor = new Visitor()
    const left = new URL((await visitor.open(login())).headers.get('location') ?? '')
    const nonce = left.searchParams.get('nonce') ?? ''
    script.token = async () => ({ access_token: 'a', token_type: 'Bearer', id_token: await idToken(nonce) })
    const back = new URLSearchParams({ code: 'c', state: left.searchParams.get('state') ?? '', ...query })
    return (await visitor.open(`${server.url}/core/auth/openid/callback/?${back}`)).status === 302
  }

  it('is believed where everything is right', async () => {
    expect(await accepts((nonce) => signed(claims({ nonce })))).toBe(true)
    const asked = script.asked.find((one) => one.startsWith('/token')) ?? ''
    expect(asked).toContain('code_verifier=')
  })

  it.each<[string, object]>([
    ['another nonce', { nonce: 'other' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://other.example' }],
    ['another client', { aud: 'other' }],
    ['several clients without naming ours', { aud: ['castellan', 'other'], azp: 'other' }],
    ['our client among others and no other word', { aud: ['castellan', 'other'] }],
    ['another client that it was issued to', { azp: 'other' }],
    ['no subject', { sub: undefined }],
    ['an end in the past', { exp: 1 }],
    ['an old token', { iat: 1000 }],
  ])('is not believed with %s', async (_what, wrong) => {
    expect(await accepts((nonce) => signed({ ...claims({ nonce }), ...wrong }))).toBe(false)
  })

  it('is not believed without a signature, with one of another key, or with one by its public key', async () => {
    const none = (nonce: string) => `${base64({ alg: 'none' })}.${base64(claims({ nonce }))}.`
    expect(await accepts(none)).toBe(false)
    const other = await generateKeyPair('RS256')
    const foreign = (nonce: string) =>
      new SignJWT(claims({ nonce })).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(other.privateKey)
    expect(await accepts(foreign)).toBe(false)
    const confused = (secret: string) => (nonce: string) =>
      new SignJWT(claims({ nonce })).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))
    expect(await accepts(confused(JSON.stringify(publicKey)))).toBe(false)
    expect(await accepts(confused('shared-secret-of-the-client-and-provider'))).toBe(false)
  })

  it('is believed by the shared secret only where the settings say so', async () => {
    await change({ AUTH_OPENID_PROVIDER_SIGNATURE_ALG: 'HS256' })
    const shared = (nonce: string) =>
      new SignJWT(claims({ nonce }))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from('shared-secret-of-the-client-and-provider'))
    expect(await accepts(shared)).toBe(true)
    expect(await accepts((nonce) => signed(claims({ nonce })))).toBe(false)
    await change({ AUTH_OPENID_PROVIDER_SIGNATURE_ALG: 'RS256' })
  })

  it('cannot be mixed up with another one, and speaks of one subject', async () => {
    const iss = { iss: 'https://other.example' }
    expect(await accepts((nonce) => signed(claims({ nonce })), iss)).toBe(false)
    const unnamed = { preferred_username: undefined }
    script.userinfo = { sub: '8', preferred_username: 'somebody-else' }
    expect(await accepts((nonce) => signed({ ...claims({ nonce }), ...unnamed }))).toBe(false)
    script.userinfo = { sub: '7', preferred_username: 'victim-7' }
    expect(await accepts((nonce) => signed({ ...claims({ nonce }), ...unnamed }))).toBe(true)
  })

  it('gets no verifier of a plain challenge unless the settings say so', async () => {
    const challenge = async () => {
      const left = new URL((await new Visitor().open(login())).headers.get('location') ?? '')
      return left.searchParams.get('code_challenge_method')
    }
    expect(await challenge()).toBe('S256')
    await change({ AUTH_OPENID_CODE_CHALLENGE_METHOD: 'plain' })
    expect(await challenge()).toBe('plain')
    await change({ AUTH_OPENID_CODE_CHALLENGE_METHOD: 'S256', AUTH_OPENID_PKCE: false })
    expect(await challenge()).toBe(null)
  })

  it('that breaks its answers makes no error of the server', async () => {
    for (const broken of ['', 'x', 'a.b.c', `${base64({ alg: 'RS256' })}.${base64([])}.x`])
      expect(await accepts(() => broken)).toBe(false)
    script.token = async () => 'text'
    expect(await accepts((nonce) => signed({ ...claims({ nonce }), preferred_username: { a: 1 } }))).toBe(false)
  })
})

import { roleIds } from '@castellan/contract/ids'
import { type CasServer, startCasServer } from '@castellan/testing/cas-server'
import { type ChatServer, chatForms, startChatServer } from '@castellan/testing/chat-server'
import { type OidcServer, startOidcServer } from '@castellan/testing/oidc-server'
import { requestIn, SamlIdp } from '@castellan/testing/saml-idp'
import { startServer, type TestServer } from '@castellan/testing/server'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updateRow } from '../../../kernel/resource/repository.ts'
import { user } from '../../users/index.ts'

/**
 * Every provider × every rule about sign-ins. A provider is a line of `providers` with its part of `setUp` and of
 * `addressFor`.
 */
const providers = [
  ['openid', 'OpenID'],
  ['saml2', 'SAML2'],
  ['cas', 'CAS'],
  ['oauth2', 'OAuth2'],
  ['wecom', 'WeCom'],
  ['dingtalk', 'DingTalk'],
  ['feishu', 'FeiShu'],
] as const
type Provider = (typeof providers)[number][0]
const isChat = (provider: Provider): provider is keyof typeof chatForms => Object.hasOwn(chatForms, provider)
const pathOf = (provider: Provider) => `/core/auth/${provider}${isChat(provider) ? '/qr' : ''}`

let server: TestServer
let oidc: OidcServer
let oauth: OidcServer
let cas: CasServer
let chat: ChatServer
const idp = new SamlIdp()

const change = (category: string, values: object) =>
  server.admin.request('PATCH', `/api/v1/settings/setting/?category=${category}`, values)

beforeAll(async () => {
  server = await startServer()
  await change('basic', { SITE_URL: server.url })
  await setUp()
})
afterAll(async () => {
  await server.close()
  await Promise.all([oidc.stop(), oauth.stop(), cas.stop(), chat.stop()])
})

async function setUp(): Promise<void> {
  const callback = (name: Provider) => [`${server.url}/core/auth/${name}/callback/`]
  oidc = await startOidcServer(callback('openid'), [])
  oauth = await startOidcServer(callback('oauth2'), [], 'client_secret_post')
  cas = await startCasServer()
  chat = await startChatServer()
  const { services, rawDb } = server.context()
  await services.settings.store(rawDb, services.events, chat.addresses)
  await services.settings.load()
  for (const [name, values] of Object.entries(chatForms)) await change(name, values)
  await change('oidc', {
    AUTH_OPENID: true,
    AUTH_OPENID_KEYCLOAK: false,
    AUTH_OPENID_CLIENT_ID: oidc.clientId,
    AUTH_OPENID_CLIENT_SECRET: oidc.clientSecret,
    AUTH_OPENID_PROVIDER_ENDPOINT: oidc.url,
    AUTH_OPENID_PROVIDER_AUTHORIZATION_ENDPOINT: `${oidc.url}/auth`,
    AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT: `${oidc.url}/token`,
    AUTH_OPENID_PROVIDER_JWKS_ENDPOINT: `${oidc.url}/jwks`,
    AUTH_OPENID_PROVIDER_USERINFO_ENDPOINT: `${oidc.url}/me`,
    AUTH_OPENID_PROVIDER_SIGNATURE_ALG: 'RS256',
  })
  await change('saml2', { AUTH_SAML2: true, SAML2_IDP_METADATA_XML: idp.metadata() })
  await change('cas', { AUTH_CAS: true, CAS_SERVER_URL: cas.url })
  await change('oauth2', {
    AUTH_OAUTH2: true,
    AUTH_OAUTH2_CLIENT_ID: oauth.clientId,
    AUTH_OAUTH2_CLIENT_SECRET: oauth.clientSecret,
    AUTH_OAUTH2_SCOPE: 'openid profile email',
    AUTH_OAUTH2_ACCESS_TOKEN_METHOD: 'POST',
    AUTH_OAUTH2_PROVIDER_AUTHORIZATION_ENDPOINT: `${oauth.url}/auth`,
    AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT: `${oauth.url}/token`,
    AUTH_OAUTH2_PROVIDER_USERINFO_ENDPOINT: `${oauth.url}/me`,
    AUTH_OAUTH2_USER_ATTR_MAP: { username: 'preferred_username', name: 'name', email: 'email' },
  })
}

/** Goes to the provider, which knows the browser's user by a name; the address that brings the browser back. */
async function addressFor(provider: Provider, visitor: Visitor, username: string): Promise<string> {
  const login = `${server.url}${pathOf(provider)}/login/`
  const callback = `${server.url}${pathOf(provider)}/callback/`
  if (provider === 'saml2') {
    const left = requestIn((await visitor.open(login)).headers.get('location') ?? '')
    const said = {
      issuer: idp.entityId,
      audience: `${server.url}/core/auth/saml2/login/`,
      recipient: callback,
      destination: callback,
      inResponseTo: left.id,
      nameId: username,
      sessionIndex: 's',
      expires: Date.now() + 60_000,
      attributes: { uid: username },
    }
    const xml = idp.response(said, idp.signed(idp.assertion(said), 'Assertion'))
    const body = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: left.relayState })
    const posted = await fetch(callback, { method: 'POST', redirect: 'manual', body })
    return server.url + posted.headers.get('location')
  }
  if (isChat(provider)) {
    const left = new URL((await visitor.open(login)).headers.get('location') ?? '')
    const query = new URLSearchParams({ code: `for:${username}`, state: left.searchParams.get('state') ?? '' })
    return `${callback}?${query}`
  }
  if (provider === 'cas') cas.user = { name: username }
  else (provider === 'openid' ? oidc : oauth).user = { sub: username, preferred_username: username }
  return (await visitor.follow(login, callback)).url
}

const logs = () =>
  server.context().rawDb.selectFrom('audits_userloginlog').selectAll().orderBy('datetime', 'desc').execute()

/** `in`, the next step of the sign-in, or the reason that the log has. */
async function signIn(provider: Provider, username: string, visitor = new Visitor()): Promise<string> {
  const before = (await logs()).length
  const back = await visitor.open(await addressFor(provider, visitor, username))
  if (back.status !== 302) {
    expect(await back.text()).toContain('"kind":"error"')
    const found = await logs()
    return found.length === before ? 'without a log' : String(found[0]?.reason)
  }
  const next = (await visitor.open(server.url + back.headers.get('location'))).headers.get('location')
  return next === '/' ? 'in' : String(next)
}

let made = 0
async function person(source: string, values: Record<string, unknown> = {}) {
  const username = `${source}-${++made}`
  const { id } = await server.admin.collection('users/users').create({
    ...{ name: username, username, email: `${username}@example.com`, source },
    ...(source === 'local' && { password_strategy: 'custom', password: 'Own-1-password' }),
  })
  await server.context().transaction((ctx) => updateRow(ctx, user, id, { need_update_password: false, ...values }))
  return { id, username }
}

/** What comes out while settings are in force. */
async function during<T>(category: string, values: object, usual: object, work: () => Promise<T>): Promise<T> {
  await change(category, values)
  return work().finally(() => change(category, usual))
}
const limits = 'security_login_limit'

describe.each(providers)('a sign-in with %s', (provider, label) => {
  it('creates the user at the first time, with the source, as a member of the default organization', async () => {
    const username = `new-${provider}`
    const visitor = new Visitor()
    expect(await signIn(provider, username, visitor)).toBe('in')
    expect((await logs())[0]).toMatchObject({ username, backend: label, status: expect.anything(), reason: '' })
    const profile = await (await visitor.open(`${server.url}/api/v1/users/profile/`)).json()
    expect(profile).toMatchObject({ username, source: { value: provider }, is_superuser: false })
    const members = await server.admin.request<object[]>('GET', `/api/v1/users/users/?username=${username}`)
    expect(members).toHaveLength(1)
  })

  it.each([
    ['user_inactive', { is_active: false }],
    ['user_expired', { date_expired: 1 }],
  ])('stops at the state of the user: %s', async (reason, values) => {
    const { username } = await person(provider, values)
    expect(await signIn(provider, username)).toBe(reason)
  })

  it('never is that of a local user or of a component', async () => {
    expect(await signIn(provider, 'admin')).toBe('provider_refused')
    expect(await signIn(provider, (await person('local')).username)).toBe('provider_refused')
    const component = await person(provider, { is_service_account: true })
    expect(await signIn(provider, component.username)).toBe('provider_refused')
  })

  it('stops at a blocked address, without a log', async () => {
    const { username } = await person(provider)
    const blocked = { SECURITY_LOGIN_IP_BLACK_LIST: ['127.0.0.1', '::1'] }
    const usual = { SECURITY_LOGIN_IP_BLACK_LIST: [] }
    expect(await during(limits, blocked, usual, () => signIn(provider, username))).toBe('without a log')
  })

  it('stops at an account that is locked for wrong passwords', async () => {
    const { username } = await person(provider)
    const body = JSON.stringify({ username, password: 'wrong' })
    const headers = { 'content-type': 'application/json' }
    for (let tries = 0; tries < 7; tries++)
      await fetch(`${server.url}/api/v1/authentication/auth/`, { method: 'POST', headers, body })
    expect(await signIn(provider, username)).toBe('without a log')
  })

  it.each([
    ['reject', 'acl_not_allow'],
    ['accept', 'in'],
    ['notice', 'in'],
    ['review', '/core/auth/login/wait-confirm/'],
  ])('follows a login rule: %s', async (action, outcome) => {
    const { id, username } = await person(provider)
    const reviewer = await server.person(`reviewer-${++made}`, { system: [roleIds.user], org: [roleIds.orgUser] })
    const rules = server.admin.collection('acls/login-acls')
    const rule = await rules.create({
      name: `rule ${++made}`,
      users: { type: 'ids', ids: [id] },
      rules: { ip_group: ['*'], time_period: [] },
      action,
      ...(['review', 'notice'].includes(action) ? { reviewers: [reviewer] } : {}),
    })
    const visitor = new Visitor()
    expect(await signIn(provider, username, visitor)).toBe(outcome)
    const isIn = (await visitor.open(`${server.url}/api/v1/users/profile/`)).status === 200
    expect(isIn).toBe(outcome === 'in')
    await rules.delete(rule.id)
  })

  it('waits for the second factor, unless providers are trusted with it', async () => {
    const { username } = await person(provider, { mfa_level: 2 })
    const visitor = new Visitor()
    expect(await signIn(provider, username, visitor)).toBe('/core/auth/login/mfa/')
    expect((await visitor.open(`${server.url}/api/v1/users/profile/`)).status).toBe(401)
    const name = 'SECURITY_MFA_AUTH_ENABLED_FOR_THIRD_PARTY'
    const trusted = during('security_auth', { [name]: false }, { [name]: true }, () => signIn(provider, username))
    expect(await trusted).toBe('in')
  })

  it('creates nobody where only known users may sign in', async () => {
    const { username } = await person(provider)
    const both = async () => [await signIn(provider, `unknown-${provider}`), await signIn(provider, username)]
    const name = 'ONLY_ALLOW_EXIST_USER_AUTH'
    expect(await during(limits, { [name]: true }, { [name]: false }, both)).toEqual(['provider_refused', 'in'])
  })

  it('of a user of another source is possible unless users are kept to their source', async () => {
    const { id, username } = await person('ldap')
    const name = 'ONLY_ALLOW_AUTH_FROM_SOURCE'
    const strict = during(limits, { [name]: true }, { [name]: false }, () => signIn(provider, username))
    expect(await strict).toBe('provider_refused')
    expect(await signIn(provider, username)).toBe('in')
    const kept = await server.admin.request('GET', `/api/v1/users/users/${id}/`)
    expect(kept).toMatchObject({ source: { value: 'ldap' }, name: username })
  })

  it('is not possible while it is off', async () => {
    const setting = `AUTH_${provider.toUpperCase()}`
    const category = provider === 'openid' ? 'oidc' : provider
    const off = during(category, { [setting]: false }, { [setting]: true }, async () => {
      const [login, callback] = ['login', 'callback'].map((page) => fetch(`${server.url}${pathOf(provider)}/${page}/`))
      return [(await login)?.status, (await callback)?.status]
    })
    expect(await off).toEqual([404, 404])
  })
})

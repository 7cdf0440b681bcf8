import { roleIds } from '@castellan/contract/ids'
import { type ChatServer, startChatServer } from '@castellan/testing/chat-server'
import { describeWith } from '@castellan/testing/parts'
import { type Provider, pathOf, type SignInProviders, startProviders } from '@castellan/testing/sign-in-providers'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { updateRow } from '../../../kernel/resource/repository.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { user } from '../../users/index.ts'

/** Every provider × every rule about sign-ins. A provider is a line here, with its part of `sign-in-providers`. */
const providers = [
  ['openid', 'OpenID'],
  ['saml2', 'SAML2'],
  ['cas', 'CAS'],
  ['oauth2', 'OAuth2'],
  ['wecom', 'WeCom'],
  ['dingtalk', 'DingTalk'],
  ['feishu', 'FeiShu'],
] as const satisfies readonly (readonly [Provider, string])[]

let server: TestServer
let chat: ChatServer
let at: SignInProviders

const change = (category: string, values: object) => server.changeSettings(category, values)

beforeAll(async () => {
  server = await startServer()
  chat = await startChatServer()
  const { services, rawDb } = server.context()
  await services.settings.store(rawDb, services.events, chat.addresses)
  await services.settings.load()
  at = await startProviders(server.url, change)
})
afterAll(async () => {
  await server.close()
  await Promise.all([at.stop(), chat.stop()])
})

const logs = () =>
  server.context().rawDb.selectFrom('audits_userloginlog').selectAll().orderBy('datetime', 'desc').execute()

/** `in`, the next step of the sign-in, or the reason that the log has. */
async function signIn(provider: Provider, username: string, visitor = new Visitor()): Promise<string> {
  const before = (await logs()).length
  const back = await visitor.open(await at.addressFor(provider, visitor, username))
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

for (const [provider, label] of providers)
  describeWith('openssl', `a sign-in with ${provider}`, () => {
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
        const [login, callback] = ['login', 'callback'].map((page) =>
          fetch(`${server.url}${pathOf(provider)}/${page}/`),
        )
        return [(await login)?.status, (await callback)?.status]
      })
      expect(await off).toEqual([404, 404])
    })
  })

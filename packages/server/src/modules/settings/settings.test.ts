import { roleIds } from '@castellan/contract/ids'
import type { ApiError } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Sealed } from '../../kernel/security/secrets.ts'
import { settingCatalogue } from '../../kernel/settings/setting-groups.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const path = (category: string) => `/api/v1/settings/setting/?category=${category}`
const inForce = (services: TestServer['application']['services'], name: string): unknown =>
  settingCatalogue.find(name)?.of(services)
const refusal = (call: Promise<unknown>) =>
  call.then(
    (answer) => ({ status: 200, body: answer as Record<string, unknown> }),
    (error: ApiError) => ({ status: error.status, body: error.body as Record<string, unknown> }),
  )

describe('settings', () => {
  it('are stored one by one, take effect at once, and are validated', async () => {
    const { admin } = server
    expect(
      await admin.request('PATCH', path('security_session'), { SECURITY_MAX_IDLE_TIME: 17, nobody_knows: 1 }),
    ).toMatchObject({ SECURITY_MAX_IDLE_TIME: 17, SECURITY_SESSION_SHARE: true })
    expect(await admin.request('GET', '/api/v1/settings/public/')).toMatchObject({ SECURITY_MAX_IDLE_TIME: 17 })
    const wrong = await refusal(admin.request('PATCH', path('security_password'), { SECURITY_PASSWORD_MIN_LENGTH: 3 }))
    expect(wrong).toMatchObject({ status: 400, body: { SECURITY_PASSWORD_MIN_LENGTH: [expect.any(String)] } })
    const missing = await refusal(admin.request('PUT', path('security_password'), {}))
    expect(missing.body).toHaveProperty('SECURITY_PASSWORD_MIN_LENGTH')
    const list = await refusal(
      admin.request('PATCH', path('security_login_limit'), { SECURITY_LOGIN_IP_BLACK_LIST: ['10.0.0.1', 'nonsense'] }),
    )
    expect(list.body).toMatchObject({ SECURITY_LOGIN_IP_BLACK_LIST: { 1: [expect.any(String)] } })
  })

  it('never show a secret, neither in a response nor in the log', async () => {
    const { admin } = server
    const answer = await admin.request('PATCH', path('ldap'), { AUTH_LDAP_BIND_PASSWORD: 'hush-hush' })
    expect(answer).not.toHaveProperty('AUTH_LDAP_BIND_PASSWORD')
    await admin.request('PATCH', path('ldap'), { AUTH_LDAP_BIND_PASSWORD: '' })
    const { services } = server.application
    expect(services.vault.open(inForce(services, 'AUTH_LDAP_BIND_PASSWORD') as Sealed)).toBe('hush-hush')
    const entries = await server.context().acrossOrganizations.selectFrom('audits_operatelog').selectAll().execute()
    expect(entries.some((entry) => String(entry.resource).includes('AUTH_LDAP_BIND_PASSWORD'))).toBe(true)
    expect(JSON.stringify(entries)).not.toContain('hush-hush')
  })

  it('lead the tests of mail and directory to no address of a cloud’s own credentials', async () => {
    const host = '169.254.169.254'
    await server.changeSettings('email', { EMAIL_HOST: host, EMAIL_PORT: '25', EMAIL_HOST_USER: 'u@a.b' })
    const mail = await refusal(server.admin.request('POST', '/api/v1/settings/mail/testing/', {}))
    expect(mail).toMatchObject({ status: 400, body: { error: expect.stringContaining('not asked') } })
    const directory = await server.admin.request('POST', '/api/v1/settings/ldap/testing/config/', {
      ...{ AUTH_LDAP_SERVER_URI: `ldap://${host}`, AUTH_LDAP_BIND_DN: 'cn=a', AUTH_LDAP_BIND_PASSWORD: 'b' },
      ...{ AUTH_LDAP_SEARCH_OU: 'ou=x', AUTH_LDAP_SEARCH_FILTER: '(uid=%(user)s)' },
      AUTH_LDAP_USER_ATTR_MAP: { username: 'uid', name: 'cn', email: 'mail' },
    })
    expect(directory).toMatchObject({
      start_time: expect.any(Number),
      resp: { status: 400, data: expect.stringContaining('must begin with') },
    })
  })

  it('say of a vault that nobody set up that the database holds the secrets', async () => {
    const tested = await server.admin.request<{ msg: string }>('POST', '/api/v1/settings/vault/testing/', {})
    expect(tested.msg).toContain('database')
    const moved = await server.admin.request<{ task: string }>('POST', '/api/v1/settings/vault/sync/')
    expect(moved.task).toMatch(/^[0-9a-f-]{36}$/)
    const half = await refusal(
      server.admin.request('POST', '/api/v1/settings/vault/testing/', { VAULT_HCP_TOKEN: 'x' }),
    )
    expect(half.status).toBe(400)
  })

  it('need the permission of their category, also for OPTIONS', async () => {
    const user = await server.as(await server.person('plain', { system: [roleIds.user] }))
    for (const method of ['GET', 'OPTIONS', 'PATCH'])
      expect([
        method,
        (await refusal(user.request(method, path('security'), method === 'PATCH' ? {} : undefined))).status,
      ]).toEqual([method, 403])
  })

  it('have one active protection of the sign-in page, and ask for a code there of everyone or no user', async () => {
    const change = (body: Record<string, unknown>) =>
      server.admin.request<Record<string, unknown>>('PATCH', path('security_auth'), body)
    const of = ({ SECURITY_LOGIN_CHALLENGE_ENABLED, SECURITY_MFA_IN_LOGIN_PAGE, ...rest }: Record<string, unknown>) => [
      SECURITY_LOGIN_CHALLENGE_ENABLED,
      SECURITY_MFA_IN_LOGIN_PAGE,
      rest.SECURITY_LOGIN_CAPTCHA_ENABLED,
    ]
    expect(of(await change({}))).toEqual([false, false, true])
    expect(of(await change({ SECURITY_MFA_IN_LOGIN_PAGE: true }))).toEqual([false, false, true])
    const everybody = { SECURITY_MFA_IN_LOGIN_PAGE: true, SECURITY_MFA_AUTH: 1 }
    expect(of(await change(everybody))).toEqual([false, true, false])
    expect(of(await change({ SECURITY_LOGIN_CHALLENGE_ENABLED: true }))).toEqual([true, false, false])
    expect(of(await server.admin.request('GET', path('security_auth')))).toEqual([true, false, false])
    await change({ SECURITY_LOGIN_CHALLENGE_ENABLED: false, SECURITY_MFA_IN_LOGIN_PAGE: false, SECURITY_MFA_AUTH: 0 })
  })

  it('have a type and a label in OPTIONS, for every method, in their category', async () => {
    type Told = { actions: Record<string, Record<string, { type: string; label: string }>> }
    for (const [name, category] of settingCatalogue.categories) {
      const settings = category.settings.map((setting) => setting.name)
      const { actions } = await server.admin.request<Told>('OPTIONS', path(name))
      expect([name, Object.keys(actions).sort()]).toEqual([name, ['GET', 'PATCH', 'PUT']])
      for (const fields of Object.values(actions)) {
        expect([name, Object.keys(fields)]).toEqual([name, settings])
        for (const field of Object.values(fields))
          expect(field).toMatchObject({ type: expect.any(String), label: expect.any(String) })
      }
    }
  })

  it('accept complete addresses only, and lists up to their limit', async () => {
    const short = await refusal(
      server.admin.request('PATCH', path('security_login_limit'), { SECURITY_LOGIN_IP_WHITE_LIST: ['10.0.0', '::1'] }),
    )
    expect(short.body).toEqual({ SECURITY_LOGIN_IP_WHITE_LIST: { 0: [expect.stringContaining('10.0.0')] } })
    const long = { AUTH_LDAP_SYNC_ORG_IDS: Array(37).fill('x') }
    expect((await refusal(server.admin.request('PATCH', path('ldap'), long))).status).toBe(400)
  })
})

describe('choices', () => {
  it('keep the order in which they are declared, words before numbers', async () => {
    await using server = await startServer()
    const { actions } = await server.admin.request<{
      actions: { PUT: Record<string, { choices: { value: string }[] }> }
    }>('OPTIONS', path('terminal'))
    const sizes = actions.PUT.TERMINAL_ASSET_LIST_PAGE_SIZE?.choices.map(({ value }) => value)
    expect(sizes).toEqual(['all', 'auto', '10', '15', '25', '50'])
  })
})

describe('the environment', () => {
  it('sets where the source of the installation is published', async () => {
    const told = await server.admin.request('GET', '/api/v1/settings/public/')
    expect(told).toMatchObject({ SOURCE_URL: 'https://git.example.org/castellan' })
  })

  const startWith = async (env: Record<string, string>, options: Parameters<typeof startServer>[0] = {}) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    return startServer(options).finally(() => vi.unstubAllEnvs())
  }
  const set = {
    SECURITY_MAX_IDLE_TIME: '12',
    SECURITY_WATERMARK_ENABLED: 'off',
    SECURITY_LOGIN_IP_BLACK_LIST: '192.0.2.1, 192.0.2.0/28',
    AUTH_LDAP_USER_ATTR_MAP: '{"username": "uid"}',
    SITE_URL: 'https://castellan.example/',
    EMAIL_HOST_PASSWORD: 'mail-secret',
    EMAIL_HOST: '',
    LICENSE: 'not a setting of the contract',
  }

  it('replaces the default of a setting, in its type, until another value is stored', async () => {
    await using configured = await startWith(set)
    const { admin, application } = configured
    const { vault } = application.services
    expect(await admin.request('GET', path('security_session'))).toMatchObject({
      SECURITY_MAX_IDLE_TIME: 12,
      SECURITY_WATERMARK_ENABLED: false,
      SECURITY_MAX_SESSION_TIME: 24,
    })
    expect(await admin.request('GET', path('security_login_limit'))).toMatchObject({
      SECURITY_LOGIN_IP_BLACK_LIST: ['192.0.2.1', '192.0.2.0/28'],
    })
    expect(await admin.request('GET', path('ldap'))).toMatchObject({ AUTH_LDAP_USER_ATTR_MAP: { username: 'uid' } })
    expect(await admin.request('GET', path('basic'))).toMatchObject({ SITE_URL: 'https://castellan.example' })
    expect(await admin.request('GET', path('email'))).toMatchObject({ EMAIL_HOST: null })
    expect(inForce(application.services, 'LICENSE')).not.toBe(set.LICENSE)

    const secret = inForce(application.services, 'EMAIL_HOST_PASSWORD') as Sealed
    expect([JSON.stringify({ secret }).includes('mail-secret'), vault.open(secret)]).toEqual([false, 'mail-secret'])

    await admin.request('PATCH', path('security_session'), { SECURITY_MAX_IDLE_TIME: 17 })
    expect(inForce(application.services, 'SECURITY_MAX_IDLE_TIME')).toBe(17)
  })

  it('sets the maximum page size and the session lifetime', async () => {
    await using configured = await startWith({ MAX_LIMIT_PER_PAGE: '3', SESSION_COOKIE_AGE: '7200' })
    const { admin, url, adminPassword } = configured
    const platforms = await admin.request<{ results: unknown[]; next: string }>(
      'GET',
      '/api/v1/assets/platforms/?limit=50',
    )
    expect([platforms.results.length, new URL(platforms.next).searchParams.get('limit')]).toEqual([3, '3'])
    const page = await fetch(`${url}/core/auth/login/`)
    const cookies = new Map<string, string>()
    const keep = (answer: Response) => {
      for (const one of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? []
        cookies.set(name, value)
      }
    }
    keep(page)
    const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const signedIn = await fetch(`${url}/core/auth/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookie() },
      body: new URLSearchParams({
        username: 'admin',
        password: adminPassword,
        csrfmiddlewaretoken: cookies.get('jms_csrftoken') ?? '',
      }),
    })
    keep(signedIn)
    const guard = new URL(signedIn.headers.get('location') ?? '', url)
    const opened = await fetch(guard, { redirect: 'manual', headers: { cookie: cookie() } })
    expect(opened.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^jms_session_expire=.*Max-Age=7200/))
  })

  it.each([
    ['SESSION_COOKIE_AGE', '1', /^SESSION_COOKIE_AGE in the environment is invalid: .*60/],
    ['SECURITY_MAX_IDLE_TIME', 'soon', 'SECURITY_MAX_IDLE_TIME must be a whole number, not "soon".'],
    ['SECURITY_WATERMARK_ENABLED', 'perhaps', 'SECURITY_WATERMARK_ENABLED must be true or false, not "perhaps".'],
    ['AUTH_LDAP_USER_ATTR_MAP', '{username}', 'AUTH_LDAP_USER_ATTR_MAP must be JSON, not "{username}".'],
    ['SECURITY_MAX_IDLE_TIME', '0', /^SECURITY_MAX_IDLE_TIME in the environment is invalid: .*1/],
    ['SECURITY_LOGIN_IP_BLACK_LIST', '10.0.0', /^SECURITY_LOGIN_IP_BLACK_LIST in the environment .*10\.0\.0/],
    ['TERMINAL_ASSET_LIST_SORT_BY', 'color', /^TERMINAL_ASSET_LIST_SORT_BY in the environment .*color/],
  ])('with %s of %s stops the start with a sentence', async (name, value, sentence) => {
    await expect(startWith({ [name]: value })).rejects.toThrow(sentence)
  })
})

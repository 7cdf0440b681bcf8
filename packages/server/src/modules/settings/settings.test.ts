import { roleIds } from '@castellan/contract/ids'
import type { ApiError } from '@castellan/testing/client'
import { startServer, type TestServer } from '@castellan/testing/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const path = (category: string) => `/api/v1/settings/setting/?category=${category}`
const refusal = (call: Promise<unknown>) =>
  call.then(
    (answer) => ({ status: 200, body: answer as Record<string, unknown> }),
    (error: ApiError) => ({ status: error.status, body: error.body as Record<string, unknown> }),
  )

describe('settings', () => {
  it('are stored one by one, in force at once, and checked against their limits', async () => {
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

  it('never show a secret, neither in an answer nor in the log', async () => {
    const { admin } = server
    const answer = await admin.request('PATCH', path('ldap'), { AUTH_LDAP_BIND_PASSWORD: 'hush-hush' })
    expect(answer).not.toHaveProperty('AUTH_LDAP_BIND_PASSWORD')
    await admin.request('PATCH', path('ldap'), { AUTH_LDAP_BIND_PASSWORD: '' })
    const { services } = server.application
    expect(services.vault.open(services.settings.get('AUTH_LDAP_BIND_PASSWORD'))).toBe('hush-hush')
    const entries = await server.context().unscoped.selectFrom('audits_operatelog').selectAll().execute()
    expect(entries.some((entry) => String(entry.resource).includes('AUTH_LDAP_BIND_PASSWORD'))).toBe(true)
    expect(JSON.stringify(entries)).not.toContain('hush-hush')
  })

  it('need the right of their category, to read and to describe as well', async () => {
    const person = await server.as(await server.person('plain', { system: [roleIds.user] }))
    for (const method of ['GET', 'OPTIONS', 'PATCH'])
      expect([
        method,
        (await refusal(person.request(method, path('security'), method === 'PATCH' ? {} : undefined))).status,
      ]).toEqual([method, 403])
  })

  it('let one of the hindrances at the sign-in page count, and ask a code there of everybody or nobody', async () => {
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

  it('take whole addresses only, and lists as long as they may be', async () => {
    const short = await refusal(
      server.admin.request('PATCH', path('security_login_limit'), { SECURITY_LOGIN_IP_WHITE_LIST: ['10.0.0', '::1'] }),
    )
    expect(short.body).toEqual({ SECURITY_LOGIN_IP_WHITE_LIST: { 0: [expect.stringContaining('10.0.0')] } })
    const long = { AUTH_LDAP_SYNC_ORG_IDS: Array(37).fill('x') }
    expect((await refusal(server.admin.request('PATCH', path('ldap'), long))).status).toBe(400)
  })
})

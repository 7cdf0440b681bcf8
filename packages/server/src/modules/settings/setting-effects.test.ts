import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { roleIds } from '@castellan/contract/ids'
import { type ApiError, type Client, confirmed } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../kernel/module/context.ts'
import { type Setting, settingCatalogue } from '../../kernel/settings/setting-groups.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

/**
 * Settings that nothing reads yet, by what is missing; changes are rejected with the reason. The lists may only shrink:
 * whoever builds a part removes its settings here and from `unavailable` of their group.
 */
const withoutEffect: Readonly<Record<string, readonly string[]>> = {
  oidc_state: ['AUTH_OPENID_USE_STATE'],
  terminal_secrets: ['SECURITY_LUNA_REMEMBER_AUTH'],
  command_alerts: ['SECURITY_INSECURE_COMMAND'],
}
const isWithoutEffect = (name: string) =>
  Object.values(withoutEffect)
    .flat()
    .some((one) => (one.endsWith('_') ? name.startsWith(one) : name === one))

/** Secrets that are sent to no address of the settings, and why. */
const withoutAddress: Readonly<Record<string, string>> = {
  SAML2_SP_KEY_CONTENT: 'signs here',
  SAML2_SP_CERT_CONTENT: 'is public',
  ALIBABA_ACCESS_KEY_SECRET: 'signs here, and the address is that of the environment',
  TENCENT_SECRET_KEY: 'signs here, and the address is that of the environment',
  WECOM_SECRET: 'the address is that of the environment',
  DINGTALK_APPSECRET: 'the address is that of the environment',
  FEISHU_APP_SECRET: 'the addresses are those of the environment',
}

/** Another valid value, where the type does not say one. */
const samples: Readonly<Record<string, unknown>> = {
  AUTH_LDAP_USER_ATTR_MAP: { username: 'uid', name: 'cn', email: 'mail' },
  AUTH_LDAP_SYNC_CRONTAB: '0 4 * * *',
  AUTH_OAUTH2_LOGO_PATH: '/media/settings/AUTH_OAUTH2_LOGO_PATH-0.png',
  ANNOUNCEMENT: { SUBJECT: 'Tonight', CONTENT: 'Maintenance', LINK: '' },
  SECURITY_MFA_IN_LOGIN_PAGE: undefined,
  SMS_TEST_PHONE: '+8613800000000',
  CMPP2_VERIFY_TEMPLATE_CODE: 'Your code is {code}',
  CUSTOM_SMS_API_PARAMS: { to: '{phone_numbers}', text: '{code}' },
  VAULT_HCP_HOST: 'https://vault.example.com:8200',
  EMAIL_SUFFIX: 'other.example',
}

function otherValue(ctx: Context, { name, field }: Setting, now: unknown): unknown {
  if (name in samples) return samples[name]
  const info = field.meta?.(ctx, {}) as { min_value?: number; max_value?: number } | undefined
  switch (field.type) {
    case 'boolean':
      return now !== true
    case 'integer':
      return now === info?.min_value ? Number(now) + 1 : (info?.min_value ?? Number(now ?? 0) + 1)
    case 'choice':
      return field.values?.find((value) => value !== now && value !== '')
    case 'list':
      return ['10.0.0.1']
    case 'url':
      return 'https://other.example'
    case 'json':
      return { other: 'value' }
    default:
      return /_(URL|ENDPOINT|PROXIED_AS)$/.test(name) ? 'https://other.example' : 'other'
  }
}

const categoriesOf = (): [string, Setting][] =>
  [...settingCatalogue.categories].flatMap(([category, { settings }]) =>
    settings.map((setting): [string, Setting] => [category, setting]),
  )

/** The code that reads settings: everything but their declarations, tests and texts. */
function readingCode(): string {
  const root = join(import.meta.dirname, '../../../..')
  const menus = readFileSync(join(root, 'contract/src/routes.ts'), 'utf8')
  const files = ['server', 'gateway', 'console'].flatMap((name) =>
    readdirSync(join(root, name, 'src'), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          /\.tsx?$/.test(file) && !/\.test\.|settings[^/]*\.ts$|\/settings\/(groups|setting-routes)\.ts$/.test(file),
      )
      .filter((file) => !file.startsWith('screens/settings/'))
      .map((file) => readFileSync(join(root, name, 'src', file), 'utf8')),
  )
  return [menus, ...files].join('\n')
}

describe('every setting', () => {
  let server: TestServer
  let sure: Client
  beforeAll(async () => {
    server = await startServer()
    sure = await confirmed(server.admin, server.adminPassword)
  })
  afterAll(() => server.close())

  const path = (category: string, what = '') => `/api/v1/settings/setting/${what}?category=${category}`
  const patch = (category: string, values: object) =>
    sure.request<Record<string, unknown>>('PATCH', path(category), values).then(
      (body) => ({ status: 200, body }),
      ({ status, body }: ApiError) => ({ status, body: body as Record<string, unknown> }),
    )

  it('is read by code, or is on a list of those without effect', () => {
    const code = readingCode()
    const names = [...new Set(categoriesOf().map(([, { name }]) => name))]
    const unread = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))
    const secretsRead = ['EMAIL_HOST_PASSWORD']
    expect(unread.filter((name) => !isWithoutEffect(name) && !secretsRead.includes(name))).toEqual([])
    const always = (name: string) => typeof settingCatalogue.find(name)?.unavailable === 'object'
    const declared = names.filter(always)
    expect(declared.filter((name) => !isWithoutEffect(name))).toEqual([])
    expect(names.filter((name) => isWithoutEffect(name) && !declared.includes(name))).toEqual([])
  })

  it('takes effect at once and can be reset, or keeps its value and says why', async () => {
    for (const [category, setting] of categoriesOf()) {
      const { name, field, secret } = setting
      const unavailable = setting.reasonWithoutEffect(server.context().services.config)
      const before = (await server.admin.request<Record<string, unknown>>('GET', path(category)))[name]
      const value = secret ? 'new-secret' : otherValue(server.context(), setting, before)
      if (value === undefined || field.readOnly) continue
      const answer = await patch(category, { [name]: value })
      const where = `${category} ${name}`
      if (unavailable) {
        expect([where, answer.status, answer.body[name]]).toEqual([where, 400, [unavailable.en]])
        continue
      }
      expect([where, answer.status, answer.body]).toEqual([where, 200, expect.anything()])
      const state = await server.admin.request<{ stored: object; secrets: string[] }>('GET', path(category, 'state/'))
      expect([where, Object.keys(state.stored)]).toEqual([where, expect.arrayContaining([name])])
      if (secret) expect(state.secrets).toContain(name)
      await sure.request('POST', path(category, 'reset/'), { names: [name] })
      const after = await server.admin.request<Record<string, unknown>>('GET', path(category))
      expect([where, after[name]]).toEqual([where, before])
    }
    const logged = JSON.stringify(
      await server.context().acrossOrganizations.selectFrom('audits_operatelog').selectAll().execute(),
    )
    expect(logged).not.toContain('new-secret')
    expect(logged).toContain('AUTH_LDAP_BIND_PASSWORD')
  })

  it('that is a secret does not go to another address than the one it was entered for', async () => {
    const secrets = categoriesOf().filter(([, { secret }]) => secret)
    const unbound = secrets.filter(([, { sentTo }]) => sentTo.length === 0).map(([, { name }]) => name)
    expect(unbound.filter((name) => !(name in withoutAddress))).toEqual([])
    for (const [category, { name, sentTo }] of secrets.filter(([, setting]) => setting.sentTo.length > 0)) {
      await patch(category, { [name]: 'kept-secret' })
      const own = settingCatalogue.categories.get(category)?.settings ?? []
      const values = await server.admin.request<Record<string, unknown>>('GET', path(category))
      for (const address of own.filter((one) => sentTo.includes(one.name))) {
        const other = otherValue(server.context(), address, values[address.name])
        const { status, body } = await patch(category, { [address.name]: other })
        const where = `${category} ${address.name}`
        expect([where, status, body[name]]).toEqual([where, 400, [expect.any(String)]])
      }
      await sure.request('POST', path(category, 'reset/'), { names: [name] })
    }
  })

  it('is reset by nobody without the permission of its category, and only in its own category', async () => {
    const stranger = await server.as(await server.person('settings-stranger', { system: [roleIds.user] }))
    for (const [method, what] of [
      ['GET', 'state/'],
      ['POST', 'reset/'],
    ] as const) {
      const body = method === 'POST' ? { names: ['SITE_URL'] } : undefined
      await expect(stranger.request(method, path('basic', what), body)).rejects.toMatchObject({ status: 403 })
    }
    const foreign = server.admin.request('POST', path('basic', 'reset/'), { names: ['LICENSE_PUBLIC_KEY'] })
    await expect(foreign).rejects.toMatchObject({ status: 400 })
  })
})

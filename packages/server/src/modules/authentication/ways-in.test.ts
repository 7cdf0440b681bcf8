import { roleIds } from '@castellan/contract/ids'
import { Visitor } from '@castellan/testing/visitor'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectModules, defineModule } from '../../kernel/module/module.ts'
import { insertRow, updateRow } from '../../kernel/resource/repository.ts'
import type { SecondFactor } from '../../kernel/security/sign-in.ts'
import { modules } from '../../modules.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { digestOf, signedHeaders } from '../../testing/signed-request.ts'
import { user } from '../users/index.ts'
import { passkey } from './passkeys/passkey.ts'

const named = (text: string) => ({ en: text, zh: text, ja: text })

/** A factor in use that is no authenticator app: for a text message, a passkey or a code of RADIUS. */
const word: SecondFactor = {
  name: 'word',
  label: named('Word'),
  placeholder: named('The word'),
  isEnabled: () => true,
  isActive: ({ username }) => username.startsWith('guarded'),
  check: async (_ctx, _account, code) => code === 'sesame',
}

let server: TestServer
beforeAll(async () => {
  connectModules([...modules, defineModule({ app: 'ways', identity: { factors: [word] } })])
  server = await startServer()
})
afterAll(async () => {
  await server.close()
  connectModules(modules)
})

const password = 'Own-1-password'
const [ssh, otherSsh] = [
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGlXRcMcXd5GVzJoSXyh0gN9eSS9W0jRWnL+H8lBNQdN one',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g two',
]

interface Person {
  readonly id: string
  readonly username: string
  readonly passkeyId: string
}

let made = 0
/** An administrator with every way in. Newcomers by the mark that nobody has cleared yet: exemptions must not apply. */
async function administrator(prefix = 'guarded', values: object = {}): Promise<Person> {
  const username = `${prefix}-${++made}`
  const { id } = await server.admin.collection('users/users').create({
    ...{ name: username, username, email: `${username}@example.com`, password_strategy: 'custom', password },
    ...{ system_roles: [roleIds.systemAdmin], org_roles: [roleIds.orgAdmin], need_update_password: false },
  })
  const passkeyId = await server.context().transaction(async (ctx) => {
    const more = {
      mfa_level: 1 as const,
      public_key: ssh,
      phone: '+8613800138000',
      wecom_id: `of-${username}`,
      ...values,
    }
    await updateRow(ctx, user, id, more)
    const key = { name: 'key', platform: 'Key', credential_id: username, public_key: 'x', counter: 0, transports: '' }
    return (await insertRow(ctx, passkey, { ...key, user_id: id })).id
  })
  return { id, username, passkeyId }
}

/** Everything that proves who somebody is. */
async function waysOf({ id }: Person): Promise<string> {
  const db = server.context().rawDb
  const row = await db.selectFrom('users_user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { last_login: _login, date_updated: _updated, date_api_key_last_used: _used, updated_by: _by, ...kept } = row
  const own = (table: string) => db.selectFrom(table).selectAll().where('user_id', '=', id).orderBy('id').execute()
  const keys = await own('authentication_accesskey')
  return JSON.stringify([kept, await own('authentication_passkey'), keys.map((key) => key.id)])
}

interface Answer {
  status: number
  location: string
  text: string
}
type Send = (method: string, path: string, body?: object) => Promise<Answer>

function browser(): { send: Send; visitor: Visitor } {
  const visitor = new Visitor()
  const send: Send = async (method, path, body) => {
    const headers = { 'x-csrftoken': visitor.cookie(server.url, 'jms_csrftoken') ?? '', 'accept-language': 'en' }
    const answer = await visitor.open(server.url + path, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const location = answer.headers.get('location') ?? ''
    return { status: answer.status, location, text: await answer.text() }
  }
  return { send, visitor }
}

async function typed({ username }: Person): Promise<Send> {
  const { send } = browser()
  await send('GET', '/core/auth/login/')
  const { location } = await send('POST', '/core/auth/login/', { username, password })
  expect(location).toMatch('/core/auth/login/guard/')
  return send
}

async function signedIn(person: Person): Promise<Send> {
  const send = await typed(person)
  if (person.username.startsWith('guarded')) {
    await send('GET', '/core/auth/login/mfa/')
    await send('POST', '/core/auth/login/mfa/', { mfa_type: 'word', code: 'sesame' })
  }
  await send('GET', '/core/auth/login/guard/')
  return send
}

const verifyPath = '/core/auth/password/verify/'
const confirmation = { confirm_type: 'password', mfa_type: 'word', secret_key: 'sesame' }

async function byToken(person: Person): Promise<Send> {
  const { token } = await server.as(person.id)
  const { visitor } = browser()
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body ? { body: JSON.stringify(body) } : {}
    const answer = await visitor.open(server.url + path, { method, headers, ...sent })
    return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() }
  }
}

async function byAccessKey(person: Person): Promise<Send> {
  const { createAccessKey } = await import('./access-key.ts')
  const { row, secret } = await server.context().transaction((ctx) => createAccessKey(ctx, person.id))
  return async (method, path, body) => {
    const sent = body ? JSON.stringify(body) : ''
    const more = { digest: digestOf(sent) }
    const signing = { names: '(request-target) date digest', more }
    const headers = {
      ...signedHeaders({ id: row.id, secret }, method, path, signing),
      'content-type': 'application/json',
    }
    const answer = await fetch(server.url + path, { method, headers, ...(body ? { body: sent } : {}) })
    return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() }
  }
}

/** In every one of these states a change of a way in is refused. */
const unproven: Readonly<Record<string, (person: Person) => Promise<Send>>> = {
  'nobody is signed in': async () => browser().send,
  'the password was given and the factor is due': typed,
  'the factor is due in a jar of the API': async ({ username }) => {
    const { send } = browser()
    await send('POST', '/api/v1/authentication/auth/', { username, password })
    return send
  },
  'the factor was passed and nothing confirmed': signedIn,
  'the factor was passed and only the password given again': async (person) => {
    const send = await signedIn(person)
    await send('POST', `${verifyPath}?next=/ui/`, { password })
    await send('POST', '/api/v1/authentication/confirm/', { confirm_type: 'password', secret_key: password })
    await send('POST', '/api/v1/authentication/password/verify/', { password })
    return send
  },
  'a token was found': byToken,
  'an access key was found': byAccessKey,
}

const proven: Readonly<Record<string, (person: Person) => Promise<Send>>> = {
  'a browser has confirmed': async (person) => {
    const send = await signedIn(person)
    const { location } = await send('POST', `${verifyPath}?next=/ui/`, { mfa_type: 'word', code: 'sesame' })
    expect(location).toBe('/ui/')
    return send
  },
  'the jar of a token has confirmed': async (person) => {
    const send = await byToken(person)
    expect((await send('POST', '/api/v1/authentication/confirm/', confirmation)).status).toBe(200)
    return send
  },
}

const api = '/api/v1/'
const whole = ({ username }: Person) => ({ name: username, username, email: `${username}@example.com` })

/** How a way in is changed, by the operation it uses. `pages`: by browsers only. */
interface Change {
  readonly uses: string
  readonly pages?: true
  readonly run: (send: Send, person: Person) => Promise<unknown>
}

const ownFields = { phone: '+8613900139000', mfa_level: 0, public_key: otherSsh }
const asAdministrator = { ...ownFields, email: 'email', password: 'Other-1-password', source: 'ldap' }

const mailed = ({ id }: Person, value: unknown) => (value === 'email' ? `elsewhere-${id}@example.com` : value)

async function bind(send: Send): Promise<Answer> {
  const path = '/core/auth/profile/otp/enable/bind/'
  const { text } = await send('GET', path)
  const secret = /"secret":"([A-Z2-7]+)"/.exec(text)?.[1]
  return send('POST', path, { otp_code: secret ? generateSync({ secret }) : '000000' })
}

const passwords = { old_password: password, new_password: 'Other-1-password', new_password_again: 'Other-1-password' }

const changes: readonly Change[] = [
  ...(['PUT', 'PATCH'] as const).flatMap((method) => [
    ...Object.entries(ownFields).map(([name, value]) => ({
      uses: `${method} ${api}users/profile/`,
      run: (send: Send) => send(method, `${api}users/profile/`, { [name]: value }),
    })),
    ...Object.entries(asAdministrator).map(([name, value]) => ({
      uses: `${method} ${api}users/users/:id/`,
      run: (send: Send, person: Person) =>
        send(method, `${api}users/users/${person.id}/`, {
          ...whole(person),
          mfa_level: 1,
          [name]: mailed(person, value),
        }),
    })),
    {
      uses: `${method} ${api}users/users/`,
      run: (send: Send, person: Person) =>
        send(method, `${api}users/users/`, [{ id: person.id, ...whole(person), phone: ownFields.phone }]),
    },
    {
      uses: `${method} ${api}users/profile/password/`,
      run: (send: Send) => send(method, `${api}users/profile/password/`, passwords),
    },
    {
      uses: `${method} ${api}users/profile/public-key/`,
      run: (send: Send) => send(method, `${api}users/profile/public-key/`, { public_key: otherSsh }),
    },
    ...['password', 'password/reset', 'pubkey/reset'].map((action) => ({
      uses: `${method} ${api}users/users/:id/${action}/`,
      run: (send: Send, person: Person) =>
        send(method, `${api}users/users/${person.id}/${action}/`, { ...whole(person), password: 'Other-1-password' }),
    })),
    {
      uses: `${method} ${api}authentication/passkeys/:id/`,
      run: (send: Send, { passkeyId }: Person) =>
        send(method, `${api}authentication/passkeys/${passkeyId}/`, { is_active: false }),
    },
  ]),
  {
    uses: `DELETE ${api}authentication/passkeys/:id/`,
    run: (send, { passkeyId }) => send('DELETE', `${api}authentication/passkeys/${passkeyId}/`),
  },
  {
    uses: `POST ${api}authentication/access-keys/`,
    run: (send) => send('POST', `${api}authentication/access-keys/`, {}),
  },
  {
    uses: `POST ${api}authentication/wecom/qr/unbind/`,
    run: (send) => send('POST', `${api}authentication/wecom/qr/unbind/`, {}),
  },
  {
    uses: `POST ${api}authentication/wecom/qr/unbind/:user/`,
    run: (send, { id }) => send('POST', `${api}authentication/wecom/qr/unbind/${id}/`, {}),
  },
  { uses: 'POST /core/auth/profile/otp/enable/bind/', pages: true, run: bind },
  {
    uses: 'GET /core/auth/profile/pubkey/generate/',
    pages: true,
    run: (send) => send('GET', '/core/auth/profile/pubkey/generate/'),
  },
]

describe('a way in', () => {
  it.each(Object.keys(unproven))('is not changed where %s', async (state) => {
    const person = await administrator()
    const send = (await unproven[state]?.(person)) as Send
    const before = await waysOf(person)
    const passed: string[] = []
    for (const { uses, run } of changes) {
      await run(send, person)
      if ((await waysOf(person)) !== before) passed.push(uses)
    }
    expect(passed).toEqual([])
  })

  it.each(Object.keys(proven))('is changed where %s', async (state) => {
    const failed: unknown[] = []
    for (const { uses, pages, run } of changes) {
      if (uses.startsWith('PUT') || (pages && !state.includes('browser'))) continue
      const person = await administrator()
      const send = (await proven[state]?.(person)) as Send
      const before = await waysOf(person)
      const answer = await run(send, person)
      if ((await waysOf(person)) === before) failed.push([uses, answer])
    }
    expect(failed).toEqual([])
  })
})

/** Operations beside those above, and why none of them changes a way in of who calls it. */
const others: readonly (readonly [RegExp, string])[] = [
  [/^\S+ \/api\/v1\/users\/(groups|users-groups-relations|preference|service-account-registrations)\//, 'no users'],
  [/^\S+ \/api\/v1\/(authentication|users)\/(super-)?connection-token\//, 'access to assets'],
  [/^POST \S+render-to-json\/$/, 'reads a file'],
  [/^(POST|DELETE) \/api\/v1\/users\/users\/(:id\/)?((remove|invite)\/)?$/, 'creates, removes: no change of oneself'],
  [/^\S+ \/api\/v1\/users\/users\/:id\/unblock\/$/, 'ends a block'],
  [/^\S+ \/api\/v1\/users\/users\/:id\/provider-identity\/unbind\/$/, 'confirmed as the other actions on oneself'],
  [
    /^POST \/api\/v1\/authentication\/(auth|tokens|confirm|mfa\/\w+|mfa\/send-code|password\/verify)\/$/,
    'the proof itself',
  ],
  [/^POST \/api\/v1\/authentication\/password\/reset-code\/$/, 'a code to the address that is there'],
  [/^POST \/api\/v1\/authentication\/passkeys\/(auth\/)?(register\/)?$/, 'confirmed and proved in passkeys.test.ts'],
  [/^\S+ \/api\/v1\/authentication\/access-keys\/:id\/$/, 'a wider use of a key is confirmed, see step-up.test.ts'],
  [/^\S+ \/api\/v1\/authentication\/temp-tokens\//, 'a password for minutes, good for no confirmation'],
  [/^POST \/api\/v1\/authentication\/sso\/login-url\/$/, 'a link for others, by system administrators'],
  [/^DELETE \/api\/v1\/authentication\/login-confirm-ticket\/status\/$/, 'gives up a sign-in'],
  [/^POST \/api\/v1\/authentication\/(dingtalk|feishu)\/qr\/unbind\/(:user\/)?$/, 'as that of WeCom'],
  [/^POST \/api\/v1\/authentication\/feishu\/event\/subscription\/callback\/$/, 'answers with the body'],
  [/^\S+ \/core\/auth\/(login|logout|captcha|password|callback)\//, 'the sign-in itself, and recovery by codes'],
  [/^GET \/core\/auth\/login\/$/, 'the sign-in itself'],
  [/^GET \/core\/auth\/profile\/(mfa|otp\/enable\/(start|install-app|bind)|otp\/disable)\/$/, 'shows a page'],
  [/^POST \/core\/auth\/profile\/otp\/disable\/$/, 'asks for the code that it removes'],
  [/^\S+ \/core\/auth\/(wecom|dingtalk|feishu)\/(qr\/)?bind\//, 'confirmed, see chats.test.ts'],
  [/^\S+ \/core\/auth\/[\w/:-]+?\/(login|callback|logout|metadata|backchannel-logout)\/$/, 'providers'],
]

it('has a decision for every operation on users, keys, factors and sign-ins', () => {
  const known = new Set(changes.map(({ uses }) => uses))
  const undecided = server.application.routes
    .flatMap(({ method, path }) => [method].flat().map((one) => `${one} ${path}`))
    .filter((one) => /^\S+ (\/api\/v1\/(users|authentication)\/|\/core\/auth\/)/.test(one))
    .filter((one) => !one.startsWith('GET /api/'))
    .filter((one) => !known.has(one) && !others.some(([pattern]) => pattern.test(one)))
  expect([...new Set(undecided)]).toEqual([])
})

describe('a first factor', () => {
  const enrolled = async ({ id }: Person) => {
    const db = server.context().rawDb
    const row = await db.selectFrom('users_user').select('otp_secret').where('id', '=', id).executeTakeFirstOrThrow()
    return row.otp_secret !== null
  }
  const newcomer = () => administrator('plain', { mfa_level: 2, phone: null, wecom_id: null })

  it('is set up in the middle of a sign-in that demands one, once', async () => {
    const person = await newcomer()
    await server.context().rawDb.deleteFrom(passkey.table).where('user_id', '=', person.id).execute()
    await bind(await typed(person))
    expect(await enrolled(person)).toBe(true)
    const before = await waysOf(person)
    await bind(await typed(person))
    expect(await waysOf(person)).toBe(before)
  })

  it('is not set up by a link of single sign-on, which whoever has a token of an administrator can make', async () => {
    const person = await administrator('plain', { mfa_level: 0 })
    await server.context().rawDb.deleteFrom(passkey.table).where('user_id', '=', person.id).execute()
    const { visitor, send } = browser()
    await server.changeSettings('auth', { AUTH_SSO: true })
    const { login_url } = await server.admin.request<{ login_url: string }>(
      'POST',
      '/api/v1/authentication/sso/login-url/',
      { username: person.username },
    )
    await visitor.open(login_url.replace(/^https?:\/\/[^/]+/, server.url))
    await send('GET', '/core/auth/login/guard/')
    expect((await send('GET', '/api/v1/users/profile/')).status).toBe(200)
    await bind(send)
    await server.changeSettings('auth', { AUTH_SSO: false })
    expect(await enrolled(person)).toBe(false)
  })

  it('is not set up in the middle of a sign-in that demands none', async () => {
    const person = await administrator('plain', { mfa_level: 0 })
    await bind(await typed(person))
    expect(await enrolled(person)).toBe(false)
  })
})

describe('a newcomer', () => {
  const newcomer = async (roles: object = {}) => {
    const username = `newcomer-${++made}`
    const { id } = await server.admin.collection('users/users').create({
      ...{ name: username, username, email: `${username}@example.com`, password_strategy: 'custom', password },
      ...{ need_update_password: false, ...roles },
    })
    const { send } = browser()
    const { text } = await send('POST', '/api/v1/authentication/auth/', { username, password })
    const { token } = JSON.parse(text) as { token: string }
    const change = async (body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sent = { method: 'PATCH', headers, body: JSON.stringify(body) }
      return (await fetch(`${server.url}/api/v1/users/profile/`, sent)).status
    }
    return { id, change }
  }

  it('fills in what is empty, once, and what is no way in at any time', async () => {
    const { change } = await newcomer()
    expect(await change({ phone: '+8613800138001', public_key: ssh, wechat: 'w' })).toBe(200)
    expect(await change({ phone: '+8613800138001', comment: 'the same' })).toBe(200)
    expect(await change({ phone: '+8613900139000' })).toBe(412)
    expect(await change({ public_key: otherSsh })).toBe(412)
    expect(await change({ mfa_level: 1 })).toBe(200)
    expect(await change({ is_first_login: false })).toBe(200)
    expect(await change({ is_first_login: true })).toBe(200)
    expect(await change({ mfa_level: 0 })).toBe(412)
    expect(await change({ wechat: 'other' })).toBe(200)
  })

  it('confirms first who may do more than everybody', async () => {
    const { change } = await newcomer({ system_roles: [roleIds.systemAdmin] })
    expect(await change({ phone: '+8613800138001', mfa_level: 1 })).toBe(412)
    expect(await change({ public_key: ssh })).toBe(412)
  })
})

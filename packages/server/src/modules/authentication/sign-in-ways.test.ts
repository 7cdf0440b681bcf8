import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import type { Context } from '../../kernel/module/context.ts'
import { on } from '../../kernel/module/hooks.ts'
import { connectModules, defineModule } from '../../kernel/module/module.ts'
import { updateRow } from '../../kernel/resource/repository.ts'
import {
  type Identified,
  IdentityCatalogue,
  type PasswordBackend,
  type RedirectBackend,
  type SecondFactor,
} from '../../kernel/security/sign-in.ts'
import { modules } from '../../modules.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { user } from '../users/index.ts'
import { SignInDenied, signInJudged } from './index.ts'

const named = (text: string) => ({ en: text, zh: text, ja: text })

/** What a backend or factor found in its context that would let it sign somebody in by itself. */
const reached: unknown[] = []
const look = (ctx: Context) => void reached.push(...[ctx.session, ctx.caller].filter((one) => one !== undefined))

const directory: PasswordBackend = {
  name: 'directory',
  label: named('Directory'),
  loggedAs: 'LDAP',
  kind: 'password',
  isEnabled: () => true,
  async authenticate(ctx, { username, password }) {
    look(ctx)
    if (password !== `directory-${username}`) return undefined
    return {
      source: 'ldap',
      username,
      attributes: {
        name: username.startsWith('hostile') ? `${username}\u202e\n<b>` : `${username} of the directory`,
        email: 'admin@example.com',
      },
    }
  },
}

const provider: RedirectBackend = {
  name: 'provider',
  label: named('Provider'),
  loggedAs: 'CAS',
  kind: 'redirect',
  isEnabled: () => true,
  async start(ctx, { callbackUrl, state }) {
    look(ctx)
    return { url: `https://provider.example/?${new URLSearchParams({ back: callbackUrl, state })}`, kept: 'nonce' }
  },
  async authenticate(ctx, { request, kept }) {
    look(ctx)
    const ticket = request.query.ticket ?? (request.body as { ticket?: string } | undefined)?.ticket
    return ticket && kept === 'nonce' ? { source: 'cas', username: ticket } : undefined
  },
}

const sent: string[] = []
const word: SecondFactor = {
  name: 'word',
  label: named('Word'),
  placeholder: named('The word'),
  isEnabled: () => true,
  isActive: (account) => account.source !== 'local',
  async challenge(ctx, account) {
    look(ctx)
    sent.push(account.username)
  },
  async check(ctx, _account, code) {
    look(ctx)
    return code === 'sesame'
  },
}

const judge = async (_ctx: Context, { username }: { username: string }) => {
  if (username.startsWith('forbidden')) throw new SignInDenied('acl_not_allow')
}

let server: TestServer
beforeAll(async () => {
  const identity = { backends: [directory, provider], factors: [word] }
  connectModules([...modules, defineModule({ app: 'ways', identity, listens: [on(signInJudged, judge)] })])
  server = await startServer()
})
afterAll(async () => {
  await server.close()
  connectModules(modules)
})

/** A client that keeps its cookies, as a browser does. */
class Visitor {
  readonly #cookies = new Map<string, string>()

  async ask(path: string, body?: object): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(new URL(path, server.url), {
      redirect: 'manual',
      headers: { cookie, 'content-type': 'application/json', 'x-csrftoken': this.#cookies.get('jms_csrftoken') ?? '' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return answer
  }

  async by(way: Way, username: string): Promise<string> {
    if (way === 'provider') return this.#byProvider(`ticket=${username}`)
    const password = way === 'directory' ? `directory-${username}` : ownPassword
    return this.typed(username, password)
  }

  async typed(username: string, password: string): Promise<string> {
    const answer = await this.ask('/api/v1/authentication/auth/', { username, password })
    return answer.status === 201 ? 'in' : ((await answer.json()) as { error: string }).error
  }

  /** Leaves for the provider; returns the state that it is given. */
  async leave(next = ''): Promise<string> {
    const answer = await this.ask(`/core/auth/provider/login/${next && `?next=${encodeURIComponent(next)}`}`)
    return new URL(answer.headers.get('location') ?? '').searchParams.get('state') ?? ''
  }

  async #byProvider(query: string): Promise<string> {
    return this.back(`${query}&state=${await this.leave()}`)
  }

  /** Back from the provider: refusals are a page, so the log tells which one it was. */
  async back(query: string): Promise<string> {
    const answer = await this.ask(`/core/auth/provider/callback/?${query}`)
    if (answer.status !== 302) return lastReason()
    const next = (await this.ask(answer.headers.get('location') ?? '')).headers.get('location')
    return next === '/core/auth/login/mfa/' ? 'mfa_required' : next === '/' ? 'in' : String(next)
  }
}

const logs = () =>
  server
    .context()
    .rawDb.selectFrom('audits_userloginlog')
    .select(['username', 'backend', 'status', 'reason'])
    .orderBy('datetime')
    .execute()
const lastReason = async () => String((await logs()).at(-1)?.reason)

const ownPassword = 'Own-1-password'
type Way = 'password' | 'directory' | 'provider'
const ways = [
  ['password', 'local', 'Password'],
  ['directory', 'ldap', 'LDAP'],
  ['provider', 'cas', 'CAS'],
] as const

let made = 0
async function person(source: string, prefix = 'person', values: Record<string, unknown> = {}) {
  const username = `${prefix}-${++made}`
  const { id } = await server.admin.collection('users/users').create({
    name: username,
    username,
    email: `${username}@example.com`,
    source,
    ...(source === 'local' ? { password_strategy: 'custom', password: ownPassword } : {}),
  })
  await server.context().transaction((ctx) => updateRow(ctx, user, id, { need_update_password: false, ...values }))
  return { id, username }
}
/** What comes out while these limits are in force. */
async function limited<T>(values: object, work: () => Promise<T>): Promise<T> {
  const path = '/api/v1/settings/setting/?category=security_login_limit'
  const change = (some: object) => server.admin.request('PATCH', path, some)
  await change(values)
  const usual = { SECURITY_LOGIN_IP_BLACK_LIST: [], ONLY_ALLOW_AUTH_FROM_SOURCE: false }
  return work().finally(() => change(usual))
}

beforeEach(() => {
  reached.length = 0
})

describe.each(ways)('a sign-in by %s', (way, source, label) => {
  it('opens a session, and the log says by what', async () => {
    const { username } = await person(source)
    expect(await new Visitor().by(way, username)).toBe('in')
    expect((await logs()).at(-1)).toMatchObject({ username, backend: label, reason: '' })
    expect(reached).toEqual([])
  })

  it('stops at the address', async () => {
    const { username } = await person(source)
    const before = (await logs()).length
    const blocked = { SECURITY_LOGIN_IP_BLACK_LIST: ['127.0.0.1', '::1'] }
    expect(await limited(blocked, () => new Visitor().by(way, username))).not.toBe('in')
    // Whom an address list keeps out writes no log.
    expect((await logs()).length).toBe(before)
  })

  it('stops at an account that failed too often', async () => {
    const { username } = await person(source)
    for (let tries = 0; tries < 7; tries += 1) await new Visitor().typed(username, 'wrong')
    const before = (await logs()).length
    expect(await new Visitor().by(way, username)).not.toBe('in')
    expect((await logs()).length).toBe(before)
  })

  it.each([
    ['user_inactive', { is_active: false }],
    ['user_expired', { date_expired: 1 }],
  ])('stops at the state of the person: %s', async (code, values) => {
    const { username } = await person(source, 'person', values)
    expect(await new Visitor().by(way, username)).toBe(code)
    expect((await logs()).at(-1)).toMatchObject({ username, backend: label, reason: code })
  })

  it('stops at a rule about sign-ins', async () => {
    const { username } = await person(source, 'forbidden')
    expect(await new Visitor().by(way, username)).toBe('acl_not_allow')
    expect((await logs()).at(-1)).toMatchObject({ username, backend: label, reason: 'acl_not_allow' })
  })

  it('waits for the second factor', async () => {
    const { username } = await person(source, 'person', { mfa_level: 2 })
    const visitor = new Visitor()
    expect(await visitor.by(way, username)).toBe('mfa_required')
    expect((await visitor.ask('/api/v1/users/profile/')).status).toBe(401)
    expect(await visitor.typed('', '')).toBe('mfa_required')
  })

  it('lets nobody be a component', async () => {
    const { username } = await person(source, 'person', { is_service_account: true })
    expect(await new Visitor().by(way, username)).not.toBe('in')
  })

  it('keeps to the source of the person where that is asked for', async () => {
    const { username } = await person(source === 'local' ? 'ldap' : 'local')
    const strict = { ONLY_ALLOW_AUTH_FROM_SOURCE: true }
    expect(await limited(strict, () => new Visitor().by(way, username))).not.toBe('in')
  })
})

describe('a second factor of a module', () => {
  it('is offered, sends its code once a minute, is counted, and lets in', async () => {
    const { username } = await person('ldap', 'person', { mfa_level: 2 })
    const visitor = new Visitor()
    await visitor.by('directory', username)
    const select = async () =>
      (await visitor.ask('/api/v1/authentication/mfa/select/', { type: 'word' })).json() as Promise<object>
    expect(await select()).not.toHaveProperty('error')
    expect(await select()).toMatchObject({ error: 'interval_too_short' })
    expect(sent).toEqual([username])
    const verify = async (type: string, code: string) =>
      (await visitor.ask('/api/v1/authentication/mfa/challenge/', { type, code })).json() as Promise<object>
    expect(await verify('otp', 'sesame')).toMatchObject({ error: 'mfa_failed' })
    expect(await verify('word', 'open')).toMatchObject({ error: 'mfa_failed' })
    expect(await verify('word', 'sesame')).toEqual({ msg: 'ok' })
    expect(await visitor.typed('', '')).toBe('in')
    expect(reached).toEqual([])
  })

  it('locks after too many wrong codes', async () => {
    const { username } = await person('ldap', 'person', { mfa_level: 2 })
    const visitor = new Visitor()
    await visitor.by('directory', username)
    const codes = []
    for (let tries = 0; tries < 8; tries += 1) {
      const answer = await visitor.ask('/api/v1/authentication/mfa/challenge/', { type: 'word', code: 'wrong' })
      codes.push(((await answer.json()) as { error: string }).error)
    }
    expect(codes).toEqual([...Array(7).fill('mfa_failed'), 'block_mfa'])
  })
})

describe('a confirmation', () => {
  const path = '/api/v1/authentication/confirm/'
  const asks = async (visitor: Visitor) =>
    ((await (await visitor.ask(`${path}?confirm_type=password`)).json()) as { confirm_type: string }).confirm_type
  const isConfirmed = async (visitor: Visitor) =>
    (await visitor.ask(`${path}check/?confirm_type=password`)).status === 200

  it('is a new sign-in where the password is with a provider', async () => {
    const { id, username } = await person('cas')
    const visitor = new Visitor()
    expect(await visitor.by('provider', username)).toBe('in')
    expect(await asks(visitor)).toBe('relogin')
    expect(await isConfirmed(visitor)).toBe(false)
    expect((await visitor.ask(path, { confirm_type: 'relogin', secret_key: 'x' })).status).toBe(200)
    expect(await isConfirmed(visitor)).toBe(true)
    const later = new Visitor()
    expect(await later.by('provider', username)).toBe('in')
    const { rawDb } = server.context()
    const sessions = await rawDb.selectFrom('authentication_session').selectAll().where('user_id', '=', id).execute()
    for (const { key, data } of sessions)
      await rawDb
        .updateTable('authentication_session')
        .set({ data: JSON.stringify({ ...JSON.parse(data), login_time: Date.now() - 301_000 }) })
        .where('key', '=', key)
        .execute()
    const late = await later.ask(path, { confirm_type: 'relogin', secret_key: 'x' })
    expect([late.status, await isConfirmed(later)]).toEqual([400, false])
  })
})

describe('a code for somebody who is only named', () => {
  it('is sent to nobody, and the answer tells nothing, so many times a minute', async () => {
    const { username } = await person('ldap')
    const path = '/api/v1/authentication/mfa/select/'
    const answers = []
    for (const name of [username, 'nobody-of-this-name', username.toUpperCase()]) {
      const answer = await new Visitor().ask(path, { type: 'word', username: name })
      answers.push([answer.status, await answer.text()])
    }
    expect(new Set(answers.map(String)).size).toBe(1)
    expect(answers[0]?.[0]).toBe(404)
    const statuses = []
    for (let tries = 0; tries < 20; tries += 1)
      statuses.push((await new Visitor().ask(path, { type: 'word', username })).status)
    expect(statuses.at(-1)).toBe(429)
    expect(sent).not.toContain(username)
  })
})

describe('a factor that was passed', () => {
  it('is not passed after the password was changed, in a jar of the API either', async () => {
    const { id, username } = await person('ldap', 'person', { mfa_level: 2 })
    const visitor = new Visitor()
    await visitor.by('directory', username)
    await visitor.ask('/api/v1/authentication/mfa/challenge/', { type: 'word', code: 'sesame' })
    expect(await visitor.typed('', '')).toBe('in')
    expect(await visitor.by('directory', username)).toBe('in')
    await server.context().transaction((ctx) => updateRow(ctx, user, id, { password_hash: 'another' }))
    expect(await visitor.by('directory', username)).toBe('mfa_required')
  })
})

describe('a backend', () => {
  it('can say who somebody is, and nothing else', () => {
    expectTypeOf<Awaited<ReturnType<PasswordBackend['authenticate']>>>().toEqualTypeOf<Identified | undefined>()
    expectTypeOf<keyof Identified>().toEqualTypeOf<
      'source' | 'username' | 'attributes' | 'creates' | 'updates' | 'unfinished'
    >()
  })

  it('is told of no answer that this browser did not ask for, and of each once', async () => {
    const { username } = await person('cas')
    const answer = (visitor: Visitor, state: string, ticket = username) =>
      visitor.ask(`/core/auth/provider/callback/?ticket=${ticket}&state=${state}`)
    const isIn = async (visitor: Visitor) => (await visitor.ask('/api/v1/users/profile/')).status === 200
    const [visitor, stranger] = [new Visitor(), new Visitor()]
    const state = await visitor.leave()
    await stranger.leave()
    const asked = (await logs()).length
    for (const foreign of [state, '', 'x'.repeat(10_000)]) expect((await answer(stranger, foreign)).status).toBe(200)
    expect((await answer(new Visitor(), state)).status).toBe(200)
    expect((await logs()).length).toBe(asked)
    expect((await answer(visitor, state, '')).status).toBe(200)
    expect((await logs()).length).toBe(asked + 1)
    expect((await answer(visitor, state)).status).toBe(200)
    expect((await logs()).length).toBe(asked + 1)
    expect(await isIn(visitor)).toBe(false)
    // Two tabs of one browser each have a state of their own.
    const [first, second] = [await visitor.leave(), await visitor.leave()]
    expect((await answer(visitor, first)).status).toBe(302)
    expect((await answer(visitor, second)).status).toBe(302)
    const last = await visitor.leave()
    const both = await Promise.all([answer(visitor, last), answer(visitor, last)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 302])
  })

  it('may have the browser post its answer, without the cookie of the session', async () => {
    const { username } = await person('cas')
    const visitor = new Visitor()
    const state = await visitor.leave()
    const post = (form: Record<string, string>) =>
      fetch(new URL('/core/auth/provider/callback/', server.url), {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: 'https://provider.example' },
        body: new URLSearchParams(form),
      })
    const posted = await post({ ticket: username, state })
    expect(posted.headers.getSetCookie().some((line) => line.startsWith('jms_sessionid'))).toBe(false)
    expect((await new Visitor().ask(posted.headers.get('location') ?? '')).status).toBe(200)
    expect((await visitor.ask(posted.headers.get('location') ?? '')).status).toBe(302)
    const replayed: Record<string, string>[] = [
      { ticket: username },
      { ticket: username, state },
      { state, ticket: 'x'.repeat(300_000) },
    ]
    for (const form of replayed)
      expect((await post(form)).headers.get('location')).toBe('/core/auth/provider/callback/')
  })

  it('leads to a path of this installation, and nowhere else', async () => {
    const { username } = await person('cas')
    const end = async (next: string) => {
      const visitor = new Visitor()
      const state = await visitor.leave(next)
      const back = await visitor.ask(
        `/core/auth/provider/callback/?ticket=${username}&state=${state}&next=//evil.example`,
      )
      return (await visitor.ask(back.headers.get('location') ?? '')).headers.get('location')
    }
    expect(await end('/ui/#/console/assets')).toBe('/ui/#/console/assets')
    for (const foreign of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])
      expect(await end(foreign)).toBe('/')
  })

  it('has its people follow their source, but gives nobody the address of somebody else', async () => {
    const { id, username } = await person('ldap')
    await new Visitor().by('directory', username)
    const row = await server.admin.request('GET', `/api/v1/users/users/${id}/`)
    expect(row).toMatchObject({ name: `${username} of the directory`, email: `${username}@example.com` })
    const entries = await server.admin.request('GET', `/api/v1/audits/operate-logs/?search=${username}`)
    expect(entries).toMatchObject([{ user: 'System' }, {}])
    const local = await person('local')
    expect(await new Visitor().by('directory', local.username)).not.toBe('in')
    const kept = await server.admin.request('GET', `/api/v1/users/users/${local.id}/`)
    expect(kept).toMatchObject({ name: local.username })
  })

  it('cannot give its users a name that nobody could give them', async () => {
    const { id, username } = await person('ldap', 'hostile')
    expect(await new Visitor().by('directory', username)).toBe('in')
    expect(await server.admin.request('GET', `/api/v1/users/users/${id}/`)).toMatchObject({ name: username })
  })

  it('means its own user by a name in another case, and nobody by a look-alike or an address', async () => {
    const [cas, ldap, local] = [await person('cas'), await person('ldap'), await person('local')]
    const by = (ticket: string) => new Visitor().by('provider', encodeURIComponent(ticket))
    expect(await by(cas.username.toUpperCase())).toBe('in')
    const foreign = [ldap.username.toUpperCase(), local.username.toUpperCase(), `${local.username}@example.com`]
    for (const name of [cas.username.replace('o', 'о'), ...foreign]) expect([name, await by(name)]).not.toContain('in')
    for (const { username } of [cas, ldap, local])
      expect(await server.admin.request('GET', `/api/v1/users/users/?search=${username}`)).toHaveLength(1)
  })

  it('that nobody declares has no page', async () => {
    for (const name of ['nobody', 'directory', 'password'])
      expect((await new Visitor().ask(`/core/auth/${name}/login/`)).status).toBe(404)
  })

  it('has a name of its own, as has a factor', () => {
    const connect = (...parts: Parameters<IdentityCatalogue['connect']>[0]) => new IdentityCatalogue().connect(parts)
    expect(() => connect({ backends: [directory] }, { backends: [directory] })).toThrow('sign-in backend directory')
    expect(() => connect({ factors: [word, word] })).toThrow('second factor word')
  })
})

import { type IncomingHttpHeaders, request } from 'node:http'
import { defaultOrgId } from '@castellan/contract/ids'
import type { ApiError } from '@castellan/testing/client'
import { clientWith, signIn } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { resetToken } from '../users/index.ts'

type Row = Record<string, unknown> & { id: string }

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const password = 'First-password1'
let counter = 0
async function newUser(more: object = {}): Promise<Row & { username: string }> {
  const name = `somebody-${counter++}`
  return server.admin.collection<Row & { username: string }, object>('users/users').create({
    ...{ name, username: name, email: `${name}@example.com`, password_strategy: 'custom', password },
    need_update_password: false,
    ...more,
  })
}

const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: ApiError) => error.status,
  )
const profile = (token: string) =>
  status(clientWith({ url: server.url, token, organization: defaultOrgId }).request('GET', '/api/v1/users/profile/'))
const admin = (method: string, path: string, body?: unknown) =>
  server.admin.request(method, `/api/v1/users/users/${path}`, body)

describe('sign-ins of a user', () => {
  it.each<[string, (row: Row, token: string) => Promise<unknown>]>([
    [
      'their own change of the password',
      (_row, token) =>
        clientWith({ url: server.url, token }).request('PUT', '/api/v1/users/profile/password/', {
          ...{ old_password: password, new_password: 'Second-password1', new_password_again: 'Second-password1' },
        }),
    ],
    ['a password set by an administrator', ({ id }) => admin('PUT', `${id}/password/`, { password: 'Third-pass1' })],
    ['a password in the form', ({ id }) => admin('PATCH', `${id}/`, { password: 'Third-pass1' })],
    ['a reset', ({ id }) => admin('PATCH', `${id}/password/reset/`, {})],
    ['disabling', ({ id }) => admin('PATCH', `${id}/`, { is_active: false })],
    ['disabling in bulk', ({ id }) => admin('PATCH', '', [{ id, is_active: false }])],
    ['letting the account expire', ({ id }) => admin('PATCH', `${id}/`, { date_expired: '2020-01-01 00:00:00' })],
    ['deletion', ({ id }) => admin('DELETE', `${id}/`)],
  ])('end at once by %s', async (_by, end) => {
    const row = await newUser()
    const { token } = await signIn(server.url, row.username, password)
    expect(await profile(token)).toBe(200)
    await end(row, token)
    expect(await profile(token)).toBe(401)
  })

  it('are not restored by enabling the account, and the next sign-in gets another token', async () => {
    const row = await newUser()
    const { token } = await signIn(server.url, row.username, password)
    const { id: keyId } = await clientWith({ url: server.url, token }).request<Row>('GET', '/api/v1/users/profile/')
    const key = await server.context().transaction(async (ctx) => {
      const values = {
        id: crypto.randomUUID(),
        user_id: keyId,
        ip_group: '["*"]',
        is_active: true,
        sealed_secret: null,
      }
      const stamps = { created_by: null, updated_by: null, date_created: 0, date_updated: 0, date_last_used: null }
      await ctx.rawDb
        .insertInto('authentication_accesskey')
        .values({ ...values, ...stamps })
        .execute()
      return values.id
    })
    await admin('PATCH', `${row.id}/`, { is_active: false })
    await admin('PATCH', `${row.id}/`, { is_active: true })
    expect(await profile(token)).toBe(401)
    const again = await signIn(server.url, row.username, password)
    expect(again.token).not.toBe(token)
    const [kept] = await clientWith({ url: server.url, token: again.token }).request<Row[]>(
      'GET',
      '/api/v1/authentication/access-keys/',
    )
    expect(kept).toMatchObject({ id: key, is_active: false })
  })

  it('of other users continue, and other changes do not end them', async () => {
    const [one, other] = [await newUser(), await newUser()]
    const { token } = await signIn(server.url, one.username, password)
    await admin('PATCH', `${other.id}/`, { is_active: false })
    await admin('PATCH', `${one.id}/`, { comment: 'changed', is_active: true })
    expect(await profile(token)).toBe(200)
  })
})

describe('an incomplete sign-in', () => {
  it('ends when the password it began with changes', async () => {
    const row = await newUser({ mfa_level: 2 })
    const post = (path: string, body: object, cookie = '') =>
      fetch(`${server.url}/api/v1/authentication/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      })
    const first = await post('auth/', { username: row.username, password })
    const cookie = first.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    // After the password step the code is asked for; before it, it is not.
    expect(await (await post('mfa/verify/', { type: 'otp', code: '000000' }, cookie)).text()).toContain('mfa')
    await admin('PUT', `${row.id}/password/`, { password: 'Third-pass1' })
    expect((await post('mfa/verify/', { type: 'otp', code: '000000' }, cookie)).status).toBe(401)
  })
})

describe('a link to set a password', () => {
  /** Sets a password by a link, as its page does. */
  async function follow(token: string, fresh: string): Promise<void> {
    const url = `${server.url}/core/auth/password/reset/?token=${token}`
    const page = await fetch(url)
    const cookies = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    const csrf = cookies.find((cookie) => cookie.startsWith('jms_csrftoken='))?.split('=')[1] ?? ''
    await fetch(url, {
      method: 'POST',
      headers: { cookie: cookies.join('; ') },
      body: new URLSearchParams({ new_password: fresh, confirm_password: fresh, csrfmiddlewaretoken: csrf }),
    })
  }

  it('is invalid after another password was set', async () => {
    const row = await newUser()
    const link = () =>
      server.context().transaction((ctx) => resetToken(ctx, { id: row.id, email: String(row.email) }, 'reset'))
    const links = [await link(), await link(), await link()]
    await follow(links[0] ?? '', 'Linked-pass1')
    await signIn(server.url, row.username, 'Linked-pass1')
    // The same mail twice, and an older mail.
    await follow(links[0] ?? '', 'Stolen-pass1')
    await follow(links[1] ?? '', 'Stolen-pass1')
    await signIn(server.url, row.username, 'Linked-pass1')
    const last = await link()
    await admin('PUT', `${row.id}/password/`, { password: 'Third-pass1' })
    for (const token of [links[2] ?? '', last]) await follow(token, 'Stolen-pass1')
    await signIn(server.url, row.username, 'Third-pass1')
  })
})

interface Sent {
  method?: string
  localAddress?: string
  headers?: Record<string, string>
  body?: string
}

/** Sends a request from one of this machine's loopback addresses. */
function send(
  path: string,
  { body, ...options }: Sent,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((settle, fail) => {
    const asked = request(new URL(path, server.url), options, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (more: string) => {
        text += more
      })
      answer.on('end', () => settle({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    asked.on('error', fail)
    asked.end(body)
  })
}

/** Attempts a sign-in. */
async function attempt(username: string, secret: string, localAddress = '127.0.0.1'): Promise<string> {
  const { status, text } = await send('/api/v1/authentication/auth/', {
    ...{ method: 'POST', localAddress, headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ username, password: secret }),
  })
  return JSON.parse(text).error ?? String(status)
}

describe('recovering a password', () => {
  const path = '/core/auth/password/forget/previewing/'

  /** Where the first page redirects: to the next one, if the recovery has started. */
  async function begin(username: string, localAddress: string): Promise<string | undefined> {
    const page = await send(path, { localAddress })
    const cookies = (page.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '')
    const csrf = cookies.find((cookie) => cookie.startsWith('jms_csrftoken='))?.split('=')[1] ?? ''
    const body = new URLSearchParams({ username, csrfmiddlewaretoken: csrf }).toString()
    const headers = { cookie: cookies.join('; '), 'content-type': 'application/x-www-form-urlencoded' }
    return (await send(path, { method: 'POST', localAddress, headers, body })).headers.location
  }

  it('cannot be blocked by requests for the same name from another address', async () => {
    await server.changeSettings('email', {
      ...{ EMAIL_HOST: '127.0.0.1', EMAIL_PORT: '9', EMAIL_HOST_USER: 'castellan@example.com' },
    })
    const row = await newUser()
    expect(await begin(row.username, '127.0.0.2')).toContain('/core/auth/password/forgot/?token=')
    // Not twice a minute from one address; the owner of the name uses another address.
    expect(await begin(row.username, '127.0.0.2')).toBeUndefined()
    expect(await begin(row.username, '127.0.0.1')).toContain('/core/auth/password/forgot/?token=')
  })
})

describe('failed sign-ins', () => {
  it('lock the account under each of its names and from every address', async () => {
    const row = await newUser()
    const names = [row.username, `${row.username}@example.com`]
    for (let tried = 0; tried < 7; tried++)
      expect(await attempt(names[tried % 2] ?? '', 'wrong', `127.0.0.${2 + tried}`)).toBe('password_failed')
    for (const name of names)
      for (const address of ['127.0.0.1', '127.0.0.99'])
        expect(await attempt(name, password, address)).toBe('block_login')
    await admin('PATCH', `${row.id}/unblock/`, {})
    expect(await attempt(row.username, password)).toBe('201')
  })

  it('are counted exactly when sent concurrently', async () => {
    const row = await newUser()
    const answers = await Promise.all(Array.from({ length: 30 }, () => attempt(row.username, 'wrong')))
    expect(answers.filter((answer) => answer === 'password_failed')).toHaveLength(7)
    expect(answers.filter((answer) => answer === 'block_login')).toHaveLength(23)
  })

  it('do not block concurrent sign-ins with the right password', async () => {
    const row = await newUser()
    for (let tried = 0; tried < 6; tried++) await attempt(row.username, 'wrong')
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(row.username, password)))
    expect(answers).toEqual(Array(20).fill('201'))
  })

  it('are reset by a successful one, which does not allow more guesses of the password in an open session', async () => {
    const row = await newUser()
    const { token } = await signIn(server.url, row.username, password)
    const guess = (old_password: string) =>
      clientWith({ url: server.url, token })
        .request('PUT', '/api/v1/users/profile/password/', {
          ...{ old_password, new_password: 'Second-password1', new_password_again: 'Second-password1' },
        })
        .then(
          () => 'changed',
          (error: ApiError) => JSON.stringify(error.body),
        )
    for (let tried = 0; tried < 7; tried++) expect(await guess('wrong')).not.toContain('Too many')
    expect(await attempt(row.username, 'wrong')).toBe('password_failed')
    expect(await attempt(row.username, password)).toBe('201')
    expect(await guess(password)).toContain('Too many')
  })

  it('of unknown usernames are counted per name', async () => {
    for (let tried = 0; tried < 7; tried++) await attempt('nobody-one', 'wrong', `127.0.0.${2 + tried}`)
    expect(await attempt(' Nobody-One', 'wrong')).toBe('block_login')
    expect(await attempt('nobody-two', 'wrong')).toBe('password_failed')
  })
})

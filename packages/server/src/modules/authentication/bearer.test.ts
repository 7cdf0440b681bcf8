import { signIn } from '@castellan/testing/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('sign-in by the API', () => {
  it('returns the same token to concurrent sign-ins of one user', async () => {
    const password = 'Same-moment-12'
    await server.admin.collection('users/users').create({
      name: 'Twice',
      username: 'twice',
      email: 'twice@example.com',
      password_strategy: 'custom',
      password,
      need_update_password: false,
    })
    const clients = await Promise.all(Array.from({ length: 6 }, () => signIn(server.url, 'twice', password)))
    expect(new Set(clients.map(({ token }) => token)).size).toBe(1)
    const profile = await clients[0]?.request<{ username: string }>('GET', '/api/v1/users/profile/')
    expect(profile?.username).toBe('twice')
  })

  it('reports at the last attempt that the account is locked, and rejects further ones for that reason', async () => {
    const attempt = async (body: string) => {
      const answer = await fetch(`${server.url}/api/v1/authentication/auth/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-language': 'en' },
        body,
      })
      return (await answer.json()) as { error?: string; msg?: string }
    }
    const wrong = JSON.stringify({ username: 'guessed', password: 'wrong' })
    const answers = []
    for (let tries = 0; tries < 8; tries += 1) answers.push(await attempt(wrong))
    expect(answers.map(({ error }) => error)).toEqual([...Array(7).fill('password_failed'), 'block_login'])
    expect(answers[6]?.msg).toBe(answers[7]?.msg)
    for (const name of ['username', 'password', 'public_key'])
      for (const value of [{}, ['a'], true, 'a\0b'])
        expect(await attempt(JSON.stringify({ username: 'guessed-more', [name]: value }))).toEqual({
          [name]: [expect.any(String)],
        })
    for (const body of ['null', '[]', '5', '"x"']) expect(await attempt(body)).toHaveProperty('non_field_errors')
  })
})

describe('a confirmation', () => {
  it('belongs to the user who confirmed, even if another one uses the same cookies', async () => {
    const password = 'Confirms-self-12'
    const made = { email: 'conny@example.com', password_strategy: 'custom', password, need_update_password: false }
    await server.admin.collection('users/users').create({ name: 'Conny', username: 'conny', ...made })
    const conny = await signIn(server.url, 'conny', password)
    let cookie = ''
    const asked = async (token: string, method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', cookie }
      const answer = await fetch(`${server.url}/api/v1/authentication/confirm/${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      cookie = /jms_sessionid=[^;]+/.exec(answer.headers.getSetCookie().join())?.[0] ?? cookie
      return answer.status
    }
    const check = 'check/?confirm_type=password'
    expect(await asked(conny.token, 'POST', '', { confirm_type: 'password', secret_key: password })).toBe(200)
    expect(await asked(conny.token, 'GET', check)).toBe(200)
    expect(await asked(server.admin.token, 'GET', check)).toBe(412)
  })
})

describe('requesting a code', () => {
  it('is limited for unknown usernames', async () => {
    const statuses = new Set<number>()
    for (let tries = 0; tries < 10; tries += 1) {
      const answer = await fetch(`${server.url}/api/v1/authentication/mfa/select/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'otp', username: 'guessed-name' }),
      })
      statuses.add(answer.status)
    }
    expect([...statuses]).toEqual([404, 400])
  })
})

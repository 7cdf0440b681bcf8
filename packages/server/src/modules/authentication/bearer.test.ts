import { signIn } from '@castellan/testing/client'
import { startServer, type TestServer } from '@castellan/testing/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('signing in by the API', () => {
  it('answers one person who does it several times at once the same token', async () => {
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

  it('tells at the last try that the account is locked, and refuses the next ones for that', async () => {
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
    for (const body of ['null', '[]', '5', '"x"']) expect(await attempt(body)).toHaveProperty('non_field_errors')
  })
})

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
})

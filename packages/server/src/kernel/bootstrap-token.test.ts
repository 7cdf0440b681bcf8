import { registerComponent } from '@castellan/testing/client'
import { startServer, type TestServer } from '@castellan/testing/server'
import { afterAll, beforeAll, expect, it } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('the bootstrap token cannot be guessed: after many wrong ones an address is not listened to for a while', async () => {
  for (let tried = 0; tried < 50; tried++)
    await expect(registerComponent(server.url, `guess-${tried}`, 'guesser')).rejects.toMatchObject({
      status: 401,
      body: { code: 'not_authenticated' },
    })
  await expect(registerComponent(server.url, server.bootstrapToken, 'too-late')).rejects.toMatchObject({
    status: 401,
    body: { detail: expect.stringContaining('Too many wrong tries from your address') },
  })
})

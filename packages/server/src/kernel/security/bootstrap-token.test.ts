import { registerComponent } from '@castellan/testing/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const tooMany = { status: 429, body: { detail: expect.stringContaining('Too many attempts from your address') } }

it('many wrong bootstrap tokens block an address for a while, but a right unguessable token still passes', async () => {
  for (let tried = 0; tried < 50; tried++)
    await expect(registerComponent(server.url, `guess-${tried}`, 'guesser')).rejects.toMatchObject({
      status: 401,
      body: { code: 'not_authenticated' },
    })
  await expect(registerComponent(server.url, 'one-more', 'guesser')).rejects.toMatchObject(tooMany)
  expect(await registerComponent(server.url, server.bootstrapToken, 'neighbour')).toBeDefined()
  // A short token may have been found by guessing, so the limit applies to it too.
  Object.assign(server.application.services.config, { bootstrapToken: 'short-and-chosen' })
  await expect(registerComponent(server.url, 'short-and-chosen', 'too-late')).rejects.toMatchObject(tooMany)
})

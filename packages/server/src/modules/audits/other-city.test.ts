import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cityDatabase } from '@castellan/testing/city-database'
import type { AnyRow } from '@castellan/testing/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

const password = 'Sign-in-from-1'
const folder = mkdtempSync(join(tmpdir(), 'castellan-cities-'))
const file = join(folder, 'cities.mmdb')
const [paris, lyon, peru] = ['192.0.2.1', '192.0.2.200', '198.51.100.7']
let server: TestServer

beforeAll(async () => {
  writeFileSync(
    file,
    cityDatabase({
      '192.0.2.0/25': { city: { names: { en: 'Paris' } }, country: { names: { en: 'France' } } },
      '192.0.2.128/25': { city: 'Lyon' },
      '198.51.100.0/24': { country: { names: { en: 'Peru' } } },
    }),
  )
  server = await startServer({ cityDatabase: file, proxies: '127.0.0.1' })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const person = (username: string, at = server) =>
  at.admin
    .collection('users/users')
    .create({ name: username, username, email: `${username}@example.com`, password_strategy: 'custom', password })
/** Signs in as a browser behind the proxy does. */
const signIn = async (username: string, ip: string, given = password, url = server.url) => {
  const answer = await fetch(`${url}/api/v1/authentication/auth/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en', 'x-forwarded-for': ip },
    body: JSON.stringify({ username, password: given }),
  })
  return answer.status
}
const cities = async (username: string) =>
  (await server.admin.collection('audits/login-logs').all({ username, order: 'datetime' })).map(({ city }) => city)
interface Message extends AnyRow {
  content: { subject: string; message: string }
}
const told = async (user: AnyRow) => {
  const messages = await (await server.as(`${user.id}`)).collection<Message>('notifications/site-messages').all()
  return messages
    .filter(({ content }) => content.subject === 'Sign-in from another city')
    .map(({ content }) => content.message)
}

it('is logged with each sign-in, and tells its user of another one than the last', async () => {
  const ada = await person('ada')
  for (const ip of [paris, '10.1.2.3', paris, lyon, lyon, '203.0.113.9', '2001:db8::1', peru])
    expect(await signIn('ada', ip)).toBe(201)
  expect(await cities('ada')).toEqual(['Paris', 'LAN', 'Paris', 'Lyon', 'Lyon', 'Unknown', 'IPv6', 'Peru'])
  const messages = await told(ada)
  expect(messages).toHaveLength(2)
  expect(messages.find((text) => text.includes('Lyon (192.0.2.200'))).toMatch(/before that it was Paris/)
  expect(messages.find((text) => text.includes('Peru (198.51.100.7'))).toMatch(/before that it was Lyon/)
  const [row] = await server.admin
    .collection('audits/login-logs')
    .all({ username: 'ada', city: 'Lyon', search: 'lyon' })
  expect(row).toMatchObject({ ip: lyon })
})

it('of a failed sign-in neither tells nor counts', async () => {
  const bo = await person('bo')
  expect(await signIn('bo', paris)).toBe(201)
  expect(await signIn('bo', peru, 'wrong')).toBe(400)
  expect(await signIn('bo', paris)).toBe(201)
  expect(await told(bo)).toEqual([])
})

it('tells nothing where the setting is off, which can be changed with a database', async () => {
  const cy = await person('cy')
  const set = (value: boolean) =>
    server.admin.request('PATCH', '/api/v1/settings/setting/?category=security_auth', {
      SECURITY_CHECK_DIFFERENT_CITY_LOGIN: value,
    })
  await set(false)
  for (const ip of [paris, lyon]) expect(await signIn('cy', ip)).toBe(201)
  expect(await told(cy)).toEqual([])
  await set(true)
  await using without = await startServer()
  await expect(
    without.admin.request('PATCH', '/api/v1/settings/setting/?category=security_auth', {
      SECURITY_CHECK_DIFFERENT_CITY_LOGIN: false,
    }),
  ).rejects.toMatchObject({
    status: 400,
    body: { SECURITY_CHECK_DIFFERENT_CITY_LOGIN: [expect.stringContaining('CASTELLAN_CITY_DATABASE')] },
  })
})

it('needs a file that is a database', async () => {
  const broken = join(folder, 'broken.mmdb')
  const read = (CASTELLAN_CITY_DATABASE: string) => readConfig({ CASTELLAN_CITY_DATABASE }).cityDatabase
  expect(() => read(broken)).toThrow(/CASTELLAN_CITY_DATABASE names .*broken\.mmdb, which does not exist/)
  writeFileSync(broken, 'no database')
  expect(() => read(broken)).toThrow(/is not in the MaxMind DB format/)
  expect(read(file)).toBe(file)
  // One that is broken later stops no sign-in.
  await using later = await startServer({ cityDatabase: broken, proxies: '127.0.0.1' })
  await person('di', later)
  expect(await signIn('di', paris, password, later.url)).toBe(201)
})

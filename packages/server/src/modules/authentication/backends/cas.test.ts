import { type CasServer, endTicket, startCasServer } from '@castellan/testing/cas-server'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let cas: CasServer
const change = (values: object) =>
  server.admin.request<Record<string, unknown>>('PATCH', '/api/v1/settings/setting/?category=cas', values)

beforeAll(async () => {
  server = await startServer()
  cas = await startCasServer()
  await change({ AUTH_CAS: true, CAS_SERVER_URL: cas.url })
})
afterAll(async () => {
  await server.close()
  await cas.stop()
})

const login = () => `${server.url}/core/auth/cas/login/`
const usernameOf = async (visitor: Visitor) => {
  const answer = await visitor.open(`${server.url}/api/v1/users/profile/`)
  return answer.status === 200 ? ((await answer.json()) as { username: string }).username : answer.status
}
async function signIn(name: string, attributes?: Record<string, string>) {
  cas.user = { name, ...(attributes && { attributes }) }
  const visitor = new Visitor()
  await visitor.follow(login(), `${server.url}/ui/`)
  return usernameOf(visitor)
}

describe('a CAS server', () => {
  it.each([1, 2, 3])('signs in by version %i', async (version) => {
    await change({ CAS_VERSION: version })
    expect(await signIn(`cassie-${version}`)).toBe(`cassie-${version}`)
  })

  it('gives attributes, a name among them, where the settings take them over', async () => {
    const mapping = { uid: 'username', mail: 'email', cn: 'name' }
    await change({ CAS_USERNAME_ATTRIBUTE: 'uid', CAS_RENAME_ATTRIBUTES: mapping, CAS_APPLY_ATTRIBUTES_TO_USER: true })
    expect(await signIn('ignored', { uid: 'attrib', mail: 'attrib@example.com', cn: 'A & <B>' })).toBe('attrib')
    const [row] = await server.admin.request<{ name: string; email: string; source: object }[]>(
      'GET',
      '/api/v1/users/users/?username=attrib',
    )
    expect(row).toMatchObject({ email: 'attrib@example.com', source: { value: 'cas' } })
    expect(await signIn('no-uid')).toBe(401)
    await change({ CAS_USERNAME_ATTRIBUTE: 'cas:user', CAS_APPLY_ATTRIBUTES_TO_USER: false })
  })

  it('creates nobody where the settings say so, and takes no local user over', async () => {
    await change({ CAS_CREATE_USER: false })
    expect(await signIn('unknown-one')).toBe(401)
    expect(await signIn('cassie-3')).toBe('cassie-3')
    await change({ CAS_CREATE_USER: true })
    expect(await signIn('admin')).toBe(401)
  })

  it('ends the sessions of its tickets when its user signs out there', async () => {
    const browsers = []
    for (const name of ['out-1', 'out-2']) {
      await cas.signOut()
      cas.user = { name }
      const visitor = new Visitor()
      await visitor.follow(login(), `${server.url}/ui/`)
      browsers.push(visitor)
    }
    const [first, second] = browsers as [Visitor, Visitor]
    expect([await usernameOf(first), await usernameOf(second)]).toEqual([401, 'out-2'])
    const callback = `${server.url}/core/auth/cas/callback/`
    const post = (logoutRequest: string) =>
      fetch(callback, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ logoutRequest }) })
    // Who does not know the ticket ends nothing, and learns nothing.
    for (const ticket of ['ST-unknown', '%', '"', 'out-2', '@NOT_USED@'])
      expect((await endTicket(callback, ticket)).status).toBe(200)
    for (const broken of ['', 'x', '<a/>', '<!DOCTYPE a><a/>', '<a>'.repeat(20_000)])
      expect((await post(broken)).status).toBe(400)
    expect(await usernameOf(second)).toBe('out-2')
    expect(await cas.signOut()).toEqual([200])
    expect(await usernameOf(second)).toBe(401)
  })

  it('is told of the sign-out', async () => {
    cas.user = { name: 'leaver' }
    const visitor = new Visitor()
    await visitor.follow(login(), `${server.url}/ui/`)
    const out = await visitor.open(`${server.url}/core/auth/logout/`)
    expect(out.headers.get('location')).toContain(`${cas.url}logout?service=`)
    expect(await usernameOf(visitor)).toBe(401)
  })
})

describe('a ticket', () => {
  it('is good once, in its own browser, and for the service it was made for', async () => {
    cas.user = { name: 'ticketed' }
    const visitor = new Visitor()
    const { url } = await visitor.follow(login(), `${server.url}/core/auth/cas/callback/`)
    const stranger = new Visitor()
    await stranger.open(login())
    await stranger.open(url)
    expect(await usernameOf(stranger)).toBe(401)
    // The ticket of another sign-in, with a state of one's own.
    const own = new URL((await stranger.open(login())).headers.get('location') ?? '').searchParams.get('service') ?? ''
    const ticket = new URL(url).searchParams.get('ticket') ?? ''
    await stranger.open(`${own}&ticket=${ticket}`)
    expect(await usernameOf(stranger)).toBe(401)
    expect((await visitor.open(url)).status).toBe(200)
  })

  it.each([
    ['is not XML', 'yes'],
    [
      'is a failure',
      '<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas"><cas:authenticationFailure/></cas:serviceResponse>',
    ],
    [
      'is of another namespace',
      '<serviceResponse><authenticationSuccess><user>cassie-3</user></authenticationSuccess></serviceResponse>',
    ],
    [
      'has a document type',
      '<!DOCTYPE a [<!ENTITY x "cassie-3">]><cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas"><cas:authenticationSuccess><cas:user>&x;</cas:user></cas:authenticationSuccess></cas:serviceResponse>',
    ],
    ['is endless', 'x'.repeat(5_000_000)],
  ])('is refused where the answer %s', async (_what, answer) => {
    cas.answer = answer
    expect(await signIn('cassie-3')).toBe(401)
    cas.answer = undefined
  })

  it('of a text that ends the query is sent as a text', async () => {
    cas.user = { name: 'injected' }
    const visitor = new Visitor()
    const service = new URL((await visitor.open(login())).headers.get('location') ?? '').searchParams.get('service')
    const answer = await visitor.open(`${service}&ticket=${encodeURIComponent('x&service=https://evil.example#')}`)
    expect(answer.status).toBe(200)
    expect(await usernameOf(visitor)).toBe(401)
  })
})

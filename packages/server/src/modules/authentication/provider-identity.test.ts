import { roleIds } from '@castellan/contract/ids'
import { describeWith } from '@castellan/testing/parts'
import { type Provider, type SignInProviders, startProviders } from '@castellan/testing/sign-in-providers'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'
import { userBy } from '../users/index.ts'

/** Every provider that has lasting ids. CAS has one where the name here is an attribute. */
const providers = ['openid', 'saml2', 'cas', 'oauth2'] as const satisfies readonly Provider[]

let server: TestServer
let at: SignInProviders
const change = (category: string, values: object) => server.changeSettings(category, values)

beforeAll(async () => {
  server = await startServer()
  at = await startProviders(server.url, change)
  await change('cas', { CAS_USERNAME_ATTRIBUTE: 'login', CAS_RENAME_ATTRIBUTES: { login: 'username' } })
})
afterAll(async () => {
  await server.close()
  await at.stop()
})

/** The username of who is signed in, or the reason in the log. */
async function signIn(provider: Provider, username: string, subject?: string): Promise<string> {
  const visitor = new Visitor()
  const back = await visitor.open(await at.addressFor(provider, visitor, username, subject))
  if (back.status !== 302) {
    const logs = server.context().rawDb.selectFrom('audits_userloginlog').selectAll().orderBy('datetime', 'desc')
    return String((await logs.executeTakeFirst())?.reason)
  }
  await visitor.open(server.url + back.headers.get('location'))
  const profile = await visitor.open(`${server.url}/api/v1/users/profile/`)
  return ((await profile.json()) as { username: string }).username
}

const pathOf = async (username: string) =>
  `/api/v1/users/users/${(await userBy(server.context(), 'username', username))?.id}/provider-identity/`

describeWith('openssl', 'a user of a provider', () => {
  it.each(providers)('is the person of the first sign-in, whatever names are given to others: %s', async (provider) => {
    const [name, other] = [`first-${provider}`, `second-${provider}`]
    expect(await signIn(provider, name, 'id-1')).toBe(name)
    expect(await signIn(provider, name, 'id-1')).toBe(name)
    // The name was given to somebody else.
    expect(await signIn(provider, name, 'id-2')).toBe('provider_identity_other')
    // The person got another name, and somebody else that of another user.
    expect(await signIn(provider, other, 'id-3')).toBe(other)
    expect(await signIn(provider, 'renamed', 'id-1')).toBe(name)
    expect(await signIn(provider, other, 'id-1')).toBe(name)
    const entries = await server.admin.request<{ action: { value: string }; resource: string }[]>(
      'GET',
      '/api/v1/audits/operate-logs/?resource_type=User',
    )
    const noted = entries.filter(({ action, resource }) => action.value === 'notice' && resource.includes(name))
    expect(noted.length).toBe(1)
    // An administrator lets the other person in.
    const path = await pathOf(name)
    expect(await server.admin.request('GET', path)).toEqual([
      expect.objectContaining({ provider, subject: 'id-1', issuer: expect.stringContaining('://') }),
    ])
    const auditor = await server.as(await server.person('auditor', { system: [roleIds.systemAuditor] }))
    const person = await server.as(await server.person('person', { system: [roleIds.user], org: [roleIds.orgUser] }))
    for (const one of [auditor, person])
      await expect(one.request('PATCH', `${path}unbind/`, {})).rejects.toMatchObject({ status: 403 })
    await server.admin.request('PATCH', `${path}unbind/`, {})
    expect(await signIn(provider, name, 'id-2')).toBe(name)
    expect(await signIn(provider, name, 'id-1')).toBe('provider_identity_other')
  })

  it('of before is bound at the next sign-in', async () => {
    const username = 'of-before'
    await server.admin
      .collection('users/users')
      .create({ name: username, username, email: `${username}@example.com`, source: 'openid' })
    expect(await signIn('openid', username, 'mine')).toBe(username)
    expect(await signIn('openid', username, 'yours')).toBe('provider_identity_other')
  })

  it('cannot come without the id by asking a SAML provider for another format of name', async () => {
    expect(await signIn('saml2', 'persistent', 'p-1')).toBe('persistent')
    expect(await signIn('saml2', 'persistent')).toBe('provider_identity_other')
    // Without lasting ids nothing is bound.
    expect(await signIn('saml2', 'by-name')).toBe('by-name')
    expect(await signIn('saml2', 'by-name')).toBe('by-name')
  })

  it('is bound before the sign-in that creates it is finished', async () => {
    await change('security_auth', { SECURITY_MFA_AUTH: 1 })
    const visitor = new Visitor()
    const back = await visitor.open(await at.addressFor('openid', visitor, 'unfinished', 'u-1'))
    expect(back.status).toBe(302)
    await change('security_auth', { SECURITY_MFA_AUTH: 0 })
    expect(await signIn('openid', 'unfinished', 'u-2')).toBe('provider_identity_other')
    expect(await signIn('openid', 'unfinished', 'u-1')).toBe('unfinished')
  })
})

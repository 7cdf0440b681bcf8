import { createCipheriv, generateKeyPairSync } from 'node:crypto'
import { registerComponent } from '@castellan/testing/client'
import { describeWith } from '@castellan/testing/parts'
import { type Provider, type SignInProviders, startProviders } from '@castellan/testing/sign-in-providers'
import { Visitor } from '@castellan/testing/visitor'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { updateRow } from '../../kernel/resource/repository.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { signedHeaders, type TestKey } from '../../testing/signed-request.ts'
import { type UserRow, user, userBy } from '../users/index.ts'
import { createAccessKey } from './access-key.ts'
import { newSsoToken } from './backends/sso-token.ts'
import { issueBearer } from './bearer.ts'
import { unconfirmedOf } from './callers.ts'
import { presentCaller } from './provider-standing.ts'

/** Whether what a user of a provider has is still good: every credential × every provider × what the provider says. */
const providers = ['openid', 'saml2', 'cas', 'oauth2'] as const satisfies readonly Provider[]

let server: TestServer
let at: SignInProviders
let component: TestKey

const change = (category: string, values: object) => server.changeSettings(category, values)

beforeAll(async () => {
  server = await startServer()
  at = await startProviders(server.url, change)
  await change('auth', { AUTH_SSO: true })
  const { services, rawDb } = server.context()
  await services.settings.store(rawDb, services.events, { AUTH_TEMP_TOKEN: true })
  await services.settings.load()
  const koko = await registerComponent(server.url, server.bootstrapToken, 'ssh front')
  const { id } = await koko.request<{ id: string }>('GET', '/api/v1/users/profile/')
  const made = await server.context().transaction((ctx) => createAccessKey(ctx, id))
  component = { id: made.row.id, secret: made.secret }
})
afterAll(async () => {
  await server.close()
  await at.stop()
})

const profile = '/api/v1/users/profile/'
const statusOf = async (headers: Record<string, string>) =>
  (await fetch(`${server.url}${profile}`, { headers })).status === 200
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** The proof of a component that vouches for a client, as its header `X-JMS-SVC`. */
function vouching({ id, secret }: TestKey): Record<string, string> {
  const key = Buffer.alloc(32)
  key.write(secret.slice(0, 32))
  const timestamp = Buffer.alloc(16)
  timestamp.write(String(Math.floor(Date.now() / 1000)))
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  return {
    'x-jms-svc': `Sign ${id}:${Buffer.concat([cipher.update(timestamp), cipher.final()]).toString('base64')}`,
  }
}

/** An OpenSSH public key. */
function publicKey(): string {
  const { publicKey: made } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const parts = [Buffer.from('ssh-ed25519'), made.subarray(-32)]
  const wire = parts.flatMap((part) => [Buffer.from([0, 0, 0, part.length]), part])
  return `ssh-ed25519 ${Buffer.concat(wire).toString('base64')}`
}

/** Signs in by a provider, in a new browser. */
async function signedIn(provider: Provider, username: string): Promise<{ visitor: Visitor; row: UserRow }> {
  const visitor = new Visitor()
  const back = await visitor.open(await at.addressFor(provider, visitor, username))
  await visitor.open(server.url + back.headers.get('location'))
  const row = await userBy(server.context(), 'username', username)
  if (!row) throw new Error(`${username} was not signed in`)
  return { visitor, row }
}

/** Everything that a user has from a sign-in; each says whether it is good. */
async function everything(visitor: Visitor, row: UserRow): Promise<Record<string, () => Promise<boolean>>> {
  const ctx = server.context()
  const { token } = await ctx.transaction((inside) => issueBearer(inside, row.id))
  const { row: key, secret } = await ctx.transaction((inside) => createAccessKey(inside, row.id))
  const ssh = publicKey()
  await ctx.transaction((inside) => updateRow(inside, user, row.id, { public_key: ssh }))
  const own = { authorization: `Bearer ${token}` }
  const temporary = async () =>
    ((await (await post('/api/v1/authentication/temp-tokens/', {}, own)).json()) as { secret: string }).secret
  const word = await temporary()
  return {
    'browser session': async () => (await visitor.open(`${server.url}${profile}`)).status === 200,
    'bearer token': () => statusOf(own),
    'access key': () => statusOf(signedHeaders({ id: key.id, secret }, 'GET', profile)),
    'SSH key': async () =>
      (await post('/api/v1/authentication/auth/', { username: row.username, public_key: ssh }, vouching(component)))
        .status === 201,
    'sign-in link': async () => {
      const link = `/api/v1/authentication/sso/login/?authkey=${await newSsoToken(server.context(), row.id)}`
      const browser = new Visitor()
      return (
        (await browser.follow(server.url + link, `${server.url}/ui/`)).url === `${server.url}/ui/` &&
        (await browser.open(`${server.url}${profile}`)).status === 200
      )
    },
    'temporary password': async () =>
      (await post('/api/v1/authentication/auth/', { username: row.username, password: word })).status === 201,
    // In the transaction in which a component reads the secret of a token.
    'connection token': async () =>
      (await server.context().transaction((inside) => presentCaller(inside, row.id)))?.isActive === true,
    // Running sessions and what was started.
    'what runs for the user': async () => !(await unconfirmedOf(server.context(), [row.id])).has(row.id),
  }
}

async function outcome(credentials: Record<string, () => Promise<boolean>>): Promise<Record<string, boolean>> {
  const found: Record<string, boolean> = {}
  for (const [name, isGood] of Object.entries(credentials)) found[name] = await isGood()
  return found
}

const all = (credentials: object, value: boolean) =>
  Object.fromEntries(Object.keys(credentials).map((name) => [name, value]))

/** Makes the last confirmation of a user by the provider so old. Hours. */
const age = (row: UserRow, hours: number) =>
  server
    .context()
    .rawDb.updateTable('users_provideridentity')
    .set({ date_confirmed: Date.now() - hours * 3_600_000 })
    .where('user_id', '=', row.id)
    .execute()

/** Makes the tokens of a user's sign-ins end now. */
async function due(row: UserRow): Promise<void> {
  const { rawDb, kv } = server.context()
  await rawDb
    .updateTable('authentication_providersession')
    .set({ date_renewal: 1 })
    .where('user_id', '=', row.id)
    .execute()
  await kv.deletePrefix('sign-in:renewal:')
}

describeWith('openssl', 'what came from a sign-in by a provider', () => {
  it.each(providers)('is good for a while, and not longer: %s', async (provider) => {
    const { visitor, row } = await signedIn(provider, `old-${provider}`)
    const credentials = await everything(visitor, row)
    expect(await outcome(credentials)).toEqual(all(credentials, true))
    const again = await everything(visitor, row)
    await age(row, 167)
    expect(await outcome(again)).toEqual(all(again, true))
    const late = await everything(visitor, row)
    await age(row, 169)
    expect(await outcome(late)).toEqual(all(late, false))
    // The next sign-in there makes everything good that it was not ended for.
    const next = await signedIn(provider, `old-${provider}`)
    expect(await outcome({ ...late, 'browser session': async () => true })).toMatchObject({
      'access key': true,
      'SSH key': true,
      'bearer token': true,
    })
    expect((await next.visitor.open(`${server.url}${profile}`)).status).toBe(200)
  })

  it.each([
    ...['browser session', 'bearer token', 'access key', 'SSH key'],
    ...['sign-in link', 'temporary password', 'connection token'],
  ])('ends when the provider knows the user no longer, whoever hears it first: %s', async (first) => {
    const { visitor, row } = await signedIn('openid', `gone-${first.replaceAll(' ', '-')}`)
    const credentials = await everything(visitor, row)
    await due(row)
    expect(
      (await outcome({ 'bearer token': credentials['bearer token'] as () => Promise<boolean> }))['bearer token'],
    ).toBe(true)
    at.oidc.revokeAll()
    await due(row)
    expect(await credentials[first]?.()).toBe(false)
    expect(await outcome(credentials)).toEqual(all(credentials, false))
    at.oidc.restore()
    const noted = await server.admin.request<{ action: { value: string } }[]>(
      'GET',
      `/api/v1/audits/operate-logs/?resource_type=User&search=${row.username}`,
    )
    expect(noted.map(({ action }) => action.value)).toContain('notice')
    // Signed in there again, keys are good as before; tokens and sessions were ended.
    await signedIn('openid', row.username)
    expect(await outcome(credentials)).toMatchObject({
      'browser session': false,
      'bearer token': false,
      'access key': true,
      'SSH key': true,
    })
  })

  it('says what to do', async () => {
    const { row } = await signedIn('cas', 'asks-why')
    const { token } = await server.context().transaction((ctx) => issueBearer(ctx, row.id))
    await age(row, 1000)
    const answer = await fetch(`${server.url}${profile}`, {
      headers: { authorization: `Bearer ${token}`, 'accept-language': 'en' },
    })
    expect([answer.status, await answer.json()]).toEqual([
      401,
      expect.objectContaining({ detail: expect.stringContaining('Sign in there again') }),
    ])
  })

  it('goes on while the provider confirms it, whatever its age was, and when only one of its sessions ended', async () => {
    const { visitor, row } = await signedIn('openid', 'confirmed')
    const credentials = await everything(visitor, row)
    await age(row, 169)
    await due(row)
    expect(await outcome(credentials)).toEqual(all(credentials, true))
  })

  it('goes on in other browsers when only one of its sessions ended there', async () => {
    const { visitor, row } = await signedIn('openid', 'two-browsers')
    const { rawDb } = server.context()
    const tokens = () =>
      rawDb.selectFrom('authentication_providersession').selectAll().where('user_id', '=', row.id).execute()
    const [first] = await tokens()
    const other = await signedIn('openid', 'two-browsers')
    const credentials = await everything(other.visitor, row)
    // A refresh token that the provider does not know: it says the same of a session that was ended there.
    const { vault } = server.application.services
    const place = 'authentication_providersession.at_provider'
    await rawDb
      .updateTable('authentication_providersession')
      .set({ at_provider: vault.seal(JSON.stringify({ idToken: 'x', refreshToken: 'ended' }), place).stored() })
      .where('id', '=', String(first?.id))
      .execute()
    await due(row)
    expect((await visitor.open(`${server.url}${profile}`)).status).toBe(401)
    expect(await outcome(credentials)).toEqual(all(credentials, true))
  })

  it('stays after a sign-out here, for its time', async () => {
    const { visitor, row } = await signedIn('openid', 'signs-out')
    const credentials = await everything(visitor, row)
    await visitor.open(`${server.url}/core/auth/logout/`)
    expect(await outcome(credentials)).toEqual({ ...all(credentials, true), 'browser session': false })
    const left = await server
      .context()
      .rawDb.selectFrom('authentication_providersession')
      .select('id')
      .where('user_id', '=', row.id)
      .execute()
    expect(left).toEqual([])
  })
})

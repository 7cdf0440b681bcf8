// A sign-in by every backend beside a local one, with real servers or those that answer as the protocols document.
import { performance } from 'node:perf_hooks'
import { SoftwareKey } from '@castellan/testing/authenticator'
import { startChatServer } from '@castellan/testing/chat-server'
import { type Client, confirmed, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import { startProduct } from '@castellan/testing/product'
import { startRadius } from '@castellan/testing/radius'
import { type Provider, startProviders } from '@castellan/testing/sign-in-providers'
import { directoryUser, startDirectory } from '@castellan/testing/slapd'
import { Visitor } from '@castellan/testing/visitor'
import { percentile, type Result, report } from './results.ts'

const rounds = 15
const password = 'Local-person-1'
const providers: readonly Provider[] = ['openid', 'saml2', 'cas', 'oauth2', 'wecom', 'dingtalk', 'feishu']
/** Milliseconds of the installation itself; one with a provider has requests of two servers and of the browser. */
const most = 500

/** The median of the rounds; the first one, which loads libraries and creates the user, does not count. */
async function median(work: () => Promise<number>): Promise<number> {
  await work()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await work())
  return percentile(times, 0.5)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const chat = await startChatServer()
await using directory = await startDirectory([directoryUser('grace')])
await using radius = await startRadius({ ada: 'radius-ada' })
const product = await startProduct({ env: { ...chat.addresses, AUTH_TEMP_TOKEN: 'true' } })
const site = product.url.replace('127.0.0.1', 'localhost')

/** From the return of the browser to its session; what the provider does before is its own. */
async function byProvider(address: string, visitor: Visitor): Promise<number> {
  const time = await timed(() => visitor.follow(address, `${product.url}/ui/`))
  const { status } = await visitor.open(`${product.url}/api/v1/users/profile/`)
  if (status !== 200) throw new Error(`${address} signed nobody in.`)
  return time
}

/** Sends a form of a page of this site, as a browser does. */
async function post(visitor: Visitor, path: string, body: Record<string, string>): Promise<Response> {
  const token = visitor.cookie(site, 'jms_csrftoken') ?? ''
  return visitor.open(site + path, {
    method: 'POST',
    headers: { 'x-csrftoken': token },
    body: new URLSearchParams({ ...body, csrfmiddlewaretoken: token }),
  })
}

/** Registers a key of a local user in a browser, and signs in by it. */
async function passkeySignIn(username: string): Promise<() => Promise<number>> {
  const base = '/api/v1/authentication/'
  const key = new SoftwareKey(site)
  const owner = new Visitor()
  await owner.open(`${site}/core/auth/login/`)
  await post(owner, '/core/auth/login/', { username, password })
  await owner.open(`${site}/core/auth/login/guard/`)
  const send = (path: string, body: object) =>
    owner.open(site + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrftoken': owner.cookie(site, 'jms_csrftoken') ?? '' },
      body: JSON.stringify(body),
    })
  await send(`${base}confirm/`, { confirm_type: 'password', secret_key: password })
  const asked = (await (await owner.open(`${site}${base}passkeys/register/?name=bench`)).json()) as never
  await send(`${base}passkeys/register/`, {
    ...key.create((asked as { publicKey: never }).publicKey),
    key_name: 'bench',
  })
  return async () => {
    const visitor = new Visitor()
    await visitor.open(`${site}${base}passkeys/login/`)
    const challenge = (await (await visitor.open(`${site}${base}passkeys/auth/`)).json()) as { publicKey: never }
    const passkeys = JSON.stringify(key.get(challenge.publicKey))
    return timed(async () => {
      const answer = await post(visitor, `${base}passkeys/auth/`, { passkeys })
      const guarded = await visitor.open(new URL(answer.headers.get('location') ?? '', site).href)
      if (guarded.headers.get('location') !== '/') throw new Error('The passkey signed nobody in.')
    })
  }
}

try {
  const admin: Client = await signIn(product.url, 'admin', product.adminPassword)
  const sure = await confirmed(admin, product.adminPassword)
  const change = (category: string, values: object) =>
    sure.request('PATCH', `/api/v1/settings/setting/?category=${category}`, values)
  const at = await startProviders(product.url, change)
  await change('auth', { AUTH_SSO: true, AUTH_PASSKEY: true })
  await makePerson(admin, 'local', password)
  const byPassword = (username: string, typed: string) =>
    median(() => timed(() => signIn(product.url, username, typed)))

  // Alone, so that its time has no question to another server in it.
  const local = await byPassword('local', password)
  const results: Result[] = [{ what: 'local', value: local, unit: 'ms', limit: { most } }]
  const measured = (what: string, value: number) => {
    results.push({ what, value, unit: 'ms', limit: { most } })
    results.push({ what: `${what}, compared with local`, value: value / local, unit: 'x', limit: { most: 3 } })
  }
  const own = await signIn(product.url, 'local', password)
  measured(
    'temporary password',
    await median(async () => {
      const { secret } = await own.request<{ secret: string }>('POST', '/api/v1/authentication/temp-tokens/', {})
      return timed(() => signIn(product.url, 'local', secret))
    }),
  )
  measured('passkey', await median(await passkeySignIn('local')))
  measured(
    'SSO link',
    await median(async () => {
      const body = { username: 'local', next: '/ui/' }
      const link = await admin.request<{ login_url: string }>('POST', '/api/v1/authentication/sso/login-url/', body)
      return byProvider(link.login_url, new Visitor())
    }),
  )
  for (const provider of providers)
    measured(
      provider,
      await median(async () => {
        const visitor = new Visitor()
        return byProvider(await at.addressFor(provider, visitor, `by-${provider}`), visitor)
      }),
    )
  await change('ldap', directory.settings)
  measured('directory', await byPassword('grace', 'directory-grace'))
  await change('ldap', { AUTH_LDAP: false })
  await change('radius', radius.settings)
  measured('RADIUS', await byPassword('ada', 'radius-ada'))
  await at.stop()
  report(results)
} finally {
  await product.stop()
  await chat.stop()
}

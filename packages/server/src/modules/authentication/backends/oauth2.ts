import { authBackends } from '@castellan/contract/choices/authentication'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { askProvider } from '../../../kernel/security/outgoing-request.ts'
import type { ProviderAnswer, ProviderIdentity, RedirectBackend } from '../../../kernel/security/sign-in.ts'
import { demandMapped } from '../federated/attributes.ts'
import { ownPath } from '../pages.ts'
import { signInMethods } from '../settings.ts'
import { oauth2 as settings } from './provider-settings.ts'

/** An address of the settings with more parameters. */
function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** The object of an answer; some providers wrap it in `data`. */
async function objectIn(answer: Response): Promise<Record<string, unknown>> {
  const found: unknown = answer.ok ? await answer.json() : undefined
  if (!isObject(found)) throw new Error(`The OAuth2 provider answered with status ${answer.status} and no object.`)
  return isObject(found.data) ? found.data : found
}

async function accessToken(ctx: Context, code: string, redirectUri: string, verifier: string): Promise<string> {
  const set = settings.of(ctx)
  const parameters = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: set.AUTH_OAUTH2_CLIENT_ID,
    client_secret: set.AUTH_OAUTH2_CLIENT_SECRET ? ctx.services.vault.open(set.AUTH_OAUTH2_CLIENT_SECRET) : '',
    code_verifier: verifier,
  }
  const address = set.AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT
  const headers = { accept: 'application/json' }
  const answer = await (set.AUTH_OAUTH2_ACCESS_TOKEN_METHOD === 'POST'
    ? askProvider(address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(parameters).toString(),
      })
    : askProvider(withQuery(address, parameters), { headers }))
  const { access_token: token } = await objectIn(answer)
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw new Error('The OAuth2 provider gave no token.')
  return token
}

/** The lasting id in user information: `sub` as OpenID has it, or `id` as most others have it. */
function identityIn(address: string, found: Readonly<Record<string, unknown>>): { identity?: ProviderIdentity } {
  const [subject] = [found.sub, found.id].filter((id) => (typeof id === 'string' && id) || typeof id === 'number')
  return subject === undefined ? {} : { identity: { issuer: new URL(address).origin, subject: String(subject) } }
}

/** OAuth 2.0: who a token belongs to is what the provider's user information says. */
export const oauth2: RedirectBackend = {
  name: 'oauth2',
  label: authBackends.OAuth2,
  loggedAs: 'OAuth2',
  kind: 'redirect',
  automatic: true,
  isEnabled: (ctx) => signInMethods.of(ctx).AUTH_OAUTH2,

  button(ctx) {
    const { AUTH_OAUTH2_PROVIDER: label, AUTH_OAUTH2_LOGO_PATH: path } = settings.of(ctx)
    const logo = ownPath(path ?? '')
    return { label, ...(logo && { logo }) }
  },

  async start(ctx, { callbackUrl, state }) {
    const client = await import('openid-client')
    const set = settings.of(ctx)
    const verifier = client.randomPKCECodeVerifier()
    const url = withQuery(set.AUTH_OAUTH2_PROVIDER_AUTHORIZATION_ENDPOINT, {
      response_type: 'code',
      client_id: set.AUTH_OAUTH2_CLIENT_ID,
      redirect_uri: callbackUrl,
      state,
      ...(set.AUTH_OAUTH2_SCOPE && { scope: set.AUTH_OAUTH2_SCOPE }),
      // Providers that do not know them ignore these.
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { url, kept: verifier }
  },

  async authenticate(ctx, { request, callbackUrl, kept }): Promise<ProviderAnswer | undefined> {
    const { code } = request.query
    if (!code) return undefined
    const set = settings.of(ctx)
    try {
      const token = await accessToken(ctx, code, callbackUrl, kept)
      const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
      const found = await objectIn(await askProvider(set.AUTH_OAUTH2_PROVIDER_USERINFO_ENDPOINT, { headers }))
      const person = demandMapped(found, set.AUTH_OAUTH2_USER_ATTR_MAP)
      return {
        source: 'oauth2',
        ...person,
        ...identityIn(set.AUTH_OAUTH2_PROVIDER_USERINFO_ENDPOINT, found),
        ...(!set.AUTH_OAUTH2_ALWAYS_UPDATE_USER && { updates: false as const }),
      }
    } catch (error) {
      ctx.services.log.warn({ err: error }, 'The OAuth2 provider did not confirm a sign-in')
      return undefined
    }
  },

  async signOut(ctx, { returnUrl }) {
    const set = settings.of(ctx)
    const address = set.AUTH_OAUTH2_PROVIDER_END_SESSION_ENDPOINT
    if (!set.AUTH_OAUTH2_LOGOUT_COMPLETELY || !URL.canParse(address)) return undefined
    return { url: withQuery(address, { client_id: set.AUTH_OAUTH2_CLIENT_ID, post_logout_redirect_uri: returnUrl }) }
  },
}

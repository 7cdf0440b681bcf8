import { type CasServer, startCasServer } from './cas-server.ts'
import { chatForms } from './chat-server.ts'
import { type OidcServer, startOidcServer } from './oidc-server.ts'
import { requestIn, SamlIdp } from './saml-idp.ts'
import type { Visitor } from './visitor.ts'

/** Every way to sign in that leads over the page of a provider. */
export type Provider = 'openid' | 'saml2' | 'cas' | 'oauth2' | keyof typeof chatForms

const isChat = (provider: Provider): provider is keyof typeof chatForms => Object.hasOwn(chatForms, provider)

/** Below which the pages of a provider are. */
export const pathOf = (provider: Provider): string => `/core/auth/${provider}${isChat(provider) ? '/qr' : ''}`

/** One provider of each kind, which an installation trusts. */
export interface SignInProviders {
  /**
   * Goes to the provider, which knows the browser's user by a name; the address that brings the browser back.
   * `subject`: a lasting id at the provider, which otherwise is the name, or none.
   */
  addressFor(provider: Provider, visitor: Visitor, username: string, subject?: string): Promise<string>
  /** Those of which more can be told. */
  readonly oidc: OidcServer
  readonly cas: CasServer
  readonly idp: SamlIdp
  stop(): Promise<void>
}

/**
 * Starts the providers and enters them. The addresses of the chat services are settings of the environment: the
 * installation has those of a `startChatServer` already.
 * @param url address of the installation
 * @param change stores settings of a category
 */
export async function startProviders(
  url: string,
  change: (category: string, values: object) => Promise<unknown>,
): Promise<SignInProviders> {
  const callback = (name: Provider) => `${url}${pathOf(name)}/callback/`
  const oidc = await startOidcServer([callback('openid')], [])
  const oauth = await startOidcServer([callback('oauth2')], [], 'client_secret_post')
  const cas = await startCasServer()
  const idp = new SamlIdp()
  await change('basic', { SITE_URL: url })
  for (const [name, values] of Object.entries(chatForms)) await change(name, values)
  await change('oidc', {
    AUTH_OPENID: true,
    AUTH_OPENID_KEYCLOAK: false,
    AUTH_OPENID_CLIENT_ID: oidc.clientId,
    AUTH_OPENID_CLIENT_SECRET: oidc.clientSecret,
    AUTH_OPENID_PROVIDER_ENDPOINT: oidc.url,
    AUTH_OPENID_PROVIDER_AUTHORIZATION_ENDPOINT: `${oidc.url}/auth`,
    AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT: `${oidc.url}/token`,
    AUTH_OPENID_PROVIDER_JWKS_ENDPOINT: `${oidc.url}/jwks`,
    AUTH_OPENID_PROVIDER_USERINFO_ENDPOINT: `${oidc.url}/me`,
    AUTH_OPENID_PROVIDER_SIGNATURE_ALG: 'RS256',
  })
  await change('saml2', { AUTH_SAML2: true, SAML2_IDP_METADATA_XML: idp.metadata() })
  await change('cas', { AUTH_CAS: true, CAS_SERVER_URL: cas.url })
  await change('oauth2', {
    AUTH_OAUTH2: true,
    AUTH_OAUTH2_CLIENT_ID: oauth.clientId,
    AUTH_OAUTH2_CLIENT_SECRET: oauth.clientSecret,
    AUTH_OAUTH2_SCOPE: 'openid profile email',
    AUTH_OAUTH2_ACCESS_TOKEN_METHOD: 'POST',
    AUTH_OAUTH2_PROVIDER_AUTHORIZATION_ENDPOINT: `${oauth.url}/auth`,
    AUTH_OAUTH2_ACCESS_TOKEN_ENDPOINT: `${oauth.url}/token`,
    AUTH_OAUTH2_PROVIDER_USERINFO_ENDPOINT: `${oauth.url}/me`,
    AUTH_OAUTH2_USER_ATTR_MAP: { username: 'preferred_username', name: 'name', email: 'email' },
  })

  async function byAssertion(visitor: Visitor, username: string, subject?: string): Promise<string> {
    const [login, address] = [`${url}${pathOf('saml2')}/login/`, callback('saml2')]
    const left = requestIn((await visitor.open(login)).headers.get('location') ?? '')
    const said = {
      issuer: idp.entityId,
      audience: login,
      recipient: address,
      destination: address,
      inResponseTo: left.id,
      nameId: subject ?? username,
      ...(subject && { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' }),
      sessionIndex: 's',
      expires: Date.now() + 60_000,
      attributes: { uid: username },
    }
    const xml = idp.response(said, idp.signed(idp.assertion(said), 'Assertion'))
    const body = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: left.relayState })
    const posted = await fetch(address, { method: 'POST', redirect: 'manual', body })
    return url + posted.headers.get('location')
  }

  return {
    oidc,
    cas,
    idp,
    async addressFor(provider, visitor, username, subject) {
      if (provider === 'saml2') return byAssertion(visitor, username, subject)
      const login = `${url}${pathOf(provider)}/login/`
      if (isChat(provider)) {
        const left = new URL((await visitor.open(login)).headers.get('location') ?? '')
        const query = new URLSearchParams({ code: `for:${username}`, state: left.searchParams.get('state') ?? '' })
        return `${callback(provider)}?${query}`
      }
      if (provider === 'cas') cas.user = { name: subject ?? username, attributes: { login: username } }
      else
        (provider === 'openid' ? oidc : oauth).user = {
          sub: subject ?? username,
          preferred_username: username,
        }
      return (await visitor.follow(login, callback(provider))).url
    },
    async stop() {
      await Promise.all([oidc.stop(), oauth.stop(), cas.stop()])
    },
  }
}

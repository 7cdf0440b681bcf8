import { authBackends } from '@castellan/contract/choices/authentication'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import type { ProviderAnswer, RedirectBackend, Renewal } from '../../../kernel/security/sign-in.ts'
import { demandMapped, mapped } from '../federated/attributes.ts'
import { type OidcProvider, oidcProvider } from '../federated/oidc-provider.ts'
import { signInMethods } from '../settings.ts'
import { oidc } from './provider-settings.ts'

/** What waits while the browser is at the provider. */
interface Kept {
  readonly nonce?: string
  readonly verifier?: string
}

/** What the session keeps: for the sign-out, and to ask whether the provider still knows the user. */
interface Tokens {
  readonly idToken: string
  readonly refreshToken?: string
}

const isTokens = (value: unknown): value is Tokens => isObject(value) && typeof value.idToken === 'string'

function tokensIn(atProvider: string): Tokens | undefined {
  const value: unknown = atProvider ? JSON.parse(atProvider) : undefined
  return isTokens(value) ? value : undefined
}

/** An installation with several addresses names the one that the provider knows. */
function callbackOf(ctx: Context, callbackUrl: string): string {
  const site = oidc.of(ctx).BASE_SITE_URL
  return site ? `${site.replace(/\/+$/, '')}${new URL(callbackUrl).pathname}` : callbackUrl
}

/** Claims of the ID token, or of the user information where the token does not have them. */
async function personIn(ctx: Context, provider: OidcProvider, idToken: string, accessToken: string) {
  const { AUTH_OPENID_ID_TOKEN_INCLUDE_CLAIMS: hasClaims, AUTH_OPENID_USER_ATTR_MAP: map } = oidc.of(ctx)
  const claims = await provider.verified(idToken)
  const { sub: subject, iss: issuer } = claims
  if (!subject || !issuer) throw new Error('The ID token has no subject.')
  const identity = { issuer: issuer.replace(/\/+$/, ''), subject }
  const named = hasClaims ? mapped(claims, map) : undefined
  if (named) return { ...named, identity }
  const client = await import('openid-client')
  // The subject must be that of the token: the answer could be about somebody else.
  return { ...demandMapped(await client.fetchUserInfo(provider.config, accessToken, subject), map), identity }
}

/** Until when a refresh token can be used, where the provider says so. */
function askableUntil(ctx: Context, tokens: Readonly<Record<string, unknown>>): { askableUntil?: number } {
  const seconds = Number(tokens.refresh_expires_in)
  return seconds > 0 ? { askableUntil: ctx.now + seconds * 1000 } : {}
}

/** When tokens end; providers that do not say so are asked every five minutes. Milliseconds since 1970. */
const endOf = (ctx: Context, seconds = 300): number => ctx.now + Math.max(60, seconds) * 1000

/** OpenID Connect: authorization code, with PKCE and nonce as the settings say. */
export const openid: RedirectBackend = {
  name: 'openid',
  label: authBackends.OpenID,
  loggedAs: 'OpenID',
  kind: 'redirect',
  automatic: true,
  isEnabled: (ctx) => signInMethods.of(ctx).AUTH_OPENID,

  async start(ctx, { callbackUrl, state }) {
    const client = await import('openid-client')
    const set = oidc.of(ctx)
    const { config } = await oidcProvider(ctx, false)
    const nonce = set.AUTH_OPENID_USE_NONCE ? client.randomNonce() : undefined
    const verifier = set.AUTH_OPENID_PKCE ? client.randomPKCECodeVerifier() : undefined
    const isPlain = set.AUTH_OPENID_CODE_CHALLENGE_METHOD === 'plain'
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: callbackOf(ctx, callbackUrl),
      scope: set.AUTH_OPENID_SCOPES,
      state,
      ...(nonce && { nonce }),
      ...(verifier && {
        code_challenge: isPlain ? verifier : await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: isPlain ? 'plain' : 'S256',
      }),
    })
    return { url: url.href, kept: JSON.stringify({ nonce, verifier } satisfies { [K in keyof Kept]: unknown }) }
  },

  async authenticate(ctx, { request, callbackUrl, state, kept }): Promise<ProviderAnswer | undefined> {
    const client = await import('openid-client')
    const { nonce, verifier } = JSON.parse(kept) as Kept
    const back = new URL(callbackOf(ctx, callbackUrl))
    back.search = new URL(request.url, back).search
    try {
      const provider = await oidcProvider(ctx)
      const tokens = await client.authorizationCodeGrant(provider.config, back, {
        expectedState: state,
        idTokenExpected: true,
        ...(nonce && { expectedNonce: nonce }),
        ...(verifier && { pkceCodeVerifier: verifier }),
      })
      const idToken = tokens.id_token ?? ''
      const person = await personIn(ctx, provider, idToken, tokens.access_token)
      const refreshToken = tokens.refresh_token
      return {
        source: 'openid',
        ...person,
        ...(oidc.of(ctx).AUTH_OPENID_ALWAYS_UPDATE_USER ? {} : { updates: false }),
        atProvider: JSON.stringify({ idToken, ...(refreshToken && { refreshToken }) } satisfies Tokens),
        ...(refreshToken &&
          oidc.of(ctx).AUTH_OPENID_SHARE_SESSION && {
            renewAt: endOf(ctx, tokens.expires_in),
            ...askableUntil(ctx, tokens as unknown as Record<string, unknown>),
          }),
      }
    } catch (error) {
      ctx.services.log.warn({ err: error }, 'The OpenID provider did not confirm a sign-in')
      return undefined
    }
  },

  async renew(ctx, atProvider): Promise<Renewal> {
    const known = tokensIn(atProvider)
    if (!known?.refreshToken || !oidc.of(ctx).AUTH_OPENID_SHARE_SESSION) return { atProvider }
    const client = await import('openid-client')
    try {
      const { config } = await oidcProvider(ctx)
      const tokens = await client.refreshTokenGrant(config, known.refreshToken)
      const [idToken, refreshToken] = [tokens.id_token ?? known.idToken, tokens.refresh_token ?? known.refreshToken]
      const next: Tokens = { idToken, refreshToken }
      return {
        atProvider: JSON.stringify(next),
        renewAt: endOf(ctx, tokens.expires_in),
        ...askableUntil(ctx, tokens as unknown as Record<string, unknown>),
      }
    } catch (error) {
      // The provider answered: the session there ended, or the user is gone. Anything else may be a failure of its own.
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return 'ended'
      ctx.services.log.warn({ err: error }, 'The OpenID provider did not renew a session')
      return 'unreachable'
    }
  },

  async signOut(ctx, { atProvider, returnUrl }) {
    if (!oidc.of(ctx).AUTH_OPENID_SHARE_SESSION) return undefined
    const client = await import('openid-client')
    const { config } = await oidcProvider(ctx, false)
    if (!config.serverMetadata().end_session_endpoint) return undefined
    const hint = tokensIn(atProvider)?.idToken
    const { href: url } = client.buildEndSessionUrl(config, {
      post_logout_redirect_uri: callbackOf(ctx, returnUrl),
      ...(hint && { id_token_hint: hint }),
    })
    return { url }
  },
}

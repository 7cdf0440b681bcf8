/** The OpenID provider of the settings, and what is verified of its answers. */
import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { Configuration, ServerMetadata } from 'openid-client'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { perInstallation } from '../../../kernel/module/per-installation.ts'
import { askProvider, fetchFor } from '../../../kernel/security/outgoing-request.ts'
import { oidc } from '../backends/provider-settings.ts'

/** Algorithms of keys that only the provider has. */
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** Providers are asked again for their description after this time. Milliseconds. */
const describedFor = 600_000
/** Difference of clocks that is accepted. Seconds. */
const clockTolerance = 30

type OidcSettings = ReturnType<typeof oidc.of>

const isKeycloak = (set: OidcSettings) => set.AUTH_OPENID_KEYCLOAK && Boolean(set.AUTH_OPENID_REALM_NAME)

/** Of the settings; those of Keycloak follow from its address and the realm. */
function metadataOf(set: OidcSettings): ServerMetadata {
  if (isKeycloak(set)) {
    const issuer = `${set.AUTH_OPENID_SERVER_URL.replace(/\/+$/, '')}/realms/${encodeURIComponent(set.AUTH_OPENID_REALM_NAME ?? '')}`
    const at = (name: string) => `${issuer}/protocol/openid-connect/${name}`
    return {
      issuer,
      authorization_endpoint: at('auth'),
      token_endpoint: at('token'),
      jwks_uri: at('certs'),
      userinfo_endpoint: at('userinfo'),
      end_session_endpoint: at('logout'),
      id_token_signing_alg_values_supported: asymmetric,
    }
  }
  return {
    issuer: set.AUTH_OPENID_PROVIDER_ENDPOINT,
    authorization_endpoint: set.AUTH_OPENID_PROVIDER_AUTHORIZATION_ENDPOINT,
    token_endpoint: set.AUTH_OPENID_PROVIDER_TOKEN_ENDPOINT,
    jwks_uri: set.AUTH_OPENID_PROVIDER_JWKS_ENDPOINT,
    userinfo_endpoint: set.AUTH_OPENID_PROVIDER_USERINFO_ENDPOINT,
    end_session_endpoint: set.AUTH_OPENID_PROVIDER_END_SESSION_ENDPOINT,
    id_token_signing_alg_values_supported: [set.AUTH_OPENID_PROVIDER_SIGNATURE_ALG],
  }
}

const bare = (address: string) => address.replace(/\/+$/, '')

/**
 * The issuer as the provider spells it, with or without a slash at the end, and whether it names itself in responses.
 * Everything else of its description is ignored: the settings decide.
 */
async function described(issuer: string, verifies: boolean): Promise<Partial<ServerMetadata>> {
  try {
    const answer = await askProvider(`${bare(issuer)}/.well-known/openid-configuration`, {}, verifies)
    const found: unknown = answer.ok ? await answer.json() : undefined
    if (!isObject(found) || typeof found.issuer !== 'string' || bare(found.issuer) !== bare(issuer)) return {}
    const namesItself = found.authorization_response_iss_parameter_supported === true
    return { issuer: found.issuer, ...(namesItself && { authorization_response_iss_parameter_supported: true }) }
  } catch {
    // A provider without a description is used by the settings alone.
    return {}
  }
}

/** A token that was issued to another client is none of ours, even if we are among its audience. */
function demandOwnParty({ aud, azp }: JWTPayload, clientId: string): void {
  const isShared = Array.isArray(aud) && aud.length > 1
  if (azp === undefined ? isShared : azp !== clientId) throw new Error('The ID token was issued to another client.')
}

export interface OidcProvider {
  readonly config: Configuration
  /** Verifies the signature of an ID token. @throws for any other than a valid one */
  verified(idToken: string): Promise<JWTPayload>
}

async function build(ctx: Context, set: OidcSettings, more: Partial<ServerMetadata>): Promise<OidcProvider> {
  const [client, jose] = await Promise.all([import('openid-client'), import('jose')])
  const metadata = { ...metadataOf(set), ...more }
  const secret = set.AUTH_OPENID_CLIENT_SECRET ? ctx.services.vault.open(set.AUTH_OPENID_CLIENT_SECRET) : ''
  const method = set.AUTH_OPENID_CLIENT_AUTH_METHOD === 'client_secret_post' ? 'ClientSecretPost' : 'ClientSecretBasic'
  const config = new client.Configuration(
    metadata,
    set.AUTH_OPENID_CLIENT_ID,
    { [client.clockTolerance]: clockTolerance },
    secret ? client[method](secret) : client.None(),
  )
  const fetch = fetchFor(!set.AUTH_OPENID_IGNORE_SSL_VERIFICATION)
  config[client.customFetch] = fetch
  // Providers inside a company may be reached without TLS; the settings name their addresses.
  client.allowInsecureRequests(config)
  const algorithms = metadata.id_token_signing_alg_values_supported ?? []
  const key = keyOf()
  /** The algorithm of the settings decides which key is used, never the token. */
  function keyOf(): KeyObject | JWTVerifyGetKey {
    if (algorithms.every((one) => one.startsWith('HS'))) return createSecretKey(Buffer.from(secret || '\0', 'utf8'))
    if (!isKeycloak(set) && set.AUTH_OPENID_PROVIDER_SIGNATURE_KEY)
      return createPublicKey(set.AUTH_OPENID_PROVIDER_SIGNATURE_KEY)
    return jose.createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), {
      [jose.customFetch]: (url, { method: verb, headers }) =>
        fetch(url, { method: verb, headers: Object.fromEntries(headers) }),
    })
  }
  return {
    config,
    async verified(idToken) {
      const options = {
        algorithms,
        issuer: metadata.issuer,
        audience: set.AUTH_OPENID_CLIENT_ID,
        clockTolerance,
        maxTokenAge: set.AUTH_OPENID_ID_TOKEN_MAX_AGE,
      }
      const { payload } = await (typeof key === 'function'
        ? jose.jwtVerify(idToken, key, options)
        : jose.jwtVerify(idToken, key, options))
      demandOwnParty(payload, set.AUTH_OPENID_CLIENT_ID)
      return payload
    },
  }
}

const built = perInstallation(() => new Map<string, { until: number; provider: Promise<OidcProvider> }>())

/** The provider of the settings in force. @param asks whether it may be asked to describe itself */
export function oidcProvider(ctx: Context, asks = true): Promise<OidcProvider> {
  const set = oidc.of(ctx)
  if (!asks) return build(ctx, set, {})
  const known = built(ctx.services)
  const key = JSON.stringify([
    set.AUTH_OPENID_CLIENT_SECRET?.stored(),
    ...Object.values(oidc.settings).flatMap((setting) => (setting.secret ? [] : [setting.of(ctx)])),
  ])
  const found = known.get(key)
  if (found && found.until > ctx.now) return found.provider
  // Only the settings in force are needed.
  known.clear()
  const verifies = !set.AUTH_OPENID_IGNORE_SSL_VERIFICATION
  const provider = described(metadataOf(set).issuer, verifies).then((more) => build(ctx, set, more))
  known.set(key, { until: ctx.now + describedFor, provider })
  provider.catch(() => known.delete(key))
  return provider
}

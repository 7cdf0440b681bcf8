import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

/** A certified OpenID provider, in this process. */
export interface OidcServer {
  /** Its issuer. */
  url: string
  clientId: string
  clientSecret: string
  /** The claims of whoever signs in next; their subject is `sub`. */
  user: Readonly<Record<string, string>>
  /** Ends every session and refresh token at the provider. */
  revokeAll(): void
  /** Knows everybody again. */
  restore(): void
  stop(): Promise<void>
}

/** Starts a provider that asks nobody: whoever is sent there is signed in as `user`. */
export async function startOidcServer(
  redirectUris: readonly string[],
  returnUris: readonly string[],
  clientAuthentication: 'client_secret_basic' | 'client_secret_post' = 'client_secret_basic',
): Promise<OidcServer> {
  const [clientId, clientSecret] = ['castellan', randomBytes(24).toString('hex')]
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const handle = { current: (_request: IncomingMessage, answer: ServerResponse) => void answer.end() }
  const http = createServer((request, answer) => handle.current(request, answer))
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const state = { user: { sub: 'nobody' } as Readonly<Record<string, string>>, revoked: false }
  const known = new Map<string, Readonly<Record<string, string>>>()
  const provider = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: clientAuthentication,
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: [...returnUris],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    issueRefreshToken: async () => true,
    findAccount: (_ctx, id) => {
      const claims = state.revoked ? undefined : known.get(id)
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) }
    },
    pkce: { required: () => false },
  })
  handle.current = (request, answer) => {
    const work = request.url?.startsWith('/interaction/')
      ? interact(request, answer)
      : provider.callback()(request, answer)
    void Promise.resolve(work)
  }
  async function interact(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { params, session } = await provider.interactionDetails(request, answer)
    const accountId = session?.accountId ?? String(state.user.sub)
    known.set(accountId, state.user)
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, answer, { login: { accountId }, consent })
  }
  return {
    url,
    clientId,
    clientSecret,
    get user() {
      return state.user
    },
    set user(claims) {
      state.user = claims
    },
    revokeAll: () => {
      state.revoked = true
    },
    restore: () => {
      state.revoked = false
    },
    stop: () =>
      new Promise<void>((closed) => {
        http.closeAllConnections()
        http.close(() => closed())
      }),
  }
}

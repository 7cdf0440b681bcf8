import type { Call } from './provider.ts'

/** Tokens are fetched again this long before they end. Milliseconds. */
const margin = 5 * 60_000

export interface AccessToken {
  value: string
  /** When it ends. Milliseconds since 1970. */
  until: number
}

/** Keeps a token and fetches another one before it ends: synchronizations may take longer than a token. */
export function tokenSource(fetchToken: (call: Call) => Promise<AccessToken>): (call: Call) => Promise<string> {
  let current: AccessToken | undefined
  return async (call) => {
    if (!current || !(current.until - margin > Date.now())) current = await fetchToken(call)
    return current.value
  }
}

/** The token in an answer of an OAuth 2 server. */
export const oauthToken = (body: Readonly<Record<string, unknown>>): AccessToken => ({
  value: String(body.access_token ?? ''),
  until: Date.now() + Number(body.expires_in ?? 0) * 1000,
})

import { randomUUID } from 'node:crypto'
import { type HostKeyCheck, type HostKeyVerdict, hostKeyVerifyPath } from '@castellan/contract/host-keys'
import type { Language } from '@castellan/contract/messages'
import type { ServerHttp } from './http.ts'
import { ServerRefusal } from './http.ts'
import type {
  ComponentConfig,
  ConnectionToken,
  Grant,
  GrantedAsset,
  GrantedAssetDetail,
  GrantedNode,
  JoinRecord,
  LoginFrom,
  ReviewTicket,
  SharingLink,
  SharingRequest,
  TerminalSessionsBody,
  TicketState,
  UserProfile,
} from './wire.ts'

const secretPath = '/api/v1/authentication/super-connection-token/secret/'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => uuid.test(text)

export interface TokenRequest {
  user: string
  asset: string
  account: string
  protocol: string
  connect_method: string
  input_username?: string
  input_secret?: string
  connect_options?: Record<string, unknown>
  remote_addr: string
}

interface Page<T> {
  count: number
  results: T[]
}

/** The calls of a component, one function each. */
export class ServerApi {
  readonly http: ServerHttp

  constructor(http: ServerHttp) {
    this.http = http
  }

  config(): Promise<ComponentConfig> {
    return this.http.call('GET', '/api/v1/terminal/terminals/config/')
  }

  /** The user of a browser's cookies; undefined when not signed in. */
  async userOfCookies(cookie: string, forwarded: Record<string, string>): Promise<UserProfile | undefined> {
    const answer = await this.http.send('GET', '/api/v1/users/profile/', {
      signed: false,
      headers: { ...forwarded, cookie },
      timeout: 10_000,
    })
    if (answer.status === 200) return answer.body as UserProfile
    if (answer.status === 401 || answer.status === 403) return undefined
    throw new ServerRefusal('GET', '/api/v1/users/profile/', answer.status, answer.body)
  }

  user(id: string): Promise<UserProfile> {
    return this.http.call('GET', `/api/v1/users/users/${id}/`)
  }

  async assets(
    user: string,
    query: { limit: number; offset: number; search?: string; order?: string; category?: string; node?: string },
  ): Promise<Page<GrantedAsset>> {
    const search = new URLSearchParams({ limit: String(query.limit), offset: String(query.offset) })
    if (query.search) search.set('search', query.search)
    if (query.order) search.set('order', query.order)
    if (query.category) search.set('category', query.category)
    const base = query.node ? `nodes/${query.node}/assets/` : 'assets/'
    const page = await this.http.call<Page<GrantedAsset> | GrantedAsset[]>(
      'GET',
      `/api/v1/perms/users/${user}/${base}?${search}`,
    )
    return Array.isArray(page) ? { count: page.length, results: page } : page
  }

  /** One granted asset with its permitted accounts and protocols; undefined when it is not granted (any more). */
  async asset(user: string, asset: string): Promise<GrantedAssetDetail | undefined> {
    const path = `/api/v1/perms/users/${user}/assets/${asset}/`
    try {
      return await this.http.call<GrantedAssetDetail>('GET', path)
    } catch (error) {
      if (error instanceof ServerRefusal && error.status === 404) return undefined
      throw error
    }
  }

  nodes(user: string): Promise<GrantedNode[]> {
    return this.http.call('GET', `/api/v1/perms/users/${user}/nodes/`)
  }

  createToken(request: TokenRequest, withTicket: boolean): Promise<ConnectionToken> {
    const path = `/api/v1/authentication/super-connection-token/${withTicket ? '?create_ticket=1' : ''}`
    return this.http.call('POST', path, { body: { connect_options: {}, ...request } })
  }

  /** The data of one connection. The server records the session for which it is opened. */
  async grant(token: string): Promise<Grant> {
    const session = randomUUID()
    const grant = await this.http.call<Grant>('POST', secretPath, { body: { id: token, session, gateways: true } })
    return { ...grant, session }
  }

  /** The target of a token, without consuming it; our server omits the secrets. */
  look(token: string): Promise<Grant> {
    return this.http.call('POST', secretPath, { body: { id: token, expire_now: false, look: true } })
  }

  renewToken(token: string): Promise<unknown> {
    return this.http.call('PATCH', '/api/v1/authentication/super-connection-token/renewal/', { body: { id: token } })
  }

  ticketState(api: { method: string; url: string }): Promise<TicketState> {
    return this.http.call(api.method.toUpperCase(), ownPath(api.url))
  }

  closeTicket(api: { method: string; url: string }): Promise<unknown> {
    return this.http.call(api.method.toUpperCase(), ownPath(api.url))
  }

  commandReview(session: string, rule: string, command: string): Promise<ReviewTicket> {
    return this.http.call('POST', '/api/v1/acls/command-filter-acls/command-review/', {
      body: { session_id: session, cmd_filter_acl_id: rule, run_command: command },
    })
  }

  createSession(session: TerminalSessionsBody): Promise<unknown> {
    return this.http.call('POST', '/api/v1/terminal/sessions/', { body: session })
  }

  verifyHostKey(check: HostKeyCheck): Promise<HostKeyVerdict> {
    return this.http.call('POST', hostKeyVerifyPath, { body: check })
  }

  /** Whether a user may watch a session: undefined when they may, otherwise the server's error. */
  async mayJoin(user: string, session: string): Promise<string | undefined> {
    const answer = await this.http.send('POST', '/api/v1/terminal/sessions/join/validate/', {
      body: { user_id: user, session_id: session },
    })
    const body = answer.body as { ok?: boolean; msg?: string } | undefined
    return answer.status === 200 && body?.ok === true ? undefined : (body?.msg ?? 'refused')
  }

  /** Creates a link by which others join a session. Errors are in the language of the user who asked for it. */
  shareSession(body: SharingRequest, language: Language): Promise<SharingLink> {
    const headers = { 'accept-language': language }
    return this.http.call('POST', '/api/v1/terminal/session-sharings/', { body, headers })
  }

  /** Records that a user joins a session by a link; throws `ServerRefusal` when they may not. */
  joinSession(
    body: { sharing: string; joiner: string; verify_code: string; remote_addr: string; login_from: LoginFrom },
    language: Language,
  ): Promise<JoinRecord> {
    const headers = { 'accept-language': language }
    return this.http.call('POST', '/api/v1/terminal/session-join-records/', { body, headers })
  }

  /** Whether a user who joined a session may still be in it, as the server's record of it says. */
  async isStillJoined(record: string, organization: string): Promise<boolean> {
    const path = `/api/v1/terminal/session-join-records/${record}/`
    const { is_finished } = await this.http.call<{ is_finished: boolean }>('GET', path, { organization })
    return !is_finished
  }

  /** Members of an organization whose name contains a text; at most ten. */
  async members(organization: string, search: string): Promise<UserProfile[]> {
    const query = new URLSearchParams({ search, limit: '10', fields_size: 'small', is_active: 'true' })
    const page = await this.http.call<Page<UserProfile>>('GET', `/api/v1/users/users/?${query}`, { organization })
    return page.results
  }

  favorites(user: string): Promise<GrantedAsset[]> {
    return this.http.call('GET', `/api/v1/perms/users/${user}/nodes/favorite/assets/`)
  }
}

/** Ticket URLs come from the server and must remain on it. */
function ownPath(url: string): string {
  const path = new URL(url, 'http://server.invalid')
  if (!path.pathname.startsWith('/api/')) throw new Error('a ticket URL outside the API')
  return path.pathname + path.search
}

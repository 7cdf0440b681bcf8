import { createHmac } from 'node:crypto'

/** Body of an error response. */
export class ApiError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(method: string, path: string, status: number, body: unknown) {
    super(`${method} ${path} answered ${status}: ${JSON.stringify(body)?.slice(0, 500)}`)
    this.status = status
    this.body = body
  }
}

/** One page of a list. */
export interface Page<Row> {
  count: number
  next: string | null
  previous: string | null
  results: Row[]
}

/** All rows have an id; the caller declares or checks other fields. */
export interface AnyRow {
  id: string
  [field: string]: unknown
}

export type Query = Readonly<Record<string, string | number | boolean>>

/** Operations of a collection under /api/v1/. `Sent` is the body of create. */
export interface Collection<Row, Sent> {
  /** The complete list, without pages. */
  all(query?: Query): Promise<Row[]>
  page(query?: Query): Promise<Page<Row>>
  get(id: string | number): Promise<Row>
  create(row: Sent): Promise<Row>
  createMany(rows: readonly Sent[]): Promise<Row[]>
  replace(id: string | number, row: Sent): Promise<Row>
  change(id: string | number, fields: Partial<Sent>): Promise<Row>
  delete(id: string | number): Promise<void>
  options(): Promise<unknown>
}

/** API client of a running product for one user. */
export interface Client {
  /** Path under /api/v1/, e.g. `users/users`. */
  collection<Row = AnyRow, Sent = Record<string, unknown>>(path: string): Collection<Row, Sent>
  /** Any request. @throws ApiError unless the response is successful */
  request<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer>
  /** Authentication headers, for other kinds of requests: forms, files, sockets. */
  proof(method: string, path: string): Record<string, string>
  /** The same user in another organization. */
  in(organization: string): Client
  token: string
  /** URL of the product. */
  url: string
}

interface Connection {
  url: string
  token: string
  organization?: string | undefined
  /** Authentication headers of one request. */
  authorise(method: string, path: string): Record<string, string>
}

async function send<Answer>(connection: Connection, method: string, path: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = { accept: 'application/json', 'accept-language': 'en' }
  Object.assign(headers, connection.authorise(method, path))
  if (connection.organization) headers['x-jms-org'] = connection.organization
  if (body !== undefined) headers['content-type'] = 'application/json'
  const answer = await fetch(new URL(path, connection.url), {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const json = answer.headers.get('content-type')?.includes('json')
  const parsed: unknown = json && text ? JSON.parse(text) : text
  if (!answer.ok) throw new ApiError(method, path, answer.status, parsed)
  // The caller declares the type; relevant fields are checked by assertions on the rows.
  return parsed as Answer
}

function withQuery(path: string, query?: Query): string {
  const words = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, `${value}`]))
  return words.size > 0 ? `${path}?${words}` : path
}

function clientOf(connection: Connection): Client {
  const request = <Answer>(method: string, path: string, body?: unknown) => send<Answer>(connection, method, path, body)
  return {
    token: connection.token,
    url: connection.url,
    proof: connection.authorise,
    request,
    in: (organization) => clientOf({ ...connection, organization }),
    collection<Row, Sent>(path: string): Collection<Row, Sent> {
      const list = `/api/v1/${path}/`
      const one = (id: string | number) => `${list}${id}/`
      return {
        all: (query) => request<Row[]>('GET', withQuery(list, query)),
        page: (query) => request<Page<Row>>('GET', withQuery(list, { limit: 15, ...query })),
        get: (id) => request<Row>('GET', one(id)),
        create: (row) => request<Row>('POST', list, row),
        createMany: (rows) => request<Row[]>('POST', list, rows),
        replace: (id, row) => request<Row>('PUT', one(id), row),
        change: (id, fields) => request<Row>('PATCH', one(id), fields),
        async delete(id) {
          await request('DELETE', one(id))
        },
        options: () => request('OPTIONS', list),
      }
    },
  }
}

/** A client with an existing token. */
export function clientWith(connection: { url: string; token: string; organization?: string }): Client {
  return clientOf({ ...connection, authorise: () => ({ authorization: `Bearer ${connection.token}` }) })
}

/** A client that is not signed in. */
export function anonymous(url: string): Client {
  return clientOf({ url, token: '', authorise: () => ({}) })
}

/**
 * Signs in by the API, without a second factor.
 * @param url address of the product
 * @throws ApiError when rejected; Error when a further step is required
 */
export async function signIn(url: string, username: string, password: string): Promise<Client> {
  const answer = await anonymous(url).request<{ token?: string }>('POST', '/api/v1/authentication/auth/', {
    username,
    password,
  })
  if (!answer.token) throw new Error(`Signing in as ${username} asks for more: ${JSON.stringify(answer)}`)
  return clientWith({ url, token: answer.token })
}

/**
 * The same user after a confirmation by password, which critical changes ask for: the session that carries it goes along
 * with every request.
 * @throws ApiError when the password is wrong, or the user has a second factor
 */
export async function confirmed(client: Client, password: string): Promise<Client> {
  const path = '/api/v1/authentication/confirm/'
  const answer = await fetch(new URL(path, client.url), {
    method: 'POST',
    headers: { ...client.proof('POST', path), accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ confirm_type: 'password', secret_key: password }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new ApiError('POST', path, answer.status, text)
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const { token, url } = client
  return clientOf({ url, token, authorise: (method, at) => ({ ...client.proof(method, at), cookie }) })
}

/**
 * Registers a component (a gateway, as third parties also write) and returns its client: all requests are signed with
 * the access key from the registration.
 * @param bootstrapToken token for registration
 * @param name unique among components
 * @param type kind of component
 */
export async function registerComponent(
  url: string,
  bootstrapToken: string,
  name: string,
  type = 'koko',
): Promise<Client> {
  const introduce = clientOf({
    url,
    token: '',
    authorise: () => ({ authorization: `BootstrapToken ${bootstrapToken}` }),
  })
  const answer = await introduce.request<{ service_account: { access_key: { id: string; secret: string } } }>(
    'POST',
    '/api/v1/terminal/terminal-registrations/',
    { name, type, comment: '' },
  )
  const key = answer.service_account.access_key
  return clientOf({ url, token: '', authorise: (method, path) => sign(key, method, path) })
}

/** HTTP signature of request line and date, as components sign. */
function sign(key: { id: string; secret: string }, method: string, path: string): Record<string, string> {
  const date = new Date().toUTCString()
  const signed = `(request-target): ${method.toLowerCase()} ${path}\ndate: ${date}`
  const signature = createHmac('sha256', key.secret).update(signed).digest('base64')
  return {
    date,
    authorization: `Signature keyId="${key.id}",algorithm="hmac-sha256",headers="(request-target) date",signature="${signature}"`,
  }
}

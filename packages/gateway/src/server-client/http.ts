import { openAsBlob } from 'node:fs'
import { Agent, FormData, request } from 'undici'
import { type AccessKey, signatureHeaders } from './signature.ts'

/** The server is unavailable: no connection, a timeout, or a response that says so. */
export class ServerUnreachable extends Error {
  override name = 'ServerUnreachable'
}

/** The server rejected the request. `code` and `detail` are the contract's error body, if present. */
export class ServerRefusal extends Error {
  override name = 'ServerRefusal'
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly body: unknown

  constructor(method: string, path: string, status: number, body: unknown) {
    const fields = (body !== null && typeof body === 'object' ? body : {}) as Record<string, unknown>
    const text = (...names: string[]) => names.map((name) => fields[name]).find((value) => typeof value === 'string')
    const detail = (text('detail', 'msg', 'error') as string | undefined) ?? ''
    super(`${method} ${path.split('?')[0]}: ${status} ${detail}`)
    this.status = status
    this.code = (text('code', 'error') as string | undefined) ?? ''
    this.detail = detail
    this.body = body
  }
}

export interface ServerRequest {
  body?: unknown
  /** One file in a multipart body, with text fields. */
  file?: { path: string; name: string; fields?: Record<string, string> }
  headers?: Record<string, string>
  /** The organization of a signed request; all of them by default. */
  organization?: string
  /** Sent with the component's signature unless false. */
  signed?: boolean
  timeout?: number
}

export interface ServerAnswer {
  status: number
  body: unknown
  setCookie: string[]
}

/** Deviation of our clock above which we use the server's; its responses have a precision of seconds. Milliseconds. */
const clocksAgree = 5000

/** HTTP client for the server, signed as the component if required. Independent of the API's paths. */
export class ServerHttp {
  readonly baseUrl: string
  key: AccessKey | undefined
  /**
   * Called once for a signed request that was answered 401; true when there is a new key and the request should be
   * repeated.
   */
  onUnauthorized: (() => Promise<boolean>) | undefined
  /** How far the server's clock is ahead of this machine's. Milliseconds. */
  private ahead = 0
  private readonly agent = new Agent({ connections: 32, keepAliveTimeout: 15_000, pipelining: 1 })

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl
  }

  /** Milliseconds since 1970 by the server's clock, which applies to all timestamps exchanged with it. */
  get now(): number {
    return Date.now() + this.ahead
  }

  private compareClocks(date: unknown): void {
    const told = typeof date === 'string' ? Date.parse(date) : Number.NaN
    if (Number.isNaN(told)) return
    const ahead = told + 500 - Date.now()
    this.ahead = Math.abs(ahead) > clocksAgree ? ahead : 0
  }

  /** Sends one request and returns the response with any status. Throws only `ServerUnreachable`. */
  async send(method: string, path: string, options: ServerRequest = {}): Promise<ServerAnswer> {
    const headers: Record<string, string> = { accept: 'application/json', ...options.headers }
    if (options.signed !== false && this.key) {
      Object.assign(headers, signatureHeaders(this.key, method, path), { 'x-jms-org': options.organization ?? 'ROOT' })
    }
    let body: string | FormData | undefined
    if (options.file) {
      body = new FormData()
      for (const [name, value] of Object.entries(options.file.fields ?? {})) body.append(name, value)
      body.append('file', await openAsBlob(options.file.path), options.file.name)
    } else if (options.body !== undefined) {
      headers['content-type'] = 'application/json'
      body = JSON.stringify(options.body)
    }
    const limit = options.timeout ?? 30_000
    try {
      const answer = await request(this.baseUrl + path, {
        method: method as 'GET',
        headers,
        ...(body === undefined ? {} : { body }),
        dispatcher: this.agent,
        headersTimeout: limit,
        bodyTimeout: limit,
      })
      this.compareClocks(answer.headers.date)
      const text = await answer.body.text()
      const cookies = answer.headers['set-cookie']
      const setCookie = cookies === undefined ? [] : Array.isArray(cookies) ? cookies : [cookies]
      if ([502, 503, 504].includes(answer.statusCode)) throw new ServerUnreachable(`status ${answer.statusCode}`)
      return { status: answer.statusCode, body: parse(text), setCookie }
    } catch (error) {
      if (error instanceof ServerUnreachable) throw error
      throw new ServerUnreachable(`${method} ${path.split('?')[0]}: ${(error as Error).message}`, { cause: error })
    }
  }

  /** Sends one request as the component; returns the body of a 2xx response, throws `ServerRefusal` for any other. */
  async call<T = unknown>(method: string, path: string, options: ServerRequest = {}): Promise<T> {
    let answer = await this.send(method, path, options)
    if (answer.status === 401 && options.signed !== false && this.onUnauthorized && (await this.onUnauthorized())) {
      answer = await this.send(method, path, options)
    }
    if (answer.status < 200 || answer.status > 299) throw new ServerRefusal(method, path, answer.status, answer.body)
    return answer.body as T
  }
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

import type { Field, StoredRow } from '../fields/field.ts'
import type { Context, Services } from '../module/context.ts'
import type { Requirement } from '../security/permission.ts'
import type { SentBody } from './sent-body.ts'

/** Query parameters; of a repeated name the last value. */
export type Params = Readonly<Record<string, string>>

export const methodsOfRoutes = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methodsOfRoutes)[number]

/** A file of a multipart form. Its stream must be consumed. */
export interface UploadedFile {
  field: string
  name: string
  type: string
  stream: NodeJS.ReadableStream
}

/** A small file of a multipart form, read as a whole. */
export class UploadedBytes {
  readonly name: string
  readonly bytes: Buffer

  constructor(name: string, bytes: Buffer) {
    this.name = name
    this.bytes = bytes
  }
}

export interface RequestParts {
  method: Method
  params: Readonly<Record<string, string>>
  query: Params
  /** Every value of every query parameter. */
  queryAll: Readonly<Record<string, readonly string[]>>
  /** JSON or form fields; a Buffer for other content types; undefined without a body. */
  body: unknown
  contentType: string
  /** The body as bytes. */
  sent: SentBody
  /** When it arrived; a socket, when it was opened. Milliseconds since 1970. */
  received: number
  headers: Readonly<Record<string, string | undefined>>
  cookies: Readonly<Record<string, string | undefined>>
  /** Path with query, as sent. */
  url: string
  /** Scheme and host of the request. */
  origin: string
  /** Files and fields of a multipart body, as a stream. */
  multipart(): AsyncIterableIterator<UploadedFile | { field: string; value: string }>
}

/** A response other than 200 with JSON. */
export class Reply {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | readonly string[]>>

  constructor(status: number, body?: unknown, headers: Record<string, string | readonly string[]> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export const created = (body: unknown) => new Reply(201, body)
export const noContent = () => new Reply(204)
/** Redirects a browser; `headers` for cookies, for example. */
export const redirect = (location: string, headers: Record<string, string> = {}) =>
  new Reply(302, undefined, { location, ...headers })

/**
 * An answer that is made once the transaction is durable, as everybody reads: rows stay locked no longer than they have
 * to, and what lists share is found in the cache.
 */
export class Afterwards {
  readonly answer: (ctx: Context) => Promise<unknown>

  constructor(answer: (ctx: Context) => Promise<unknown>) {
    this.answer = answer
  }
}

export interface Handling {
  ctx: Context
  request: RequestParts
}

/** The fields of a route for OPTIONS, by method. */
export type RouteFields = Partial<Record<Method, Record<string, Field>>>
/** For fields that depend on the request, such as its `category`. May reject the caller. */
export type RouteFieldsOf = (ctx: Context, request: RequestParts) => RouteFields

export interface Route {
  method: Method | readonly Method[]
  /** Full path with `:name` parameters and a trailing slash. */
  path: string
  requires: Requirement
  /** Set for the routes of a module that not every installation has; without it, their URLs do not exist. */
  isAvailable?(services: Services): boolean
  /**
   * Admits only the account of a component that also holds the permission: neither an auditor nor a system
   * administrator may write what components report, or read what is issued to components only.
   */
  componentsOnly?: boolean
  /** The organization in which it is carried out, whatever the one of the request. Its permissions are of the system. */
  organization?: string
  /** One sentence for the API documentation. */
  summary: string
  handle(handling: Handling): unknown | Promise<unknown>
  fields?: RouteFields | RouteFieldsOf
  /** OPTIONS is rejected as an unknown method. */
  withoutOptions?: boolean
  /** GET returns a list: OPTIONS says which of its fields filter and order. */
  listed?: boolean
  /**
   * The URL of the collection whose fields OPTIONS returns; `fields` of the same route are then those of the body, for the
   * API documentation alone.
   */
  describes?: string
  /** Other facts of its fields than the collection's, by name; undefined removes a fact. */
  described?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /**
   * `write` (default for unsafe methods): one transaction around the handler, rolled back by any error. `none` (default
   * for GET): statements commit separately; for changes that must survive an error, such as counting a wrong password.
   */
  transaction?: 'write' | 'none'
  /** A GET that changes something, such as following a link that is good once: HEAD is answered without it. */
  acts?: true
  /** Requires a recent confirmation of this level, else 412. */
  confirm?: 'relogin' | 'password' | 'mfa'
  /** Statuses of the response in addition to 200 and the common errors. */
  statuses?: readonly number[]
  /** The success response has no body. */
  withoutBody?: boolean
  /** Media types of the response if not JSON: a request that does not accept them is rejected first (406). */
  answers?: readonly string[]
  /**
   * Media type of the response in the API documentation, if it is not JSON and sent regardless of the Accept header.
   */
  mediaType?: string
  /** Body limit of this route in bytes, if not the general one. */
  bodyLimit?: number
  /** The body is read as a stream of parts. */
  multipart?: boolean
  /** Bytes of files that a multipart form may contain: they are read into the body, as `UploadedBytes`. */
  formFiles?: number
  /** Other methods at this path are rejected as forbidden (403) instead of unknown (405). */
  refusesOthers?: boolean
  /** Session-authenticated calls need no CSRF token; only for forms that carry their own. */
  csrfExempt?: boolean
}

export const defineRoute = (route: Route): Route => route

/** An extra action of a resource, at `<collection>/<path>/` or `<collection>/:id/<path>/`. */
export interface Action<R = StoredRow> extends Omit<Route, 'path' | 'handle' | 'method'> {
  path: string
  methods: readonly Method[]
  /** The action is on one row, which is first looked up in the caller's scope. */
  detail?: boolean
  handle(handling: Handling & { row: R }): unknown | Promise<unknown>
}

import type { Context } from './context.ts'
import type { AnyRow, Field } from './fields/field.ts'
import type { Requirement } from './permission.ts'

/** Query parameters; the last one of a repeated name counts. */
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

export interface RequestParts {
  method: Method
  /** Path parameters by name. */
  params: Readonly<Record<string, string>>
  query: Params
  /** Every value of every query parameter. */
  queryAll: Readonly<Record<string, readonly string[]>>
  /** JSON or form fields; a Buffer for other content types; undefined without a body. */
  body: unknown
  contentType: string
  headers: Readonly<Record<string, string | undefined>>
  cookies: Readonly<Record<string, string | undefined>>
  /** Path with query, as it was sent. */
  url: string
  /** Scheme and host the caller used. */
  origin: string
  /** Files and fields of a multipart body, as they arrive. */
  multipart(): AsyncIterableIterator<UploadedFile | { field: string; value: string }>
}

/** An answer that is more than a 200 with JSON. */
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
/** Sends a browser elsewhere; `headers` for cookies that go with it. */
export const redirect = (location: string, headers: Record<string, string> = {}) =>
  new Reply(302, undefined, { location, ...headers })

export interface Handling {
  ctx: Context
  request: RequestParts
}

/** What OPTIONS tells about a route's fields: per method, as a resource's fields are declared. */
export type RouteFields = Partial<Record<Method, Record<string, Field>>>
/** Where the fields depend on the request, such as its `category`. May refuse the caller. */
export type RouteFieldsOf = (ctx: Context, request: RequestParts) => RouteFields

export interface Route {
  method: Method | readonly Method[]
  /** Full path with `:name` parameters and a trailing slash. */
  path: string
  requires: Requirement
  /**
   * Only the account of a component passes, beside holding the right: neither an auditor nor a system administrator may
   * write what components report, or take what only they are given.
   */
  componentsOnly?: boolean
  /** One sentence for the API's documentation. */
  summary: string
  handle(handling: Handling): unknown | Promise<unknown>
  fields?: RouteFields | RouteFieldsOf
  /** OPTIONS is refused like a method that is not there. */
  withoutOptions?: boolean
  /** The GET is a list: OPTIONS tells which of its fields filter and order. */
  listed?: boolean
  /** The address of the collection whose fields OPTIONS tells when the route declares none of its own. */
  describes?: string
  /**
   * `write` (default for unsafe methods): one transaction around the handler, rolled back by any error.
   * `none` (default for GET): statements stand alone; for work that must outlive its own failure, such as counting a wrong password.
   */
  transaction?: 'write' | 'none'
  /** Demands a recent confirmation (412) of this level. */
  confirm?: 'relogin' | 'password' | 'mfa'
  /** Statuses it answers with where that is not only 200 and those every refusal has. */
  statuses?: readonly number[]
  /** Its success says all by its status. */
  withoutBody?: boolean
  /** Media types of the answer where it is not JSON: who does not accept them is refused first (406). */
  answers?: readonly string[]
  /** What the API's description calls the answer where it is not JSON and is sent whatever the caller accepts. */
  mediaType?: string
  /** Body limit in bytes when it is not the general one. */
  bodyLimit?: number
  /** The body arrives as a stream of parts. */
  multipart?: boolean
  /** Other methods at this path are refused as not permitted (403), instead of as unknown (405). */
  refusesOthers?: boolean
  /** Session-authenticated calls need no CSRF token: only for forms that carry their own. */
  csrfExempt?: boolean
}

export const defineRoute = (route: Route): Route => route

/** An extra action of a resource, at `<collection>/<path>/` or `<collection>/:id/<path>/`. */
export interface Action extends Omit<Route, 'path' | 'handle' | 'method'> {
  path: string
  methods: readonly Method[]
  /** On one row: it is looked up in the caller's scope first. */
  detail?: boolean
  handle(handling: Handling & { row: AnyRow }): unknown | Promise<unknown>
}

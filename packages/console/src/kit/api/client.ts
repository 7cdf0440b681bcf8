/**
 * All requests to the server: headers, errors, confirmation, keep-alive. User interaction (a message, a confirmation, a
 * sign-in) goes through `hooks`, which the application sets at start-up.
 */

import { csrfToken } from '../../browser/cookies.ts'
import { sessionIfAny } from '../session.ts'
import { t } from '../text.ts'
import { ApiError, Cancelled, serverMessage } from './errors.ts'
import { headersOf, type Working } from './headers.ts'
import { askedEarly, profilePath } from './opening.ts'
import { noteStatements } from './statement-counts.ts'

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>
export type ConfirmCode = 'relogin' | 'password' | 'mfa'

export interface CallOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  query?: Query
  body?: unknown
  /** The caller shows the error. */
  quiet?: boolean
  /** A 401 shows no dialog, because another request follows and shows it. */
  silentSignedOut?: boolean
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
  /** Milliseconds, for what may take longer than other requests. */
  timeout?: number
  /** Sent even if the page is closed meanwhile. */
  keepalive?: boolean
}

export const hooks = {
  /** Shows a message and replaces the previous one. */
  flash: (_text: string): void => {},
  /** Resolves to true after the user confirmed; the request can then be repeated. */
  confirm: (_code: ConfirmCode): Promise<boolean> => Promise.resolve(false),
  /** The session has ended. */
  signedOut: (): void => {},
  /** Another user has signed in, in another window of this browser. The page no longer belongs to this user. */
  otherPerson: (): void => location.reload(),
  /** Organization of the requests, and whether the extended edition is on. */
  organization: (): Working => ({ id: undefined, extended: true }),
}

const usualTimeout = 120_000
const keepAliveAfter = 30_000
let keepAlive: ReturnType<typeof setTimeout> | undefined
let confirming: Promise<boolean> | undefined

/** `path` with a query. Empty values (absent, null, '') are dropped, 0 and false are not. */
export function withQuery(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  if (pairs.length === 0) return path
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value).trim()])).toString()
  return `${path}${path.includes('?') ? '&' : '?'}${text}`
}

/** Appends to the path before the query of a list address. */
export function below(url: string, path: string): string {
  const [base, query] = url.split('?') as [string, string | undefined]
  return `${base}${path}${query ? `?${query}` : ''}`
}

/** Prevents the session from expiring while the page is in use: reads the profile once, 30 s after a response. */
function scheduleKeepAlive(path: string): void {
  if (path.startsWith(profilePath)) return
  clearTimeout(keepAlive)
  keepAlive = setTimeout(() => void call(profilePath, { quiet: true }).catch(() => {}), keepAliveAfter)
}

/** CSRF token at the start of the user's session. Every sign-in in the browser replaces the cookie. */
let knownToken: string | undefined
let proving: Promise<void> | undefined

/** After a sign-in in another window, requests would run as the other user, so none is sent. */
async function proveSamePerson(): Promise<void> {
  const me = sessionIfAny()?.profile.id
  const now = await call<{ id: string }>(profilePath, { quiet: true, silentSignedOut: true }).catch(() => undefined)
  if (!now || now.id === me) return undefined
  hooks.otherPerson()
  // The page is being left, and the request with it.
  return new Promise(() => {})
}

function samePerson(): Promise<void> | undefined {
  if (!sessionIfAny() || csrfToken() === knownToken) return undefined
  proving ??= proveSamePerson().finally(() => {
    proving = undefined
  })
  return proving
}

function generic(status: number): string {
  if (status === 400) return t('errorBadRequest')
  if (status === 403) return t('errorForbidden')
  if (status === 404) return t('errorLost')
  if (status === 409) return t('errorConflict')
  return t('errorServer')
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!text) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

async function refuse(options: CallOptions, status: number, body: unknown): Promise<never> {
  const error = new ApiError(status, body, serverMessage(status, body) || generic(status))
  // Even if the caller shows errors itself: its message would not lead to a sign-in.
  if (status === 401 && !options.silentSignedOut) hooks.signedOut()
  else if (!options.quiet) hooks.flash(error.message)
  throw error
}

/** Requests that wait for the same confirmation share one dialog. */
async function confirmed(code: ConfirmCode): Promise<boolean> {
  confirming ??= hooks.confirm(code).finally(() => {
    confirming = undefined
  })
  return confirming
}

/**
 * Sends one request and returns the parsed body.
 * @throws ApiError for every error response (already shown unless `quiet`), Cancelled when a required
 * confirmation was not given.
 */
export async function call<T = unknown>(path: string, options: CallOptions = {}): Promise<T> {
  const { method = 'GET', body, timeout = usualTimeout } = options
  const asksWho = method === 'GET' && path === profilePath
  if (!asksWho) await samePerson()
  const sent = body === undefined || body instanceof Blob || body instanceof FormData ? body : JSON.stringify(body)
  let response: Response
  let answer: unknown
  try {
    const signal = options.signal
      ? AbortSignal.any([options.signal, AbortSignal.timeout(timeout)])
      : AbortSignal.timeout(timeout)
    const early = method === 'GET' ? askedEarly.get(path) : undefined
    askedEarly.delete(path)
    const headers = headersOf(hooks.organization(), options.headers)
    if (typeof sent === 'string') headers.set('Content-Type', 'application/json')
    response = await (early ??
      fetch(withQuery(path, options.query), {
        method,
        headers,
        credentials: 'same-origin',
        body: sent as BodyInit | undefined,
        signal,
        keepalive: options.keepalive === true,
      }))
    answer = await bodyOf(response)
    noteStatements(path, response)
    if (asksWho) knownToken = csrfToken()
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    const error = new ApiError(0, undefined, t('errorNetwork'))
    if (!options.quiet) hooks.flash(error.message)
    throw error
  }
  if (response.status === 412) {
    const code = (answer as { code?: ConfirmCode } | undefined)?.code ?? 'password'
    if (await confirmed(code)) return call<T>(path, options)
    throw new Cancelled(t('confirmCancelled'))
  }
  if (!response.ok) return refuse(options, response.status, answer)
  scheduleKeepAlive(path)
  return answer as T
}

/** Exchanges a set of ids for a token accepted by lists, exports and bulk deletes (`?spm=`). */
export async function selectionToken(ids: readonly string[]): Promise<string> {
  const answer = await call<{ spm: string }>('/api/v1/common/resources/cache/', {
    method: 'POST',
    body: { resources: ids },
  })
  return answer.spm
}

/** Whether the server is reachable. If not, a reload would end on the browser's error page. */
export const isServed = (): Promise<boolean> =>
  fetch('/ui/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Ends the session on the server, whatever its state. Never throws. */
export async function endSession(): Promise<void> {
  await fetch('/core/auth/logout/', { credentials: 'same-origin' }).catch(() => undefined)
}

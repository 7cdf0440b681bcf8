import type { Caller, Context, CredentialKind, SessionHandle } from '../module/context.ts'
import type { RequestParts } from './route.ts'

/** The verified identity of a request. */
export interface Proof {
  caller: Caller | undefined
  credential: CredentialKind
  session?: SessionHandle | undefined
}

/**
 * What the kernel needs from modules: the sender of a request, the organization a name refers to, the user's
 * permissions. `modules.ts` connects it to the authentication, orgs and rbac modules.
 */
export interface Identity {
  /** Throws 401 for invalid credentials; without credentials, the caller is undefined. */
  prove(ctx: Context, request: RequestParts): Promise<Proof>
  /** Throws 403 for an unsafe call authenticated by a cookie without the CSRF token. */
  checkCsrf(ctx: Context, request: RequestParts): void
  /** Resolves the organization in a query, header, cookie or session value; the default one when there is none. */
  resolveOrg(ctx: Context, wanted: string | undefined): Promise<string>
  /** Throws 412 unless the session was confirmed recently enough. */
  demandConfirmation(ctx: Context, level: 'relogin' | 'password' | 'mfa'): void
  /** Runs when the response is known: saves the session, adds cookies. */
  finish(ctx: Context, request: RequestParts, cookies: CookieJar): Promise<void>
}

export interface CookieOptions {
  maxAge?: number
  httpOnly?: boolean
  sameSite?: 'lax' | 'strict'
}

export interface CookieJar {
  set(name: string, value: string, options?: CookieOptions): void
  clear(name: string): void
}

import type { Caller, Context, CredentialKind, SessionHandle } from '../context.ts'
import type { RequestParts } from '../route.ts'

/** What a request proves about who sends it. */
export interface Proof {
  caller: Caller | undefined
  credential: CredentialKind
  session?: SessionHandle | undefined
}

/**
 * What the kernel asks the modules for: who a request comes from, which organization a name means, what the person may do.
 * `main.ts` puts the authentication, orgs and rbac modules behind it.
 */
export interface Identity {
  /** Throws 401 for credentials that are wrong; without any, the caller is undefined. */
  prove(ctx: Context, request: RequestParts): Promise<Proof>
  /** Refuses an unsafe call that rests on a cookie without the CSRF token (403). */
  checkCsrf(ctx: Context, request: RequestParts): void
  /** The organization a query, header, cookie or session value means; the default one when it means none. */
  resolveOrg(ctx: Context, wanted: string | undefined): Promise<string>
  /** Throws 412 unless the session confirmed recently enough. */
  demandConfirmation(ctx: Context, level: 'relogin' | 'password' | 'mfa'): void
  /** Runs when the answer is known: saves the session, adds cookies. */
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

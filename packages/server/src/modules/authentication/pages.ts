import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '@castellan/contract/messages/errors'
import type { SignInBrand, SignInPage } from '@castellan/contract/signin-page'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { pagePolicy, pageWith } from '../../kernel/http/console-files.ts'
import { type Handling, Reply, type RequestParts, redirect } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError, render, type Text, text } from '../../kernel/module/errors.ts'
import { perInstallation } from '../../kernel/module/per-installation.ts'
import { AddressLimit } from '../../kernel/security/rate-limit.ts'
import { loginTitle } from '../notifications/index.ts'
import { appearance } from '../settings/index.ts'
import { authenticationIdentity, csrfToken, sessionKeys } from './identity.ts'
import type { Session } from './session.ts'

type Distribute<T> = T extends SignInPage ? Omit<T, 'csrf' | 'language' | 'brand'> : never
/** A page's own data; `showPage` adds the data common to all pages. */
export type PageFacts = Distribute<SignInPage>

function brandOf(ctx: Context): SignInBrand {
  const accent = appearance.of(ctx).INTERFACE.theme_info?.colors?.['--color-primary']
  return { title: loginTitle(ctx), ...(accent ? { accent } : {}) }
}

/** Sign-in pages that begin a session: so many from one address in a minute. */
const begunSessions = perInstallation(() => new AddressLimit(600, 60_000))
/** Seconds a page waits for its form. */
const pageAge = 3600

/** Unauthenticated clients can open pages, and each new session stores a row: their number and lifetime are limited. */
export function beginSession(ctx: Context, session: Session): void {
  // A signed-in session keeps its own lifetime.
  if (session.userId) return
  const begun = begunSessions(ctx.services)
  if (begun.isReached(ctx.ip)) throw begun.refusal(ctx.ip)
  begun.count(ctx.ip)
  // The session of a signed-in user keeps its own lifetime.
  if (!session.userId) session.keepFor(pageAge)
}

/**
 * The page that posts a form to a provider by itself. Browsers apply `form-action` to the redirects after the form too,
 * and those are the provider's own affair: this page, which has no input of anybody, names no single address.
 */
export const showLeaving = (
  ctx: Context,
  session: Session | undefined,
  { url, form, provider }: { url: string; form: Readonly<Record<string, string>>; provider: string },
): Promise<Reply> =>
  showPage(
    ctx,
    session,
    { page: 'leave', action: url, fields: form, provider },
    200,
    pagePolicy.replace("form-action 'self'", `form-action https: ${new URL(url).origin}`),
  )

/** The built sign-in page with its data embedded. Starts the session, if any, because a form needs its CSRF token. */
export async function showPage(
  ctx: Context,
  session: Session | undefined,
  facts: PageFacts,
  status = 200,
  policy = pagePolicy,
): Promise<Reply> {
  if (session) {
    beginSession(ctx, session)
    await sessionKeys(session)
  }
  const page = { ...facts, csrf: session ? csrfToken(session) : '', language: ctx.language, brand: brandOf(ctx) }
  const dir = ctx.services.config.consoleDir
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
  }
  if (!existsSync(join(dir, 'signin.html')))
    return new Reply(503, 'The console is not built yet: run "npm start" once.\n', {
      ...headers,
      'content-type': 'text/plain; charset=utf-8',
    })
  return new Reply(status, pageWith(dir, 'signin.html', page), headers)
}

/** Validates a redirect target after sign-in: a path of ours; undefined for anything else. */
export function ownPath(next: string | undefined): string | undefined {
  // With a backslash or a control character, browsers may interpret what looks like a path as a URL with another host.
  const plain = next?.startsWith('/') && !next.startsWith('//') && [...next].every((one) => one > ' ' && one !== '\\')
  return plain ? next : undefined
}

/** Carries `next` through the steps of a sign-in. */
export const withNext = (path: string, request: RequestParts): string => {
  const next = ownPath(request.query.next)
  return next ? `${path}?next=${encodeURIComponent(next)}` : path
}

/** Error texts of a form, by field (`''`: none). */
export const refused = (ctx: Context, said: Text, field = '') => ({ errors: { [field]: [render(said, ctx.language)] } })

/** The text fields of a form; other values in the body are ignored. */
export const formOf = (request: RequestParts): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectOf(request.body)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )

/** A form with an invalid CSRF token leads back to the login page, with an error. */
export async function withCsrf(handling: Handling, work: () => Promise<unknown>): Promise<unknown> {
  try {
    authenticationIdentity.checkCsrf(handling.ctx, handling.request)
  } catch (error) {
    if (error instanceof ApiError) return redirect('/core/auth/login/?csrf_failure=1&admin=1')
    throw error
  }
  return work()
}

export const csrfNotice = (ctx: Context) => refused(ctx, text(errors.csrf_failed))

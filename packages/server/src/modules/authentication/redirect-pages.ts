import { errors } from '@castellan/contract/messages/errors'
import { notFound } from '../../kernel/errors.ts'
import { randomText } from '../../kernel/random.ts'
import { defineRoute, type Handling, redirect } from '../../kernel/route.ts'
import { identityCatalogue, type RedirectBackend } from '../../kernel/sign-in.ts'
import { sessionOf } from './api.ts'
import { beginSession, ownPath, refused, showPage, withNext } from './pages.ts'
import { Refusal } from './refusal.ts'
import { passRedirect } from './sign-in.ts'
import { guardPath, loginFacts } from './sign-in-pages.ts'

/** What waits in the session while the browser is with the provider; taken once. */
interface Away {
  backend: string
  kept: string
  next: string
}
const awayMark = 'auth_redirect'

function backendOf({ ctx, request }: Handling): { backend: RedirectBackend; callbackUrl: string } {
  const backend = identityCatalogue.enabled(ctx, 'redirect').find(({ name }) => name === request.params.backend)
  if (!backend) throw notFound(errors.not_found)
  return { backend, callbackUrl: `${request.origin}/core/auth/${backend.name}/callback/` }
}

async function leave(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const { backend, callbackUrl } = backendOf(handling)
  const session = sessionOf(ctx)
  const { url, kept = randomText(32) } = await backend.start(ctx.withoutSession(), callbackUrl)
  const away: Away = { backend: backend.name, kept, next: ownPath(request.query.next) ?? '' }
  beginSession(ctx, session)
  session.set(awayMark, away)
  return redirect(url)
}

async function comeBack(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const { backend, callbackUrl } = backendOf(handling)
  const session = sessionOf(ctx)
  const away = session.get<Away>(awayMark)
  session.delete(awayMark)
  try {
    // An answer that this browser never asked for would sign it in as somebody else.
    if (away?.backend !== backend.name) throw new Refusal('provider_refused', {}, { logged: false })
    await passRedirect(ctx, session, backend, { request, callbackUrl, kept: away.kept })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return showPage(ctx, session, loginFacts(ctx, refused(ctx, error.said)))
  }
  return redirect(withNext(guardPath, { ...request, query: { ...request.query, next: away.next } }))
}

const page = { requires: 'public', transaction: 'none', csrfExempt: true } as const

export const redirectRoutes = [
  defineRoute({
    ...page,
    method: 'GET',
    path: '/core/auth/:backend/login/',
    summary: 'Sign in with an identity provider',
    handle: leave,
  }),
  defineRoute({
    ...page,
    method: ['GET', 'POST'],
    path: '/core/auth/:backend/callback/',
    summary: 'Back from an identity provider',
    handle: comeBack,
  }),
]

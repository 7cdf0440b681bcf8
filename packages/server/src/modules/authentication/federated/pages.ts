import { signInPages } from '@castellan/contract/messages/sign-in-pages'
import { defineRoute, type Handling, Reply, redirect } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { render, type Text, text } from '../../../kernel/module/errors.ts'
import { identityCatalogue, type RedirectBackend } from '../../../kernel/security/sign-in.ts'
import { sessionOf } from '../api.ts'
import { formOf, ownPath, showPage } from '../pages.ts'
import { endProviderSessions } from '../provider-session.ts'
import type { Session } from '../session.ts'
import { passRedirect } from '../sign-in.ts'
import { SignInDenied } from '../sign-in-denied.ts'
import { sendTo } from './sign-out.ts'
import { beginTrip, endTrip, keepForm, newState, takeForm } from './trips.ts'

const pathOf = (backend: RedirectBackend) => `/core/auth/${backend.path ?? backend.name}`

export const loginUrlOf = (backend: RedirectBackend) => `${pathOf(backend)}/login/`

function backendOf({ ctx, request }: Handling): { backend: RedirectBackend; callbackUrl: string } | undefined {
  const path = [request.params.backend, request.params.way].filter(Boolean).join('/')
  const backend = identityCatalogue.enabled(ctx, 'redirect').find((one) => (one.path ?? one.name) === path)
  return backend && { backend, callbackUrl: `${request.origin}${pathOf(backend)}/callback/` }
}

/** The buttons of the sign-in page. */
export const providerButtons = (ctx: Context) =>
  identityCatalogue
    .enabled(ctx, 'redirect')
    .filter(({ isHidden }) => !isHidden)
    .map((backend) => ({
      name: backend.name,
      label: backend.label[ctx.language],
      ...backend.button?.(ctx),
      url: loginUrlOf(backend),
    }))

/**
 * The session of a page. None where another site posts: the browser keeps its cookie to itself then, and a new session
 * would replace its own.
 */
export const pageSession = (ctx: Context, { method }: Handling['request']): Session | undefined =>
  method === 'POST' ? undefined : sessionOf(ctx)

/** Says why a sign-in at a provider failed, and leads back to the form without starting another one by itself. */
export const showRefusal = (ctx: Context, session: Session | undefined, said: Text, status = 200): Promise<Reply> =>
  showPage(
    ctx,
    session,
    {
      page: 'message',
      kind: 'error',
      title: signInPages.provider_failed[ctx.language],
      message: render(said, ctx.language),
      redirect: {
        url: '/core/auth/login/?admin=1',
        label: signInPages.to_sign_in[ctx.language],
        auto: false,
        seconds: 0,
      },
    },
    status,
  )

/** A button of a page that was opened before a provider was switched off. */
const showOff = ({ ctx, request }: Handling) =>
  showRefusal(ctx, pageSession(ctx, request), text(signInPages.provider_off), 404)

async function leave(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const found = backendOf(handling)
  if (!found) return showOff(handling)
  const { backend, callbackUrl } = found
  const session = sessionOf(ctx)
  const next = ownPath(request.query.next) ?? ''
  if (ctx.credential === 'session' && ctx.caller?.isActive && !ctx.caller.isExpired) return redirect(next || '/')
  const state = newState()
  try {
    const { kept = '', ...address } = await backend.start(ctx.withoutSession(), { callbackUrl, state })
    await beginTrip(ctx, session, state, { backend: backend.name, purpose: 'sign-in', kept, next })
    return sendTo(ctx, session, address, backend)
  } catch (error) {
    if (!(error instanceof SignInDenied)) throw error
    return showRefusal(ctx, session, error.said, error.status)
  }
}

/**
 * Ends the sessions that a provider names in a form that it posts by itself; undefined if the form is none of these.
 * The answer is the same for known and for unknown sessions.
 */
async function endByForm(
  ctx: Context,
  backend: RedirectBackend,
  form: Readonly<Record<string, string>>,
): Promise<Reply | undefined> {
  try {
    const name = backend.endedBy?.(form)
    if (name === undefined) return undefined
    await endProviderSessions(ctx, backend.name, name)
    return new Reply(200, '')
  } catch (error) {
    ctx.services.log.warn({ err: error, backend: backend.name }, 'A request of a provider for a sign-out was refused')
    return new Reply(400, '')
  }
}

async function comeBack(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const found = backendOf(handling)
  if (!found) return showOff(handling)
  const { backend, callbackUrl } = found
  const session = sessionOf(ctx)
  const parameter = backend.stateParameter ?? 'state'
  if (request.method === 'POST') {
    const form = formOf(request)
    const ended = await endByForm(ctx, backend, form)
    if (ended) return ended
    const state = form[parameter]
    // No page is shown here: its session would replace the one whose cookie the browser did not send.
    const query = (await keepForm(ctx, state, form)) ? `?${new URLSearchParams({ [parameter]: state ?? '' })}` : ''
    return redirect(`${pathOf(backend)}/callback/${query}`)
  }
  const state = request.query[parameter]
  try {
    const trip = await endTrip(ctx, session, state, { backend: backend.name, purpose: 'sign-in' })
    const body = await takeForm(ctx, state)
    const back = { request: body ? { ...request, body } : request, callbackUrl, state: state ?? '', kept: trip.kept }
    await passRedirect(ctx, session, backend, back)
    return redirect(`/core/auth/login/guard/${trip.next ? `?next=${encodeURIComponent(trip.next)}` : ''}`)
  } catch (error) {
    if (!(error instanceof SignInDenied)) throw error
    return showRefusal(ctx, session, error.said)
  }
}

const page = { requires: 'public', transaction: 'none', csrfExempt: true } as const

export const redirectRoutes = ['/core/auth/:backend', '/core/auth/:backend/:way'].flatMap((path) => [
  defineRoute({
    ...page,
    method: 'GET',
    path: `${path}/login/`,
    summary: 'Sign in with an identity provider',
    handle: leave,
  }),
  defineRoute({
    ...page,
    method: ['GET', 'POST'],
    path: `${path}/callback/`,
    acts: true,
    summary: 'Back from an identity provider',
    handle: comeBack,
  }),
])

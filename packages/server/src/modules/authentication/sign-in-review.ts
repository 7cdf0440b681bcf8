import { signInErrors } from '@castellan/contract/messages/sign-in'
import { signInPages } from '@castellan/contract/messages/sign-in-pages'
import { defineRoute, type Handling, Reply, redirect } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { render, type Text, text } from '../../kernel/module/errors.ts'
import { showPage, withNext } from './pages.ts'
import { Session } from './session.ts'
import { SignInDenied } from './sign-in-denied.ts'
import { type SigningIn, signInReviews } from './sign-in-outcomes.ts'

export const statusPath = '/api/v1/authentication/login-confirm-ticket/status/'
export const waitPath = '/core/auth/login/wait-confirm/'

const notApproved = (user: { username: string }, ticketId: string | undefined) =>
  new SignInDenied('login_confirm_error', {}, { data: { ticket_id: ticketId ?? '', username: user.username } })

/**
 * The approval that a login rule demands, after every other step: opens the ticket of this sign-in, or looks at it.
 * Throws `login_confirm_wait` or `login_confirm_error` until it is approved.
 */
export async function passReview(ctx: Context, session: Session, user: SigningIn): Promise<void> {
  if (!session.get('auth_confirm_required')) return
  const known = session.get<string>('auth_ticket_id')
  const state = known ? await signInReviews.use.stateOf(ctx, user, known) : 'waiting'
  if (state === 'approved') return
  if (state === 'refused') throw notApproved(user, known)
  const ticketId = known ?? (await signInReviews.use.open(ctx, user, session.get<string>('auth_acl_id') ?? ''))
  session.set('auth_ticket_id', ticketId)
  throw new SignInDenied('login_confirm_wait', {}, { status: 200, data: { ticket_id: ticketId }, logged: false })
}

/** Who waits in this session, and for which ticket. */
export interface Waiting {
  user: SigningIn
  ticketId: string
}

interface Marks {
  pendingUser(ctx: Context, session: Session): Promise<SigningIn | undefined>
}

/** The routes of the wait; `pendingUser` knows who completed the first step in a session. */
export function reviewRoutes({ pendingUser }: Marks) {
  const sessionOf = (ctx: Context) => (ctx.session instanceof Session ? ctx.session : undefined)

  async function waiting(ctx: Context): Promise<Waiting | undefined> {
    const session = sessionOf(ctx)
    const user = session && (await pendingUser(ctx, session))
    const ticketId = session?.get<string>('auth_ticket_id')
    return user && ticketId ? { user, ticketId } : undefined
  }

  /** A sign-in that took too long is over: nobody is asked about it any more. */
  async function giveUp(ctx: Context): Promise<void> {
    const session = sessionOf(ctx)
    const [id, ticketId] = [session?.get<string>('user_id'), session?.get<string>('auth_ticket_id')]
    if (id && ticketId) await signInReviews.use.withdraw(ctx, { id, name: '', username: '' }, ticketId)
    session?.delete('auth_ticket_id')
  }

  async function status({ ctx }: Handling): Promise<unknown> {
    const answer = (error: string, said: Text, data: object) => ({ error, msg: render(said, ctx.language), data })
    const found = await waiting(ctx)
    if (!found) {
      await giveUp(ctx)
      return answer('login_confirm_error', text(signInErrors.login_confirm_over), { ticket_id: '', username: '' })
    }
    const { user, ticketId } = found
    const state = await signInReviews.use.stateOf(ctx, user, ticketId)
    if (state === 'approved') return { msg: 'ok' }
    const data = { ticket_id: ticketId, username: user.username }
    return state === 'waiting'
      ? answer('login_confirm_wait', text(signInErrors.login_confirm_wait), data)
      : answer('login_confirm_error', text(signInErrors.login_confirm_error), data)
  }

  async function cancel({ ctx }: Handling): Promise<unknown> {
    const found = await waiting(ctx)
    if (found) await signInReviews.use.withdraw(ctx, found.user, found.ticketId)
    return new Reply(200, '')
  }

  async function page({ ctx, request }: Handling): Promise<unknown> {
    const session = sessionOf(ctx)
    const found = await waiting(ctx)
    if (!session) return redirect(withNext('/core/auth/login/', request))
    if (!found)
      return showPage(ctx, session, {
        page: 'message',
        kind: 'info',
        title: signInPages.nothing_waits_title[ctx.language],
        message: signInErrors.login_confirm_over[ctx.language],
        redirect: { url: withNext('/core/auth/login/', request), auto: false, seconds: 0 },
      })
    const { url, reviewers } = await signInReviews.use.shown(ctx, found.ticketId)
    return showPage(ctx, session, {
      page: 'wait-confirm',
      statusUrl: statusPath,
      guardUrl: withNext('/core/auth/login/guard/', request),
      loginUrl: withNext('/core/auth/login/', request),
      ticketUrl: url,
      reviewers,
    })
  }

  const open = { requires: 'public', transaction: 'none', csrfExempt: true } as const
  return [
    defineRoute({
      ...open,
      method: 'GET',
      path: statusPath,
      summary: 'Whether this sign-in was approved',
      handle: status,
    }),
    defineRoute({
      ...open,
      method: 'DELETE',
      path: statusPath,
      summary: 'Stop waiting for an approval',
      handle: cancel,
    }),
    defineRoute({
      ...open,
      method: 'GET',
      path: waitPath,
      summary: 'The page that waits for an approval',
      handle: page,
    }),
  ]
}

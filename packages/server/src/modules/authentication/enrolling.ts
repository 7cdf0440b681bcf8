/** The one decision about who may set up or replace a second factor, or a key, on the pages of the sign-in. */
import { type Handling, type Reply, redirect } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { identityCatalogue } from '../../kernel/security/sign-in.ts'
import { userBy } from '../users/index.ts'
import { sessionOf } from './api.ts'
import { isConfirmed, signedInAfresh } from './confirmation.ts'
import { factorsOf, isUnfinished, type UserRow } from './factors.ts'
import { ownPath } from './pages.ts'
import type { Session } from './session.ts'
import { pendingUser } from './sign-in.ts'
import { temporaryPassword } from './temp-tokens/backend.ts'

const loginPath = '/core/auth/login/'
export const guardPath = '/core/auth/login/guard/'
/** Asks signed-in users to confirm who they are, and leads back. */
export const verifyPath = '/core/auth/password/verify/'

export interface Person {
  readonly session: Session
  readonly row: UserRow
}

export const toLogin = (): Reply => redirect(`${loginPath}?_=otp_enable_start`)

/** Who is signed in to this browser; a sign-in that is under way, and credentials of programs, do not count. */
export async function signedInPerson({ ctx }: Handling): Promise<Person | undefined> {
  if (ctx.credential !== 'session' || !ctx.caller?.isActive || ctx.caller.isExpired) return undefined
  const row = await userBy(ctx, 'id', ctx.caller.id)
  return row && { session: sessionOf(ctx), row }
}

const hasFactor = async (ctx: Context, row: UserRow) => (await identityCatalogue.activeFactors(ctx, row)).length > 0

/** To the confirmation, and back: to this page, or to the one that has the form. */
const toConfirm = (next: string): Reply => redirect(`${verifyPath}?next=${encodeURIComponent(ownPath(next) ?? '/')}`)

/**
 * Who may set up a factor now, or the page that has to come first. In the middle of a sign-in only who must have a factor
 * and has none of any kind: the password alone must not replace one. Who is signed in confirms by what they have, unless
 * they have no factor and signed in minutes ago.
 * @param back the page to come back to after a confirmation
 */
export async function enrolling(handling: Handling, back: string): Promise<Person | Reply> {
  const { ctx } = handling
  const session = sessionOf(ctx)
  const pending = await pendingUser(ctx, session)
  if (pending) {
    // Whose source has not accepted them yet must not change anything of the account; nor does a temporary password, which
    // whoever has found an open session can make.
    if (isUnfinished(session, pending) || session.get('auth_backend') === temporaryPassword.name) return toLogin()
    const { enabled } = await factorsOf(ctx, pending)
    return enabled && !(await hasFactor(ctx, pending)) ? { session, row: pending } : redirect(guardPath)
  }
  const person = await signedInPerson(handling)
  if (!person) return toLogin()
  const isFirst = signedInAfresh(ctx) && !(await hasFactor(ctx, person.row))
  return isFirst || isConfirmed(ctx, 'password') ? person : toConfirm(back)
}

/** Who changes a way in on a page: signed in, and confirmed; or the page that has to come first. */
export async function confirmedPerson(handling: Handling, back: string): Promise<Person | Reply> {
  const person = await signedInPerson(handling)
  if (!person) return toLogin()
  return isConfirmed(handling.ctx, 'password') ? person : toConfirm(back)
}

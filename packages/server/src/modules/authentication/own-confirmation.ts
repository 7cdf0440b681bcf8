/** How signed-in users confirm that they are who they are, by what they have: a factor, a password, or a new sign-in. */
import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../../kernel/module/context.ts'
import { failureAs, type Text, text } from '../../kernel/module/errors.ts'
import { ownSecretProblem } from '../users/index.ts'
import { type ConfirmLevel, keepConfirmation, signedInAfresh } from './confirmation.ts'
import { codeIsRight, factorsOf, firstFactor, type UserRow } from './factors.ts'
import { subjectOf, tryGuessable } from './limits.ts'
import type { Session } from './session.ts'
import { passwordBackendsOf, passwordIsRight } from './sign-in.ts'
import { SignInDenied } from './sign-in-denied.ts'

/**
 * How a user confirms at a level: by the strongest available method, at least that level. Whose password is with a
 * provider that is not asked for passwords signs in there again instead.
 * @throws 400 where a second factor is demanded of who has none
 */
export async function usableWay(ctx: Context, row: UserRow, level: ConfirmLevel): Promise<ConfirmLevel> {
  const factors = await factorsOf(ctx, row)
  if (factors.enabled && factors.active.length > 0) return 'mfa'
  if (level === 'mfa') throw failureAs(400, 'error', text(errors.confirm_needs_factor))
  return passwordBackendsOf(ctx, row).length > 0 ? 'password' : 'relogin'
}

/** Own passwords are compared here; those of other sources by the source, within its limits of guesses at sign-ins. */
async function isOwnPassword(ctx: Context, row: UserRow, password: string): Promise<boolean> {
  const isRight = () => passwordIsRight(ctx, row, password)
  if (row.source === 'local') return isRight()
  try {
    await tryGuessable(ctx, 'login', subjectOf(row, row.username), isRight)
    return true
  } catch (error) {
    if (error instanceof SignInDenied) return false
    throw error
  }
}

/** Confirms the caller, and keeps that in the session. @returns the error when what was sent is wrong */
export async function confirmOwn(
  ctx: Context,
  session: Session,
  row: UserRow,
  sent: { level: ConfirmLevel; secret: string; mfaType: string },
): Promise<Text | undefined> {
  const way = await usableWay(ctx, row, sent.level)
  const wrong = text(errors.confirm_failed)
  const isRight = async () =>
    way === 'mfa'
      ? codeIsRight(ctx, row, sent.mfaType || (await firstFactor(ctx, row)), sent.secret.trim())
      : isOwnPassword(ctx, row, sent.secret)
  // The time of a sign-in cannot be guessed, so no attempts are counted.
  const problem =
    way === 'relogin'
      ? !signedInAfresh(ctx) && text(errors.confirm_by_sign_in)
      : await ownSecretProblem(ctx, row.id, isRight, wrong)
  if (problem) return problem
  // A new sign-in at the provider stands for the password that is not here.
  keepConfirmation(ctx, session, way === 'relogin' ? 'password' : sent.level)
  return undefined
}

/** Checks the caller's own password, within the limits of guesses; the session remembers a right one. */
export async function passOwnPassword(
  ctx: Context,
  session: Session,
  row: UserRow,
  password: string,
): Promise<Text | undefined> {
  const problem = await ownSecretProblem(
    ctx,
    row.id,
    () => isOwnPassword(ctx, row, password),
    text(errors.confirm_failed),
  )
  if (!problem) session.set('auth_password', true)
  return problem
}

import { roleIds } from '@castellan/contract/ids'
import type { Context } from '../../kernel/context.ts'
import { identityCatalogue, type SecondFactor } from '../../kernel/sign-in.ts'
import { signInSecurity, type UserRow } from '../users/index.ts'
import { subjectOf, tryGuessable } from './limits.ts'
import { Refusal } from './refusal.ts'
import type { Session } from './session.ts'

export type { UserRow }

export interface Factors {
  /** A second factor is required at sign-in. */
  enabled: boolean
  /** Required by a setting or an administrator; the user cannot disable it. */
  forced: boolean
  /** Factors the user can use now. */
  active: string[]
}

async function administersAnOrg(ctx: Context, userId: string): Promise<boolean> {
  const row = await ctx.services.database.reader
    .selectFrom('rbac_rolebinding')
    .select('id')
    .where('user_id', '=', userId)
    .where('role_id', 'in', [roleIds.systemAdmin, roleIds.orgAdmin])
    .executeTakeFirst()
  return row !== undefined
}

/** The second factors of a user: required, enforced, available. */
export async function factorsOf(ctx: Context, row: UserRow): Promise<Factors> {
  const policy = Number(signInSecurity.of(ctx).SECURITY_MFA_AUTH ?? 0)
  const level = Number(row.mfa_level)
  const forced = policy === 1 || level === 2 || (policy === 2 && (await administersAnOrg(ctx, row.id)))
  const active = identityCatalogue.factors(ctx).filter((factor) => factor.isActive(row))
  return { enabled: forced || level > 0, forced, active: active.map(({ name }) => name) }
}

/** Every factor the installation offers; those unavailable to the user are disabled. */
export function offeredFactors(ctx: Context, factors: Factors) {
  return identityCatalogue.factors(ctx).map(({ name, label, placeholder }) => ({
    name,
    disabled: !factors.active.includes(name),
    display_name: label[ctx.language],
    placeholder: placeholder[ctx.language],
  }))
}

/** The factor of a name, when the person can use it. */
export const activeFactor = (ctx: Context, row: UserRow, name: string): SecondFactor | undefined =>
  identityCatalogue.factors(ctx).find((factor) => factor.name === name && factor.isActive(row))

/** The factor meant where none is named. */
export const firstFactor = async (ctx: Context, row: UserRow): Promise<string> =>
  (await factorsOf(ctx, row)).active[0] ?? ''

/** Checks a code without counting it: for confirmations of somebody who is signed in. */
export async function codeIsRight(ctx: Context, row: UserRow, type: string, code: string): Promise<boolean> {
  return (await activeFactor(ctx, row, type)?.check(ctx.withoutSession(), row, code)) === true
}

/**
 * Decides for every sign-in whether the second factor is done. Marks the session on success; throws the error that
 * names the missing step.
 */
export async function passSecondFactor(
  ctx: Context,
  session: Session,
  row: UserRow,
  sent?: { type: string; code: string },
): Promise<void> {
  const factors = await factorsOf(ctx, row)
  if (!factors.enabled) return
  if (session.get('auth_mfa') && session.get('auth_mfa_username') === row.username) return
  if (!sent) {
    throw new Refusal(
      'mfa_required',
      {},
      { status: 200, logged: false, data: { choices: factors.active, url: '/api/v1/authentication/mfa/challenge/' } },
    )
  }
  await tryGuessable(ctx, 'mfa', subjectOf(row, row.username), () => codeIsRight(ctx, row, sent.type, sent.code))
  session.set('auth_mfa', true)
  session.set('auth_mfa_username', row.username)
  session.set('auth_mfa_type', sent.type)
  session.set('auth_mfa_time', ctx.now)
}

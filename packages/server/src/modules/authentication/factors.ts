import { mfaTypes } from '@castellan/contract/choices/authentication'
import { roleIds } from '@castellan/contract/ids'
import type { Context } from '../../kernel/context.ts'
import type { Row } from '../../kernel/resource.ts'
import type { user } from '../users/index.ts'
import { subjectOf, tryGuessable } from './limits.ts'
import { useOtpCode } from './otp.ts'
import { Refusal } from './refusal.ts'
import type { Session } from './session.ts'

export type UserRow = Row<typeof user>

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
  const policy = Number(ctx.services.settings.get('SECURITY_MFA_AUTH') ?? 0)
  const level = Number(row.mfa_level)
  const forced = policy === 1 || level === 2 || (policy === 2 && (await administersAnOrg(ctx, row.id)))
  return { enabled: forced || level > 0, forced, active: row.otp_secret ? ['otp'] : [] }
}

/** Every factor the installation offers; those unavailable to the user are disabled. */
export function offeredFactors(ctx: Context, factors: Factors) {
  return [
    {
      name: 'otp',
      disabled: !factors.active.includes('otp'),
      display_name: mfaTypes.otp[ctx.language],
      placeholder: mfaTypes.otp[ctx.language],
    },
  ]
}

/** Verifies a code without counting the attempt, for confirmations by a signed-in user. */
export async function codeIsRight(ctx: Context, row: UserRow, type: string, code: string): Promise<boolean> {
  if (type !== 'otp' || !row.otp_secret) return false
  return useOtpCode(ctx, row.id, ctx.services.vault.open(row.otp_secret), code)
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
